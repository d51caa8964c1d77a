"""One subproblem, from nothing: the conjunction that should flip these rows.

In: `Problem`, the rows that a rule would decide, with the gain of firing on each. Out: a body and its value
= right - wrong - price * (literals + 1). Greedy descents under six views of "good" share their histograms while they
agree; the best prefix of each is then polished. Knows nothing of programs: see state.py for where problems come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise import histograms
from unless.learn.optimise.body_polish import polish_body
from unless.learn.optimise.scorecards import search_scores

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Test
    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.problem import BinLiteral, Body, Problem

FOIL, INFORMATION = -1.0, -2.0
EXPONENTS = (1.0, 2 / 3, 1 / 3, 0.0)
MIN_SHARE = 0.5
"""Above it a child's histogram is the parent's minus its complement's."""


@dataclass
class Descent:
    """What the greedy descents have found: per view, the best prefix and its value."""

    problem: Problem
    views: tuple[float, ...]
    best: dict[float, tuple[float, Body]]


def search_body(problem: Problem) -> tuple[Body, float]:
    """Find a conjunction of high value; an empty body says that none pays."""
    hist = problem.count(problem.rows)
    pos, neg = problem.totals(problem.rows)
    if pos <= 2 * problem.price or neg == 0:
        return (), 0.0
    views = (*dict.fromkeys((pos / neg) ** (1 - a) for a in EXPONENTS), FOIL, INFORMATION)
    descent = Descent(problem, views, dict.fromkeys(views, (-np.inf, ())))
    _descend(descent, problem.rows, hist, (), 0, views)
    found = {body: value for value, body in descent.best.values() if body}
    ranked = sorted(found, key=lambda body: -found[body])
    if problem.points:
        ranked += [(score,) for score in search_scores(problem) if (score,) not in ranked]
    seen: set[frozenset[BinLiteral]] = {frozenset(body) for body in ranked}
    best: Body = ()
    best_value = 0.0
    for draft in ranked:
        body, value = polish_body(problem, draft, hist, seen)
        if value > best_value + problem.tolerance:
            best, best_value = body, value
    return best, best_value


def _descend(descent: Descent, rows: Ints, hist: Ints, body: Body, size: int, views: tuple[float, ...]) -> None:
    """Add one literal per view; go on below each distinct choice with the views that made it."""
    problem = descent.problem
    choices: dict[Test, list[float]] = {}
    for view in views:
        test = _choose(problem, hist, body, view)
        if test is not None:
            choices.setdefault(test, []).append(view)
    for test, group in choices.items():
        inside, outside = histograms.split_rows(problem.bins.by_column[test.column], rows, test.table)
        if len(outside) == 0:
            continue
        longer, cost = (*body, test), problem.price * (size + test.size + 1)
        right, wrong = problem.totals_inside(hist, test)
        for view in group:
            if right - wrong - cost > descent.best[view][0]:
                descent.best[view] = (right - wrong - cost, longer)
        # The best that any extension could reach: all that is right stays, one more literal to pay.
        hopeful = tuple(v for v in group if right - cost - problem.price > descent.best[v][0])
        if wrong and hopeful and len(longer) < problem.limit:
            is_most = len(inside) > MIN_SHARE * len(rows)
            below = hist - problem.count(outside) if is_most else problem.count(inside)
            _descend(descent, inside, below, longer, size + test.size, hopeful)


def _choose(problem: Problem, hist: Ints, body: Body, view: float) -> Test | None:
    kinds = problem.kinds_beside(body)
    if view in (FOIL, INFORMATION):
        choice = problem.choose_graded(hist, kinds, foil=view == FOIL)
    else:
        choice = problem.choose(hist, kinds, view)
    return problem.build(hist, choice, view) if choice[1] >= 0 else None
