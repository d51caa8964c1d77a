"""FOLD-R's choosing: the literal with the largest weighted information gain, from counts alone.

The gain is FOIL's: the positives kept times the gain in log2 precision. Only positive literals are tried, `=` on
words, `=<` and `>` on numbers. The law, made deterministic: columns in order, values ascending, `=<` before `>`, the
first of the best wins; as in the paper's Algorithm 1 (ADD_BEST_LITERAL), a number wins a tie with a word. The counts
are those that FOLD-R++ uses, so a search costs O(M) for M rows, where Algorithm 1 classifies them anew for each value.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.fold.chooser import OPS, Found
from unless.learn.fold.heuristic import exact_score
from unless.learn.rows.codes import CodedLiteral
from unless.learn.rows.counts import Ask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns, Pair
    from unless.learn.rows.row_set import Rows

NONE: Found = (0.0, -1, 0, -1)
"""Nothing found: only a positive gain counts."""

BY_FOIL = np.array([-1], dtype=np.int32)
"""In place of barred codes: FOIL's gain is asked for, and bars none."""


class GainChooser:
    """Chooses literals for one table by weighted information gain."""

    def __init__(self, columns: Columns) -> None:
        self.books = columns.books
        self._starts = columns.starts
        self._asks = [Ask(c, tuple(range(grid.last))) for c, grid in enumerate(columns.grids) if self.books[c].is_wide]

    def best(self, rows: Rows) -> CodedLiteral | None:
        """Return the literal of the largest gain, or None when none gains."""
        tally = rows.tally()
        word, number = NONE, NONE
        for column, codes, pos, neg in self.counts(rows):
            book = self.books[column]
            n, m = np.searchsorted(codes, [book.n_numbers, book.missing])
            found = best_gain(column, codes[:n], pos[:n], neg[:n], False, tally.n_pos, tally.n_neg, number[0], BY_FOIL)
            if found[1] >= 0:
                number = found
            found = best_gain(column, codes[n:m], pos[n:m], neg[n:m], True, tally.n_pos, tally.n_neg, word[0], BY_FOIL)
            if found[1] >= 0:
                word = found
        _, column, op, code = word if word[0] > number[0] else number
        return CodedLiteral(int(column), OPS[op], int(code)) if column >= 0 else None

    def counts(self, rows: Rows) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]]:
        """Yield each column, in order, with its codes and the counts of both classes; wide ones code by code too."""
        tally, details = rows.tally(), rows.detail(self._asks) if self._asks else ()
        wide = {ask.column: detail for ask, detail in zip(self._asks, details, strict=True)}
        for c, (low, high) in enumerate(pairwise(self._starts.tolist())):
            if c in wide:
                yield c, wide[c].codes, wide[c].pos, wide[c].neg
            else:
                yield c, np.arange(high - low, dtype=np.int32), *tally.line(low, high)


class PositiveChooser:
    """Chooses positive literals by the information gain of FOLD-R++ (Algorithm 3), for its learner with ratio 0.

    The law is that of `chooser`, but for `!=`: columns in order, numbers before words, the first of the best.
    """

    def __init__(self, columns: Columns) -> None:
        self.books = columns.books
        self._counted = GainChooser(columns)

    def best(self, rows: Rows, used: Iterable[Pair]) -> CodedLiteral | None:
        """Return the best literal that is not used, or None when none is valid."""
        tally, barred = rows.tally(), set(used)
        best: Found = (-math.inf, -1, 0, -1)
        for column, codes, pos, neg in self._counted.counts(rows):
            book = self.books[column]
            n, m = np.searchsorted(codes, [book.n_numbers, book.missing])
            free = np.array([code for c, code in barred if c == column], dtype=np.int32)
            for first, last, is_word in ((0, n, False), (n, m, True)):
                part = slice(first, last)
                found = best_gain(
                    column, codes[part], pos[part], neg[part], is_word, tally.n_pos, tally.n_neg, best[0], free
                )
                if found[1] >= 0:
                    best = found
        _, column, op, code = best
        return CodedLiteral(int(column), OPS[op], int(code)) if column >= 0 else None


@helper
def weighted_gain(p1: int, n1: int, p0: int, n0: int) -> float:
    """Return the weighted information gain of keeping p1 of p0 positives and n1 of n0 negatives."""
    if p1 == 0:
        return 0.0
    return p1 * (math.log2(p1 / (p1 + n1)) - math.log2(p0 / (p0 + n0)))


@helper
def _has(codes: NDArray[np.int32], code: int) -> bool:
    """Tell whether a code is among a few."""
    for k in range(len(codes)):
        if codes[k] == code:
            return True
    return False


@kernel
def best_gain(
    column: int,
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    is_word: bool,
    n_pos: int,
    n_neg: int,
    best: float,
    barred: NDArray[np.int32],
) -> Found:
    """Return the first best `=<`, `>` or (words) `=` that beats `best`, if any; the arrays hold one column's counts.

    The gain is FOIL's where `barred` is `BY_FOIL`, else that of FOLD-R++, of codes that are not barred.
    """
    best_column, op, best_code = -1, 0, -1
    by_foil = len(barred) == 1 and barred[0] == -1
    all_pos, all_neg, below_pos, below_neg = 0, 0, 0, 0
    for i in range(len(codes)):
        all_pos += pos[i]
        all_neg += neg[i]
    for i in range(len(codes)):
        if pos[i] + neg[i] == 0:
            continue
        if is_word:
            below_pos, below_neg = 0, 0
        below_pos += pos[i]
        below_neg += neg[i]
        for side in range(1 if is_word else 2):
            tp, fp = (all_pos - below_pos, all_neg - below_neg) if side else (below_pos, below_neg)
            gain = (
                weighted_gain(tp, fp, n_pos, n_neg) if by_foil else exact_score(tp, n_pos - tp, n_neg - fp, fp, False)
            )
            if gain > best and (by_foil or not _has(barred, codes[i])):
                best, best_column, op, best_code = gain, column, 2 if is_word else side, codes[i]
    return best, best_column, op, best_code
