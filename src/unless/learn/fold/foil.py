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
from unless.learn.rows.codes import CodedLiteral
from unless.learn.rows.counts import Ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.learn.rows.row_set import Rows

NONE: Found = (0.0, -1, 0, -1)
"""Nothing found: only a positive gain counts."""


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
        for column, codes, pos, neg in self._counts(rows):
            book = self.books[column]
            n, m = np.searchsorted(codes, [book.n_numbers, book.missing])
            found = best_gain(column, codes[:n], pos[:n], neg[:n], False, tally.n_pos, tally.n_neg, number[0])
            if found[1] >= 0:
                number = found
            found = best_gain(column, codes[n:m], pos[n:m], neg[n:m], True, tally.n_pos, tally.n_neg, word[0])
            if found[1] >= 0:
                word = found
        _, column, op, code = word if word[0] > number[0] else number
        return CodedLiteral(int(column), OPS[op], int(code)) if column >= 0 else None

    def _counts(self, rows: Rows) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]]:
        """Yield each column, in order, with its codes and the counts of both classes; wide ones code by code too."""
        tally, details = rows.tally(), rows.detail(self._asks) if self._asks else ()
        wide = {ask.column: detail for ask, detail in zip(self._asks, details, strict=True)}
        for c, (low, high) in enumerate(pairwise(self._starts.tolist())):
            if c in wide:
                yield c, wide[c].codes, wide[c].pos, wide[c].neg
            else:
                yield c, np.arange(high - low, dtype=np.int32), *tally.line(low, high)


@helper
def weighted_gain(p1: int, n1: int, p0: int, n0: int) -> float:
    """Return the weighted information gain of keeping p1 of p0 positives and n1 of n0 negatives."""
    if p1 == 0:
        return 0.0
    return p1 * (math.log2(p1 / (p1 + n1)) - math.log2(p0 / (p0 + n0)))


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
) -> Found:
    """Return the first best `=<`, `>` or (words) `=` that beats `best`, if any; the arrays hold one column's counts."""
    best_column, op, best_code = -1, 0, -1
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
            gain = weighted_gain(tp, fp, n_pos, n_neg)
            if gain > best:
                best, best_column, op, best_code = gain, column, 2 if is_word else side, codes[i]
    return best, best_column, op, best_code
