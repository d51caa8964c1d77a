"""The points literal, polished in one kernel: conditions dropped, replaced and added by exact steps while J falls.

In: the parts of a scorecard, each with its points, and the rows it decides. Out: parts of at least the same value, with
the best threshold. Each step takes one condition out and puts the exact joint optimum of column, condition, points and
threshold in its stead. Invariant: the value never falls.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import COLUMN, FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, write_test
from unless.learn.optimise.scorecard_board import MAX_CONDITIONS, MAX_SCORES
from unless.learn.optimise.scorecard_windows import best_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.scorecard_board import PolishBoard


@kernel
def polish_points(  # noqa: PLR0913, PLR0917
    bin_index: NDArray[Any],
    by_column: Bytes,
    rows: Ints,
    gains: Ints,
    spans: Ints,
    kinds: Ints,
    price: float,
    tolerance: float,
    rounds: int,
    n: int,
    board: PolishBoard,
) -> tuple[int, int, float]:
    """Polish n parts for some rounds; returns how many there are, the threshold, and the value. The parts are out."""
    for r in range(len(rows)):
        board.scores[r] = 0
    for i in range(n):
        _add(by_column, rows, i, board.points[i], board.scores, board)
    threshold, value = _threshold(set_base(by_column, rows, gains, n - n - 1, board), board.totals)
    value -= price * (2 + _size(n, board))
    for _ in range(rounds):
        before, first = value, n
        for back in range(first + 1):
            i = first - 1 - back  # the last one is a condition more
            if i < 0 and n >= MAX_CONDITIONS:
                break
            n, threshold, value = _step(
                bin_index, by_column, rows, gains, spans, kinds, price, tolerance, i, n, threshold, value, board
            )
        if value <= before + tolerance:
            break
    return n, threshold, value


@helper
def _add(by_column: Bytes, rows: Ints, i: int, points: int, scores: Bytes, board: PolishBoard) -> None:
    """Add points to the scores (out) of the rows for which part i holds."""
    column = board.tests[i, COLUMN]
    for r in range(len(rows)):
        scores[r] += points * board.tables[i, by_column[column, rows[r]]]


@helper
def _size(n: int, board: PolishBoard) -> int:
    size = 0
    for i in range(n):
        size += board.tests[i, SIZE]
    return size


@helper
def set_base(by_column: Bytes, rows: Ints, gains: Ints, i: int, board: PolishBoard) -> int:
    """Write the points of each row without condition i (below 0: with all), and the totals; returns the most points."""
    base, scores, totals = board.base, board.scores, board.totals
    for s in range(MAX_SCORES):
        totals[s] = 0
    if i < 0:
        for r in range(len(rows)):
            base[r] = scores[r]
            totals[scores[r] + 1] += gains[rows[r]]
    else:
        column, points = board.tests[i, COLUMN], board.points[i]
        for r in range(len(rows)):
            row = rows[r]
            s = scores[r] - points * board.tables[i, by_column[column, row]]
            base[r] = s
            totals[s + 1] += gains[row]
    most = 0
    for s in range(1, MAX_SCORES):
        if totals[s]:
            most = s - 1
        totals[s] += totals[s - 1]
    return most


@helper
def _threshold(most: int, totals: Ints) -> tuple[int, float]:
    """Return the threshold of highest value, the lowest of equals; 1 and nothing good where no row has points."""
    best, threshold = -math.inf, 1
    for back in range(most):
        over = totals[most + 1] - totals[most - back]
        value = ((over >> RIGHT_BITS) - (over & WRONG_MASK)) * 1.0
        if value >= best:
            best, threshold = value, most - back
    return threshold, best


@helper
def _step(  # noqa: PLR0913, PLR0917
    bin_index: NDArray[Any],
    by_column: Bytes,
    rows: Ints,
    gains: Ints,
    spans: Ints,
    kinds: Ints,
    price: float,
    tolerance: float,
    i: int,
    n: int,
    threshold: int,
    value: float,
    board: PolishBoard,
) -> tuple[int, int, float]:
    """Drop condition i, or put it (below 0: a new one) at its optimum, the others fixed."""
    base, scores = board.base, board.scores
    most = set_base(by_column, rows, gains, i, board)
    size, rest = _size(n, board), n
    if i >= 0:
        size, rest = size - board.tests[i, SIZE], n - 1
        if rest > 0:
            lower, dropped = _threshold(most, board.totals)
            dropped -= price * (2 + size)
            if dropped > value - tolerance:
                _take_out(i, n, board)
                for r in range(len(rows)):
                    scores[r] = base[r]
                return rest, lower, dropped
    fixed = price * (2 + size)
    floor = value + tolerance + fixed
    found, t, p, column, kind, at = best_part(bin_index, rows, gains, spans, kinds, price, floor, most + 1, board)
    if column < 0:
        return n, threshold, value
    if i >= 0:
        _take_out(i, n, board)
    write_test(
        board.hists,
        board.slots[min(t, most + 1)],
        board.slots[min(t - p, most + 1)],
        i - i + SUBTRACT,
        spans,
        1.0,
        price,
        column,
        kind,
        at,
        board.tests,
        board.tables,
        rest,
    )
    board.points[rest] = p
    for r in range(len(rows)):
        scores[r] = base[r]
    _add(by_column, rows, rest, board.points[rest], scores, board)
    return rest + 1, t, found - fixed


@helper
def _take_out(i: int, n: int, board: PolishBoard) -> None:
    """Take part i out; those behind it move up."""
    for k in range(i, n - 1):
        board.points[k] = board.points[k + 1]
        for f in range(FACTS):
            board.tests[k, f] = board.tests[k + 1, f]
        for b in range(MAX_BINS):
            board.tables[k, b] = board.tables[k + 1, b]
