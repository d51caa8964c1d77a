"""Kernels of the points literal: the exact joint step, and the regression that drafts a scorecard.

In: one histogram per score of the other conditions, or derivatives of the logistic loss per bin. Out: choices as in
scanning.py. Derivatives are whole numbers in fixed point, so the order of the rows cannot change a choice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import LOW, NEGATED_NUMBER, NUMBERS, WORDS, Layout
from unless.learn.optimise.scans import NONE, best_linear

if TYPE_CHECKING:
    from unless.learn.optimise.layout import Floats, Ints

SET_MARGIN = 1.05
"""A set of words must beat the best single word by this much."""


@kernel
def best_part(
    hists: Ints, totals: Ints, layout: Layout, kinds: Ints, price: float, max_points: int, floor: float
) -> tuple[float, int, int, int, int, int]:
    """Return the exact joint optimum of one condition, its points and the threshold, all other conditions fixed.

    With threshold T, rows whose other points reach T fire anyway; those between T - p and T fire if the condition
    holds. Only a value above `floor` counts. Returns (value, T, p, column, kind, at); column -1 if there is none.
    """
    n_scores, n_bins = hists.shape
    best = (floor, NONE, NONE, NONE, NONE, NONE)
    anyway = 0.0
    for total in totals:
        anyway += (total >> 32) - (total & LOW)
    window = np.empty(n_bins, dtype=np.int64)
    for threshold in range(1, n_scores + max_points):
        if threshold <= n_scores:
            anyway -= (totals[threshold - 1] >> 32) - (totals[threshold - 1] & LOW)
        right = 0.0
        window[:] = 0
        n_held = 0  # how many scores the window holds so far: it is filled only when a scan needs it
        for p in range(1, max_points + 1):
            at = threshold - p
            if at < 0:
                break
            if at < n_scores:
                right += totals[at] >> 32
            if anyway + right - price <= best[0]:
                continue  # even firing on every right row of the window would not do
            _add_scores(window, hists, at, threshold - n_held)
            n_held = p
            score, column, kind, where = best_linear(window, layout, kinds, 1.0, price)
            if column >= 0 and anyway + score > best[0]:
                best = (anyway + score, threshold, p, column, kind, where)
    return best


@helper
def _add_scores(window: Ints, hists: Ints, low: int, high: int) -> None:
    """Add the histograms of the scores `low <= s < high`, as far as there are any, to the window (out)."""
    for s in range(low, min(high, hists.shape[0])):
        for b in range(window.shape[0]):
            window[b] += hists[s, b]


@kernel
def newton_terms(
    patterns: Ints, n_conditions: int, pos: Floats, neg: Floats, beta: Floats, gradient: Floats, hessian: Floats
) -> None:
    """Add the terms of the logistic fit over distinct patterns to gradient and hessian (out); bit i is condition i."""
    x = np.empty(n_conditions + 1)
    for u in range(patterns.shape[0]):
        z = beta[n_conditions]
        for i in range(n_conditions):
            x[i] = (patterns[u] >> i) & 1
            z += beta[i] * x[i]
        x[n_conditions] = 1.0
        p = 1 / (1 + math.exp(-z))
        n = pos[u] + neg[u]
        for i in range(n_conditions + 1):
            gradient[i] += x[i] * (pos[u] - n * p)
            for k in range(n_conditions + 1):
                hessian[i, k] += x[i] * x[k] * n * p * (1 - p)


@helper
def _newton_gain(g: float, h: float, g_all: float, h_all: float) -> float:
    return g * g / (h + 1) + (g_all - g) * (g_all - g) / (h_all - h + 1)


@kernel
def best_stump(slopes: Floats, curves: Floats, layout: Layout, kinds: Ints) -> tuple[float, int, int, int]:
    """Return the test of largest Newton gain; at -1 for a set, which `stump_set` lists."""
    best = (0.0, NONE, NONE, NONE)
    g_all, h_all = 0.0, 0.0
    for b in range(layout.offsets[0], layout.offsets[1]):
        g_all += slopes[b]
        h_all += curves[b]
    for j in range(kinds.shape[0]):
        lo, n_num, n_word = layout.offsets[j], layout.n_numbers[j], layout.n_words[j]
        if kinds[j] & NUMBERS:
            both = kinds[j] & NEGATED_NUMBER != 0
            best = _stump_numbers(best, j, both, slopes[lo : lo + n_num], curves[lo : lo + n_num], g_all, h_all)
        if kinds[j] & WORDS:
            first, end = lo + n_num, lo + n_num + n_word
            single = best_word(slopes[first:end], curves[first:end], g_all, h_all)
            if single[0] > best[0]:
                best = (single[0], j, 4, n_num + single[1])
            group = best_set(slopes[first:end], curves[first:end], g_all, h_all)
            if group[0] > SET_MARGIN * single[0] and group[0] > best[0]:
                best = (group[0], j, 4, -1)
    return best


@helper
def _stump_numbers(
    best: tuple[float, int, int, int], j: int, both: bool, slopes: Floats, curves: Floats, g_all: float, h_all: float
) -> tuple[float, int, int, int]:
    """Try every threshold; the high side differs from the complement of the low one where there are words too."""
    g_num, h_num = 0.0, 0.0
    for b in range(slopes.shape[0]):
        g_num += slopes[b]
        h_num += curves[b]
    g, h = 0.0, 0.0
    for b in range(slopes.shape[0] - 1):
        g += slopes[b]
        h += curves[b]
        gain = _newton_gain(g, h, g_all, h_all)
        if gain > best[0]:
            best = (gain, j, 0, b)
        if both:
            gain = _newton_gain(g_num - g, h_num - h, g_all, h_all)
            if gain > best[0]:
                best = (gain, j, 1, b)
    return best


@helper
def best_word(slopes: Floats, curves: Floats, g_all: float, h_all: float) -> tuple[float, int]:
    """Return the gain of the best single word and its place."""
    best = (0.0, NONE)
    for k in range(slopes.shape[0]):
        gain = _newton_gain(slopes[k], curves[k], g_all, h_all)
        if gain > best[0]:
            best = (gain, k)
    return best


@kernel
def best_set(slopes: Floats, curves: Floats, g_all: float, h_all: float) -> tuple[float, int]:
    """Return the gain of the best set of two words or more, a prefix in the order of `by_slope`, and its length."""
    best = (0.0, 0)
    order = by_slope(slopes, curves)
    g, h = 0.0, 0.0
    for k in range(order.shape[0] - 1):
        g += slopes[order[k]]
        h += curves[order[k]]
        gain = _newton_gain(g, h, g_all, h_all)
        if k > 0 and gain > best[0]:
            best = (gain, k + 1)
    return best


@kernel
def by_slope(slopes: Floats, curves: Floats) -> Ints:
    """Order words by how strongly they speak for the class; numba's own sort takes seconds to compile."""
    order = np.empty(slopes.shape[0], dtype=np.int64)
    for word in range(order.shape[0]):
        i, strength = word, slopes[word] / (curves[word] + 1)
        while i > 0 and slopes[order[i - 1]] / (curves[order[i - 1]] + 1) < strength:
            order[i] = order[i - 1]
            i -= 1
        order[i] = word
    return order
