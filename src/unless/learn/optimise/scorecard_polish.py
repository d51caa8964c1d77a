"""The points literal, polished in one kernel: conditions dropped, replaced and added by exact steps while J falls.

In: the parts of a scorecard, each with its points, and the rows it decides. Out: parts of at least the same value, with
the best threshold. Each step takes one condition out and puts the exact joint optimum of column, condition, points and
threshold in its stead. Invariant: the value never falls.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import COLUMN, FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, best_test, write_test
from unless.learn.optimise.scorecard_board import MAX_CONDITIONS, MAX_POINTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

MAX_SCORES = MAX_CONDITIONS * MAX_POINTS + 2
MAX_WINDOWS = (MAX_SCORES + MAX_POINTS) * MAX_POINTS


class PointLines(NamedTuple):
    """Points and tests with their truth by bin, the points of each row, and scratch.

    Total s has the rows of fewer base points than s. A window is a threshold and points: the rows that a condition of
    so many points would bring there. Those `slots[s]` and `slots[s + 1]` of a histogram differ by the rows of s points,
    if any window reads them. `nets` are right less wrong rows of the histograms.
    """

    points: Ints
    tests: Ints
    tables: Bytes
    scores: Bytes
    base: Bytes
    hists: Ints
    nets: Ints
    totals: Ints
    slots: Ints
    windows: Ints
    bounds: Floats
    value: Floats


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
        np.empty((MAX_SCORES, n_bins), dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.int64),
        np.empty(MAX_WINDOWS, dtype=np.int64),
        np.empty(MAX_WINDOWS),
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


@helper
def best_part(
    bin_index: NDArray[Any],
    rows: Ints,
    gains: Ints,
    spans: Ints,
    kinds: Ints,
    price: float,
    floor: float,
    n_scores: int,
    board: PolishBoard,
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. Only a value above `floor` counts; of equals the lowest T, then p. Windows that cannot win are not looked at.
    Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    n_windows = _list_windows(n_scores, price, floor, board)
    _count(bin_index, rows, gains, n_scores, board)
    found, best, column, kind, at = floor, -1, -1, -1, -1
    for k in range(n_windows):
        if board.bounds[k] <= found:
            continue
        window = board.windows[k]
        first, second = _ends(window, n_scores)
        fires_anyway = _net(board.totals[n_scores] - board.totals[first])
        if _reach(board.slots[first], board.slots[second], spans, kinds, board) - price + fires_anyway <= found:
            continue
        score, c, test_kind, b = best_test(
            board.hists,
            board.slots[first],
            board.slots[second],
            window - window + SUBTRACT,
            spans,
            kinds,
            1.0,
            price,
            board.value,
        )
        score += fires_anyway
        if score > found:
            found, best, column, kind, at = score, window, c, test_kind, b
    return found, best // MAX_POINTS, best % MAX_POINTS + 1, column, kind, at


@helper
def _reach(first: int, second: int, spans: Ints, kinds: Ints, board: PolishBoard) -> int:
    """Return what no test of a window is worth more than, its price aside.

    The best side of a threshold and every word that is worth something: sums that take a fraction of the exact look.
    """
    nets = board.nets
    most = 0
    for j in range(len(spans)):
        if kinds[0, j] == 0:
            continue
        start, n_num = spans[j, 0], spans[j, 1]
        below, highest, lowest = 0, 0, 0
        for b in range(start, start + n_num):
            below += nets[first, b] - nets[second, b]
            highest, lowest = max(highest, below), min(lowest, below)
        reach = max(highest, below - lowest)
        for b in range(start + n_num, start + n_num + spans[j, 2] + 2):
            reach += max(0, nets[first, b] - nets[second, b])
        most = max(most, reach)
    return most


@helper
def _list_windows(n_scores: int, price: float, floor: float, board: PolishBoard) -> int:
    """List the windows that could be above the floor, with what each could reach, and give a slot to what they read.

    A window could reach what fires anyway, and every right row in it. Returns how many there are.
    """
    totals, slots = board.totals, board.slots
    for s in range(n_scores + 1):
        slots[s] = 0
    n_windows = 0
    for t in range(1, n_scores + MAX_POINTS):
        for p in range(1, min(t, MAX_POINTS) + 1):
            window = t * MAX_POINTS + p - 1
            first, second = _ends(window, n_scores)
            bound = _net(totals[n_scores] - totals[first]) + ((totals[first] - totals[second]) >> RIGHT_BITS) - price
            if bound > floor:
                board.windows[n_windows], board.bounds[n_windows] = window, bound
                n_windows += 1
                for s in range(second + 1, first + 1):
                    slots[s] = 1
    for s in range(1, n_scores + 1):
        slots[s] += slots[s - 1]
    return n_windows


@helper
def _ends(window: int, n_scores: int) -> tuple[int, int]:
    """Return between which totals the rows of a window are."""
    t, p = window // MAX_POINTS, window % MAX_POINTS + 1
    return min(t, n_scores), min(t - p, n_scores)


@helper
def _net(packed: int) -> int:
    return int((packed >> RIGHT_BITS) - (packed & WRONG_MASK))


@helper
def _count(bin_index: NDArray[Any], rows: Ints, gains: Ints, n_scores: int, board: PolishBoard) -> None:
    """Count the rows that windows read into histograms: each has all rows of fewer points too."""
    base, hists, nets, slots = board.base, board.hists, board.nets, board.slots
    for k in range(slots[n_scores] + 1):
        for b in range(hists.shape[1]):
            hists[k, b] = 0
    for r in range(len(rows)):
        s = base[r] + 1
        k = slots[s]
        if k > slots[s - 1]:
            row = rows[r]
            gain = gains[row]
            for j in range(bin_index.shape[1]):
                hists[k, bin_index[row, j]] += gain
    for k in range(2, slots[n_scores] + 1):
        for b in range(hists.shape[1]):
            hists[k, b] += hists[k - 1, b]
    for k in range(slots[n_scores] + 1):
        for b in range(hists.shape[1]):
            nets[k, b] = _net(hists[k, b])
