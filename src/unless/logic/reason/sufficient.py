"""The smallest part of a row that fixes its decision, whatever the rest is.

In: a program and a row. Out: the columns whose values are enough, as few as can be, or None if that was not decided.
The columns are found from both sides: each row that is decided otherwise although some columns are kept shows columns
of which one more must be kept; a smallest set that meets all these demands is tried next, until no such row is left.
"""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.reason.diagrams import OutOfBudgetError
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
    until = time.monotonic() + engine.seconds
    while True:
        try:
            kept = smallest_hitting(demands, until=until)
        except OutOfBudgetError:
            return None
        fixed = tuple(Within(column, space.cells[column][own[column]].region) for column in kept)
        asked = All((Not(Decides(program, label)), *fixed))
        answer = engine.find(asked, costs, seconds=max(until - time.monotonic(), 0.0))
        if answer.verdict == "not decided":
            return None
        if answer.row is None:
            return tuple(column for column in space.columns if column in kept)
        changed = frozenset(c for c in space.columns if space.cell_of(c, answer.row[c]) != own[c])
        demands.append(changed)


def smallest_hitting(demands: Sequence[Iterable[str]], *, until: float = inf) -> tuple[str, ...]:
    """Return the fewest names of which each demand has one; of several, the first in the order of the alphabet.

    >>> smallest_hitting([{"a", "b"}, {"b", "c"}, {"c", "d"}])
    ('a', 'c')
    """
    sets = sorted({frozenset(demand) for demand in demands}, key=lambda names: (len(names), sorted(names)))
    least = [names for i, names in enumerate(sets) if not any(other <= names for other in sets[:i])]
    names = sorted({name for demand in least for name in demand})
    size = 0
    while not _can_hit(least, size, until):
        size += 1
    chosen: list[str] = []
    for name in names:
        rest = [demand for demand in least if name not in demand]
        if size and len(rest) < len(least) and _can_hit(rest, size - 1, until):
            chosen.append(name)
            least, size = rest, size - 1
        else:
            least = [demand - {name} for demand in least]
    return tuple(chosen)


def _can_hit(demands: Sequence[frozenset[str]], size: int, until: float) -> bool:
    """Tell whether so many names are enough for each demand to have one."""
    if not demands:
        return True
    if size == 0 or size < _apart(demands):
        return False
    if time.monotonic() > until:
        raise OutOfBudgetError
    first = min(demands, key=len)
    gone: set[str] = set()
    for name in sorted(first):  # one of its names is chosen; those that were tried before are not
        rest = [demand - gone for demand in demands if name not in demand]
        if all(rest) and _can_hit(rest, size - 1, until):
            return True
        gone.add(name)
    return False


def _apart(demands: Sequence[frozenset[str]]) -> int:
    """Count demands that share no name: each needs one of its own."""
    taken: set[str] = set()
    n = 0
    for demand in sorted(demands, key=len):
        if not demand & taken:
            taken |= demand
            n += 1
    return n
