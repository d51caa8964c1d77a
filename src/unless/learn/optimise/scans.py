"""Kernels that see histograms only: the best test of all columns, by exact value or by a grade.

In: packed histograms (see layout.py), where each column's bins are (`Bins.spans`), which kinds of test each column
allows, prices. Out: a choice (score, column, kind, at); column -1 if there is none, at -1 with a kind of words for "the
set", which `members` lists. Scans go through columns, then values, then kinds, and only a strictly better score
replaces: that is the order of ties.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import (
    GT,
    LE,
    MAX_BINS,
    NONE_OF,
    NOT_GT,
    NOT_LE,
    NUMBER_KINDS,
    NUMBERS,
    ONE_OF,
    RIGHT_BITS,
    WORDS,
    WRONG_MASK,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.learn.optimise.layout import Floats, Ints

Choice: TypeAlias = tuple[float, int, int, int]
Move: TypeAlias = tuple[float, int, int, int, int]

ADD, SUBTRACT, ALONE = 1, -1, 0
"""What a window of two histograms is: their sum, their difference, or the first alone."""


UNBOUND = np.zeros(0, dtype=np.int64)
"""Instead of weights: windows that nothing is known of beforehand."""


def choices_of(hists: Ints, windows: Ints, sign: int, spans: Ints, kinds: Ints, beta: float, price: float) -> Floats:
    """Return for each window the test of highest right - beta * wrong - price * size: exact, sets included.

    A window is two histograms, taken together as the sign says. Kinds are of each window, or one row for all. A choice
    is a row of four.
    """
    value, choices = np.empty(MAX_BINS), np.empty((len(windows), 4))
    best_tests(hists, windows, sign, spans, kinds, beta, price, UNBOUND, -math.inf, value, choices)
    return choices


def choice(row: Sequence[float]) -> Choice:
    """Return a choice out of a row of four."""
    score, column, kind, at = row
    return score, int(column), int(kind), int(at)


@kernel  # in one function: each further one takes its time to compile
def best_tests(  # noqa: C901, PLR0912, PLR0913, PLR0917
    hists: Ints,
    windows: Ints,
    sign: int,
    spans: Ints,
    kinds: Ints,
    beta: float,
    price: float,
    weights: Ints,
    floor: float,
    value: Floats,
    choices: Floats,
) -> int:
    """Write the choice of each window into choices (out), and return the best; value is scratch, one number a bin.

    Weights, where given, are those of all rows below each histogram, as in `best_part`: what stands above a window adds
    to its value, and a window that cannot surpass the floor or the best before it has no choice. -1 if none surpasses.
    """
    found, best = floor, -1
    for w in range(len(windows)):
        first, second = windows[w, 0], windows[w, 1]
        beside, most = 0.0, math.inf
        if len(weights):
            over, between = weights[len(weights) - 1] - weights[first], weights[first] - weights[second]
            beside = (over >> RIGHT_BITS) - (over & WRONG_MASK)
            most = beside + (between >> RIGHT_BITS) - price  # as if it held on every right row and on no other
        score, column, kind, at = -math.inf, -1, -1, -1
        for j in range(len(spans) if most > found else 0):
            allowed, start, n_num, end = kinds[w % len(kinds), j], spans[j, 0], spans[j, 1], spans[j, 1] + spans[j, 2]
            if allowed == 0:
                continue
            numbers, rest, below = 0.0, 0.0, 0.0
            for b in range(end + 2):
                h = hists[first, start + b] + sign * hists[second, start + b]
                value[b] = (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
                if b < n_num:
                    numbers += value[b]
                else:
                    rest += value[b]
            for b in range(n_num - 1 if allowed & NUMBERS else 0):
                below += value[b]
                if hists[first, start + b] + sign * hists[second, start + b] == 0:
                    continue  # the threshold before this one says the same
                for k in range(NUMBER_KINDS):  # a side of the threshold, or its complement with the rest of the rows
                    held = below
                    if k == GT:
                        held = numbers - below
                    elif k == NOT_LE:
                        held = numbers - below + rest
                    elif k == NOT_GT:
                        held = below + rest
                    if allowed >> k & 1 and held - price > score:
                        score, column, kind, at = held - price, j, k, b
            total, inside, n_inside, outside, n_outside = numbers + rest, 0.0, 0, numbers + rest, 0
            for b in range(n_num, end if allowed & WORDS else n_num):
                v = value[b]
                for k in range(ONE_OF, NONE_OF + 1):
                    held = (v if k == ONE_OF else total - v) - price
                    if allowed >> k & 1 and held > score:
                        score, column, kind, at = held, j, k, b
                if v > price:  # in the sets each word pays its own price
                    inside += v - price
                    n_inside += 1
                elif -v > price:
                    outside -= v + price
                    n_outside += 1
            if allowed >> ONE_OF & 1 and n_inside > 1 and inside > score:
                score, column, kind, at = inside, j, ONE_OF, -1
            if allowed >> NONE_OF & 1 and n_outside > 1 and outside > score:
                score, column, kind, at = outside, j, NONE_OF, -1
        choices[w, 0], choices[w, 1], choices[w, 2], choices[w, 3] = score, column, kind, at
        if beside + score > found:
            found, best = beside + score, w
    return best


def members(hist: Ints, first: int, n_words: int, kind: int, beta: float, price: float) -> Ints:
    """List the word bins of the best set, counted from `first`: each must pay its own price."""
    words = hist[first : first + n_words]
    value = (words >> RIGHT_BITS) - beta * (words & WRONG_MASK)
    return np.flatnonzero((value if kind == ONE_OF else -value) > price)


@helper
def _entropy_sum(a: float, b: float) -> float:
    """Return a log a + b log b - (a + b) log(a + b): minus the entropy of a branch, times its weight."""
    if a <= 0 or b <= 0:
        return 0.0
    return a * math.log(a / (a + b)) + b * math.log(b / (a + b))


@kernel
def best_grade(hist: Ints, spans: Ints, kinds: Ints, total: int, foil: bool) -> Choice:  # noqa: C901, PLR0912
    """Return the single test (no sets) of highest FOIL or information gain; only tests purer than all rows have any."""
    best, column, best_kind, at = -math.inf, -1, -1, -1
    pos, neg = total >> RIGHT_BITS, total & WRONG_MASK
    before = math.log(pos / (pos + neg)) if pos > 0 else 0.0  # without a positive no test is purer
    for j in range(len(spans)):
        start, n_num, end = spans[j, 0], spans[j, 1], spans[j, 1] + spans[j, 2]
        if kinds[j] == 0:
            continue
        numbers, below = total - total, total - total  # of the type of total
        for b in range(n_num):
            numbers += hist[start + b]
        for b in range(end):
            here = hist[start + b]
            below += here
            if here == 0 or b == n_num - 1:
                continue
            for kind in range(ONE_OF if b >= n_num else LE, NONE_OF + 1 if b >= n_num else NUMBER_KINDS):
                held = here if b >= n_num else below
                if kind == GT:
                    held = numbers - below
                elif kind == NOT_GT:
                    held = total - numbers + below
                elif kind >= NOT_LE and kind != ONE_OF:
                    held = total - held
                tp, fp = held >> RIGHT_BITS, held & WRONG_MASK
                if not kinds[j] >> kind & 1 or tp <= 0 or tp * neg <= fp * pos:
                    continue
                if foil:
                    grade = tp * (math.log(tp / (tp + fp)) - before)
                else:
                    grade = _entropy_sum(tp, fp) + _entropy_sum(pos - tp, neg - fp)
                if grade > best:
                    best, column, best_kind, at = grade, j, kind, b
    return best, column, best_kind, at
