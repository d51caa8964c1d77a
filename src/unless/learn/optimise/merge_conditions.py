"""Two conditions of a scorecard on one column become one, or none, where that says the same.

In: a grown state, the kinds of test allowed. Out: the same state, some of its scorecards shorter. A sum may say twice
that a number is low, or give points for either side of a threshold: exact steps change one condition at a time, and see
no gain. Invariant: every row at hand is decided as before, so J falls by the price of what is gone.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.scorecard_board import MAX_POINTS
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import NONE_OF, NUMBER_KINDS, ONE_OF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.body.bodies import BinLiteral
    from unless.learn.optimise.body.scorecards import Parts
    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.state import State


class Merged(NamedTuple):
    """Two parts of a scorecard, by number, what says the same, and the points that every row has from both."""

    first: int
    second: int
    instead: Parts
    always: int


def merge_conditions(state: State, kinds: tuple[Ints, Ints]) -> None:
    """Shorten the scorecards of a program; `kinds[sign]` are the tests allowed for and against its class."""
    for node in state.nodes():
        body = tuple(
            shortened(state.bins, literal, kinds[node.sign]) if isinstance(literal, Score) else literal
            for literal in node.body
        )
        if body != node.body:
            state.change(node, body)


def shortened(bins: Bins, score: Score, kinds: Ints) -> BinLiteral:
    """Return the scorecard with as few conditions as pairs of them leave; one condition alone is no sum."""
    merged = score
    while (pair := next(_mergeable(bins, merged, kinds), None)) is not None:
        merged = _in_small_numbers(_without(merged, pair))
    return merged.parts[0][1] if len(merged.parts) == 1 else merged


def _without(score: Score, pair: Merged) -> Score:
    """Return the scorecard with what says the same in the place of the pair."""
    parts = list(score.parts)
    del parts[pair.second]
    parts[pair.first : pair.first + 1] = pair.instead
    return Score(tuple(parts), score.threshold - pair.always)


def _mergeable(bins: Bins, score: Score, kinds: Ints) -> Iterator[Merged]:
    """Yield the pairs of conditions that fewer can replace; what is left must be a condition."""
    for (i, (p, one)), (k, (q, other)) in combinations(enumerate(score.parts), 2):
        if one.column != other.column:
            continue
        present = _bins_with_rows(bins, one.column)
        points = np.minimum(p * one.table[present].astype(int) + q * other.table[present], score.threshold)
        always, most = int(points.min()), int(points.max())
        if score.threshold <= always or most - always > MAX_POINTS or len(set(points.tolist())) > 2:
            continue
        if most == always:
            if len(score.parts) > 2:
                yield Merged(i, k, (), always)
            continue
        test = _shortest_test(bins, one.column, int(kinds[one.column]), present, points == most)
        if test is not None and test.size < one.size + other.size:
            yield Merged(i, k, ((most - always, test),), always)


def _bins_with_rows(bins: Bins, column: int) -> Ints:
    return np.flatnonzero(np.bincount(bins.by_column[column]))


def _shortest_test(bins: Bins, column: int, allowed: int, present: Ints, holds: NDArray[np.bool_]) -> Test | None:
    """Return the shortest test that holds in just these of the bins that have rows, the first of equals."""
    n_numbers, n_words = int(bins.layout.n_numbers[column]), int(bins.layout.n_words[column])
    candidates = [
        make_test(bins, column, kind, at)
        for kind in range(NUMBER_KINDS)
        if allowed >> kind & 1
        for at in range(n_numbers - 1)
    ]
    for kind in (ONE_OF, NONE_OF):
        is_listed = (present >= n_numbers) & (present < n_numbers + n_words) & (holds == (kind == ONE_OF))
        if allowed >> kind & 1 and is_listed.any():
            candidates.append(make_test(bins, column, kind, 0, tuple(present[is_listed].tolist())))
    same = (test for test in candidates if np.array_equal(test.table[present] == 1, holds))
    return min(same, key=lambda test: test.size, default=None)


def _in_small_numbers(score: Score) -> Score:
    """Say the sum with points that are no more than the threshold, and have no common factor."""
    capped = [min(points, score.threshold) for points, _ in score.parts]
    factor = math.gcd(*capped)
    parts = tuple((points // factor, test) for points, (_, test) in zip(capped, score.parts, strict=True))
    return Score(parts, -(-score.threshold // factor))
