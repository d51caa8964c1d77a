"""Subproblems of growing as Python sees them: for tests of what the kernels of a body do, and for their twins."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import kernel
from unless.learn.optimise.bins import Bins, Test
from unless.learn.optimise.body import body_search
from unless.learn.optimise.body.boards import Subproblem, make_scratch
from unless.learn.optimise.body.bodies import line_of, nets_of, read_test
from unless.learn.optimise.body.body_solver import SCORE, solve_body
from unless.learn.optimise.body.desk import make_desk
from unless.learn.optimise.body.scorecard_board import BODY
from unless.learn.optimise.body.scorecard_draft import n_polished, near_drafts
from unless.learn.optimise.body.scorecards import ScoreLines, score_of
from unless.learn.optimise.layout import KIND, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_VIEWS, NO_ROWS, NO_HASHES = np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


def unpack(packed):
    """Return right and wrong of a packed gain."""
    return int(packed) >> RIGHT_BITS, int(packed) & WRONG_MASK


@dataclass(eq=False)
class Problem:
    """Rows that a rule would decide, with the gain of firing on each.

    `kinds[j]` are the tests allowed on column j, `rivals[j]` the columns that must not stand beside it, `outside` the
    columns already used above or below this rule, `skew` how much more the rows of one class weigh.
    """

    bins: Bins
    rows: Any
    gains: Any
    kinds: Any
    price: float
    limit: int
    rivals: Mapping[int, frozenset[int]] = field(default_factory=dict)
    outside: frozenset[int] = frozenset()
    points: bool = False
    skew: float = 0.0

    @property
    def tolerance(self):
        return 1e-6 * self.price

    @cached_property
    def packed(self):
        """Return the problem as kernels want it."""
        bins, n_columns = self.bins, len(self.kinds)
        rivals, kinds = np.zeros((n_columns if self.rivals else 0, n_columns), dtype=np.uint8), self.kinds
        for column, others in self.rivals.items():
            rivals[column, list(others)] = 1
        if self.rivals and self.outside:
            kinds = np.where(rivals[sorted(self.outside)].any(axis=0), 0, kinds)
        return Subproblem(
            bins.bin_index, bins.by_column, self.rows, self.gains, bins.spans, kinds, rivals, self.price, self.limit,
            n_polished(len(self.rows), self.skew), self.price * near_drafts(self.skew),
        )  # fmt: skip

    @cached_property
    def nets(self):
        """Return right minus wrong of each row."""
        return nets_of(self.gains[self.rows])

    @cached_property
    def hashes(self):
        """Return what puts rows in an order of their own; nothing where there may be no scorecards."""
        return (self.bins.hashes >> np.uint64(1)).astype(np.int64) if self.points and not self.rivals else NO_HASHES

    def value(self, body):
        """Return what a body saves; one without literals is no rule."""
        if not body:
            return 0.0
        holds = np.ones(len(self.rows), dtype=np.uint8)
        for literal in body:
            holds &= literal.truth(self.bins, self.rows)
        right, wrong = self.totals(self.rows[holds.view(np.bool_)])
        return right - wrong - self.price * (1 + sum(literal.size for literal in body))

    def totals(self, rows):
        """Return the weight of right and of wrong rows."""
        return unpack(int(self.gains.take(rows).sum()))


@kernel
def _search(problem, hashes, known_kinds, scratch, desk):
    n, value = body_search.search_body(problem, hashes, known_kinds, scratch, desk)
    return n, value


@kernel
def _list_some(rows, hashes, most, scratch):
    return body_search.list_some(rows, hashes, most, scratch)


def search_body(problem):
    """Find a body, and what it saves."""
    desk = _desk(problem, problem.limit)
    n, value = _search(problem.packed, problem.hashes, problem.bins.kinds, _scratch(problem), desk)
    return _read(problem, desk, n), value


def polish_body(problem, body):
    """Improve a body, and return what it saves."""
    desk = _desk(problem, max(problem.limit, len(body)))
    board, cards = desk.board, desk.cards
    for i, literal in enumerate(body):
        if isinstance(literal, Test):
            board.facts[i], board.tables[i] = line_of(literal), literal.table
            continue
        lines, n = literal.lines, len(literal.parts)
        board.facts[i] = 0, SCORE, 0, literal.size
        cards.points[BODY, :n], cards.tests[BODY, :n], cards.tables[BODY, :n] = lines
        cards.facts[BODY] = n, literal.threshold
    n, value = solve_body(problem.packed, NO_ROWS, NO_VIEWS, 0.0, problem.bins.kinds, len(body), desk)
    return _read(problem, desk, n), value


def list_some(problem, most):
    """Return the rows of lowest hash."""
    scratch = _scratch(problem)
    return scratch.some[: _list_some(problem.rows, problem.hashes, most, scratch)]


def _scratch(problem):
    return make_scratch(problem.bins.n_rows, len(problem.kinds))


def _desk(problem, width):
    return make_desk(problem.bins, problem.limit, width, has_drafts=True, has_scores=True)


def _read(problem, desk, n):
    """Return the literals of the lines."""
    return tuple(_read_line(problem, desk.board, desk.cards, i) for i in range(n))


def _read_line(problem, board, cards, i):
    if board.facts[i, KIND] != SCORE:
        return read_test(problem.bins, board.facts[i], board.tables[i])
    n, threshold = cards.facts[BODY].tolist()
    lines = (each[BODY, :n].copy() for each in (cards.points, cards.tests, cards.tables))
    return score_of(problem.bins, ScoreLines(*lines), threshold)
