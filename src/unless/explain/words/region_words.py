"""Regions and rows that the engine found, in words: "income above 30,200 and town is Rome".

In: cells or regions of columns, rows made up by the engine, and the words of a language. Out: phrases, and rows without
the English stand-in for a word that no program names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.proof.prover import prove_values
from unless.explain.words.conditions import Conditions
from unless.explain.words.short_proof import short_proof
from unless.logic.forms.entries import ColumnTest
from unless.logic.forms.value_sets import EVERY_NUMBER
from unless.logic.reason.column_cells import UNNAMED
from unless.logic.reason.region_values import values_of
from unless.logic.rules import Column

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.reason.regions import Region
    from unless.logic.rules import Value

    Row = Mapping[str, Value | None]

SHOWN = 12
"""Of more values than these a line of text shows only the first."""


@dataclass(frozen=True)
class RegionWords:
    """Says regions of the columns of some programs."""

    words: Language
    columns: Mapping[str, Column]
    thresholds: Mapping[str, frozenset[float]]

    @staticmethod
    def of(words: Language, *programs: Program) -> RegionWords:
        """Return what says regions of the columns of programs."""
        columns = {column.name: column for program in programs for column in program.columns}
        found = {name: [program.thresholds.get(name, frozenset()) for program in programs] for name in columns}
        return RegionWords(words, columns, {name: frozenset().union(*numbers) for name, numbers in found.items()})

    def region(self, column: str, regions: Iterable[Region], value: Value | None = None) -> str:
        """Say that a column is in one of some regions; `value` is said beside it."""
        values = values_of(regions)
        known = self.columns.get(column) or Column(column, "numerical")
        if known.kind == "numerical" and values.spans == EVERY_NUMBER and not (values.others or values.missing):
            return self.words.say("region", "any_number", column=self.words.column(column))
        is_mixed = known.kind == "numerical" and bool(values.words)
        near = [*self.thresholds.get(column, ()), *([value] if isinstance(value, float) else [])]
        return Conditions(self.words).test(ColumnTest(known, values, is_mixed, near))

    def value(self, column: str, value: Value | None) -> str:
        """Say a value as the cells of its column are written."""
        return self.words.value(value, self.columns.get(column), self.thresholds.get(column, ()))

    def row(self, row: Row, first: Iterable[str] = (), most: int = SHOWN) -> str:
        """Say the values of a row, those of some columns first; of many the rest is counted."""
        names = list(dict.fromkeys((*first, *row)))
        said = [
            self.words.say("plain", "fact", column=self.words.column(name), value=self.value(name, row.get(name)))
            for name in names[:most]
        ]
        if len(names) > most:
            said.append(self.words.count("more_values", len(names) - most))
        return "; ".join(said)

    def readable(self, row: Row) -> dict[str, Value | None]:
        """Return a row with the stand-in for an unnamed word in this language."""
        other = self.words.say("region", "another_word")
        return {name: other if value == UNNAMED else value for name, value in row.items()}

    def proof(self, program: Program, row: Row) -> str:
        """Prove a row in short, in one line."""
        short = short_proof(prove_values(program, self.readable(row)), self.words)
        return " ".join(short.sentences)
