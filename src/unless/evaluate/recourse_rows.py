"""Recourse for the rows of a table: what is known of its columns, and its rows as the program sees them.

In: a program, a table, limits. Out: an `Advisor` that prices changes by the numbers of the table and changes words only
to words that the table or the program has; rows; and, for a whole table, who has no way out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.predict import present_cells, read_cells, row_values
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.locks import ways_out
from unless.logic.reason.recourse import Advisor, ChangeLimits, Known
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.reason.recourse import Recourse
    from unless.logic.rules import Label, Value
    from unless.table.cells import Cells

MANY_WORDS = 50
"""Of a column with more words than these, only those that the program names are offered."""


@dataclass(frozen=True)
class TableRecourse:
    """Recourse for the rows of one table."""

    program: Program
    data: Any
    limits: ChangeLimits = field(default_factory=ChangeLimits)
    seconds: float = 10.0

    @cached_property
    def cells(self) -> dict[str, Cells]:
        """Return the program's columns of the table; those that are tested must be there."""
        table = raw_table(self.data)
        read_cells(self.program, table)
        return present_cells(table, self.program)

    @cached_property
    def advisor(self) -> Advisor:
        """Return what finds ways."""
        tested = [literal for clause in self.program.clauses for literal in clause.literals]
        named = {
            name: {x.value for x in tested if x.column == name and isinstance(x.value, str)} for name in self.cells
        }
        known = {name: _known(cells, named[name]) for name, cells in self.cells.items()}
        return Advisor(self.program, self.limits, known, seconds=self.seconds)

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return raw_table(self.data).n_rows

    def row(self, index: int) -> dict[str, Value | None]:
        """Return the values of one row."""
        return row_values(self.cells, index)

    def ways(self, index: int, want: Label, most: int = 3) -> Recourse:
        """Find the cheapest ways of a row to a label."""
        return self.advisor.ways(self.row(index), want, most)

    def locked(self, want: Label) -> Lockout:
        """Look at all rows: who has the label, a way to it, or none."""
        found = list(ways_out(self.advisor, (self.row(i) for i in range(self.n_rows)), want))
        rows: dict[str, list[int]] = {}
        for i, each in enumerate(found):
            if each.outcome == "no way":
                rows.setdefault(each.lock, []).append(i)
        counts = {name: sum(each.outcome == name for each in found) for name in ("has it", "way", "no way")}
        locks = dict(sorted(rows.items(), key=lambda item: (item[0] == NO_RULE, -len(item[1]))))
        not_decided = tuple(i for i, each in enumerate(found) if each.outcome == "not decided")
        return Lockout(len(found), counts["has it"], counts["way"], counts["no way"], not_decided, locks)


@dataclass(frozen=True, slots=True)
class Lockout:
    """Who has a label, a way to it or none; `locks` has the rows without one by the rule that locks them."""

    n_rows: int
    n_have: int
    n_way: int
    n_without: int
    not_decided: tuple[int, ...]
    locks: dict[str, list[int]]


def _known(cells: Cells, named: set[str]) -> Known:
    numbers: list[float] = np.sort(cells.known_numbers()).tolist()
    words = [] if cells.words is None else list(cells.words.lexicon)
    return Known(sorted({*named, *(words if len(words) <= MANY_WORDS else ())}), numbers)
