"""What kernels do with histograms alone: the best test of all columns, by exact value or by a grade.

In: packed histograms (see layout.py), where each column's bins are (`Bins.spans`), which kinds of test each column
allows, prices. Out: a choice (score, column, kind, at); column -1 if there is none, at -1 with a kind of words for "the
set", which `write_test` lists. Scans go through columns, then values, then kinds, and only a strictly better score
replaces: that is the order of ties.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from unless.learn.compiled import helper
from unless.learn.optimise.layout import (
    AT,
    COLUMN,
    GT,
    KIND,
    LE,
    MAX_BINS,
    NONE_OF,
    NOT_GT,
    NOT_LE,
    NUMBER_KINDS,
    NUMBERS,
    ONE_OF,
    RIGHT_BITS,
    SIZE,
    WORDS,
    WRONG_MASK,
)  # fmt: skip

if TYPE_CHECKING:
    from unless.learn.optimise.layout import Bytes, Floats, Ints

FAR = 1 << 60
"""More than any net."""
ADD, SUBTRACT, ALONE = 1, -1, 0
"""What a window of two histograms is: their sum, their difference, or the first alone."""


class Window(NamedTuple):
    """Two lines of histograms, taken together as the sign says."""

    hists: Ints
    first: int
    second: int
    sign: int


@helper
def at_bin(window: Window, b: int) -> int:
    """Return the packed weight in a bin of a window."""
    hists = window.hists
    return int(hists[window.first, b] + window.sign * hists[window.second, b])


@helper
def best_test(  # noqa: C901, PLR0912
    window: Window, spans: Ints, kinds: Ints, beta: float, price: float, value: Floats
) -> tuple[float, int, int, int]:
    """Return the test of highest right - beta * wrong - price * size in a window: exact, sets included.

    Value is scratch, one number a bin.
    """
    score, column, kind, at = -math.inf, -1, -1, -1
    for j in range(len(spans)):
        allowed, start, n_num, end = kinds[j], spans[j, 0], spans[j, 1], spans[j, 1] + spans[j, 2]
        if allowed == 0:
            continue
        b0 = _first_bin(window, start, n_num)
        if beta == 1.0:
            numbers, most, least = _sides(window, start, n_num, b0)
        else:
            numbers, most, least = _weighed_sides(window, start, n_num, b0, beta)
        rest = 0.0
        for b in range(n_num, end + 2):
            h = at_bin(window, start + b)
            value[b] = (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
            rest += value[b]
        could = max(most, numbers - least) + max(rest, 0.0) - price
        if allowed & NUMBERS and b0 < n_num - 1 and could > score:  # where the thresholds are is asked only then
            most_at, least_at = _threshold_bins(window, start, n_num, b0, beta, most, least)
            for k in range(NUMBER_KINDS):
                # A side of the threshold, or its complement with the rest of the rows.
                is_low = k in (LE, NOT_GT)
                held = (most if is_low else numbers - least) + (rest if k >= NOT_LE else 0.0) - price
                b = most_at if is_low else least_at
                is_first = held == score and column == j and b < at
                if allowed >> k & 1 and (held > score or is_first):
                    score, column, kind, at = held, j, k, b
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
    return score, column, kind, at


@helper
def _first_bin(window: Window, start: int, n_num: int) -> int:
    """Return the first bin of numbers that has rows; a threshold below it would say nothing."""
    b = 0
    while b < n_num - 1 and at_bin(window, start + b) == 0:
        b += 1
    return b


@helper
def _sides(window: Window, start: int, n_num: int, b0: int) -> tuple[float, float, float]:
    """Return the net of all numbers of a column, and the highest and lowest below a threshold, from bin b0 on."""
    below, most, least = 0, -FAR, FAR
    for b in range(b0, n_num - 1):
        h = at_bin(window, start + b)
        below += (h >> RIGHT_BITS) - (h & WRONG_MASK)
        most, least = max(most, below), min(least, below)
    if n_num > 0:
        h = at_bin(window, start + n_num - 1)
        below += (h >> RIGHT_BITS) - (h & WRONG_MASK)
    return below, most, least


@helper
def _weighed_sides(
    window: Window, start: int, n_num: int, b0: int, beta: float
) -> tuple[float, float, float]:  # fmt: skip
    """Return the same where a wrong row counts otherwise than a right one."""
    below, most, least = 0.0, -math.inf, math.inf
    for b in range(b0, n_num - 1):
        h = at_bin(window, start + b)
        below += (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
        most, least = max(most, below), min(least, below)
    if n_num > 0:
        h = at_bin(window, start + n_num - 1)
        below += (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
    return below, most, least


@helper
def _threshold_bins(
    window: Window, start: int, n_num: int, b0: int, beta: float, most: float, least: float
) -> tuple[int, int]:  # fmt: skip
    """Return the first thresholds below which the net is highest and lowest: its sum again, in the same order."""
    below, most_at, least_at = 0.0, -1, -1
    for b in range(b0, n_num - 1):
        h = at_bin(window, start + b)
        below += (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
        if most_at < 0 and below == most:
            most_at = b
        if least_at < 0 and below == least:
            least_at = b
    return most_at, least_at


@helper
def write_test(  # noqa: PLR0913, PLR0917
    window: Window,
    spans: Ints,
    beta: float,
    price: float,
    column: int,
    kind: int,
    at: int,
    facts: Ints,
    tables: Bytes,
    line: int,
) -> None:
    """Write a chosen test into a line of facts and its truth by bin into tables (both out).

    The words of a set (at -1) are read off the window again: each pays its own price.
    """
    start, n_num, end = spans[column, 0], spans[column, 1], spans[column, 1] + spans[column, 2]
    is_negated, n_words = kind in (NOT_LE, NOT_GT, NONE_OF), 0
    for b in range(MAX_BINS):
        if kind in (LE, NOT_LE):
            held = b <= at
        elif kind in (GT, NOT_GT):
            held = at < b < n_num
        elif at >= 0:
            held = b == at
        else:
            held = False
            if n_num <= b < end:
                h = at_bin(window, start + b)
                v = (h >> RIGHT_BITS) - beta * (h & WRONG_MASK)
                held = (v if kind == ONE_OF else -v) > price
            n_words += held
        tables[line, b] = held != is_negated
    facts[line, COLUMN], facts[line, KIND], facts[line, SIZE] = column, kind, max(1, n_words)
    facts[line, AT] = at if kind < ONE_OF else 0


@helper
def _entropy_sum(a: float, b: float) -> float:
    """Return a log a + b log b - (a + b) log(a + b): minus the entropy of a branch, times its weight."""
    if a <= 0 or b <= 0:
        return 0.0
    return a * math.log(a / (a + b)) + b * math.log(b / (a + b))


@helper
def best_grade(  # noqa: C901, PLR0912
    hists: Ints, line: int, spans: Ints, kinds: Ints, foil: bool
) -> tuple[float, int, int, int]:
    """Return the single test (no sets) of highest FOIL or information gain; only tests purer than all rows have any."""
    best, column, best_kind, at = -math.inf, -1, -1, -1
    total = 0
    for b in range(spans[0, 1] + spans[0, 2] + 2):
        total += hists[line, b]
    pos, neg = total >> RIGHT_BITS, total & WRONG_MASK
    before = math.log(pos / (pos + neg)) if pos > 0 else 0.0  # without a positive no test is purer
    for j in range(len(spans)):
        start, n_num, end = spans[j, 0], spans[j, 1], spans[j, 1] + spans[j, 2]
        if kinds[j] == 0:
            continue
        numbers, below = 0, 0
        for b in range(n_num):
            numbers += hists[line, start + b]
        for b in range(end):
            here = hists[line, start + b]
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
