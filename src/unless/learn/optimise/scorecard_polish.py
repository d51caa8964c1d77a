"""The points literal, polished in one kernel: conditions dropped, replaced and added by exact steps while J falls.

In: the parts of a scorecard, each with its points, and the rows it decides. Out: parts of at least the same value, with
the best threshold. Each step takes one condition out and puts the exact joint optimum of column, condition, points and
threshold in its stead. Invariant: the value never falls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import COLUMN, FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, best_test, write_test
from unless.learn.optimise.scorecard_board import MAX_CONDITIONS, MAX_POINTS, best_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

MAX_SCORES = MAX_CONDITIONS * MAX_POINTS + 2


class PointLines(NamedTuple):
    """Points and tests with their truth by bin, the points of each row, and scratch."""

    points: Ints
    tests: Ints
    tables: Bytes
    scores: Bytes
    base: Bytes
    hists: Ints
    totals: Ints
    needed: Bytes
    value: Floats
    tail: Floats


class PolishBoard(PointLines):
    """What the kernel writes into; its arrays may have more rows than there are."""


def make_polish_board(n_rows: int, n_bins: int) -> PolishBoard:
    """Return an empty board for so many rows and bins."""
    return PolishBoard(
        np.zeros(MAX_CONDITIONS + 1, dtype=np.int64),
        np.zeros((MAX_CONDITIONS + 1, FACTS), dtype=np.int64),
        np.zeros((MAX_CONDITIONS + 1, MAX_BINS), dtype=np.uint8),
        np.zeros(n_rows, dtype=np.uint8),
        np.zeros(n_rows, dtype=np.uint8),
        np.empty((MAX_SCORES, n_bins), dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.uint8),
        np.empty(MAX_BINS),
        np.empty(MAX_BINS),
    )


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
    threshold, value = _rows_threshold(rows, gains, board.scores, board.tail)
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
def _rows_threshold(rows: Ints, gains: Ints, scores: Bytes, tail: Floats) -> tuple[int, float]:
    """Return the threshold of highest value, the lowest of equals; 1 and nothing good where no row has points."""
    for s in range(len(tail)):
        tail[s] = 0.0
    for r in range(len(rows)):
        gain = gains[rows[r]]
        tail[scores[r]] += (gain >> RIGHT_BITS) - (gain & WRONG_MASK)
    most = 0
    for r in range(len(rows)):
        most = max(most, scores[r])
    threshold, best = best_threshold(tail, most)
    return max(threshold, 1), best


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
    for r in range(len(rows)):
        base[r] = scores[r]
    size, rest = _size(n, board), n
    if i >= 0:
        _add(by_column, rows, i, -board.points[i], base, board)
        size, rest = size - board.tests[i, SIZE], n - 1
        if rest > 0:
            lower, dropped = _rows_threshold(rows, gains, base, board.tail)
            dropped -= price * (2 + size)
            if dropped > value - tolerance:
                _take_out(i, n, board)
                for r in range(len(rows)):
                    scores[r] = base[r]
                return rest, lower, dropped
    fixed = price * (2 + size)
    floor = value + tolerance + fixed
    n_scores = count_below(bin_index, rows, gains, price, floor, board)
    found, t, p, column, kind, at = best_part(
        n_scores, spans, kinds, price, floor, board.hists, board.totals, board.value
    )
    if column < 0:
        return n, threshold, value
    if i >= 0:
        _take_out(i, n, board)
    first, second = min(t, n_scores), min(t - p, n_scores)
    write_test(
        board.hists,
        first,
        second,
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


@helper
def count_below(
    bin_index: NDArray[Any], rows: Ints, gains: Ints, price: float, floor: float, board: PolishBoard
) -> int:
    """Count the rows of fewer base points than s into histogram and total s, for every s; returns the largest s.

    Rows that no window with a chance above the floor holds are in no histogram.
    """
    base, hists = board.base, board.hists
    most = _total_below(rows, gains, board)
    for s in range(most + 2):
        for b in range(hists.shape[1]):
            hists[s, b] = 0
    _mark_needed(most + 1, price, floor, board)
    for r in range(len(rows)):
        s = base[r] + 1
        if board.needed[s]:
            row = rows[r]
            gain = gains[row]
            for j in range(bin_index.shape[1]):
                hists[s, bin_index[row, j]] += gain
    for s in range(2, most + 2):
        for b in range(hists.shape[1]):
            hists[s, b] += hists[s - 1, b]
    return most + 1


@helper
def _total_below(rows: Ints, gains: Ints, board: PolishBoard) -> int:
    """Add up the rows of fewer base points than s into total s, for every s; returns the most points of a row."""
    base, totals = board.base, board.totals
    most = 0
    for r in range(len(rows)):
        most = max(most, base[r])
    for s in range(most + 2):
        totals[s] = 0
        board.needed[s] = 0
    for r in range(len(rows)):
        totals[base[r] + 1] += gains[rows[r]]
    for s in range(2, most + 2):
        totals[s] += totals[s - 1]
    return most


@helper
def _mark_needed(n_scores: int, price: float, floor: float, board: PolishBoard) -> None:
    """Mark the histograms that a window with a chance above the floor reads."""
    for t in range(1, n_scores + MAX_POINTS):
        for p in range(1, min(t, MAX_POINTS) + 1):
            first, second = min(t, n_scores), min(t - p, n_scores)
            if _most(n_scores, first, second, board.totals) - price > floor:
                for s in range(second + 1, first + 1):
                    board.needed[s] = 1


@helper
def _most(n_scores: int, first: int, second: int, totals: Ints) -> int:
    """Return what a condition could reach in a window: as if it held on every right row there and on no other."""
    over, between = totals[n_scores] - totals[first], totals[first] - totals[second]
    return int((over >> RIGHT_BITS) - (over & WRONG_MASK) + (between >> RIGHT_BITS))


@helper
def best_part(
    n_scores: int,
    spans: Ints,
    kinds: Ints,
    price: float,
    floor: float,
    hists: Ints,
    totals: Ints,
    scratch: Floats,
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. Only a value above `floor` counts. Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    found, threshold, points, column, kind, at = floor, -1, -1, -1, -1, -1
    for t in range(1, n_scores + MAX_POINTS):
        for p in range(1, min(t, MAX_POINTS) + 1):
            first, second = min(t, n_scores), min(t - p, n_scores)
            over = totals[n_scores] - totals[first]
            beside = (over >> RIGHT_BITS) - (over & WRONG_MASK)
            if _most(n_scores, first, second, totals) - price <= found:
                continue
            score, c, k, b = best_test(hists, first, second, t - t + SUBTRACT, spans, kinds, 1.0, price, scratch)
            if beside + score > found:
                found, threshold, points, column, kind, at = beside + score, t, p, c, k, b
    return found, threshold, points, column, kind, at
