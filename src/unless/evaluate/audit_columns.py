"""Through which columns a program treats two groups differently: figures of a table, beside what can be proved.

In: a view of a program on a table, a label, two groups of rows. Out: `GapThrough` for each column that the program
tests besides the one that makes the groups, and the columns on which its decisions depend at all, which is proved.

The gap without a column is worked out exactly on the rows looked at: each row is decided with the column's value of
every row of the two groups in turn, so that the column says nothing about the group any more. It is no proof about
other tables, and columns that go together share what they do: parts do not add up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.evaluate.region_rows import passing
from unless.evaluate.truth import Truth
from unless.logic.program import label_text
from unless.logic.reason.column_cells import space_of
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.region_values import values_of
from unless.table.cells import Cells, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.logic.program import Program
    from unless.logic.rules import Label, Value

    Rows = NDArray[np.bool_]

LOOKED_AT = 20_000
"""Of a larger table so many rows, evenly spread, are looked at."""


class GapThrough(NamedTuple):
    """What the gap would be if a column said nothing about the group.

    `apart` is how far the column alone tells the groups apart: the share of one group that would have to be in another
    cell of the program for the two to be alike, from 0 to 1.
    """

    column: str
    gap: float
    apart: float


def matters(program: Program) -> tuple[str, ...] | None:
    """Return the columns on which decisions depend, which is proved; None where that was not decided."""
    engine = Engine([program])
    compiled = engine.compiled
    if compiled is None:
        return None
    asked = compiled.diagrams.asked(compiled.decisions[0])
    return tuple(column for column in program.used_columns if compiled.space.level[column] in asked)


def gaps_through(
    view: View, label: Label, own: Collection[str], high: Rows, low: Rows, step: Callable[[], object] = bool
) -> list[GapThrough]:
    """Return the gap without what each column but the group's own says about it, the column that carries most first.

    `step` is called before each column, and may raise.
    """
    rows = np.flatnonzero(high | low)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), LOOKED_AT)).astype(np.intp))]
    columns = {name: _taken(cells, rows) for name, cells in view.truth.columns.items()}
    decided = _Decided(view.program, columns, label, high[rows], low[rows])
    found = []
    for column in view.program.used_columns:
        if column not in own:
            step()
            found.append(decided.through(column))
    return sorted(found, key=lambda part: abs(part.gap))


class _Decided:
    """Decides some rows again with other values."""

    def __init__(self, program: Program, columns: Mapping[str, Cells], label: Label, high: Rows, low: Rows) -> None:
        self.program, self.columns, self.high, self.low = program, columns, high, low
        labels = (*program.target.labels, program.target.default)
        self.is_wanted = np.array([label_text(each) == label_text(label) for each in labels])
        self.space = space_of([program])

    def through(self, column: str) -> GapThrough:
        rates, apart = np.zeros(2), 0.0
        for cell in self.space.cells[column]:
            inside = passing(values_of([cell.region]), self.columns[column])
            share = float(inside.mean())
            if share:
                rates += share * self._rates({**self.columns, column: _constant(cell.value, len(self.high))})
                apart += abs(float(inside[self.high].mean()) - float(inside[self.low].mean())) / 2
        return GapThrough(column, float(rates[0] - rates[1]), apart)

    def _rates(self, columns: Mapping[str, Cells]) -> NDArray[np.float64]:
        wanted = self.is_wanted[Truth(self.program, columns, len(self.high)).decided]
        return np.array([wanted[self.high].mean(), wanted[self.low].mean()])


def _taken(cells: Cells, rows: NDArray[np.intp]) -> Cells:
    words = None if cells.words is None else replace(cells.words, codes=cells.words.codes[rows])
    return Cells(len(rows), None if cells.numbers is None else cells.numbers[rows], words)


def _constant(value: Value | None, n_rows: int) -> Cells:
    """Return a column that holds one value."""
    if isinstance(value, str):
        return Cells(n_rows, words=Words(np.zeros(n_rows, dtype=np.int32), (value,)))
    return Cells(n_rows, np.full(n_rows, np.nan if value is None else value))
