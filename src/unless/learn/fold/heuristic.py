"""The score of a literal, and bounds on it, from counts alone.

`exact_score` is the definition (Algorithm 3). It costs four logarithms, and a column may have a hundred thousand
candidates, so a table of n·log2(n) gives a rough score first: only a candidate whose rough score comes within `SLACK`
of the best is scored exactly. The rough score is within about 1e-13 of the exact one, the slack is 1e-9, so this
changes nothing but the time.

With `mgi` the score is FOLD-SE's, `exact_mgi`, for the same four literals; its `not =<`, true of words, is not offered.

Both scores are convex in (tp, fp), so over a stretch of candidates whose counts lie in a box they are nowhere larger
than at the best corner of the box: a stretch none of whose corners comes near the best holds nothing better.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLACK = 1e-9
LARGE = 1 << 20
"""The table of n·log2(n) ends here: beyond it, looking up costs as much as computing."""


class Totals(NamedTuple):
    """The rows at hand, n·log2(n) for small n, and which score is meant."""

    n_pos: int
    n_neg: int
    xlogx: NDArray[np.float64]
    mgi: bool


def table_of_xlogx(n_rows: int) -> NDArray[np.float64]:
    """Return n·log2(n) for small n, up to the number of rows."""
    table = np.arange(min(n_rows, LARGE) + 1, dtype=np.float64)
    table[1:] *= np.log2(table[1:])
    return table


@helper
def add_up(counts: NDArray[np.int32]) -> int:
    """Add counts; numba's own sum takes a second longer to compile."""
    total = 0
    for count in counts:
        total += count
    return total


@helper
def _f(a: int, b: int) -> float:
    return 0.0 if a == 0 else a * math.log2(a / (a + b))


@kernel
def exact_score(tp: int, fn: int, tn: int, fp: int) -> float:
    """Return the information gain of a literal (Algorithm 3)."""
    if fp + fn > tp + tn:
        return -math.inf
    return (_f(tp, fp) + _f(fp, tp) + _f(tn, fn) + _f(fn, tn)) / (tp + fp + tn + fn)


@kernel
def exact_mgi(tp: int, fn: int, tn: int, fp: int) -> float:
    """Return the impurity that a literal leaves (FOLD-SE), negative so that more is better."""
    if fp + fn > tp + tn:
        return -math.inf
    return -(math.sqrt(tp * fp) + math.sqrt(tn * fn)) / (tp + fp + tn + fn)


@helper
def _xlogx(n: int, xlogx: NDArray[np.float64]) -> float:
    """Return n·log2(n), from the table where it reaches."""
    return xlogx[n] if n < len(xlogx) else n * math.log2(n)


@helper
def _rough(tp: int, fp: int, totals: Totals) -> float:
    """Return the score times the number of rows, up to rounding, without asking whether the literal is valid."""
    fn, tn, table = totals.n_pos - tp, totals.n_neg - fp, totals.xlogx
    if totals.mgi:
        return -(math.sqrt(tp * fp) + math.sqrt(tn * fn))
    inside: float = _xlogx(tp, table) + _xlogx(fp, table) - _xlogx(tp + fp, table)
    return inside + _xlogx(tn, table) + _xlogx(fn, table) - _xlogx(tn + fn, table)


@helper
def score(tp: int, fp: int, totals: Totals, best: float) -> float:
    """Return the exact score of a candidate that may beat the best, minus infinity otherwise."""
    fn, tn = totals.n_pos - tp, totals.n_neg - fp
    if fp + fn > tp + tn or _rough(tp, fp, totals) < (best - SLACK) * (tp + fp + tn + fn):
        return -math.inf
    return exact_mgi(tp, fn, tn, fp) if totals.mgi else exact_score(tp, fn, tn, fp)


@helper
def _comes_near(low_tp: int, low_fp: int, high_tp: int, high_fp: int, totals: Totals, best: float) -> bool:
    """Tell whether a corner of the box from low to high comes near the best."""
    floor = (best - SLACK) * (totals.n_pos + totals.n_neg)
    for corner in range(4):  # written out, it would compile four times as long
        tp = high_tp if corner & 1 else low_tp
        fp = high_fp if corner in (1, 2) else low_fp
        if _rough(tp, fp, totals) >= floor:
            return True
    return False


@helper
def may_hold_better(low_tp: int, low_fp: int, high_tp: int, high_fp: int, totals: Totals, best: float) -> bool:
    """Tell whether a literal of the box from low to high may be valid and come near the best."""
    if 2 * (low_fp - high_tp) > totals.n_neg - totals.n_pos:
        return False  # not even the fewest fp and the most tp make it valid
    return _comes_near(low_tp, low_fp, high_tp, high_fp, totals, best)


@helper
def may_split_better(
    below_pos: int,
    below_neg: int,
    next_pos: int,
    next_neg: int,
    all_pos: int,
    all_neg: int,
    totals: Totals,
    best: float,
) -> bool:
    """Tell whether `=<` or `>` a number of a stretch may come near the best, given the sums around it."""
    if all_pos == totals.n_pos and all_neg == totals.n_neg:
        # Every row has a number: `=<` and `>` are complements, so their boxes have the same corners and scores, and a
        # literal is valid or its complement is.
        return _comes_near(below_pos, below_neg, next_pos, next_neg, totals, best)
    return may_hold_better(below_pos, below_neg, next_pos, next_neg, totals, best) or may_hold_better(
        all_pos - next_pos, all_neg - next_neg, all_pos - below_pos, all_neg - below_neg, totals, best
    )
