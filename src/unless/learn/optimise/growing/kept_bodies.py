"""The bodies of a program, kept by number: where they hold, and their way to the board of a body and back.

In: the bodies of a program, by number. Out: the same on a board, or where they hold. A scorecard stands apart on both
sides, and its line says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unless.learn.compiled import helper
from unless.learn.optimise.body.body_kernels import copy_line
from unless.learn.optimise.body.body_solver import SCORE
from unless.learn.optimise.body.scorecard_board import BODY, N_PARTS, THRESHOLD
from unless.learn.optimise.body.scorecard_search import copy_parts
from unless.learn.optimise.histograms import add_points
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
    tests = bodies.part_facts[k]
    add_points(by_column, tests[: bodies.parts[k, N_PARTS]], rows, bodies.part_tables[k], bodies.points[k], points)
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
    return _has_score(bodies.lengths[k], bodies.facts[k])


@helper
def _has_score(n: int, facts: Ints) -> bool:
    """Tell whether one of n lines is a scorecard."""
    found = False
    for i in range(n):
        found |= facts[i, KIND] == SCORE
    return found


class BodyParts(NamedTuple):
    """One body, wherever it stands: its lines, and its scorecard, if it has one."""

    facts: Ints
    tables: Bytes
    score: Ints
    points: Ints
    part_facts: Ints
    part_tables: Bytes


@helper
def keep_body(n: int, board: BodyBoard, cards: Cards, bodies: Bodies, k: int) -> bool:
    """Keep the body of n literals on the board as number k (out); False if it is kept there already."""
    one = BodyParts(
        board.facts, board.tables, cards.facts[BODY], cards.points[BODY], cards.tests[BODY], cards.tables[BODY]
    )
    kept = BodyParts(
        bodies.facts[k], bodies.tables[k], bodies.parts[k], bodies.points[k], bodies.part_facts[k],
        bodies.part_tables[k],
    )  # fmt: skip
    if n == bodies.lengths[k] and _is_same(n, one, kept):
        return False
    bodies.lengths[k] = n
    _copy(n, one, kept)
    return True


@helper
def lay_out_body(bodies: Bodies, k: int, board: BodyBoard, cards: Cards) -> None:
    """Put a body that is kept onto the board (out)."""
    kept = BodyParts(
        bodies.facts[k], bodies.tables[k], bodies.parts[k], bodies.points[k], bodies.part_facts[k],
        bodies.part_tables[k],
    )  # fmt: skip
    to = BodyParts(
        board.facts, board.tables, cards.facts[BODY], cards.points[BODY], cards.tests[BODY], cards.tables[BODY]
    )
    _copy(bodies.lengths[k], kept, to)


@helper
def copy_body(bodies: Bodies, k: int, to: Bodies, at: int) -> None:
    """Copy a body to another place (out)."""
    to.lengths[at] = bodies.lengths[k]
    kept = BodyParts(
        bodies.facts[k], bodies.tables[k], bodies.parts[k], bodies.points[k], bodies.part_facts[k],
        bodies.part_tables[k],
    )  # fmt: skip
    other = BodyParts(to.facts[at], to.tables[at], to.parts[at], to.points[at], to.part_facts[at], to.part_tables[at])
    _copy(bodies.lengths[k], kept, other)


@helper
def _is_same(n: int, one: BodyParts, other: BodyParts) -> bool:
    """Tell whether two bodies of n literals are the same."""
    for i in range(n):
        if not _is_same_line(one.facts, one.tables, other.facts, other.tables, i):
            return False
    if not _has_score(n, one.facts):
        return True
    is_same = bool(one.score[N_PARTS] == other.score[N_PARTS])
    is_same &= one.score[THRESHOLD] == other.score[THRESHOLD]
    for p in range(one.score[N_PARTS] if is_same else 0):
        is_same &= one.points[p] == other.points[p]
        is_same &= _is_same_line(one.part_facts, one.part_tables, other.part_facts, other.part_tables, p)
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
def _copy(n: int, one: BodyParts, to: BodyParts) -> None:
    """Copy a body of n literals (out), with its scorecard."""
    for i in range(n):
        copy_line(one.facts, one.tables, i, to.facts, to.tables, i)
    if _has_score(n, one.facts):
        to.score[N_PARTS], to.score[THRESHOLD] = one.score[N_PARTS], one.score[THRESHOLD]
        copy_parts(
            one.score[N_PARTS], one.points, one.part_facts, one.part_tables, to.points, to.part_facts, to.part_tables
        )
