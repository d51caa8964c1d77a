"""The score of a literal, and bounds on it, from counts alone.

`exact_score` is the definition (Algorithm 3). It costs four logarithms, and a column may have a hundred thousand
candidates, so a table of n·log2(n) gives a rough score first: only a candidate whose rough score comes within `SLACK`
of the best is scored exactly. The rough score is within about 1e-13 of the exact one, the slack is 1e-9, so this
changes nothing but the time.

With `mgi` the score is FOLD-SE's, for the same four literals; its `not =<`, true of words, is not offered.

Both scores are convex in (tp, fp), so over a stretch of candidates whose counts lie in a box they are nowhere larger
than at the best corner of the box: a stretch none of whose corners comes near the best holds nothing better.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLACK = 1e-9
LARGE = 1 << 20
"""The table of n·log2(n) ends here: beyond it, looking up costs as much as computing."""

CORNERS = 4
HIGH_TP, HIGH_FP = 1, 2
"""The bits of a corner of a box that say which end each count is at."""


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
def _f(a: int, b: int) -> float:
    return 0.0 if a == 0 else a * math.log2(a / (a + b))


@helper
def exact_score(tp: int, fn: int, tn: int, fp: int, mgi: bool) -> float:
    """Return the information gain of a literal (Algorithm 3), or minus the impurity that it leaves (FOLD-SE)."""
    if fp + fn > tp + tn:
        return -math.inf
    if mgi:
        return -(math.sqrt(tp * fp) + math.sqrt(tn * fn)) / (tp + fp + tn + fn)
    return (_f(tp, fp) + _f(fp, tp) + _f(tn, fn) + _f(fn, tn)) / (tp + fp + tn + fn)


@helper
def _xlogx(n: int, xlogx: NDArray[np.float64]) -> float:
    """Return n·log2(n), from the table where it reaches."""
    return xlogx[n] if n < len(xlogx) else n * math.log2(n)


@helper
def rough_score(tp: int, fp: int, totals: Totals) -> float:
    """Return the score times the number of rows, up to rounding, without asking whether the literal is valid."""
    fn, tn, table = totals.n_pos - tp, totals.n_neg - fp, totals.xlogx
    if totals.mgi:
        return -(math.sqrt(tp * fp) + math.sqrt(tn * fn))
    inside: float = _xlogx(tp, table) + _xlogx(fp, table) - _xlogx(tp + fp, table)
    return inside + _xlogx(tn, table) + _xlogx(fn, table) - _xlogx(tn + fn, table)


@helper
def may_split_better(
    low_pos: int, low_neg: int, high_pos: int, high_neg: int, all_pos: int, all_neg: int, totals: Totals, best: float
) -> bool:
    """Tell whether a literal that keeps low to high counts, or the rest of all, may be valid and come near the best.

    Where all are all rows, the two are complements: their boxes have the same corners and scores, and one is valid.
    """
    floor = (best - SLACK) * (totals.n_pos + totals.n_neg)
    is_whole = all_pos == totals.n_pos and all_neg == totals.n_neg
    for corner in range(CORNERS if is_whole else 2 * CORNERS):  # a loop: written out, it would compile as often
        if corner == CORNERS:
            low_pos, high_pos = all_pos - high_pos, all_pos - low_pos
            low_neg, high_neg = all_neg - high_neg, all_neg - low_neg
        if not is_whole and 2 * (low_neg - high_pos) > totals.n_neg - totals.n_pos:
            continue  # not even the fewest fp and the most tp make it valid
        tp = high_pos if corner & HIGH_TP else low_pos
        fp = high_neg if corner & HIGH_FP else low_neg
        if rough_score(tp, fp, totals) >= floor:
            return True
    return False
