"""The points literal: the exact joint step, and the regression that drafts a scorecard.

In: one histogram per score of the other conditions, or derivatives of the logistic loss per bin. Out: choices as in
scans.py. Derivatives are whole numbers in fixed point, and sums go in order, so the order of the rows cannot change a
choice.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import MAX_BINS, NEGATED_NUMBER, NUMBERS, ONE_OF, RIGHT_BITS, WORDS, WRONG_MASK
from unless.learn.optimise.scans import SUBTRACT, best_tests, choice

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Floats, Ints
    from unless.learn.optimise.scans import Choice

SET_MARGIN = 1.05
"""A set of words must beat the best single word by this much."""

FREE = 1e-6
"""The ridge of the intercept: enough to solve by."""
MAX_MOVE, CLOSE = 4.0, 1e-4
"""How far a weight may move in one step of the fit, and the largest move that ends it."""

THRESHOLDS, SINGLES, SETS = range(3)
"""The three looks at a column, in the order of ties."""


def best_part(
    sums: Ints, weights: Ints, spans: Ints, kinds: Ints, price: float, max_points: int, floor: float
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. `sums[s]` is the histogram of the rows of fewer points than s, `weights[s]` their weight. Only a value above
    `floor` counts. Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    thresholds, points, windows = _windows(len(sums) - 1, max_points)
    value, choices = np.empty(MAX_BINS), np.empty((len(windows), 4))
    best = best_tests(sums, windows, SUBTRACT, spans, kinds[None], 1.0, price, weights, floor, value, choices)
    if best < 0:
        return floor, -1, -1, -1, -1, -1
    over = int(weights[-1] - weights[windows[best, 0]])
    score, column, kind, at = choice(choices[best].tolist())
    value_ = (over >> RIGHT_BITS) - (over & WRONG_MASK) + score
    return value_, int(thresholds[best]), int(points[best]), column, kind, at


@lru_cache(maxsize=256)
def _windows(n_scores: int, max_points: int) -> tuple[Ints, Ints, Ints]:
    """Return thresholds and points in the order of trying, and the scores from T - p up to T as (up to, from)."""
    tried = [(t, p) for t in range(1, n_scores + max_points) for p in range(1, min(t, max_points) + 1)]
    thresholds, points = np.array(tried, dtype=np.int64).T.copy()
    return thresholds, points, np.minimum(np.column_stack((thresholds, thresholds - points)), n_scores)


@kernel
def fit_weights(
    held: Floats, pos: Floats, neg: Floats, steps: int, system: Floats, beta: Floats, chances: Floats
) -> None:
    """Fit a logistic regression with ridge 1 over distinct patterns; beta and the chance of each pattern are out.

    `held` says for each pattern which conditions hold, by 1 and 0; its last column is the intercept's, all ones.
    System is scratch: a row for each weight, the slope in the last column. Solved here and not by a library, whose
    last digits differ from machine to machine.
    """
    last, is_close = held.shape[1] - 1, False
    for step in range(steps + 1):
        for u in range(len(held)):
            z = beta[last]
            for i in range(last):
                z += beta[i] * held[u, i]
            chances[u] = 1 / (1 + math.exp(-z))
        if step == steps or is_close:
            break
        _set_up(held, pos, neg, beta, chances, system)
        _solve(system)
        is_close = True
        for i in range(last + 1):
            change = system[i, last + 1]
            if abs(change) > MAX_MOVE:
                change = math.copysign(MAX_MOVE, change)
            beta[i] += change
            is_close &= abs(change) < CLOSE


@helper
def _set_up(held: Floats, pos: Floats, neg: Floats, beta: Floats, chances: Floats, system: Floats) -> None:
    """Write slopes and, above the diagonal and on it, curves of the penalised loss into system (out)."""
    n = len(beta)
    for i in range(n):
        for k in range(n):
            system[i, k] = 0.0
        system[i, i], system[i, n] = (1.0, -beta[i]) if i < n - 1 else (FREE, 0.0)
    for u in range(len(held)):
        p, weight = chances[u], pos[u] + neg[u]
        slope, curve = pos[u] - weight * p, weight * p * (1 - p)
        for i in range(n):
            if held[u, i] != 0:
                system[i, n] += slope
                for k in range(i, n):
                    system[i, k] += held[u, k] * curve


@helper
def _solve(system: Floats) -> None:
    """Solve a symmetric positive system in place: the solution comes into the last column."""
    n = len(system)
    for i in range(n):
        for r in range(i + 1, n):
            share = system[i, r] / system[i, i]
            for k in range(r, n + 1):
                system[r, k] -= share * system[i, k]
    for back in range(1, n + 1):
        i = n - back
        for k in range(i + 1, n):
            system[i, n] -= system[i, k] * system[k, n]
        system[i, n] /= system[i, i]


def best_stump(slopes: Floats, curves: Floats, bins: Bins, kinds: Ints) -> Choice:
    """Return the test of largest Newton gain; at -1 for a set, which `best_set` lists."""
    words, columns = bins.words
    order = words[np.lexsort((-(slopes[words] / (curves[words] + 1)), columns))]
    return scan_stumps(slopes, curves, order, bins.spans, kinds)


@kernel
def scan_stumps(slopes: Floats, curves: Floats, order: Ints, spans: Ints, kinds: Ints) -> Choice:
    """Return the best of the thresholds of each column, of its words, and of its sets of words in order of strength."""
    best, best_column, best_kind, at = 0.0, -1, -1, -1
    n_before, all_slopes, all_curves = 0, 0.0, 0.0
    for b in range(spans[0, 1] + spans[0, 2] + 2):
        all_slopes += slopes[b]
        all_curves += curves[b]
    for j in range(len(spans)):
        start, n_num, n_word = spans[j, 0], spans[j, 1], spans[j, 2]
        number_slopes, number_curves, single = 0.0, 0.0, 0.0
        for b in range(start, start + n_num):
            number_slopes += slopes[b]
            number_curves += curves[b]
        for look in range(THRESHOLDS if kinds[j] & NUMBERS else SINGLES, SETS + 1 if kinds[j] & WORDS else SINGLES):
            g, h = 0.0, 0.0
            for k in range(n_word if look == SINGLES else n_num - 1 if look == THRESHOLDS else n_word - 1):
                b = start + k if look == THRESHOLDS else start + n_num + k if look == SINGLES else order[n_before + k]
                if look == SINGLES:
                    g, h = 0.0, 0.0
                g += slopes[b]
                h += curves[b]
                for side in range(2 if look == THRESHOLDS and kinds[j] & NEGATED_NUMBER else 1):
                    # The high side differs from the complement of the low one where there are words too.
                    held_g, held_h = (number_slopes - g, number_curves - h) if side else (g, h)
                    other_g, other_h = all_slopes - held_g, all_curves - held_h
                    gain = held_g * held_g / (held_h + 1) + other_g * other_g / (other_h + 1)
                    if look == SINGLES and gain > single:
                        single = gain
                    if gain > best and (look != SETS or (k > 0 and gain > SET_MARGIN * single)):
                        best, best_column, at = gain, j, b - start if look != SETS else -1
                        best_kind = side if look == THRESHOLDS else ONE_OF  # LE or GT
        n_before += n_word
    return best, best_column, best_kind, at


def best_set(slopes: Floats, curves: Floats, all_slopes: float, all_curves: float) -> Ints:
    """Return the best set of two words or more: those that speak most strongly for the class."""
    order = np.argsort(-(slopes / (curves + 1)), kind="stable")[:-1]
    g, h = np.cumsum(slopes[order]), np.cumsum(curves[order])
    others = all_slopes - g
    gains = (g * g / (h + 1) + others * others / (all_curves - h + 1))[1:]
    return order[: int(np.argmax(gains)) + 2]
