"""Rows of a scorecard counted by their points: with all conditions, and with one of them left out.

In: rows with packed weights, the parts of a scorecard on a `PolishBoard`. Out: how much weight has how many points, and
histograms of the rows of fewer points than so many. Leaving a condition out moves the rows it holds for, or, seen from
these, the others: only the fewer of the two are counted, all others are known from the count with all conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.scorecard_board import MAX_SCORES
from unless.learn.optimise.layout import COLUMN, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Subproblem
    from unless.learn.optimise.body.scorecard_board import PolishBoard
    from unless.learn.optimise.layout import Ints

MOVED, WHOLE, COUNTED = range(3)
"""Marks of points: rows that moved are wanted, all rows are, all rows are counted."""
FEW = 3
"""Counts are carried on where at most one of so many rows has other points than before."""


@helper
def count_scores(problem: Subproblem, n: int, board: PolishBoard) -> None:
    """Add up the points of each row by n parts, and the weight by points."""
    rows, scores, held, by_score = problem.rows, board.scores, board.held, board.by_score
    for r in range(len(rows)):
        scores[r] = 0
        held[r] = 0
    for i in range(n):
        column, points, n_held = board.tests[i, COLUMN], board.points[i], 0
        for r in range(len(rows)):
            holds = int(board.tables[i, problem.by_column[column, rows[r]]])
            scores[r] += points * holds
            held[r] |= holds << i
            n_held += holds
        board.n_held[i] = n_held
    for s in range(MAX_SCORES + 1):
        by_score[WHOLE, s] = 0
    for r in range(len(rows)):
        by_score[WHOLE, scores[r]] += problem.gains[rows[r]]
    forget_counts(board)


@helper
def forget_counts(board: PolishBoard) -> None:
    """Note that the points of rows are others now than those they were counted by."""
    for s in range(MAX_SCORES + 1):
        board.wanted[COUNTED, s] = 0


@helper
def leave_out(problem: Subproblem, i: int, board: PolishBoard) -> tuple[int, int, int, int]:
    """Leave out condition i (below 0: none), list the rows that this moves, and write the totals.

    Returns the most points that a row has, the points of the condition, how many of them most rows lose, which is all
    or none, and how many rows are listed: those that do otherwise.
    """
    rows, scores, held, moved, by_score = problem.rows, board.scores, board.held, board.moved_rows, board.by_score
    points, shift, n_moved = 0, 0, 0
    if i >= 0:
        points = board.points[i]
        is_most = 2 * board.n_held[i] > len(rows)
        shift = points if is_most else 0
        other = 0 if is_most else 1
        for r in range(len(rows)):
            moved[n_moved] = r  # written always: a branch would cost more
            n_moved += (held[r] >> i & 1) == other
        for s in range(MAX_SCORES + 1):
            by_score[MOVED, s] = 0
        for k in range(n_moved):
            r = moved[k]
            by_score[MOVED, scores[r] - points + shift] += problem.gains[rows[r]]
    return _add_totals(points, shift, board), points, shift, n_moved


@helper
def _add_totals(points: int, shift: int, board: PolishBoard) -> int:
    """Write the weight of the rows of fewer points than so many; returns the most points that a row has."""
    totals, by_score, most = board.totals, board.by_score, 0
    totals[0] = 0
    for s in range(MAX_SCORES - 1):
        here = by_score[WHOLE, s + shift] if s + shift < MAX_SCORES else 0
        if points:
            here += by_score[MOVED, s] - by_score[MOVED, _left(s, points, shift)]
        if here:
            most = s
        totals[s + 1] = totals[s] + here
    return most


@helper
def _left(s: int, points: int, shift: int) -> int:
    """Return where those rows that moved are counted which did not come to s, as the others of their points did."""
    left = s + points if shift else s - points
    return left if 0 <= left < MAX_SCORES else MAX_SCORES  # nobody is there


@helper
def count_histograms(
    problem: Subproblem, n_scores: int, points: int, shift: int, n_moved: int, board: PolishBoard
) -> None:  # fmt: skip
    """Put the rows that windows read into histograms: each has all rows of fewer points too."""
    hists, nets, slots, whole, moved = board.hists, board.nets, board.slots, board.whole, board.moved
    _want(n_scores, points, shift, board)
    _count_whole(problem, board)
    if points:
        _count_moved(problem, points - shift, n_moved, board)
    for b in range(hists.shape[1]):
        hists[0, b] = 0
        nets[0, b] = 0
    for s in range(n_scores):
        k = slots[s + 1]
        if k > slots[s]:
            left = _left(s, points, shift)
            for b in range(hists.shape[1]):
                h = hists[k - 1, b] + whole[s + shift, b] + moved[s, b] - moved[left, b]
                hists[k, b] = h
                nets[k, b] = (h >> RIGHT_BITS) - (h & WRONG_MASK)


@helper
def _want(n_scores: int, points: int, shift: int, board: PolishBoard) -> None:
    """Mark the points of which rows are to be counted: of those that moved, and of all, if they are not yet."""
    slots, wanted = board.slots, board.wanted
    for s in range(MAX_SCORES + 1):
        wanted[MOVED, s] = 0
        wanted[WHOLE, s] = 0
    for s in range(n_scores):
        if slots[s + 1] > slots[s]:
            wanted[WHOLE, s + shift] = 1 - wanted[COUNTED, s + shift]
            wanted[MOVED, s] = 1
            wanted[MOVED, _left(s, points, shift)] = 1


@helper
def _count_whole(problem: Subproblem, board: PolishBoard) -> None:
    """Count rows by all their points."""
    wanted, whole, scores, n_wanted = board.wanted, board.whole, board.scores, 0
    for s in range(MAX_SCORES):
        if wanted[WHOLE, s]:
            n_wanted += 1
            wanted[COUNTED, s] = 1
            for b in range(whole.shape[1]):
                whole[s, b] = 0
    for r in range(len(problem.rows) if n_wanted else 0):
        s = scores[r]
        if wanted[WHOLE, s]:
            row = problem.rows[r]
            _add_row(problem, row, problem.gains[row], whole, s)


@helper
def _count_moved(problem: Subproblem, fewer: int, n_moved: int, board: PolishBoard) -> None:
    """Count the rows that moved by the points that they have now: so many fewer than with all conditions."""
    scores, wanted, moved = board.scores, board.wanted, board.moved
    for s in range(MAX_SCORES + 1):
        if wanted[MOVED, s]:
            for b in range(moved.shape[1]):
                moved[s, b] = 0
    for k in range(n_moved):
        r = board.moved_rows[k]
        s = scores[r] - fewer
        if wanted[MOVED, s]:
            row = problem.rows[r]
            _add_row(problem, row, problem.gains[row], moved, s)


@helper
def _add_row(problem: Subproblem, row: int, gain: int, counts: Ints, s: int) -> None:
    """Add what a row gains to the bins of its cells, at so many points."""
    bin_index = problem.bin_index
    for j in range(bin_index.shape[1]):
        counts[s, bin_index[row, j]] += gain


@helper
def change_scores(problem: Subproblem, i: int, points: int, new: int, board: PolishBoard) -> None:
    """Take the points of condition i (below 0: none) from the rows, and give those of part `new` (below 0: none)."""
    rows, scores, held, base, by_score = problem.rows, board.scores, board.held, board.base, board.by_score
    low = (1 << max(i, 0)) - 1
    column, more, n_held, n_changed = board.tests[max(new, 0), COLUMN], board.points[max(new, 0)], 0, 0
    for r in range(len(rows)):
        bits, s = held[r], scores[r]
        before = s
        if i >= 0:
            s -= points * (bits >> i & 1)
            bits = (bits & low) | (bits >> (i + 1) << i)
        if new >= 0:
            holds = int(board.tables[new, problem.by_column[column, rows[r]]])
            s += more * holds
            bits |= holds << new
            n_held += holds
        held[r], base[r] = bits, s
        n_changed += s != before
    if new >= 0:
        board.n_held[new] = n_held
    is_carried = n_changed * FEW <= len(rows)
    if not is_carried:
        forget_counts(board)
    for r in range(len(rows)):
        before, s = scores[r], base[r]
        if s != before:
            row = rows[r]
            gain = problem.gains[row]
            scores[r] = s
            by_score[WHOLE, before] -= gain
            by_score[WHOLE, s] += gain
            if is_carried:
                _carry(problem, row, gain, before, s, board)


@helper
def _carry(problem: Subproblem, row: int, gain: int, before: int, s: int, board: PolishBoard) -> None:
    """Carry a row from the count of its points before to that of its points now, where these are counted."""
    if board.wanted[COUNTED, before]:
        _add_row(problem, row, -gain, board.whole, before)
    if board.wanted[COUNTED, s]:
        _add_row(problem, row, gain, board.whole, s)
