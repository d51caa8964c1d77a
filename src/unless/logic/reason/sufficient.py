"""The smallest part of a row that fixes its decision, whatever the rest is.

In: a program and a row. Out: the columns whose values are enough, as few as can be, or None if that was not decided.
The columns are found from both sides: each row that is decided otherwise although some columns are kept shows columns
of which one more must be kept; a smallest set that meets all these demands is tried next, until no such row is left.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.reason.questions import All, Decides, Not, Within

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.questions import Row
    from unless.logic.reason.reasoner import Engine


def sufficient(engine: Engine, program: Program, row: Row) -> tuple[str, ...] | None:
    """Return the fewest columns whose values fix the decision of a row."""
    space, label = engine.space, decide(program, row)
    own = dict(zip(space.columns, space.indices(row), strict=True))
    costs = [[float(i != own[c]) for i in range(len(cells))] for c, cells in space.cells.items()]
    demands: list[frozenset[str]] = []
    while True:
        kept = smallest_hitting(demands)
        fixed = tuple(Within(column, space.cells[column][own[column]].region) for column in kept)
        answer = engine.find(All((Not(Decides(program, label)), *fixed)), costs)
        if answer.verdict == "not decided":
            return None
        if answer.row is None:
            return tuple(column for column in space.columns if column in kept)
        changed = frozenset(c for c in space.columns if space.cell_of(c, answer.row[c]) != own[c])
        demands.append(changed)


def smallest_hitting(demands: Sequence[Iterable[str]]) -> tuple[str, ...]:
    """Return the fewest names of which each demand has one; of several, the first in the order of the alphabet.

    >>> smallest_hitting([{"a", "b"}, {"b", "c"}, {"c", "d"}])
    ('a', 'c')
    """
    names = sorted({name for demand in demands for name in demand})
    sets = [frozenset(demand) for demand in demands]
    for size in range(len(names) + 1):
        for chosen in combinations(names, size):
            if all(demand.intersection(chosen) for demand in sets):
                return chosen
    raise AssertionError
