"""Scorecards found from nothing: drafts, polished and written shortly, as helpers of the kernel of a body.

In: a problem, some of its rows to draft on. Out: scorecards among `Cards`, with their values as bodies.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper
from unless.learn.optimise.body.body_kernels import copy_line
from unless.learn.optimise.body.scorecard_board import FIRST, MAX_CONDITIONS, N_DRAFTS, N_PARTS, THRESHOLD
from unless.learn.optimise.body.scorecard_draft import draft_scores, spoken
from unless.learn.optimise.body.scorecard_polish import polish_points
from unless.learn.optimise.layout import COLUMN, FACTS, KIND, MAX_BINS, NONE_OF, NOT_GT, NOT_LE, SIZE

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Subproblem
    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.body.scorecard_board import Cards, DraftBoard, PolishBoard
    from unless.learn.optimise.layout import Bytes, Ints

ROUNDS = 3
"""Rounds of polishing on some of the rows; on all of them there is one."""


@helper
def search_cards(problem: Subproblem, some: Ints, known_kinds: Ints, desk: Desk) -> int:
    """Find scorecards, drafted on some of the rows; returns how many there are. One that is there twice counts once."""
    price, polish, cards = problem.price, desk.polish, desk.cards
    n_cards = _draft_cards(problem, some, known_kinds, desk.draft, cards)
    if n_cards and len(some) < len(problem.rows):
        # On some rows a literal saves less: its price falls as much. What is best there is finished on all rows.
        part = problem._replace(rows=some, price=price * len(some) / len(problem.rows))
        for k in range(n_cards):
            polish_card(part, ROUNDS, FIRST + k, polish, cards)
        copy_card(best_card(n_cards, cards), FIRST, cards)
        n_cards = 1
    for k in range(n_cards):
        polish_card(problem, 1, FIRST + k, polish, cards)
        cards.values[FIRST + k] += price * shorten(FIRST + k, cards)
        for other in range(k):
            if is_same_card(FIRST + other, FIRST + k, cards):
                cards.values[FIRST + k] = -math.inf
    return n_cards


@helper
def best_card(n_cards: int, cards: Cards) -> int:
    """Return the drafted scorecard of highest value, the first of equals."""
    best = FIRST
    for card in range(FIRST + 1, FIRST + n_cards):
        if cards.values[card] > cards.values[best]:
            best = card
    return best


@helper
def _draft_cards(problem: Subproblem, some: Ints, known_kinds: Ints, draft: DraftBoard, cards: Cards) -> int:
    """Write drafts as scorecards, the best first; returns how many there are."""
    for d in range(N_DRAFTS + 1):
        draft.values[d] = -math.inf
        for i in range(MAX_CONDITIONS + 1):
            draft.drafts[d, i] = 0
    n = draft_scores(problem, some, known_kinds, draft)
    n_cards = 0
    for d in range(problem.n_drafts):
        is_near = draft.values[d] >= draft.values[0] - problem.behind  # one further behind seldom wins
        if is_near and _write_card(problem, d, n, known_kinds, draft, FIRST + n_cards, cards):
            n_cards += 1
    return n_cards


@helper
def _write_card(
    problem: Subproblem, d: int, n: int, known_kinds: Ints, draft: DraftBoard, card: int, cards: Cards
) -> bool:  # fmt: skip
    """Write a draft as a scorecard: tests that weigh against the class by their opposites; False if it has none."""
    k = 0
    for i in range(n):
        points = draft.drafts[d, i]
        if points:
            column, kind = draft.tests[i, COLUMN], draft.tests[i, KIND]
            said = spoken(column, kind, float(points), known_kinds)
            cards.points[card, k] = abs(points)
            for f in range(FACTS):
                cards.tests[card, k, f] = draft.tests[i, f]
            cards.tests[card, k, KIND] = said
            for b in range(MAX_BINS):
                held = draft.tables[i, b]
                if said in (NOT_LE, NOT_GT, NONE_OF):
                    held = 1 - held
                elif said != kind:  # numbers only: the other side of the threshold
                    held = (1 - held) * (b < problem.spans[column, 1])
                cards.tables[card, k, b] = held
            k += 1
    cards.facts[card, N_PARTS], cards.facts[card, THRESHOLD] = k, draft.drafts[d, MAX_CONDITIONS]
    return k > 0


@helper
def polish_card(problem: Subproblem, rounds: int, card: int, polish: PolishBoard, cards: Cards) -> None:
    """Drop, replace and add conditions of a scorecard by exact steps while J falls."""
    points, tests, tables = cards.points[card], cards.tests[card], cards.tables[card]
    copy_parts(cards.facts[card, N_PARTS], points, tests, tables, polish.points, polish.tests, polish.tables)
    n, threshold, value = polish_points(problem, rounds, cards.facts[card, N_PARTS], polish)
    copy_parts(n, polish.points, polish.tests, polish.tables, points, tests, tables)
    cards.facts[card, N_PARTS], cards.facts[card, THRESHOLD], cards.values[card] = n, threshold, value


@helper
def size_of(card: int, cards: Cards) -> int:
    """Count the tests, and one for the sum; a single test is no sum."""
    n = cards.facts[card, N_PARTS]
    size = 1 if n > 1 else 0
    for i in range(n):
        size += cards.tests[card, i, SIZE]
    return size


@helper
def shorten(card: int, cards: Cards) -> int:
    """Write a scorecard shortly: points above the threshold say no more than it, common factors nothing.

    Returns by how much this makes it shorter: where one test is left, there is no sum.
    """
    n, threshold, factor = cards.facts[card, N_PARTS], cards.facts[card, THRESHOLD], 0
    for i in range(n):
        cards.points[card, i] = min(cards.points[card, i], threshold)
        a, b = factor, cards.points[card, i]
        while b:
            a, b = b, a % b
        factor = a
    for i in range(n):
        cards.points[card, i] = cards.points[card, i] // factor
    cards.facts[card, THRESHOLD] = (threshold + factor - 1) // factor
    return 1 if n == 1 else 0


@helper
def copy_parts(
    n: int, points: Ints, tests: Ints, tables: Bytes, to_points: Ints, to_tests: Ints, to_tables: Bytes
) -> None:  # fmt: skip
    """Copy n parts of a scorecard, each with its points, the facts of its test and where that holds."""
    for i in range(n):
        to_points[i] = points[i]
        copy_line(tests, tables, i, to_tests, to_tables, i)


@helper
def copy_card(card: int, to: int, cards: Cards) -> None:
    """Copy a scorecard."""
    copy_parts(
        cards.facts[card, N_PARTS], cards.points[card], cards.tests[card], cards.tables[card], cards.points[to],
        cards.tests[to], cards.tables[to],
    )  # fmt: skip
    cards.facts[to, N_PARTS], cards.facts[to, THRESHOLD] = cards.facts[card, N_PARTS], cards.facts[card, THRESHOLD]
    cards.values[to] = cards.values[card]


@helper
def is_same_card(one: int, other: int, cards: Cards) -> bool:
    """Tell whether two scorecards have the same parts and threshold."""
    n, is_same = cards.facts[one, N_PARTS], True
    if n != cards.facts[other, N_PARTS] or cards.facts[one, THRESHOLD] != cards.facts[other, THRESHOLD]:
        return False
    for i in range(n):
        is_same &= cards.points[one, i] == cards.points[other, i]
        for f in range(FACTS):
            is_same &= cards.tests[one, i, f] == cards.tests[other, i, f]
        for b in range(MAX_BINS):
            is_same &= cards.tables[one, i, b] == cards.tables[other, i, b]
    return is_same
