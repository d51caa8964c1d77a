"""Kernels that see histograms only: the best test of all columns, by exact value or by a grade.

In: packed histograms (see layout.py), which kinds of test each column allows, prices. Out: a choice (score, column,
kind, at); column -1 if there is none, at -1 with a kind of words for "the set", which `members` lists. Scans go through
columns, then values, then kinds, and only a strictly better score replaces: that is the order of ties.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import LOW, MAX_BINS, NUMBERS, ONE_OF, WORDS, Layout

if TYPE_CHECKING:
    from unless.learn.optimise.layout import Floats, Ints

Choice: TypeAlias = tuple[float, int, int, int]
Move: TypeAlias = tuple[float, int, int, int, int]

NONE: Any = np.int64(-1)
"""Of the type that choices have: a mere -1 would compile everything that takes a choice twice."""


@kernel
def best_linear(hist: Ints, layout: Layout, kinds: Ints, beta: float, price: float) -> Choice:
    """Return the test of highest right - beta * wrong - price * size over all columns: exact, sets included."""
    best = (-math.inf, NONE, NONE, NONE)
    value = np.empty(MAX_BINS)
    for j in range(kinds.shape[0]):
        if kinds[j] == 0:
            continue
        lo, n_num, n_word = layout.offsets[j], layout.n_numbers[j], layout.n_words[j]
        numbers, rest = 0.0, 0.0
        for b in range(n_num + n_word + 2):
            h = hist[lo + b]
            value[b] = (h >> 32) - beta * (h & LOW)
            if b < n_num:
                numbers += value[b]
            else:
                rest += value[b]
        if kinds[j] & NUMBERS:
            present = hist[lo : lo + n_num - 1]
            best = _linear_numbers(best, j, kinds[j], present, value, numbers, rest, price)
        if kinds[j] & WORDS:
            best = _linear_words(best, j, kinds[j], value[: n_num + n_word], n_num, numbers + rest, price)
    return best


@kernel
def best_move(
    hists: Ints, totals: Ints, sizes: Ints, layout: Layout, kinds: Ints, price: float, tolerance: float
) -> Move:
    """Return the best single move on a body: its gain, the place, and the choice to put there; column -1 drops.

    Histogram 0 has the rows where all literals hold, i + 1 those that only literal i refuses. There are as many rows of
    `kinds` as places to choose for: one more than literals if the body may grow.
    """
    n = sizes.shape[0]
    best = (0.0, NONE, NONE, NONE, NONE)
    hist = np.empty_like(hists[0])
    for i in range(kinds.shape[0]):
        held = float((totals[0] >> 32) - (totals[0] & LOW))
        for b in range(hist.shape[0]):
            hist[b] = hists[0, b] + (hists[i + 1, b] if i < n else 0)
        if i < n:
            held -= price * sizes[i]
            both = totals[0] + totals[i + 1]
            gain = (both >> 32) - (both & LOW) - held
            if n > 1 and gain > best[0] + tolerance:
                best = (gain, NONE + i + 1, NONE, NONE, NONE)
        score, column, kind, at = best_linear(hist, layout, kinds[i], 1.0, price)
        if score - held > best[0] + tolerance:
            best = (score - held, NONE + i + 1, column, kind, at)
    return best


@helper
def _linear_numbers(
    best: Choice, j: int, allowed: int, present: Ints, value: Floats, numbers: float, rest: float, price: float
) -> Choice:
    """Try every threshold of a column; the two sides of it, and their complements with the rest of the rows."""
    below = 0.0
    for b in range(present.shape[0]):
        below += value[b]
        if present[b] == 0:
            continue  # the threshold before this one says the same
        if allowed & 1 and below - price > best[0]:
            best = (below - price, j, 0, b)
        if allowed & 2 and numbers - below - price > best[0]:
            best = (numbers - below - price, j, 1, b)
        if allowed & 4 and numbers - below + rest - price > best[0]:
            best = (numbers - below + rest - price, j, 2, b)
        if allowed & 8 and below + rest - price > best[0]:
            best = (below + rest - price, j, 3, b)
    return best


@helper
def _linear_words(best: Choice, j: int, allowed: int, value: Floats, first: int, total: float, price: float) -> Choice:
    """Try every word of a column, and the two sets in which each word pays its own price."""
    inside, n_inside, outside, n_outside = 0.0, 0, total, 0
    for b in range(first, value.shape[0]):
        v = value[b]
        if allowed & 16 and v - price > best[0]:
            best = (v - price, j, 4, b)
        if allowed & 32 and total - v - price > best[0]:
            best = (total - v - price, j, 5, b)
        if v > price:
            inside += v - price
            n_inside += 1
        elif -v > price:
            outside -= v + price
            n_outside += 1
    if allowed & 16 and n_inside > 1 and inside > best[0]:
        best = (inside, j, 4, -1)
    if allowed & 32 and n_outside > 1 and outside > best[0]:
        best = (outside, j, 5, -1)
    return best


@kernel
def members(hist: Ints, first: int, n_words: int, kind: int, beta: float, price: float) -> Ints:
    """List the word bins of the best set, counted from `first`: each must pay its own price."""
    out = np.empty(n_words, dtype=np.int64)
    n = 0
    for b in range(n_words):
        h = hist[first + b]
        v = (h >> 32) - beta * (h & LOW)
        if (v if kind == ONE_OF else -v) > price:
            out[n] = b
            n += 1
    return out[:n]


@helper
def _entropy_sum(a: float, b: float) -> float:
    """Return a log a + b log b - (a + b) log(a + b): minus the entropy of a branch, times its weight."""
    if a <= 0 or b <= 0:
        return 0.0
    return a * math.log(a / (a + b)) + b * math.log(b / (a + b))


@helper
def _grade(foil: bool, tp: int, fp: int, pos: int, neg: int) -> float:
    """Return FOIL's gain or the information gain of a test; only for tests purer than the rows at hand."""
    if tp <= 0 or tp * neg <= fp * pos:
        return -math.inf
    if foil:
        return tp * (math.log(tp / (tp + fp)) - math.log(pos / (pos + neg)))
    return _entropy_sum(tp, fp) + _entropy_sum(pos - tp, neg - fp)


@kernel
def best_grade(hist: Ints, layout: Layout, kinds: Ints, foil: bool) -> Choice:
    """Return the single test (no sets) of highest grade."""
    best = (-math.inf, NONE, NONE, NONE)
    total = hist[layout.offsets[0]]  # not from 0: a mere 0 would compile what takes it twice
    for b in range(layout.offsets[0] + 1, layout.offsets[1]):
        total += hist[b]
    for j in range(kinds.shape[0]):
        lo, n_num, n_word = layout.offsets[j], layout.n_numbers[j], layout.n_words[j]
        if kinds[j] & NUMBERS:
            best = _grade_numbers(best, j, kinds[j], hist[lo : lo + n_num], total, foil)
        if kinds[j] & WORDS:
            best = _grade_words(best, j, kinds[j], hist[lo : lo + n_num + n_word], n_num, total, foil)
    return best


@helper
def _grade_numbers(best: Choice, j: int, allowed: int, hist: Ints, total: int, foil: bool) -> Choice:
    pos, neg = total >> 32, total & LOW
    numbers = 0
    for b in range(hist.shape[0]):
        numbers += hist[b]
    below = 0
    for b in range(hist.shape[0] - 1):
        if hist[b] == 0:
            continue
        below += hist[b]
        for kind in range(4):
            if not allowed & (1 << kind):
                continue
            held = below
            if kind == 1:
                held = numbers - below
            elif kind == 2:
                held = total - below
            elif kind == 3:
                held = total - numbers + below
            score = _grade(foil, held >> 32, held & LOW, pos, neg)
            if score > best[0]:
                best = (score, j, kind, b)
    return best


@helper
def _grade_words(best: Choice, j: int, allowed: int, hist: Ints, first: int, total: int, foil: bool) -> Choice:
    pos, neg = total >> 32, total & LOW
    for b in range(first, hist.shape[0]):
        for kind in range(4, 6):
            if not allowed & (1 << kind):
                continue
            held = hist[b] if kind == 4 else total - hist[b]
            score = _grade(foil, held >> 32, held & LOW, pos, neg)
            if score > best[0]:
                best = (score, j, kind, b)
    return best
