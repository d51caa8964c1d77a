"""One subproblem: the conjunction that should flip some rows, from nothing.

In: a `Subproblem`, rows with the gain if a rule fires there. Out: a body on the board, and its value = right - wrong -
price * (literals + 1). Greedy descents under six views of "good" and, where they may be, scorecards are drafts; each is
polished by exact steps until none pays, and the best is taken (body_solver.py). Knows nothing of programs: see
rule_rows.py for where problems come from.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.boards import N_COUNTS
from unless.learn.optimise.body.body_solver import solve_body
from unless.learn.optimise.body.descents import FOIL, INFORMATION
from unless.learn.optimise.layout import RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Scratch, Subproblem
    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.layout import Floats, Ints

MAX_SAMPLE = 5000
"""The rows that scorecards are drafted on at most, and polished on first."""
MIN_ROWS, MIN_RIGHT = 20, 5
"""On fewer rows, or rows of one kind, no scorecard is drafted."""
HASH_BITS, DIGIT = 63, 9
"""Bits of a hash, as `GrownOn` has them, and how many of them are looked at together: there is a count for each."""
assert 1 << DIGIT == N_COUNTS


@helper
def search_body(
    problem: Subproblem, hashes: Ints, known_kinds: Ints, scratch: Scratch, desk: Desk
) -> tuple[int, float]:  # fmt: skip
    """Find a conjunction of high value; returns its length and value. A length of 0 says that none pays.

    Without hashes there are no scorecards.
    """
    rows, total = problem.rows, 0
    for r in range(len(rows)):
        total += problem.gains[rows[r]]
    right, wrong = total >> RIGHT_BITS, total & WRONG_MASK
    if right <= 2 * problem.price or wrong == 0:
        return 0, 0.0
    n_views, hoped, n_some = _list_views(right / wrong, scratch.views), 0.0, 0
    if len(hashes) and len(rows) >= MIN_ROWS and min(right, wrong) >= MIN_RIGHT:
        hoped, n_some = right, list_some(rows, hashes, MAX_SAMPLE, scratch)
    return solve_body(problem, scratch.some[:n_some], scratch.views[:n_views], hoped, known_kinds, 0, desk)


@helper
def _list_views(odds: float, views: Floats) -> int:
    """List the views of what is good (out), each once: exchange rates from 1 to the odds of right, and two more."""
    n = 0
    for third in range(4):
        view = math.pow(odds, 1.0 - (3 - third) / 3)  # a third, two thirds: to the last bit as programs were learned
        if n == 0 or view != views[n - 1]:
            views[n] = view
            n += 1
    views[n], views[n + 1] = FOIL, INFORMATION
    return n + 2


@helper
def list_some(rows: Ints, hashes: Ints, most: int, scratch: Scratch) -> int:
    """List the rows of lowest hash (out), one more than so many if there are more, or all of an equal hash.

    Returns how many.
    """
    counts, some = scratch.counts, scratch.some
    shift, first, left = HASH_BITS, 0, most
    while shift > 0 and len(rows) > most:
        shift -= DIGIT
        counts[:] = 0
        for r in range(len(rows)):
            hashed = hashes[rows[r]] >> shift
            if hashed >> DIGIT == first:
                counts[hashed & ((1 << DIGIT) - 1)] += 1
        digit = 0
        while counts[digit] <= left:
            left -= counts[digit]
            digit += 1
        first = first << DIGIT | digit
        if counts[digit] == 1:  # the last one that is listed is alone behind its first bits
            break
    n = 0
    for r in range(len(rows)):
        some[n] = rows[r]  # written always: a branch would cost more
        n += hashes[rows[r]] >> shift <= first
    return n
