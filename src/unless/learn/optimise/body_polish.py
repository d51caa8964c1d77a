"""One subproblem, from a given body: exact coordinate steps until none pays.

In: a problem and a body. Out: a body of at least the same value. The kernel takes the best move while it pays; where
none does, a scorecard of the body is polished on the rows that hang on it. Invariant: the value never falls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.bins import Test
from unless.learn.optimise.boards import make_body_board, make_descents
from unless.learn.optimise.body_kernels import improve_body
from unless.learn.optimise.problem import line_of, read_test, unpack
from unless.learn.optimise.scorecards import Score, polish_board, simplify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.learn.optimise.boards import BodyBoard
    from unless.learn.optimise.layout import Bytes
    from unless.learn.optimise.problem import BinLiteral, Body, Problem

MAX_POLISHES = 20
NO_VIEWS, NO_DESCENTS = np.zeros(0), make_descents(0, 0, 0)
GIVEN = 0x5851F42D4C957F2D
"""Makes the signatures of given literals, unlike those of tests that the kernel writes."""


def mark_near(truths: list[Bytes]) -> Bytes:
    """Mark each row: 0 if every literal holds, i + 1 if only literal i refuses, FAR if more than one does."""
    n = len(truths)
    n_true, held = truths[0].copy(), truths[0].copy()
    for i, truth in enumerate(truths[1:], start=2):
        n_true += truth
        held += truth * np.uint8(i)
    which: Bytes = np.uint8(n * (n + 1) // 2 % 256) - held  # what is missing in 1 + 2 + ... + n
    which |= np.negative((n_true < n - 1).view(np.uint8))  # 255 is FAR
    return which


def polish_body(problem: Problem, body: Body) -> tuple[Body, float]:
    """Improve a body by single moves; returns it with its value."""
    bins = problem.bins
    shape = bins.n_rows, bins.n_bins, len(problem.kinds), max(problem.limit, len(body))
    board = problem.desk.board(make_body_board, *shape)
    value = 0.0
    for _ in range(MAX_POLISHES):
        for i, literal in enumerate(body):
            _write(problem, board, i, literal)
        board.seen[0] = 0
        n, value = improve_body(problem.packed, NO_VIEWS, len(body), board, NO_DESCENTS)
        body = tuple(_read(problem, board, n, body))
        i, better = _repoint(problem, body, board)
        if better is None:
            break
        body = (*body[:i], better, *body[i + 1 :])
    return body, value


def _write(problem: Problem, board: BodyBoard, i: int, literal: BinLiteral) -> None:
    """Put a literal onto line i; a score is known there by where it holds."""
    board.signatures[i] = GIVEN + i
    if isinstance(literal, Test):
        board.facts[i], board.tables[i] = line_of(literal), literal.table
    else:
        board.facts[i] = (0, -1 - i, 0, literal.size)
        board.truths[i, : len(problem.rows)] = literal.truth(problem.bins, problem.rows)


def _read(problem: Problem, board: BodyBoard, n: int, body: Body) -> Iterator[BinLiteral]:
    """Return the literals of the lines; those that were given and stayed are of the body before."""
    for i, signature in enumerate(board.signatures[:n].tolist()):
        k = signature - GIVEN
        yield body[k] if 0 <= k < len(body) else read_test(problem.bins, board.facts[i], board.tables[i])


def _repoint(problem: Problem, body: Body, board: BodyBoard) -> tuple[int, BinLiteral | None]:
    """Polish a scorecard of the body on the rows that hang on it; nothing to do without one."""
    for i, literal in enumerate(body):
        if isinstance(literal, Score):
            marks = board.marks[: len(problem.rows)]
            right, wrong = unpack(int(board.totals[0]))  # of the rows that the body holds for
            rows = problem.rows[(marks == 0) | (marks == i + 1)]
            polished = polish_board(problem, rows, literal.lines, 1)
            needed = right - wrong - problem.price * literal.size + problem.tolerance
            if polished.value + 2 * problem.price <= needed:  # not even if it becomes a single test
                continue
            score = polished.read(problem.bins)
            better = simplify(score)
            value = polished.value + problem.price * (1 + score.size - better.size)  # the kernel pays for a rule too
            if value > needed:
                return i, better
    return -1, None
