"""Rows to try before anything is proved: each meets the literals of a clause, or is drawn at random, always the same.

In: a space and the programs that it is of. Out: rows, which prove nothing but may be witnesses. Two programs that
differ at all mostly differ on one of the first, long before a solver has written down what it is to solve.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from unless.logic.reason.compiled_programs import oddity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.logic.clause import Clause
    from unless.logic.program import Program
    from unless.logic.reason.column_cells import ColumnCell, Space
    from unless.logic.reason.questions import Row

MANY = 100
"""So many of each kind."""


def likely_rows(space: Space, programs: Sequence[Program]) -> Iterator[Row]:
    """Yield rows that clauses of the programs speak of, then rows of random cells."""
    clauses = [clause for program in programs for clause in program.clauses]
    plain = [_plainest(cells) for cells in space.cells.values()]
    for clause in clauses[:: -(-len(clauses) // MANY) or 1]:
        yield space.row(_meeting(space, clause, plain))
    rng = random.Random(0)
    for _ in range(MANY):
        yield space.row([rng.randrange(len(cells)) for cells in space.cells.values()])


def _plainest(cells: Sequence[ColumnCell]) -> int:
    return min(range(len(cells)), key=lambda i: oddity(cells[i]))


def _meeting(space: Space, clause: Clause, plain: Sequence[int]) -> list[int]:
    """Return cells in which the literals of a clause hold, where there are such; the plainest of the other columns."""
    found = list(plain)
    by_column: dict[str, list[tuple[bool, ...]]] = {}
    for literal in clause.literals:
        by_column.setdefault(literal.column, []).append(space.truth(literal))
    for column, truths in by_column.items():
        level = space.level[column]
        found[level] = next((i for i, each in enumerate(zip(*truths, strict=True)) if all(each)), found[level])
    return found
