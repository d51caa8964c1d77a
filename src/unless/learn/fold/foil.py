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

from unless.learn.compiled import kernel
from unless.learn.fold.chooser import OPS, Choice, Found
from unless.learn.rows.counts import Ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.learn.rows.row_set import Rows

NONE: Found = (0.0, 0, -1)
"""Nothing found: only a positive gain counts."""


class GainChooser:
    """Chooses literals for one table by weighted information gain."""

    def __init__(self, columns: Columns) -> None:
        self.books = columns.books
        self._starts = columns.starts
        self._asks = [Ask(c, tuple(range(grid.last))) for c, grid in enumerate(columns.grids) if self.books[c].is_wide]

    def best(self, rows: Rows) -> Choice | None:
        """Return the literal of the largest gain, or None when none gains."""
        tally = rows.tally()
        word, number = NONE, NONE
        word_column, number_column = -1, -1
        for column, codes, pos, neg in self._counts(rows):
            book = self.books[column]
            n, m = np.searchsorted(codes, [book.n_numbers, book.missing])
            found = gain_of_numbers(codes[:n], pos[:n], neg[:n], tally.n_pos, tally.n_neg, number[0])
            if found[2] >= 0:
                number, number_column = found, column
            found = gain_of_words(codes[n:m], pos[n:m], neg[n:m], tally.n_pos, tally.n_neg, word[0])
            if found[2] >= 0:
                word, word_column = found, column
        if word[0] > number[0]:
            return Choice(word_column, OPS[word[1]], int(word[2]))
        return Choice(number_column, OPS[number[1]], int(number[2])) if number[2] >= 0 else None

    def _counts(self, rows: Rows) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]]:
        """Yield each column, in order, with its codes and the counts of both classes; wide ones code by code too."""
        tally, details = rows.tally(), rows.detail(self._asks) if self._asks else ()
        wide = {ask.column: detail for ask, detail in zip(self._asks, details, strict=True)}
        for c, (low, high) in enumerate(pairwise(self._starts.tolist())):
            if c in wide:
                yield c, wide[c].codes, wide[c].pos, wide[c].neg
            else:
                yield c, np.arange(high - low, dtype=np.int32), *tally.line(low, high)


@kernel
def weighted_gain(p1: int, n1: int, p0: int, n0: int) -> float:
    """Return the weighted information gain of keeping p1 of p0 positives and n1 of n0 negatives."""
    if p1 == 0:
        return 0.0
    return p1 * (math.log2(p1 / (p1 + n1)) - math.log2(p0 / (p0 + n0)))


@kernel
def gain_of_numbers(
    codes: NDArray[np.int32], pos: NDArray[np.int32], neg: NDArray[np.int32], n_pos: int, n_neg: int, best: float
) -> Found:
    """Return the first best `=<` or `>` that beats `best`, if any; the arrays hold the numbers of one column."""
    best_op, best_code = 0, -1
    all_pos, all_neg = pos.sum(), neg.sum()
    below_pos, below_neg = 0, 0
    for i in range(len(codes)):
        if pos[i] + neg[i] == 0:
            continue
        below_pos += pos[i]
        below_neg += neg[i]
        gain = weighted_gain(below_pos, below_neg, n_pos, n_neg)
        if gain > best:
            best, best_op, best_code = gain, 0, codes[i]
        gain = weighted_gain(all_pos - below_pos, all_neg - below_neg, n_pos, n_neg)
        if gain > best:
            best, best_op, best_code = gain, 1, codes[i]
    return best, best_op, best_code


@kernel
def gain_of_words(
    codes: NDArray[np.int32], pos: NDArray[np.int32], neg: NDArray[np.int32], n_pos: int, n_neg: int, best: float
) -> Found:
    """Return the first best `=` that beats `best`, if any; the arrays hold the words of one column."""
    best_code = -1
    for i in range(len(codes)):
        gain = weighted_gain(pos[i], neg[i], n_pos, n_neg)
        if gain > best:
            best, best_code = gain, codes[i]
    return best, 2, best_code
