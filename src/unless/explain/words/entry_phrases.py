"""Points by column in words: what stands beside the points of a column, and what a row has there.

In: the columns of `logic.forms.column_points`, and the words of a language. Out: phrases such as "above 1 up to 17",
"Bath or Leeds", "any other or blank", and of a row "tenure is 5 (above 1 up to 17)". Bounds are said with all their
digits: a person adds up points for values that this text does not know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.words.conditions import Conditions
from unless.logic.forms.entries import ColumnTest
from unless.logic.forms.value_sets import EVERY_NUMBER, named_numbers
from unless.logic.relations import TRUE

if TYPE_CHECKING:
    from unless.explain.words.language import Language
    from unless.logic.forms.column_points import ColumnPoints
    from unless.logic.forms.value_sets import ValueSet
    from unless.logic.rules import Column, Value


@dataclass(frozen=True)
class EntryPhrases:
    """Says the entries of columns in a language."""

    words: Language

    def title(self, column: Column) -> str:
        """Name a column, or say the conjunction over relations that it is the truth of."""
        if column.atoms:
            return Conditions(self.words).related(column, holds=True)
        return self.words.column(column.name)

    def entries(self, by_column: ColumnPoints) -> list[str]:
        """Say which values each entry of a column is for."""
        return [self._entry(by_column.column, entry.values) for entry in by_column.entries]

    def fact(self, column: Column, values: ValueSet, value: Value | None) -> str:
        """Say what a row has in a column, and the entry that it falls under, where the value does not show that."""
        if column.atoms:
            return Conditions(self.words).related(column, holds=value == TRUE)
        said = self.words.value(value, column, in_full(values))
        fact = self.words.say("plain", "fact", column=self.words.column(column.name), value=said)
        if value is None or value in values.words or value in named_numbers(column, values):
            return fact
        bound = self._others(values) if values.others else self._numbers(column, values, value)
        return self.words.say("plain", "fact_bound", fact=fact, bound=bound)

    def _entry(self, column: Column, values: ValueSet) -> str:
        if column.atoms and values.has(TRUE) != values.missing:
            return self.words.say("grade", "so" if values.has(TRUE) else "not_so")
        if values.others and values.missing:
            both = [self._others(values), self.words.value(None)]
            return self.words.listed(both if values.spans else both[::-1], "list_or")
        if values.others:
            return self._others(values)
        if values.missing:
            return self.words.value(None)
        return self._numbers(column, values) if values.spans else self._listed(column, values)

    def _numbers(self, column: Column, values: ValueSet, value: Value | None = None) -> str:
        if values.spans == EVERY_NUMBER:
            return self.words.say("grade", "any_number")
        test = ColumnTest(column, values, beside=in_full(values))
        return Conditions(self.words).bound(test, value)

    def _listed(self, column: Column, values: ValueSet) -> str:
        return self.words.listed([self.words.value(word, column) for word in sorted(values.words)], "list_or")

    def _others(self, values: ValueSet) -> str:
        """Say all that no other entry names: any value, or any word where numbers have entries of their own."""
        kind = "value" if values.spans else "word"
        return self.words.say("grade", f"other_{kind}" if values.words else f"any_{kind}")


def in_full(values: ValueSet) -> list[float]:
    """Return the neighbours of the bounds: a bound that is to differ from them in words needs all its digits."""
    bounds = [cut.number for span in values.spans for cut in span]
    return [math.nextafter(bound, end) for bound in bounds for end in (-math.inf, math.inf)]
