"""Numbers that mean missing, in the form of exports: '-999' among the words for missing is the number -999 too.

In: a form, whose guards ask what a cell is. Out: the same form, where such a number is no number, and is blank.
Printers leave out words for missing as texts; where a cell is a number, or reads as one, these tests do.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from unless.export.two_valued import And, Compared, IsBlank, IsNumber, Negation, Or, Reaches
from unless.logic.readings import read_text
from unless.logic.values import missing_numbers, number_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.rules import Column


class MissingNumbers:
    """By column the numbers that mean missing there; columns without any are left as they are."""

    def __init__(self, columns: Iterable[Column], missing: Sequence[str]) -> None:
        found = {column.name: _numbers(column, missing) for column in columns}
        self.numbers = {name: numbers for name, numbers in found.items() if numbers}

    def guarded(self, form: DecisionForm) -> DecisionForm:
        """Return a form that takes these numbers for missing."""
        if not self.numbers:
            return form
        return replace(
            form,
            named={name: self._test(test) for name, test in form.named.items()},
            rules=tuple(replace(rule, test=self._test(rule.test)) for rule in form.rules),
            cards=tuple(replace(card, awards=self._awards(card.awards)) for card in form.cards),
        )

    def _awards(self, awards: Iterable[tuple[int, Test]]) -> tuple[tuple[int, Test], ...]:
        return tuple((points, self._test(test)) for points, test in awards)

    def _test(self, test: Test) -> Test:
        match test:
            case And(tests):
                asked = [part.column for part in tests if isinstance(part, IsNumber)]
                others = (Negation(one) for column in asked for one in self._equal(column))
                return And((*map(self._test, tests), *others))
            case Or(tests):
                return Or(tuple(map(self._test, tests)))
            case Negation(inner):
                return Negation(self._test(inner))
            case Reaches(awards, threshold):
                return Reaches(self._awards(awards), threshold)
            case IsBlank(column) if column in self.numbers:
                return Or((test, *(And((IsNumber(column), one)) for one in self._equal(column))))
            case _:
                return test

    def _equal(self, column: str) -> list[Test]:
        return [Compared(column, "==", number) for number in self.numbers.get(column, ())]


def _numbers(column: Column, missing: Sequence[str]) -> list[float]:
    """Return the numbers that mean missing in a column; one of words holds a number as the word that spells it."""
    if column.kind == "numerical":
        return sorted(missing_numbers(missing, partial(read_text, column.reading)))
    return sorted(number for number in missing_numbers(missing) if number_word(number) in missing)
