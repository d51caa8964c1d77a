"""One subproblem, from a given body: exact coordinate steps until none pays.

In: a problem and a body. Out: a body of at least the same value. One pass over the rows gives, for every literal at
once, the histogram of the rows that hang on it; then dropping it, replacing it by the best test of all columns, or
adding one more are exact. The best of these moves is taken while it pays. Invariant: the value never falls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise import histograms
from unless.learn.optimise.problem import net
from unless.learn.optimise.scorecards import Score, polish_score, simplify

if TYPE_CHECKING:
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.problem import BinLiteral, Body, Problem

MAX_MOVES = 60


class Near:
    """The rows around a body: histogram 0 where all literals hold, i + 1 where only literal i refuses.

    After a move only the rows whose mark changed are counted again.
    """

    def __init__(self, problem: Problem, body: Body, whole: Ints | None) -> None:
        self.problem = problem
        self.truths = [literal.truth(problem.bins, problem.rows) for literal in body]
        n_hists = problem.limit + 2
        self.hists = np.zeros((n_hists, problem.bins.n_bins), dtype=np.int64)
        self.totals = np.zeros(n_hists, dtype=np.int64)
        self.marks = np.full(len(problem.rows), histograms.FAR, dtype=np.uint8)
        if whole is not None and len(body) == 1:
            # All rows are near a single literal: count the smaller part, and the rest is what is left.
            self.marks[:] = 1
            self.hists[1] = whole
            self.totals[1] = whole[: problem.bins.layout.offsets[1]].sum()
        self._recount()

    def around(self, i: int, n_literals: int) -> Ints:
        """Return the histogram of the rows that a test at position i would decide."""
        hist: Ints = self.hists[0] + self.hists[i + 1] if i < n_literals else self.hists[0]
        return hist

    def move(self, body: Body, i: int, literal: BinLiteral | None) -> Body:
        """Drop (no literal), replace, or add at position i; returns the new body."""
        if literal is None:
            del self.truths[i]
            # Rows that only literal i refused now pass; those beside it move up by one.
            self.hists[0] += self.hists[i + 1]
            self.totals[0] += self.totals[i + 1]
            self.hists[i + 1 : -1] = self.hists[i + 2 :]
            self.totals[i + 1 : -1] = self.totals[i + 2 :]
            self.hists[-1], self.totals[-1] = 0, 0
            shift = np.arange(histograms.FAR + 1, dtype=np.uint8)
            shift[i + 1] = 0
            shift[i + 2 : -1] -= 1
            self.marks = shift[self.marks]
            body = body[:i] + body[i + 1 :]
        else:
            self.truths[i : i + 1] = [literal.truth(self.problem.bins, self.problem.rows)]
            body = (*body[:i], literal, *body[i + 1 :])
        self._recount()
        return body

    def _recount(self) -> None:
        p = self.problem
        marks = mark_near(self.truths)
        histograms.move_marked(p.bins.bin_index, p.rows, p.gains, self.marks, marks, self.hists, self.totals)
        self.marks = marks


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


def polish_body(
    problem: Problem, body: Body, whole: Ints | None = None, seen: set[frozenset[BinLiteral]] | None = None
) -> tuple[Body, float]:
    """Improve a body by single moves; returns it with its value.

    `whole` is the histogram of all the rows. A body in `seen` was polished before: its end is known, so give up.
    """
    near = Near(problem, body, whole)
    for _ in range(MAX_MOVES):
        gain, i, column, kind, at = problem.choose_move(near.hists, near.totals, body)
        literal: BinLiteral | None = None
        if gain <= problem.tolerance:
            i, literal = _repoint(problem, body, near)
            if literal is None:
                break
        elif column >= 0:
            literal = problem.build(near.around(i, len(body)), (gain, column, kind, at))
        body = near.move(body, i, literal)
        if seen is not None:
            if frozenset(body) in seen:
                return (), 0.0
            seen.add(frozenset(body))
    return body, net(near.totals[0]) - problem.price * (1 + sum(literal.size for literal in body))


def _repoint(problem: Problem, body: Body, near: Near) -> tuple[int, BinLiteral | None]:
    """Polish a scorecard of the body on the rows that hang on it; nothing to do without one."""
    for i, literal in enumerate(body):
        if isinstance(literal, Score):
            rows = problem.rows[(near.marks == 0) | (near.marks == i + 1)]
            part = replace(problem, rows=rows)
            better = simplify(polish_score(part, literal, 1))
            if _value(part, better) > _value(part, literal) + problem.tolerance:
                return i, better
    return -1, None


def _value(problem: Problem, literal: BinLiteral) -> float:
    truth = literal.truth(problem.bins, problem.rows).view(np.bool_)
    right, wrong = problem.totals(problem.rows[truth])
    return right - wrong - problem.price * literal.size
