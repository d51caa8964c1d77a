"""The points literal, polished in one kernel: conditions dropped, replaced and added by exact steps while J falls.

In: the parts of a scorecard, each with its points, and the rows it decides. Out: parts of at least the same value, with
the best threshold. Each step takes one condition out and puts the exact joint optimum of column, condition, points and
threshold in its stead. Invariant: the value never falls.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.body.boards import TOLERANCE
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS
from unless.learn.optimise.body.scorecard_counts import change_scores, count_scores, leave_out
from unless.learn.optimise.body.scorecard_windows import best_part
from unless.learn.optimise.layout import FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, Window, write_test

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Subproblem
    from unless.learn.optimise.body.scorecard_board import PolishBoard
    from unless.learn.optimise.layout import Ints


@kernel
def polish_points(problem: Subproblem, rounds: int, n: int, board: PolishBoard) -> tuple[int, int, float]:
    """Polish n parts for some rounds; returns how many there are, the threshold, and the value. The parts are out."""
    count_scores(problem, n, board)
    most, _, _, _ = leave_out(problem, -1, board)
    threshold, value = _threshold(most, board.totals)
    value -= problem.price * (2 + _size(n, board))
    for _ in range(rounds):
        before, first = value, n
        for back in range(first + 1):
            i = first - 1 - back  # the last one is a condition more
            if i < 0 and n >= MAX_CONDITIONS:
                break
            n, threshold, value = _step(problem, i, n, threshold, value, board)
        if value <= before + TOLERANCE * problem.price:
            break
    return n, threshold, value


@helper
def _size(n: int, board: PolishBoard) -> int:
    size = 0
    for i in range(n):
        size += board.tests[i, SIZE]
    return size


@helper
def _threshold(most: int, totals: Ints) -> tuple[int, float]:
    """Return the threshold of highest value, the lowest of equals; 1 and nothing good where no row has points."""
    best, threshold = -math.inf, 1
    for back in range(most):
        over = totals[most + 1] - totals[most - back]
        value = (over >> RIGHT_BITS) - (over & WRONG_MASK)
        if value >= best:
            best, threshold = value, most - back
    return threshold, best


@helper
def _step(
    problem: Subproblem, i: int, n: int, threshold: int, value: float, board: PolishBoard
) -> tuple[int, int, float]:
    """Drop condition i, or put it (below 0: a new one) at its optimum, the others fixed."""
    price, tolerance = problem.price, TOLERANCE * problem.price
    most, points, shift, n_moved = leave_out(problem, i, board)
    size, rest = _size(n, board), n
    if i >= 0:
        size, rest = size - board.tests[i, SIZE], n - 1
        if rest > 0:
            lower, dropped = _threshold(most, board.totals)
            dropped -= price * (2 + size)
            if dropped > value - tolerance:
                _take_out(i, n, board)
                change_scores(problem, i, points, -1, board)
                return rest, lower, dropped
    fixed = price * (2 + size)
    floor = value + tolerance + fixed
    found, t, p, column, kind, at = best_part(problem, floor, most + 1, points, shift, n_moved, board)
    if column < 0:
        return n, threshold, value
    if i >= 0:
        _take_out(i, n, board)
    window = Window(board.hists, board.slots[min(t, most + 1)], board.slots[min(t - p, most + 1)], SUBTRACT)
    write_test(window, problem.spans, 1.0, price, column, kind, at, board.tests, board.tables, rest)
    board.points[rest] = p
    change_scores(problem, i, points, rest, board)
    return rest + 1, t, found - fixed


@helper
def _take_out(i: int, n: int, board: PolishBoard) -> None:
    """Take part i out; those behind it move up."""
    for k in range(i, n - 1):
        board.points[k], board.n_held[k] = board.points[k + 1], board.n_held[k + 1]
        for f in range(FACTS):
            board.tests[k, f] = board.tests[k + 1, f]
        for b in range(MAX_BINS):
            board.tables[k, b] = board.tables[k + 1, b]
