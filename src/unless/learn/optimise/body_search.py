"""One subproblem: the conjunction that should flip these rows, from nothing or from a given body.

In: `Problem`, the rows that a rule would decide, with the gain of firing on each. Out: a body and its value
= right - wrong - price * (literals + 1). Greedy descents under six views of "good" and, where they may be, scorecards
are drafts; each is polished by exact steps until none pays, and the best is taken (body_solver.py). A given body is
polished alike; its value never falls. Knows nothing of programs: see state.py for where problems come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.bins import Test
from unless.learn.optimise.boards import make_body_board, make_descents
from unless.learn.optimise.body_solver import SCORE, solve_body
from unless.learn.optimise.descents import FOIL, INFORMATION
from unless.learn.optimise.layout import KIND
from unless.learn.optimise.problem import line_of, read_test
from unless.learn.optimise.scorecard_board import (
    BODY,
    make_board,
    make_cards,
    make_polish_board,
)
from unless.learn.optimise.scorecards import Score, ScoreLines, score_of

if TYPE_CHECKING:
    from unless.learn.optimise.boards import BodyBoard
    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.problem import BinLiteral, Body, Problem
    from unless.learn.optimise.scorecard_board import Cards, PolishBoard

EXPONENTS = (1.0, 2 / 3, 1 / 3, 0.0)
MAX_SAMPLE = 5000
"""The rows that scorecards are drafted on at most, and polished on first."""
MIN_ROWS, MIN_RIGHT = 20, 5
"""On fewer rows, or rows of one kind, no scorecard is drafted."""
NO_VIEWS, NO_DESCENTS, NO_DRAFTS = np.zeros(0), make_descents(0, 0, 0), make_board(0, 0)


def search_body(problem: Problem) -> tuple[Body, float]:
    """Find a conjunction of high value; an empty body says that none pays."""
    right, wrong = problem.totals(problem.rows)
    if right <= 2 * problem.price or wrong == 0:
        return (), 0.0
    views = np.array((*dict.fromkeys((right / wrong) ** (1 - a) for a in EXPONENTS), FOIL, INFORMATION))
    bins, desk, limit = problem.bins, problem.desk, problem.limit
    may_score = problem.points and not problem.rivals and len(problem.rows) >= MIN_ROWS
    hoped, some, draft = 0.0, problem.rows, NO_DRAFTS
    if may_score and min(right, wrong) >= MIN_RIGHT:
        hoped, some, draft = float(right), _sample(problem), desk.board(make_board, bins.n_rows, bins.n_bins)
    board, cards = _boards(problem, limit)
    down = desk.board(make_descents, bins.n_rows, bins.n_bins, limit)
    polish = _polish_board(problem, has_scores=problem.points)
    n, value = solve_body(problem.packed, some, views, hoped, bins.kinds, 0, board, down, draft, polish, cards)
    return _read(problem, board, cards, n), value


def polish_body(problem: Problem, body: Body) -> tuple[Body, float]:
    """Improve a body by single moves; returns it with its value."""
    board, cards = _boards(problem, max(problem.limit, len(body)))
    for i, literal in enumerate(body):
        if isinstance(literal, Test):
            board.facts[i], board.tables[i] = line_of(literal), literal.table
        else:
            assert isinstance(literal, Score)
            _write_score(board, cards, i, literal)
    polish = _polish_board(problem, has_scores=any(isinstance(literal, Score) for literal in body))
    n, value = solve_body(
        problem.packed, problem.rows, NO_VIEWS, 0.0, problem.bins.kinds, len(body), board, NO_DESCENTS, NO_DRAFTS,
        polish, cards,
    )  # fmt: skip
    return _read(problem, board, cards, n), value


def _boards(problem: Problem, limit: int) -> tuple[BodyBoard, Cards]:
    """Return where bodies of at most so many literals are written."""
    bins, desk = problem.bins, problem.desk
    board = desk.board(make_body_board, bins.n_rows, bins.n_bins, len(problem.kinds), limit)
    return board, desk.board(make_cards, bins.n_rows)


def _polish_board(problem: Problem, *, has_scores: bool) -> PolishBoard:
    """Return where scorecards are polished; where there are none, it has no room."""
    shape = (problem.bins.n_rows, problem.bins.n_bins) if has_scores else (0, 0)
    return problem.desk.board(make_polish_board, *shape)


def _sample(problem: Problem) -> Ints:
    """Return the rows to draft scorecards on: those of lowest hash."""
    rows = problem.rows
    if len(rows) <= MAX_SAMPLE:
        return rows
    hashes = problem.bins.hashes[rows]
    return np.asarray(rows[hashes <= np.partition(hashes, MAX_SAMPLE)[MAX_SAMPLE]])


def _write_score(board: BodyBoard, cards: Cards, i: int, score: Score) -> None:
    """Put a scorecard onto line i."""
    lines, n = score.lines, len(score.parts)
    board.facts[i] = 0, SCORE, 0, score.size
    cards.points[BODY, :n], cards.tests[BODY, :n], cards.tables[BODY, :n] = lines
    cards.facts[BODY] = n, score.threshold


def _read(problem: Problem, board: BodyBoard, cards: Cards, n: int) -> Body:
    """Return the literals of the lines."""
    return tuple(_read_line(problem, board, cards, i) for i in range(n))


def _read_line(problem: Problem, board: BodyBoard, cards: Cards, i: int) -> BinLiteral:
    if board.facts[i, KIND] != SCORE:
        return read_test(problem.bins, board.facts[i], board.tables[i])
    n, threshold = cards.facts[BODY].tolist()
    points, tests, tables = cards.points[BODY, :n], cards.tests[BODY, :n], cards.tables[BODY, :n]
    return score_of(problem.bins, ScoreLines(points.copy(), tests.copy(), tables.copy()), threshold)
