"""Bodies on their shelf: where they hold, and their way to the board of a body and back.

In: the bodies of a program, by number. Out: the same on a board, or where they hold. A scorecard stands apart on both
sides, and its line says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.body_kernels import copy_line
from unless.learn.optimise.body.body_solver import SCORE
from unless.learn.optimise.body.scorecard_board import BODY, N_PARTS, THRESHOLD
from unless.learn.optimise.body.scorecard_search import copy_parts
from unless.learn.optimise.layout import COLUMN, FACTS, KIND, MAX_BINS, SIZE

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import BodyBoard
    from unless.learn.optimise.body.scorecard_board import Cards
    from unless.learn.optimise.growing.program_board import Bodies
    from unless.learn.optimise.layout import Bytes, Ints


@helper
def hold_body(bodies: Bodies, k: int, by_column: Bytes, rows: Ints, points: Bytes, holds: Bytes) -> None:
    """Write on which rows a body holds (out); points are scratch."""
    for r in range(len(rows)):
        holds[r] = 1
    for i in range(bodies.lengths[k]):
        if bodies.facts[k, i, KIND] == SCORE:
            _hold_score(bodies, k, by_column, rows, points, holds)
        else:
            column = bodies.facts[k, i, COLUMN]
            for r in range(len(rows)):
                holds[r] &= bodies.tables[k, i, by_column[column, rows[r]]]


@helper
def _hold_score(bodies: Bodies, k: int, by_column: Bytes, rows: Ints, points: Bytes, holds: Bytes) -> None:
    """Keep the rows on which the scorecard of a body holds."""
    for r in range(len(rows)):
        points[r] = 0
    for i in range(bodies.parts[k, N_PARTS]):
        column, more = bodies.part_facts[k, i, COLUMN], bodies.points[k, i]
        for r in range(len(rows)):
            points[r] += more * bodies.part_tables[k, i, by_column[column, rows[r]]]
    for r in range(len(rows)):
        holds[r] &= points[r] >= bodies.parts[k, THRESHOLD]


@helper
def size_of_body(bodies: Bodies, k: int) -> int:
    """Count the literals of a body."""
    size = 0
    for i in range(bodies.lengths[k]):
        size += bodies.facts[k, i, SIZE]
    return size


@helper
def has_score(bodies: Bodies, k: int) -> bool:
    """Tell whether there is a scorecard in a body."""
    found = False
    for i in range(bodies.lengths[k]):
        found |= bodies.facts[k, i, KIND] == SCORE
    return found


@helper
def is_on_shelf(n: int, board: BodyBoard, cards: Cards, bodies: Bodies, k: int) -> bool:
    """Tell whether the body of n literals on the board is the one on the shelf."""
    if n != bodies.lengths[k]:
        return False
    for i in range(n):
        if not _is_same_line(board.facts, board.tables, bodies.facts[k], bodies.tables[k], i):
            return False
    if not has_score(bodies, k):
        return True
    n_parts = bodies.parts[k, N_PARTS]
    is_same = bool(n_parts == cards.facts[BODY, N_PARTS])
    is_same &= bodies.parts[k, THRESHOLD] == cards.facts[BODY, THRESHOLD]
    for p in range(n_parts if is_same else 0):
        is_same &= bodies.points[k, p] == cards.points[BODY, p]
        is_same &= _is_same_line(cards.tests[BODY], cards.tables[BODY], bodies.part_facts[k], bodies.part_tables[k], p)
    return bool(is_same)


@helper
def _is_same_line(facts: Ints, tables: Bytes, other_facts: Ints, other_tables: Bytes, i: int) -> bool:
    """Tell whether two lines are the same test; that of a scorecard has no truth by bin."""
    is_same = True
    for f in range(FACTS):
        is_same &= facts[i, f] == other_facts[i, f]
    for b in range(MAX_BINS if facts[i, KIND] != SCORE else 0):
        is_same &= tables[i, b] == other_tables[i, b]
    return is_same


@helper
def put_on_shelf(n: int, board: BodyBoard, cards: Cards, bodies: Bodies, k: int) -> None:
    """Put the body of n literals on the board onto the shelf (out)."""
    bodies.lengths[k] = n
    for i in range(n):
        copy_line(board.facts, board.tables, i, bodies.facts[k], bodies.tables[k], i)
    if has_score(bodies, k):
        _copy_score(
            cards.facts[BODY], cards.points[BODY], cards.tests[BODY], cards.tables[BODY], bodies.parts[k],
            bodies.points[k], bodies.part_facts[k], bodies.part_tables[k],
        )  # fmt: skip


@helper
def lay_out(bodies: Bodies, k: int, board: BodyBoard, cards: Cards) -> None:
    """Put a body from the shelf onto the board (out)."""
    for i in range(bodies.lengths[k]):
        copy_line(bodies.facts[k], bodies.tables[k], i, board.facts, board.tables, i)
    if has_score(bodies, k):
        _copy_score(
            bodies.parts[k], bodies.points[k], bodies.part_facts[k], bodies.part_tables[k], cards.facts[BODY],
            cards.points[BODY], cards.tests[BODY], cards.tables[BODY],
        )  # fmt: skip


@helper
def copy_body(bodies: Bodies, k: int, to: Bodies, at: int) -> None:
    """Copy a body to another place (out)."""
    to.lengths[at] = bodies.lengths[k]
    for i in range(bodies.lengths[k]):
        copy_line(bodies.facts[k], bodies.tables[k], i, to.facts[at], to.tables[at], i)
    if has_score(bodies, k):
        _copy_score(
            bodies.parts[k], bodies.points[k], bodies.part_facts[k], bodies.part_tables[k], to.parts[at],
            to.points[at], to.part_facts[at], to.part_tables[at],
        )  # fmt: skip


@helper
def _copy_score(
    facts: Ints, points: Ints, tests: Ints, tables: Bytes, to_facts: Ints, to_points: Ints, to_tests: Ints,
    to_tables: Bytes,
) -> None:  # fmt: skip
    """Copy a scorecard."""
    to_facts[N_PARTS], to_facts[THRESHOLD] = facts[N_PARTS], facts[THRESHOLD]
    copy_parts(facts[N_PARTS], points, tests, tables, to_points, to_tests, to_tables)
