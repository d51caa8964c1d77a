"""One subproblem in one kernel, scorecards included: a body searched from nothing, or a given one polished.

In: rows with packed gains, what is allowed, a body on its board. Out: a body there, and its value = right - wrong -
price * (literals + 1). Bodies of tests come from body_kernels.py; a scorecard stands on a line of its own, known there
by where it holds, and is polished on the rows that hang on it. A body has one scorecard at most. In one kernel, because
Python between steps that take a tenth of a millisecond took as long as these.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.body.boards import TOLERANCE
from unless.learn.optimise.body.body_kernels import copy_line, improve_body
from unless.learn.optimise.body.scorecard_board import BEST, BODY, N_PARTS, THRESHOLD, TRIED
from unless.learn.optimise.body.scorecard_search import (
    best_card,
    copy_card,
    polish_card,
    search_cards,
    shorten,
    size_of,
)
from unless.learn.optimise.histograms import add_points
from unless.learn.optimise.layout import COLUMN, KIND, RIGHT_BITS, SIZE, WRONG_MASK

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import BodyBoard, Subproblem
    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.body.scorecard_board import Cards
    from unless.learn.optimise.layout import Floats, Ints

MAX_POLISHES = 20
LEAST_SCORE = 4
"""What the smallest scorecard costs, in literals: the rule, the sum, two tests."""
NEAR = 1.0
"""A scorecard that is further behind the best, in literals, is polished no further: that seldom makes it win."""
GIVEN = 0x5851F42D4C957F2D
"""Makes the signatures of given literals, unlike those of tests that the search writes."""
SCORE = -1
"""The kind of a line that is a scorecard."""


@kernel
def solve_body(
    problem: Subproblem, some: Ints, views: Floats, hoped: float, known_kinds: Ints, n: int, desk: Desk
) -> tuple[int, float]:
    """Polish the body of n literals on the board or, where there is none, search one; returns its length and value.

    Scorecards are drafted on some rows, where the right rows hoped for could pay one. The lines of the body are out,
    and its scorecard. A length of 0 says that none pays.
    """
    if n > 0:
        n, value = _polish_body(problem, views, n, desk)
        return n, value
    price, saved, board, cards = problem.price, problem.limit + 1, desk.board, desk.cards
    board.seen[0] = 0
    n_best, best = improve_body(problem, views, n, board, desk.down)
    if hoped - LEAST_SCORE * price <= best:
        return n_best, best
    n_cards = search_cards(problem, some, known_kinds, desk)
    for _ in range(n_cards):
        card = best_card(n_cards, cards)
        if cards.values[card] + NEAR * price <= best:
            break
        copy_card(card, BODY, cards)
        cards.values[card] = -math.inf  # the next one is the best of the others
        _put_card(n, board, cards)
        length, value = _polish_body(problem, views, n + 1, desk)
        if value > best + TOLERANCE * price:
            n_best, best = length, value
            copy_card(BODY, BEST, cards)
            for i in range(length):
                copy_line(board.facts, board.tables, i, board.facts, board.tables, saved + i)
    for i in range(n_best):
        copy_line(board.facts, board.tables, saved + i, board.facts, board.tables, i)
    copy_card(BEST, BODY, cards)
    return n_best, best


@helper
def _put_card(i: int, board: BodyBoard, cards: Cards) -> None:
    """Put the scorecard of the body onto line i; one of a single test is that test."""
    board.facts[i, COLUMN], board.facts[i, KIND], board.facts[i, SIZE] = 0, SCORE, size_of(BODY, cards)
    if cards.facts[BODY, N_PARTS] == 1:
        copy_line(cards.tests[BODY], cards.tables[BODY], 0, board.facts, board.tables, i)


@helper
def _polish_body(problem: Subproblem, views: Floats, n: int, desk: Desk) -> tuple[int, float]:
    """Improve a body by single moves; where none pays, polish its scorecard, and go on."""
    value, board, cards = 0.0, desk.board, desk.cards
    for _ in range(MAX_POLISHES):
        for i in range(n):
            board.signatures[i] = GIVEN + i
            if board.facts[i, KIND] == SCORE:
                _hold_score(problem, i, board, cards)
        board.seen[0] = 0
        n, value = improve_body(problem, views, n, board, desk.down)
        at = -1
        for i in range(n):
            if board.facts[i, KIND] == SCORE:
                at = i
        if at < 0 or not _polish_score(problem, at, desk):
            break
    return n, value


@helper
def _hold_score(problem: Subproblem, i: int, board: BodyBoard, cards: Cards) -> None:
    """Write where the scorecard of the body, on line i, holds."""
    scores, rows, threshold = board.points, problem.rows, cards.facts[BODY, THRESHOLD]
    for r in range(len(rows)):
        scores[r] = 0
    tests = cards.tests[BODY]
    add_points(
        problem.by_column, tests[: cards.facts[BODY, N_PARTS]], rows, cards.tables[BODY], cards.points[BODY], scores
    )
    for r in range(len(rows)):
        board.truths[i, r] = scores[r] >= threshold


@helper
def _polish_score(problem: Subproblem, i: int, desk: Desk) -> bool:
    """Polish the scorecard of the body, on line i, on the rows that hang on it; False if that does not pay."""
    price, board, cards, n_rows = problem.price, desk.board, desk.cards, 0
    for r in range(len(problem.rows)):
        cards.rows[n_rows] = problem.rows[r]  # written always: a branch would cost more
        n_rows += (board.marks[r] == 0) | (board.marks[r] == i + 1)
    copy_card(BODY, TRIED, cards)
    polish_card(problem._replace(rows=cards.rows[:n_rows]), 1, TRIED, desk.polish, cards)
    held = board.totals[0]  # of the rows that the body holds for
    needed = (held >> RIGHT_BITS) - (held & WRONG_MASK) - price * board.facts[i, SIZE] + TOLERANCE * price
    if cards.values[TRIED] + 2 * price <= needed:  # not even if it becomes a single test
        return False
    saved = shorten(TRIED, cards)
    if cards.values[TRIED] + price * (1 + saved) <= needed:  # what is counted has paid for a rule too
        return False
    copy_card(TRIED, BODY, cards)
    _put_card(i, board, cards)
    return True
