"""Greedy descents: under several views of "good", one literal after the other, from all rows to few.

In: a `Subproblem`, exchange rates of right and wrong rows. Out: the best prefix of each view, on `Descents`. Views
share rows and histograms while they agree.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.boards import MAX_VIEWS
from unless.learn.optimise.layout import COLUMN, FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import ALONE, Window, best_grade, best_test, write_test

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import BodyBoard, Descents, Subproblem
    from unless.learn.optimise.layout import Floats, Ints

FOIL, INFORMATION = -1.0, -2.0
"""Views that are no exchange rate of right and wrong rows."""

N_ROWS, N_CHOICES, NEXT, LENGTH = range(4)
"""What is known of a level: its rows, its choices, how many of them are done, and the size of the body so far."""
TEST, VIEWS = range(2)
"""What a choice is: the line of a test, and the views that made it, as bits."""


@helper
def allow(problem: Subproblem, facts: Ints, n: int, but: int, kinds: Ints) -> None:
    """Write the kinds of test allowed beside the literals of a body, one left out, into kinds (out)."""
    for j in range(len(problem.kinds)):
        kinds[j] = problem.kinds[j]
        if len(problem.rivals):
            for i in range(n):
                if i != but and problem.rivals[facts[i, COLUMN], j]:
                    kinds[j] = 0


@helper
def descend(  # noqa: C901, PLR0912
    problem: Subproblem, views: Floats, board: BodyBoard, down: Descents
) -> None:
    """Add one literal per view; go on below each distinct choice with the views that made it."""
    rows, price, limit = problem.rows, problem.price, problem.limit
    levels, hists = down.levels, down.hists
    for v in range(len(views)):
        down.best[v] = -math.inf
        down.paths[v, limit] = 0
    for i in range(len(rows)):
        down.rows[0, i] = rows[i]
    levels[0, N_ROWS], levels[0, LENGTH] = len(rows), 0
    _count_level(problem, 0, 0, len(rows), down)
    n_tests, d, group, is_new = 0, 0, (1 << len(views)) - 1, True
    while d >= 0:
        if is_new:
            n_tests = _choose_all(problem, views, group, d, n_tests, board, down)
            is_new = False
        if levels[d, NEXT] == levels[d, N_CHOICES]:
            d -= 1
            continue
        choice = levels[d, NEXT]
        levels[d, NEXT] += 1
        test, group = down.choices[d, choice, TEST], down.choices[d, choice, VIEWS]
        n_rows, n_inside = levels[d, N_ROWS], _part(problem, d, test, down)
        if n_inside == n_rows:
            continue
        down.paths[MAX_VIEWS, d] = test
        length = levels[d, LENGTH] + down.facts[test, SIZE]
        right, wrong = _inside(problem, d, test, down)
        cost, hopeful = price * (length + 1), 0
        for v in range(len(views)):
            if group >> v & 1:
                if right - wrong - cost > down.best[v]:
                    down.best[v] = right - wrong - cost
                    for i in range(d + 1):
                        down.paths[v, i] = down.paths[MAX_VIEWS, i]
                    down.paths[v, limit] = d + 1
                # The best that any extension could reach: all that is right stays, one more literal to pay.
                if right - cost - price > down.best[v]:
                    hopeful |= 1 << v
        if wrong and hopeful and d + 1 < limit:
            if 2 * n_inside > n_rows:  # the histogram is the parent's minus its complement's
                _count_level(problem, d + 1, n_inside, n_rows, down)
                for b in range(hists.shape[1]):
                    hists[d + 1, b] = hists[d, b] - hists[d + 1, b]
            else:
                _count_level(problem, d + 1, 0, n_inside, down)
            d += 1
            levels[d, N_ROWS], levels[d, LENGTH] = n_inside, length
            group, is_new = hopeful, True


@helper
def _count_level(problem: Subproblem, d: int, first: int, last: int, down: Descents) -> None:
    """Count some rows of level d into its histogram."""
    hists, bin_index = down.hists, problem.bin_index
    for b in range(hists.shape[1]):
        hists[d, b] = 0
    for i in range(first, last):
        row = down.rows[d, i]
        gain = problem.gains[row]
        for j in range(bin_index.shape[1]):
            hists[d, bin_index[row, j]] += gain


@helper
def _choose_all(  # noqa: C901
    problem: Subproblem, views: Floats, group: int, d: int, n_tests: int, board: BodyBoard, down: Descents
) -> int:
    """Write the choice of each view of the group on level d; returns how many tests there are now."""
    spans, price, window = problem.spans, problem.price, Window(down.hists, d, d, ALONE)
    for i in range(d):
        for f in range(FACTS):
            board.facts[i, f] = down.facts[down.paths[MAX_VIEWS, i], f]
    allow(problem, board.facts, d, d, board.kinds)
    n_choices = 0
    for v in range(len(views)):
        if not group >> v & 1:
            continue
        if views[v] < 0:
            _, column, kind, at = best_grade(down.hists, d, spans, board.kinds, views[v] == FOIL)
        else:
            _, column, kind, at = best_test(window, spans, board.kinds, views[v], price, board.value)
        if column < 0:
            continue
        write_test(window, spans, views[v], price, column, kind, at, down.facts, down.tables, n_tests)
        known = -1
        for c in range(n_choices):
            test = down.choices[d, c, TEST]
            is_same = down.facts[test, COLUMN] == column
            for b in range(MAX_BINS):
                is_same &= down.tables[test, b] == down.tables[n_tests, b]
            if is_same and known < 0:
                known = c
        if known >= 0:
            down.choices[d, known, VIEWS] |= 1 << v
        else:
            down.choices[d, n_choices, TEST], down.choices[d, n_choices, VIEWS] = n_tests, 1 << v
            n_choices += 1
            n_tests += 1
    down.levels[d, N_CHOICES], down.levels[d, NEXT] = n_choices, 0
    return n_tests


@helper
def _part(problem: Subproblem, d: int, test: int, down: Descents) -> int:
    """Write the rows of level d for which a test holds into the next level from the front, the others behind them."""
    n_rows, column = down.levels[d, N_ROWS], down.facts[test, COLUMN]
    inside, outside = 0, n_rows
    for i in range(n_rows):
        row = down.rows[d, i]
        if down.tables[test, problem.by_column[column, row]]:
            down.rows[d + 1, inside] = row
            inside += 1
        else:
            outside -= 1
            down.rows[d + 1, outside] = row
    return inside


@helper
def _inside(problem: Subproblem, d: int, test: int, down: Descents) -> tuple[int, int]:
    """Return the weight of right and of wrong rows of level d for which a test holds."""
    column = down.facts[test, COLUMN]
    start, held = problem.spans[column, 0], 0
    for b in range(problem.spans[column, 1] + problem.spans[column, 2] + 2):
        held += down.hists[d, start + b] * down.tables[test, b]
    return held >> RIGHT_BITS, held & WRONG_MASK
