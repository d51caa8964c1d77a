"""One subproblem, from nothing: the conjunction that should flip these rows.

In: `Problem`, the rows that a rule would decide, with the gain of firing on each. Out: a body and its value
= right - wrong - price * (literals + 1). Greedy descents under six views of "good" and, where they may be, scorecards
are drafts; each is polished, and the best is taken. Knows nothing of programs: see state.py for where problems come
from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.boards import make_body_board, make_descents
from unless.learn.optimise.body_kernels import improve_body
from unless.learn.optimise.body_polish import polish_body
from unless.learn.optimise.descents import FOIL, INFORMATION
from unless.learn.optimise.problem import read_test
from unless.learn.optimise.scorecards import search_scores

if TYPE_CHECKING:
    from unless.learn.optimise.problem import Body, Problem

EXPONENTS = (1.0, 2 / 3, 1 / 3, 0.0)
LEAST_SCORE = 4
"""What the smallest scorecard costs, in literals: the rule, the sum, two tests."""
NEAR = 1.0
"""A scorecard that is further behind the best, in literals, is polished no further: that seldom makes it win."""


def search_body(problem: Problem) -> tuple[Body, float]:
    """Find a conjunction of high value; an empty body says that none pays."""
    pos, neg = problem.totals(problem.rows)
    if pos <= 2 * problem.price or neg == 0:
        return (), 0.0
    views = (*dict.fromkeys((pos / neg) ** (1 - a) for a in EXPONENTS), FOIL, INFORMATION)
    bins, desk, limit = problem.bins, problem.desk, problem.limit
    board = desk.board(make_body_board, bins.n_rows, bins.n_bins, len(problem.kinds), limit)
    down = desk.board(make_descents, bins.n_rows, bins.n_bins, limit)
    board.seen[0] = 0
    n, best_value = improve_body(problem.packed, np.array(views), 0, board, down)
    best: Body = tuple(read_test(bins, board.facts[i], board.tables[i]) for i in range(n))
    can_pay = problem.points and pos - LEAST_SCORE * problem.price > best_value
    for score, hoped in search_scores(problem) if can_pay else ():
        if hoped + NEAR * problem.price > best_value:
            body, value = polish_body(problem, (score,))
            if value > best_value + problem.tolerance:
                best, best_value = body, value
    return best, best_value
