"""The points literal: the exact joint step, and the regression that drafts a scorecard.

In: one histogram per score of the other conditions, or derivatives of the logistic loss per bin. Out: choices as in
scans.py. Derivatives are whole numbers in fixed point, and sums go in order, so the order of the rows cannot change a
choice. NumPy does it all but the scan for the best test.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unless.learn.optimise.layout import GT, LE, NEGATED_NUMBER, NUMBERS, ONE_OF, RIGHT_BITS, WORDS, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, choice, choices_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Floats, Ints
    from unless.learn.optimise.scans import Choice

Bools: TypeAlias = "NDArray[np.bool_]"

SET_MARGIN = 1.05
"""A set of words must beat the best single word by this much."""


def best_part(
    hists: Ints, totals: Ints, spans: Ints, kinds: Ints, price: float, max_points: int, floor: float
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. Only a value above `floor` counts. Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    thresholds, points, windows = _windows(len(hists), max_points)
    right, wrong = (np.append(0, np.cumsum(part)) for part in (totals >> RIGHT_BITS, totals & WRONG_MASK))
    high, low = windows.T
    anyway = ((right[-1] - right[high]) - (wrong[-1] - wrong[high])).astype(np.float64)
    at_most = anyway + (right[high] - right[low]) - price  # firing on every right row of the window, and on no other
    may = np.flatnonzero(at_most > floor)
    bounds = np.column_stack((anyway[may], at_most[may]))
    sums = np.concatenate((np.zeros((1, hists.shape[1]), dtype=np.int64), np.cumsum(hists, axis=0)))
    each = np.tile(kinds, (len(may), 1))
    choices = choices_of(sums, windows[may], SUBTRACT, spans, each, 1.0, price, bounds)
    values = np.where(choices[:, 1] >= 0, bounds[:, 0] + choices[:, 0], -math.inf)
    if not values.max(initial=-math.inf) > floor:
        return floor, -1, -1, -1, -1, -1
    best = int(np.argmax(values))
    return float(values[best]), int(thresholds[may[best]]), int(points[may[best]]), *choice(choices[best])[1:]


@lru_cache(maxsize=256)
def _windows(n_scores: int, max_points: int) -> tuple[Ints, Ints, Ints]:
    """Return thresholds and points in the order of trying, and the scores from T - p up to T as (up to, from)."""
    tried = [(t, p) for t in range(1, n_scores + max_points) for p in range(1, min(t, max_points) + 1)]
    thresholds, points = np.array(tried, dtype=np.int64).T.copy()
    return thresholds, points, np.minimum(np.column_stack((thresholds, thresholds - points)), n_scores)


def newton_terms(
    patterns: Ints, n_conditions: int, pos: Floats, neg: Floats, beta: Floats, ridge: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return gradient and Hessian of the logistic fit over distinct patterns, from those of the ridge on.

    Bit i of a pattern is condition i.
    """
    held = np.ones((len(patterns), n_conditions + 1))
    held[:, :-1] = patterns[:, None] >> np.arange(n_conditions) & 1
    z = np.full(len(patterns), beta[-1])
    for i in range(n_conditions):
        z += beta[i] * held[:, i]
    p = 1 / (1 + np.array([math.exp(-one) for one in z.tolist()]))
    n = pos + neg
    slopes, curves = pos - n * p, n * p * (1 - p)
    gradient = _add_rows(ridge[0], held * slopes[:, None])
    hessian = _add_rows(
        ridge[1].ravel(), (held[:, :, None] * held[:, None, :] * curves[:, None, None]).reshape(len(p), -1)
    )
    return gradient, hessian.reshape(ridge[1].shape)


def _add_rows(first: Floats, rows: Floats) -> Floats:
    """Add up rows one after the other, beginning with the first."""
    total: Floats = np.add.reduce(np.concatenate((first[None], rows)), axis=0)
    return total


def newton_gain(slopes: Floats, curves: Floats, all_slopes: float, all_curves: float) -> Floats:
    """Return what parting the rows so gains, in a Newton step."""
    others = all_slopes - slopes
    gain: Floats = slopes * slopes / (curves + 1) + others * others / (all_curves - curves + 1)
    return gain


def best_stump(slopes: Floats, curves: Floats, spans: Ints, kinds: Ints) -> Choice:
    """Return the test of largest Newton gain; at -1 for a set, which `best_set` lists."""
    best: Choice = (0.0, -1, -1, -1)
    first = slice(0, int(spans[0, 1] + spans[0, 2]) + 2)
    all_slopes, all_curves = float(np.cumsum(slopes[first])[-1]), float(np.cumsum(curves[first])[-1])
    for j, ((start, n_num, n_word), allowed) in enumerate(zip(spans.tolist(), kinds.tolist(), strict=True)):
        words = slice(start + n_num, start + n_num + n_word)
        if allowed & NUMBERS:
            numbers = slice(start, start + n_num)
            both = allowed & NEGATED_NUMBER != 0
            gain, kind, at = _best_threshold(slopes[numbers], curves[numbers], both, all_slopes, all_curves)
            if gain > best[0]:
                best = (gain, j, kind, at)
        if allowed & WORDS:
            gains = newton_gain(slopes[words], curves[words], all_slopes, all_curves)
            at = int(np.argmax(gains))
            single = max(0.0, float(gains[at]))
            if single > best[0]:
                best = (single, j, ONE_OF, n_num + at)
            group, _ = best_set(slopes[words], curves[words], all_slopes, all_curves)
            if group > SET_MARGIN * single and group > best[0]:
                best = (group, j, ONE_OF, -1)
    return best


def _best_threshold(
    slopes: Floats, curves: Floats, both: bool, all_slopes: float, all_curves: float
) -> tuple[float, int, int]:
    """Try every threshold; the high side differs from the complement of the low one where there are words too."""
    low_slopes, low_curves = np.cumsum(slopes), np.cumsum(curves)
    gains = newton_gain(low_slopes[:-1], low_curves[:-1], all_slopes, all_curves)
    if not both:
        at = int(np.argmax(gains))
        return float(gains[at]), LE, at
    high_slopes, high_curves = low_slopes[-1] - low_slopes[:-1], low_curves[-1] - low_curves[:-1]
    pairs = np.column_stack((gains, newton_gain(high_slopes, high_curves, all_slopes, all_curves)))
    at, high = divmod(int(np.argmax(pairs)), 2)
    return float(pairs[at, high]), GT if high else LE, at


def best_set(slopes: Floats, curves: Floats, all_slopes: float, all_curves: float) -> tuple[float, Ints]:
    """Return the gain of the best set of two words or more, and the set: those that speak most strongly for the class."""
    order = np.argsort(-(slopes / (curves + 1)), kind="stable")[:-1]
    gains = newton_gain(np.cumsum(slopes[order]), np.cumsum(curves[order]), all_slopes, all_curves)[1:]
    if not len(gains) or gains.max() <= 0:
        return 0.0, order[:0]
    best = int(np.argmax(gains))
    return float(gains[best]), order[: best + 2]
