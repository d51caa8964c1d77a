"""Stage 3: choosing. The best literal, from counts alone (the paper's Algorithms 3 and 4).

The law, made deterministic: columns in order; in a column the numbers ascending, `=<` before `>`, then the words
ascending, `=` before `!=`; the first of the best wins. A candidate's value must occur among the rows at hand and its
(column, value) pair must be unused.

`exact_score` is the definition, or with `mgi` its twin `exact_mgi` of FOLD-SE: it is convex as well, and compares the
same four literals (FOLD-SE's `not =<`, which is true of words, is not among them). The first costs four logarithms, and
a column may have a hundred thousand candidates, so a table of n·log2(n) gives a rough score first: only a candidate
whose rough score comes within `SLACK` of the best is scored exactly. The rough score is within about 1e-13 of the exact
one, the slack is 1e-9, so this changes nothing but the time.

Numbers go by stretches. The score is convex in (tp, fp), so over a stretch, whose prefix sums lie in a box, it is
nowhere larger than at the best corner of the box: a stretch none of whose corners comes near the best is skipped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from unless.learn.columns import Columns
    from unless.learn.counts import Tally
    from unless.rules import Op

OPS: tuple[Op, ...] = ("=<", ">", "=", "!=")
SLACK = 1e-9
STRETCH = 32

Pair = tuple[int, int]
"""A (column, code) pair."""

Found = tuple[float, int, int]
"""Score, operator (place in OPS) and code of a literal; the code is -1 when there is none."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A literal in codes: a column, an operator, and the code of the value it compares with."""

    column: int
    op: Op
    code: int

    @property
    def pair(self) -> Pair:
        """Return what no further literal on the way down may use again."""
        return self.column, self.code


class Totals(NamedTuple):
    """The rows at hand, n·log2(n) for every n up to the rows of the table, and which score is meant."""

    n_pos: int
    n_neg: int
    xlogx: NDArray[np.float64]
    mgi: bool


class Layout(NamedTuple):
    """How the line of counts is laid out: for each narrow column its place in the table, its start, its codes."""

    columns: NDArray[np.int32]
    starts: NDArray[np.int64]
    n_numbers: NDArray[np.int32]
    missing: NDArray[np.int32]
    codes: NDArray[np.int32]


class Chooser:
    """Chooses literals for one table, by information gain or (`mgi`) by FOLD-SE's impurity."""

    def __init__(self, columns: Columns, *, mgi: bool = False) -> None:
        self.books = columns.books
        self.mgi = mgi
        narrow = [self.books[c] for c in columns.narrow]
        self._layout = Layout(
            columns=np.array(columns.narrow, dtype=np.int32),
            starts=columns.starts,
            n_numbers=np.array([book.n_numbers for book in narrow], dtype=np.int32),
            missing=np.array([book.missing for book in narrow], dtype=np.int32),
            codes=np.arange(max((book.missing + 1 for book in narrow), default=0), dtype=np.int32),
        )
        self._xlogx = np.arange(columns.n_rows + 1, dtype=np.float64)
        self._xlogx[1:] *= np.log2(self._xlogx[1:])

    def best(self, tally: Tally, used: Iterable[Pair]) -> Choice | None:
        """Return the best literal of all columns, or None when none is valid."""
        totals = Totals(tally.n_pos, tally.n_neg, self._xlogx, self.mgi)
        barred = np.array(sorted(used), dtype=np.int32).reshape(-1, 2)
        (best, op, code), column = best_of_line(tally.pos, tally.neg, self._layout, barred, totals)
        for wide in tally.wide:
            book = self.books[wide.column]
            mine = barred[barred[:, 0] == wide.column, 1]
            # An earlier column wins a tie, so a wide column must reach the best only when it comes first.
            floor = math.nextafter(best, -math.inf) if wide.column < column else best
            n, m = np.searchsorted(wide.codes, [book.n_numbers, book.missing])
            found = best_of_column(wide.codes, wide.pos, wide.neg, n, m, mine, totals, floor)
            if found[2] >= 0:
                (best, op, code), column = found, wide.column
        return None if code < 0 else Choice(int(column), OPS[op], int(code))


@kernel
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


@kernel
def _rough(tp: int, fp: int, totals: Totals) -> float:
    """Return the score times the number of rows, up to rounding, without asking whether the literal is valid."""
    fn, tn, xlogx = totals.n_pos - tp, totals.n_neg - fp, totals.xlogx
    if totals.mgi:
        return -(math.sqrt(tp * fp) + math.sqrt(tn * fn))
    rough: float = xlogx[tp] + xlogx[fp] - xlogx[tp + fp] + xlogx[tn] + xlogx[fn] - xlogx[tn + fn]
    return rough


@kernel
def _floor(totals: Totals, best: float) -> float:
    """Return the rough score below which nothing can beat the best."""
    return (best - SLACK) * (totals.n_pos + totals.n_neg)


@kernel
def _score(tp: int, fp: int, totals: Totals, best: float) -> float:
    """Return the exact score of a candidate that may beat the best, minus infinity otherwise."""
    fn, tn = totals.n_pos - tp, totals.n_neg - fp
    if fp + fn > tp + tn or _rough(tp, fp, totals) < _floor(totals, best):
        return -math.inf
    return exact_mgi(tp, fn, tn, fp) if totals.mgi else exact_score(tp, fn, tn, fp)


@kernel
def _may_hold_better(low_tp: int, low_fp: int, high_tp: int, high_fp: int, totals: Totals, best: float) -> bool:
    """Tell whether a corner of the box from low to high comes near the best."""
    floor = _floor(totals, best)
    return (
        _rough(low_tp, low_fp, totals) >= floor
        or _rough(high_tp, high_fp, totals) >= floor
        or _rough(low_tp, high_fp, totals) >= floor
        or _rough(high_tp, low_fp, totals) >= floor
    )


@kernel
def _is_barred(code: int, barred: NDArray[np.int32]) -> bool:
    """Tell whether a code is used already; there are a handful at most."""
    for other in barred:
        if other == code:
            return True
    return False


@kernel
def _sum(counts: NDArray[np.int32], start: int, end: int) -> int:
    """Add counts; numba's own sum takes a second longer to compile."""
    total = 0
    for i in range(start, end):
        total += int(counts[i])
    return total


@kernel
def best_number(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best `=<` or `>` that beats `best`, if any; the arrays hold the numbers of one column."""
    best_op, best_code = 0, -1
    all_pos, all_neg = _sum(pos, 0, len(pos)), _sum(neg, 0, len(neg))
    below_pos, below_neg = 0 * all_pos, 0 * all_neg  # zeros of the kernel's own integer type
    for start in range(0, len(codes), STRETCH):
        end = min(start + STRETCH, len(codes))
        next_pos, next_neg = below_pos + _sum(pos, start, end), below_neg + _sum(neg, start, end)
        if best > -math.inf and not (
            _may_hold_better(below_pos, below_neg, next_pos, next_neg, totals, best)
            or _may_hold_better(
                all_pos - next_pos, all_neg - next_neg, all_pos - below_pos, all_neg - below_neg, totals, best
            )
        ):
            below_pos, below_neg = next_pos, next_neg
            continue
        for i in range(start, end):
            if pos[i] + neg[i] == 0:
                continue
            below_pos += int(pos[i])
            below_neg += int(neg[i])
            if _is_barred(codes[i], barred):
                continue
            score = _score(below_pos, below_neg, totals, best)
            if score > best:
                best, best_op, best_code = score, 0, codes[i]
            score = _score(all_pos - below_pos, all_neg - below_neg, totals, best)
            if score > best:
                best, best_op, best_code = score, 1, codes[i]
    return best, best_op, best_code


@kernel
def best_word(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best `=` or `!=` that beats `best`, if any; the arrays hold the words of one column."""
    best_op, best_code = 0, -1
    for i in range(len(codes)):
        if pos[i] + neg[i] == 0 or _is_barred(codes[i], barred):
            continue
        tp, fp = _sum(pos, i, i + 1), _sum(neg, i, i + 1)  # widened, as totals are
        score = _score(tp, fp, totals, best)
        if score > best:
            best, best_op, best_code = score, 2, codes[i]
        score = _score(totals.n_pos - tp, totals.n_neg - fp, totals, best)
        if score > best:
            best, best_op, best_code = score, 3, codes[i]
    return best, best_op, best_code


@kernel
def best_of_column(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    n: int,
    m: int,
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the column's best literal that beats `best`, if any (Algorithm 4): numbers, then words.

    The first n codes are numbers, those up to m are words; what follows is missing.
    """
    number = best_number(codes[:n], pos[:n], neg[:n], barred, totals, best)
    word = best_word(codes[n:m], pos[n:m], neg[n:m], barred, totals, number[0])
    return word if word[2] >= 0 else number


@kernel
def best_of_line(
    pos: NDArray[np.int32], neg: NDArray[np.int32], layout: Layout, barred: NDArray[np.int32], totals: Totals
) -> tuple[Found, int]:
    """Return the best literal of all narrow columns, and its column."""
    best: Found = (-math.inf, 0, -1)
    column = -1
    first = 0  # the barred pairs of a column stand together
    for k in range(len(layout.columns)):
        while first < len(barred) and barred[first, 0] < layout.columns[k]:
            first += 1
        last = first
        while last < len(barred) and barred[last, 0] == layout.columns[k]:
            last += 1
        low, high = layout.starts[k], layout.starts[k + 1]
        found = best_of_column(
            layout.codes[: high - low],
            pos[low:high],
            neg[low:high],
            layout.n_numbers[k],
            layout.missing[k],
            barred[first:last, 1],
            totals,
            best[0],
        )
        if found[2] >= 0:
            best, column = found, layout.columns[k]
    return best, column
