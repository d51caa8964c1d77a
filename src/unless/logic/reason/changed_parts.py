"""The parts of the difference of two programs, as plain values.

A part is a set of rows that all change from one label to another. There are two kinds. A box names cells of columns:
every row in it changes. A part by rules names the rule that decided before and the rule that decides now; each row that
changes is in exactly one of those, so that they always cover what boxes may be too many for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.reason.column_cells import ColumnCell
    from unless.logic.reason.questions import Row, Verdict
    from unless.logic.rules import Label

NO_RULE = ""
"""Stands for the rule where none applies and the default is decided."""


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """Rows that change from one label to another; `cells` has the columns that are narrowed, `row` is one of the rows.

    `rules` are the numbers of the deciding rules of a part by rules; all its rows are in its cells, but not every row
    there changes, as in a box. `n_rows` counts rows of a table, `verdicts` how many of them are better or
    worse off, and `row_number` is that of `row` in the table.
    """

    old: Label
    new: Label
    cells: Mapping[str, tuple[ColumnCell, ...]]
    row: Row
    share: float
    n_rows: int = 0
    rules: tuple[str, str] | None = None
    verdicts: Mapping[str, int] = field(default_factory=dict)
    row_number: int | None = None

    def __contains__(self, row: Row) -> bool:
        return all(any(row.get(c) in cell.region for cell in cells) for c, cells in self.cells.items())


@dataclass(frozen=True, slots=True)
class Difference:
    """Whether two programs differ: yes, with parts; no, proved; or not decided. `n_flips` counts rows of the table."""

    verdict: Verdict
    parts: tuple[ChangedPart, ...] = ()
    n_flips: int = 0
    n_covered: int = 0
    is_complete: bool = True
    """Whether every row that there can be and that flips is in one of the parts."""
