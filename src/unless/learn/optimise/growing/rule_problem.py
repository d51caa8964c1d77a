"""The subproblem of one rule: which tests its body may have, the body solved, and what a known one saves.

In: a program, the rows that hang on a rule, listed in scratch. Out: a body on the board with its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.boards import Subproblem
from unless.learn.optimise.body.body_search import search_body
from unless.learn.optimise.body.body_solver import SCORE, solve_body
from unless.learn.optimise.body.scorecard_board import N_PARTS
from unless.learn.optimise.body.scorecard_draft import n_polished, near_drafts
from unless.learn.optimise.growing.kept_bodies import has_score, hold_body, size_of_body
from unless.learn.optimise.growing.program_board import MOST_LITERALS, NOBODY, PARENT
from unless.learn.optimise.growing.rule_rows import end_of, position_of
from unless.learn.optimise.layout import COLUMN, KIND, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Scratch
    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.growing.program_board import Bodies, GrownOn, Rules
    from unless.learn.optimise.layout import Ints


@helper
def solve(
    n: int, n_rows: int, sign: int, price: float, skew: float, grown_on: GrownOn, scratch: Scratch, desk: Desk
) -> tuple[int, float]:
    """Polish the body of n literals on the board or, where there is none, search one, for rules of a sign.

    The rows and which kinds of test are allowed stand in scratch. Returns the length of the body and its value.
    """
    problem = Subproblem(
        grown_on.bin_index, grown_on.by_column, scratch.rows[:n_rows], grown_on.gains[sign], grown_on.spans,
        scratch.kinds, grown_on.rivals, price, grown_on.limits[MOST_LITERALS], n_polished(n_rows, skew),
        price * near_drafts(skew),
    )  # fmt: skip
    if n == 0:
        n, value = search_body(problem, grown_on.hashes, grown_on.known_kinds, scratch, desk)
        return n, value
    return solve_body(problem, scratch.some[:0], scratch.views[:0], 0.0, grown_on.known_kinds, n, desk)


@helper
def allow_kinds(
    grown_on: GrownOn, rules: Rules, bodies: Bodies, parent: int, but: int, sign: int, scratch: Scratch
) -> None:  # fmt: skip
    """Write which kinds of test a rule of a sign may have (out): none on columns apart from those that stand around it.

    Around it are the rule at the top that it is under, and all exceptions of that one but itself.
    """
    for j in range(len(scratch.kinds)):
        scratch.kinds[j] = grown_on.kinds[sign, j]
    top = but if parent == NOBODY else parent
    if top == NOBODY or len(grown_on.rivals) == 0:
        return
    while rules.facts[top, PARENT] != NOBODY:
        top = rules.facts[top, PARENT]
    at = position_of(rules, top)
    for i in range(at, end_of(rules, at)):
        if rules.order[i] != but:
            _allow_beside(grown_on, bodies, rules.order[i], scratch)


@helper
def _allow_beside(grown_on: GrownOn, bodies: Bodies, k: int, scratch: Scratch) -> None:
    """Take away the kinds of columns that must not stand beside those of a body (out)."""
    for i in range(bodies.lengths[k]):
        if bodies.facts[k, i, KIND] != SCORE:
            _allow_beside_column(grown_on, bodies.facts[k, i, COLUMN], scratch)
    for p in range(bodies.parts[k, N_PARTS] if has_score(bodies, k) else 0):
        _allow_beside_column(grown_on, bodies.part_facts[k, p, COLUMN], scratch)


@helper
def _allow_beside_column(grown_on: GrownOn, column: int, scratch: Scratch) -> None:
    """Take away the kinds of columns that must not stand beside one (out)."""
    for j in range(len(scratch.kinds)):
        if grown_on.rivals[column, j]:
            scratch.kinds[j] = 0


@helper
def value_on(
    bodies: Bodies, k: int, price: float, grown_on: GrownOn, sign: int, rows: Ints, scratch: Scratch
) -> float:  # fmt: skip
    """Return what a body saves on some rows; one without literals is no rule."""
    if bodies.lengths[k] == 0:
        return 0.0
    hold_body(bodies, k, grown_on.by_column, rows, scratch.points, scratch.truth)
    total = 0
    for r in range(len(rows)):
        total += grown_on.gains[sign, rows[r]] * scratch.truth[r]
    return (total >> RIGHT_BITS) - (total & WRONG_MASK) - price * (1 + size_of_body(bodies, k))
