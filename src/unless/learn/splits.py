"""Stage 3: choosing. The best literal, from counts alone (the paper's Algorithms 3 and 4).

The law, made deterministic: columns in order; in a column the numbers ascending, `=<` before `>`, then the words
ascending, `=` before `!=`; the first of the best wins. A candidate's value must occur among the rows at hand and its
(column, value) pair must be unused.

`exact_score` is the definition. It costs four logarithms, and a column may have a hundred thousand candidates, so
`_rough` bounds it first from a table of n·log2(n): only a candidate whose rough score comes within `SLACK` of the
best is scored exactly. The rough score is within about 1e-13 of the exact one, the slack is 1e-9, so this changes
nothing but the time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from unless.learn.columns import Codebook
    from unless.learn.counts import Tally
    from unless.rules import Op

OPS: tuple[Op, ...] = ("=<", ">", "=", "!=")
SLACK = 1e-9

Pair = tuple[int, int]
"""A (column, code) pair."""


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


class Chooser:
    """Chooses literals for one table: knows what its codes mean, and keeps the table of n·log2(n) up to its rows."""

    def __init__(self, books: Sequence[Codebook], n_rows: int) -> None:
        self.books = tuple(books)
        counts = np.arange(n_rows + 1, dtype=np.float64)
        counts[1:] *= np.log2(counts[1:])
        self._xlogx: NDArray[np.float64] = counts

    def best(self, tally: Tally, used: Iterable[Pair]) -> Choice | None:
        """Return the best literal of all columns, or None when none is valid."""
        best, choice = -math.inf, None
        used_codes: dict[int, list[int]] = {}
        for column, code in used:
            used_codes.setdefault(column, []).append(code)
        for counts in tally.counts:
            book = self.books[counts.column]
            barred = np.array(sorted(used_codes.get(counts.column, ())), dtype=np.int32)
            score, op, code = best_of_column(
                counts.codes, counts.pos, counts.neg, tally.n_pos, tally.n_neg,
                book.n_numbers, book.missing, barred, self._xlogx, best,
            )  # fmt: skip
            if score > best:
                best, choice = score, Choice(counts.column, OPS[op], int(code))
        return choice


@kernel
def exact_score(tp, fn, tn, fp):  # type: ignore[no-untyped-def]
    """Return the information gain of a literal (Algorithm 3)."""
    if fp + fn > tp + tn:
        return -np.inf
    total = tp + fp + tn + fn
    return (_f(tp, fp) + _f(fp, tp) + _f(tn, fn) + _f(fn, tn)) / total


@kernel
def _f(a, b):  # type: ignore[no-untyped-def]
    return 0.0 if a == 0 else a * math.log2(a / (a + b))


@kernel
def _rough(tp, fn, tn, fp, table):  # type: ignore[no-untyped-def]
    """Return the same score by way of n·log2(n), up to rounding."""
    inside = table[tp] + table[fp] - table[tp + fp]
    outside = table[tn] + table[fn] - table[tn + fn]
    return (inside + outside) / (tp + fp + tn + fn)


@kernel
def _score(tp, fn, tn, fp, table, best):  # type: ignore[no-untyped-def]
    """Return the exact score of a candidate that may beat the best, minus infinity otherwise."""
    if fp + fn > tp + tn or _rough(tp, fn, tn, fp, table) < best - SLACK:
        return -np.inf
    return exact_score(tp, fn, tn, fp)


@kernel
def best_of_column(codes, pos, neg, n_pos, n_neg, n_numbers, missing, barred, table, best):  # type: ignore[no-untyped-def]
    """Return (score, operator, code) of the column's best literal, if it beats `best` (Algorithm 4)."""
    best_op, best_code = 0, -1
    b = 0  # how many of the barred codes, which are ascending, lie behind us
    n_values = len(codes)
    numeric_pos, numeric_neg = 0, 0
    for i in range(n_values):
        if codes[i] >= n_numbers:
            break
        numeric_pos += pos[i]
        numeric_neg += neg[i]
    below_pos, below_neg = 0, 0
    for i in range(n_values):
        code = codes[i]
        p, n = pos[i], neg[i]
        if code >= missing:
            break
        if p + n == 0:
            continue
        below_pos += p
        below_neg += n
        while b < len(barred) and barred[b] < code:
            b += 1
        if b < len(barred) and barred[b] == code:
            continue
        if code < n_numbers:
            tp, fp, op = below_pos, below_neg, 0
            above_tp, above_fp = numeric_pos - below_pos, numeric_neg - below_neg
        else:
            tp, fp, op = p, n, 2
            above_tp, above_fp = n_pos - p, n_neg - n
        score = _score(tp, n_pos - tp, n_neg - fp, fp, table, best)
        if score > best:
            best, best_op, best_code = score, op, code
        score = _score(above_tp, n_pos - above_tp, n_neg - above_fp, above_fp, table, best)
        if score > best:
            best, best_op, best_code = score, op + 1, code
    return best, best_op, best_code
