"""The points literal: a small scorecard found by regression, rounded, then polished exactly.

In: a problem. Out: `Score` literals of low J. Start: stumps added one by one, all weights refitted each time (logistic,
ridge 1), on at most 20 000 rows picked by their contents. Round: weights to 1..5 points. Polish: take each condition
out for the exact joint optimum of column, condition, points and threshold, while J falls.
Invariant: all sums are of integers, or over sorted distinct patterns, so the order of the rows cannot matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unless.learn.optimise import histograms, scorecard_scans
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.layout import Bytes, Floats, Ints
    from unless.learn.optimise.problem import BinLiteral, Problem

MAX_CONDITIONS = 12
MAX_POINTS = 5
MAX_SAMPLE = 20_000
KEPT = (3, 5, 8, 12)
ONE = 1 << 20
"""Fixed point of derivatives."""
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

    @property
    def size(self) -> int:
        """Count the tests, and one for the sum."""
        return 1 + sum(test.size for _, test in self.parts)

    @property
    def columns(self) -> frozenset[int]:
        """Return the columns tested."""
        return frozenset(test.column for _, test in self.parts)

    def truth(self, bins: Bins, rows: Ints) -> Bytes:
        """Return the truth on the given rows."""
        return (add_up(bins, rows, self.parts) >= self.threshold).view(np.uint8)


Parts: TypeAlias = "tuple[tuple[int, Test], ...]"


def add_up(bins: Bins, rows: Ints, parts: Parts) -> Bytes:
    """Add up the points of each row."""
    scores = np.zeros(len(rows), dtype=np.uint8)
    for points, test in parts:
        if test.cut >= 0:
            scores += test.truth(bins, rows) * np.uint8(points)
        else:
            histograms.add_points(bins.by_column[test.column], rows, test.table, points, scores)
    return scores


def search_scores(problem: Problem) -> list[BinLiteral]:
    """Return two polished scorecards at most, best first."""
    right, wrong = problem.totals(problem.rows)
    if len(problem.rows) < MIN_ROWS or min(right, wrong) < MIN_RIGHT or problem.rivals:
        return []
    drafts: dict[Score, float] = {}
    for tests, beta in _boost(problem):
        speakers = [test if b > 0 else _opposite(problem.bins, test) for test, b in zip(tests, beta, strict=False)]
        for scale in range(1, MAX_POINTS + 1):
            parts = _round_weights(problem, speakers, np.abs(beta[:-1]), scale)
            if parts:
                score, value = best_threshold(problem, parts)
                drafts[score] = value
    ranked = sorted(drafts, key=lambda s: -drafts[s])[:2]
    return [simplify(polish_score(problem, score, ROUNDS)) for score in ranked]


def _boost(problem: Problem) -> list[tuple[list[Test], Floats]]:
    """Add stumps one by one, refitting all weights; return the sets worth rounding."""
    draft = _Draft(problem)
    tests: list[Test] = []
    kept: list[tuple[list[Test], Ints]] = []
    patterns = np.zeros(len(draft.rows), dtype=np.int64)
    while len(tests) < MAX_CONDITIONS:
        table = draft.table(patterns)
        _, chances = table.fit(len(tests), 5)
        test = draft.next_stump(table, chances)
        if test is None or test in tests:
            break
        patterns |= test.truth(problem.bins, draft.rows).astype(np.int64) << len(tests)
        tests.append(test)
        if len(tests) in KEPT:
            kept.append((list(tests), patterns.copy()))
    if tests and len(tests) not in KEPT:
        kept.append((tests, patterns))
    return [(t, draft.table(p).fit(len(t), 8)[0]) for t, p in kept]


def _sample(problem: Problem) -> Ints:
    """Return the rows to regress on: those of lowest hash."""
    rows = problem.rows
    if len(rows) <= MAX_SAMPLE:
        return rows
    hashes = problem.bins.hashes[rows]
    return np.asarray(rows[hashes <= np.partition(hashes, MAX_SAMPLE)[MAX_SAMPLE]])


class _Patterns:
    """The distinct patterns of conditions, with their weights of right and wrong rows."""

    def __init__(self, patterns: Ints, right: Floats, wrong: Floats) -> None:
        is_there = np.bincount(patterns) > 0
        self.distinct = np.flatnonzero(is_there)
        self.which = (np.cumsum(is_there) - 1)[patterns]
        self.right, self.wrong = (_sums(patterns, part)[self.distinct] for part in (right, wrong))

    def fit(self, n_conditions: int, steps: int) -> tuple[Floats, Floats]:
        """Fit a logistic regression; return the weights, that of the intercept last, and the chance of each pattern."""
        n = n_conditions
        held = np.ones((len(self.distinct), n + 1))
        held[:, :n] = self.distinct[:, None] >> np.arange(n) & 1
        beta, chances, system = np.zeros(n + 1), np.empty(len(held)), np.empty((n + 1, n + 2))
        scorecard_scans.fit_weights(held, self.right, self.wrong, steps, system, beta, chances)
        return beta, chances


def _sums(patterns: Ints, parts: Floats) -> Floats:
    return np.asarray(np.bincount(patterns, parts), dtype=np.float64)


class _Draft:
    """The rows that a scorecard is drafted on, with their class and weights."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = _sample(problem)
        gains = problem.gains[self.rows]
        self.is_right: NDArray[np.bool_] = gains > WRONG_MASK
        self.weights = np.where(self.is_right, gains >> RIGHT_BITS, gains & WRONG_MASK)
        self.unit = float(self.weights.mean())
        shares = self.weights / self.unit
        self.right, self.wrong = shares * self.is_right, shares * ~self.is_right

    def table(self, patterns: Ints) -> _Patterns:
        """Gather the rows by the pattern of conditions that hold."""
        return _Patterns(patterns, self.right, self.wrong)

    def next_stump(self, table: _Patterns, p: Floats) -> Test | None:
        """Return the test that helps the fit most, where the patterns have chances p."""
        bins, which = self.problem.bins, table.which
        rising, falling, curve = np.rint(np.array((1 - p, -p, p * (1 - p))) * ONE).astype(np.int64)
        slopes = self.weights * np.where(self.is_right, rising[which], falling[which])
        sums = np.zeros((2, bins.n_bins), dtype=np.int64)
        histograms.count_slopes(bins.bin_index, self.rows, slopes, self.weights * curve[which], sums)
        scaled = sums / (ONE * self.unit)
        _, column, kind, at = scorecard_scans.best_stump(scaled[0], scaled[1], bins, self.problem.kinds)
        if column < 0:
            return None
        if kind != ONE_OF:
            return make_test(bins, column, kind, at)
        return make_test(bins, column, kind, 0, (at,) if at >= 0 else self._set(column, scaled))

    def _set(self, column: int, sums: Floats) -> tuple[int, ...]:
        """Return the word bins of the best set of a column."""
        layout = self.problem.bins.layout
        n_num, n_word = int(layout.n_numbers[column]), int(layout.n_words[column])
        first = int(layout.offsets[column]) + n_num
        slopes, curves = (part[first : first + n_word] for part in sums)
        g_all, h_all = (float(part[layout.offsets[0] : layout.offsets[1]].sum()) for part in sums)
        words = scorecard_scans.best_set(slopes, curves, g_all, h_all)
        return tuple(np.sort(n_num + words).tolist())


def _round_weights(problem: Problem, speakers: Sequence[Test], weights: Floats, scale: int) -> Parts:
    """Round weights to whole points, for the tests that may be said; a test found twice has the points of both."""
    points = np.rint(weights * scale / max(1e-9, float(weights.max()))).astype(int)
    total: dict[Test, int] = {}
    for test, p in zip(speakers, points.tolist(), strict=True):
        if p and problem.kinds[test.column] >> test.kind & 1:
            total[test] = min(MAX_POINTS, total.get(test, 0) + p)
    return tuple((p, test) for test, p in total.items())


def _opposite(bins: Bins, test: Test) -> Test:
    """Return the test that has points where this one has a negative weight."""
    kind = OPPOSITE[test.kind]
    if not bins.kinds[test.column] >> NOT_LE & 1:
        kind = PLAIN.get(kind, kind)
    return make_test(bins, test.column, kind, test.at, test.words)


def best_threshold(problem: Problem, parts: Parts) -> tuple[Score, float]:
    """Choose the threshold of highest value, the lowest of equals."""
    return _threshold_for(problem, parts, add_up(problem.bins, problem.rows, parts))


def _threshold_for(problem: Problem, parts: Parts, scores: Bytes) -> tuple[Score, float]:
    tail = np.cumsum(np.bincount(scores, problem.nets)[::-1])[::-1]
    if len(tail) < 2:
        return Score(parts, 1), -math.inf
    threshold = 1 + int(np.argmax(tail[1:]))
    score = Score(parts, threshold)
    return score, float(tail[threshold]) - problem.price * (1 + score.size)


def polish_score(problem: Problem, score: Score, rounds: int) -> Score:
    """Drop, replace and add conditions by exact steps while J falls."""
    scores = add_up(problem.bins, problem.rows, score.parts)
    score, value = _threshold_for(problem, score.parts, scores)
    for _ in range(rounds):
        before = value
        for i in reversed(range(len(score.parts))):
            score, value, scores = _step(problem, score, value, scores, i)
        if len(score.parts) < MAX_CONDITIONS:
            score, value, scores = _step(problem, score, value, scores, None)
        if value <= before + problem.tolerance:
            break
    return score


def _step(problem: Problem, score: Score, value: float, scores: Bytes, i: int | None) -> tuple[Score, float, Bytes]:
    """Drop condition i, or put it (or a new one) at its optimum, the others fixed."""
    bins, rows, parts = problem.bins, problem.rows, score.parts
    rest, base = parts, scores
    if i is not None:
        rest = parts[:i] + parts[i + 1 :]
        base = scores - add_up(bins, rows, parts[i : i + 1])
        if rest:
            dropped, dropped_value = _threshold_for(problem, rest, base)
            if dropped_value > value - problem.tolerance:
                return dropped, dropped_value, base
    found, found_value = best_replacement(problem, rest, base, value + problem.tolerance)
    if found is None:
        return score, value, scores
    return found, found_value, base + add_up(bins, rows, found.parts[-1:])


def best_replacement(
    problem: Problem, rest: Parts, base: Bytes, floor: float = -math.inf
) -> tuple[Score | None, float]:
    """Return the best score that is `rest` and one more condition; `base` are the points of `rest`.

    None if its value is not above `floor`.
    """
    bins, fixed = problem.bins, problem.price * (2 + sum(test.size for _, test in rest))
    n_scores = int(base.max()) + 1 if len(base) else 1
    hists = np.zeros((n_scores + 1, bins.n_bins), dtype=np.int64)  # the first stays empty: sums begin there
    totals = np.zeros(n_scores + 1, dtype=np.int64)
    histograms.count_marked(bins.bin_index, problem.rows, problem.gains, base, hists[1:], totals[1:])
    sums, weights = hists.cumsum(axis=0, out=hists), totals.cumsum(out=totals)
    value, threshold, points, column, kind, at = scorecard_scans.best_part(
        sums, weights, bins.spans, problem.kinds, problem.price, MAX_POINTS, floor + fixed
    )
    if column < 0:
        return None, -math.inf
    window = sums[min(threshold, n_scores)] - sums[min(threshold - points, n_scores)]
    test = problem.build(window, (0.0, column, kind, at))
    score = Score((*rest, (points, test)), threshold)
    return score, value - fixed


def simplify(score: Score) -> BinLiteral:
    """Write a score shortly: points above the threshold say no more than it, common factors nothing."""
    parts = tuple((min(p, score.threshold), test) for p, test in score.parts)
    if len(parts) == 1:
        return parts[0][1]
    factor = math.gcd(*(p for p, _ in parts))
    return Score(tuple((p // factor, test) for p, test in parts), -(-score.threshold // factor))
