"""The points literal: a small scorecard found by regression, rounded, then polished exactly.

In: a problem. Out: `Score` literals of low J. Drafted by scorecard_draft.py and polished by scorecard_polish.py on
at most 5000 rows picked by their contents, then on all. Invariant: the order of the rows cannot matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from unless.learn.optimise import histograms
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import FACTS, GT, LE, MAX_BINS, NONE_OF, NOT_GT, NOT_LE, ONE_OF
from unless.learn.optimise.problem import line_of, read_test
from unless.learn.optimise.scorecard_board import N_DRAFTS, make_board, make_polish_board
from unless.learn.optimise.scorecard_draft import draft_scores
from unless.learn.optimise.scorecard_polish import polish_points

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.problem import BinLiteral, Problem
    from unless.learn.optimise.scorecard_board import PolishBoard

MAX_SAMPLE = 5000
"""The rows that scorecards are drafted on at most, and polished on first."""
FEW = 1000
"""Up to so many rows a second draft is polished too: of more, the best one is seldom overtaken."""
MIN_ROWS, MIN_RIGHT = 20, 5
ROUNDS = 3

OPPOSITE = {LE: NOT_LE, GT: NOT_GT, NOT_LE: LE, NOT_GT: GT, ONE_OF: NONE_OF, NONE_OF: ONE_OF}
PLAIN = {NOT_LE: GT, NOT_GT: LE}
"""The same rows, where a column holds numbers only."""


@dataclass(frozen=True)
class Score:
    """Holds where the points of the tests that hold reach the threshold."""

    parts: tuple[tuple[int, Test], ...]
    threshold: int

    @cached_property
    def size(self) -> int:
        """Count the tests, and one for the sum."""
        return 1 + sum(test.size for _, test in self.parts)

    @property
    def columns(self) -> frozenset[int]:
        """Return the columns tested."""
        return frozenset(test.column for _, test in self.parts)

    def truth(self, bins: Bins, rows: Ints) -> Bytes:
        """Return the truth on the given rows."""
        exact = tuple(part for part in self.parts if part[1].cut >= 0)
        lines = lines_of(tuple(part for part in self.parts if part[1].cut < 0)) if exact else self.lines
        scores = np.zeros(len(rows), dtype=np.uint8)
        for points, test in exact:
            scores += test.truth(bins, rows) * np.uint8(points)
        histograms.add_points(bins.by_column, lines.tests, rows, lines.tables, lines.points, scores)
        return (scores >= self.threshold).view(np.uint8)

    @cached_property
    def lines(self) -> Lines:
        """Return the parts as kernels read them."""
        return lines_of(self.parts)


Parts: TypeAlias = "tuple[tuple[int, Test], ...]"


class Lines(NamedTuple):
    """The parts of a scorecard as kernels read them: points, facts of the test, its truth by bin."""

    points: Ints
    tests: Ints
    tables: Bytes


def lines_of(parts: Parts) -> Lines:
    """Return parts as kernels read them."""
    n = len(parts)
    return Lines(
        np.array([points for points, _ in parts], dtype=np.int64),
        np.array([line_of(test) for _, test in parts], dtype=np.int64).reshape(n, FACTS),
        np.array([test.table for _, test in parts], dtype=np.uint8).reshape(n, MAX_BINS),
    )


def _score(parts: Parts, threshold: int, lines: Lines) -> Score:
    """Return a scorecard whose lines are known: to make them anew takes longer than to polish it."""
    score = Score(parts, threshold)
    score.__dict__["lines"] = lines
    return score


def search_scores(problem: Problem) -> list[tuple[BinLiteral, float]]:
    """Return two scorecards at most, best first, polished once, with their values as bodies."""
    right, wrong = problem.totals(problem.rows)
    if len(problem.rows) < MIN_ROWS or min(right, wrong) < MIN_RIGHT or problem.rivals:
        return []
    rows = _sample(problem)
    drafts = draft(problem, rows)
    if len(rows) < len(problem.rows) and drafts:
        # On a sample a literal saves less: its price falls as much. What is best there is finished on all rows.
        part = replace(problem, rows=rows, price=problem.price * len(rows) / len(problem.rows))
        polished = [polish_lines(part, score.lines, ROUNDS) for score in drafts]
        drafts = [max(polished, key=lambda one: one[1])[0]]
    found = {}
    for score in drafts:
        better, value = polish_lines(problem, score.lines, 1)
        short = simplify(better)
        found[short] = value + problem.price * (better.size - short.size)
    return sorted(found.items(), key=lambda one: -one[1])


def draft(problem: Problem, rows: Ints) -> list[Score]:
    """Return scorecards whose points are rounded weights of a regression on some rows, the best first."""
    bins = problem.bins
    board = problem.desk.board(make_board, bins.n_rows, bins.n_bins)
    board.values[:], board.drafts[:] = -math.inf, 0
    n = draft_scores(
        bins.bin_index, bins.by_column, rows, problem.gains, bins.spans, problem.kinds, bins.kinds, problem.price,
        len(rows) / len(problem.rows), board,
    )  # fmt: skip
    tests = [read_test(bins, board.tests[i], board.tables[i]) for i in range(n)]
    found, n_drafts = [], N_DRAFTS if len(problem.rows) <= FEW else 1
    near = board.values[:n_drafts] >= board.values[0] - problem.price  # another one further behind seldom wins
    for line in board.drafts[:n_drafts][near].tolist():
        parts = ((p, test) if p > 0 else (-p, _opposite(bins, test)) for p, test in zip(line, tests, strict=False) if p)
        found.append(Score(tuple(parts), line[-1]))
    return [score for score in found if score.parts]


def _sample(problem: Problem) -> Ints:
    """Return the rows to regress on: those of lowest hash."""
    rows = problem.rows
    if len(rows) <= MAX_SAMPLE:
        return rows
    hashes = problem.bins.hashes[rows]
    return np.asarray(rows[hashes <= np.partition(hashes, MAX_SAMPLE)[MAX_SAMPLE]])


def _opposite(bins: Bins, test: Test) -> Test:
    """Return the test that has points where this one has a negative weight."""
    kind = OPPOSITE[test.kind]
    if not bins.kinds[test.column] >> NOT_LE & 1:
        kind = PLAIN.get(kind, kind)
    return make_test(bins, test.column, kind, test.at, test.words)


@dataclass(frozen=True, eq=False)
class Polished:
    """What the kernel left on its board: a scorecard that is read only if somebody wants it, and its value."""

    board: PolishBoard
    n: int
    threshold: int
    value: float

    def read(self, bins: Bins) -> Score:
        """Return the scorecard."""
        board, n = self.board, self.n
        lines = Lines(board.points[:n].copy(), board.tests[:n].copy(), board.tables[:n].copy())
        tests = (read_test(bins, *line) for line in zip(lines.tests, lines.tables, strict=True))
        return _score(tuple(zip(lines.points.tolist(), tests, strict=True)), self.threshold, lines)


def polish_lines(problem: Problem, lines: Lines, rounds: int) -> tuple[Score, float]:
    """Return a scorecard that begins as these lines, and its value; no round only finds the best threshold."""
    polished = polish_board(problem, problem.rows, lines, rounds)
    return polished.read(problem.bins), polished.value


def polish_board(problem: Problem, rows: Ints, lines: Lines, rounds: int) -> Polished:
    """Drop, replace and add conditions by exact steps while J falls, on some rows of a problem."""
    bins = problem.bins
    board = problem.desk.board(make_polish_board, bins.n_rows, bins.n_bins)
    n = len(lines.points)
    board.points[:n], board.tests[:n], board.tables[:n] = lines
    found = polish_points(
        bins.bin_index, bins.by_column, rows, problem.gains, bins.spans, problem.kinds[None], problem.price,
        problem.tolerance, rounds, n, board,
    )  # fmt: skip
    return Polished(board, *found)


def simplify(score: Score) -> BinLiteral:
    """Write a score shortly: points above the threshold say no more than it, common factors nothing."""
    if len(score.parts) == 1:
        return score.parts[0][1]
    points = [min(p, score.threshold) for p, _ in score.parts]
    factor = math.gcd(*points)
    if factor == 1 and max(p for p, _ in score.parts) <= score.threshold:
        return score
    points = [p // factor for p in points]
    parts = tuple(zip(points, (test for _, test in score.parts), strict=True))
    return _score(parts, -(-score.threshold // factor), score.lines._replace(points=np.array(points)))
