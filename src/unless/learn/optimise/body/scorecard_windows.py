"""The best condition for a scorecard whose others are fixed: exact, over thresholds, points and tests at once.

In: the points of each row from the other conditions, on a `PolishBoard`. Out: value, threshold, points and test. A
window is a threshold and points; its rows lie between two totals, so one count of the rows serves all windows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.scorecard_board import MAX_POINTS
from unless.learn.optimise.body.scorecard_counts import count_histograms
from unless.learn.optimise.layout import RIGHT_BITS, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, Window, best_test

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Subproblem
    from unless.learn.optimise.body.scorecard_board import PolishBoard
    from unless.learn.optimise.layout import Ints


@helper
def best_part(
    problem: Subproblem, floor: float, n_scores: int, points: int, shift: int, n_moved: int, board: PolishBoard
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. Which condition was left out say points, shift and n_moved (`leave_out`). Only a value above `floor` counts;
    of equals the lowest T, then p. Windows that cannot win are not looked at.
    Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    price = problem.price
    n_windows = _list_windows(n_scores, price, floor, board)
    count_histograms(problem, n_scores, points, shift, n_moved, board)
    found, best, column, kind, at = floor, -1, -1, -1, -1
    for k in range(n_windows):
        if board.bounds[k] <= found:
            continue
        window = board.windows[k]
        first, second = _ends(window, n_scores)
        fires_anyway = _net(board.totals[n_scores] - board.totals[first])
        reach = _reach_of_parts(window, board.reaches)
        if reach - price + fires_anyway > found:
            reach = min(reach, _reach(board.slots[first], board.slots[second], problem, board))
        board.reaches[window] = reach
        if reach - price + fires_anyway <= found:
            continue
        read = Window(board.hists, board.slots[first], board.slots[second], SUBTRACT)
        score, c, test_kind, b = best_test(read, problem.spans, problem.kinds, 1.0, price, board.value)
        score += fires_anyway
        if score > found:
            found, best, column, kind, at = score, window, c, test_kind, b
    return found, best // MAX_POINTS, best % MAX_POINTS + 1, column, kind, at


@helper
def _reach_of_parts(window: int, reaches: Ints) -> int:
    """Return what a window reaches at most by what is known of it, and of two windows that have its rows together."""
    p, reach = window % MAX_POINTS + 1, reaches[window]
    for upper in range(1, p):
        lower = window - upper * (MAX_POINTS + 1)  # both the threshold and the points are less by so much
        reach = min(reach, reaches[window - p + upper] + reaches[lower])
    return int(reach)


@helper
def _reach(first: int, second: int, problem: Subproblem, board: PolishBoard) -> int:
    """Return what no test of a window is worth more than, its price aside.

    The best side of a threshold and every word that is worth something: sums that take a fraction of the exact look.
    """
    nets, spans, most = board.nets, problem.spans, 0
    for j in range(len(spans)):
        if problem.kinds[j] == 0:
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
            board.reaches[window] = (totals[first] - totals[second]) >> RIGHT_BITS
            bound = _net(totals[n_scores] - totals[first]) + board.reaches[window] - price
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
