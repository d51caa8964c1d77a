"""Stage 2: counting. How many of the rows at hand, positive and negative, have each code.

Counting needs rows; choosing (`splits`) needs only these counts. Counts are integers, so they add and subtract
exactly: the counts of a table are the sum of the counts of its parts, whatever the parts, and the counts of the rows
kept are those of all less those of the rows dropped.

The counts of all narrow columns stand in one line, column after column (`Columns.starts`), for each class. A wide
column has more codes than is good to sweep for every small set of rows, so its counts list only the codes that occur
when the rows are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.columns import Columns

SPARSE = 8
"""A wide column is counted sparsely when it has more than this many codes for each row at hand."""


@dataclass(frozen=True, slots=True, eq=False)
class WideCounts:
    """The counts of one wide column: codes ascending (all, or those that occur), with positives and negatives."""

    column: int
    codes: NDArray[np.int32]
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]

    def swap(self) -> WideCounts:
        """Return the same counts with the classes exchanged."""
        return WideCounts(self.column, self.codes, self.neg, self.pos)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The counts of every column for one set of rows: `pos` and `neg` are the line of the narrow columns."""

    n_pos: int
    n_neg: int
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    wide: tuple[WideCounts, ...]

    def swap(self) -> Tally:
        """Return the same counts with the classes exchanged."""
        return Tally(self.n_neg, self.n_pos, self.neg, self.pos, tuple(w.swap() for w in self.wide))


def tally(columns: Columns, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count rows of both classes, column by column."""
    length = int(columns.starts[-1])
    line_pos, line_neg = np.zeros(length, dtype=np.int32), np.zeros(length, dtype=np.int32)
    place = dict(zip(columns.narrow, columns.starts.tolist(), strict=False))
    wide = []
    for block in columns.blocks:
        if block.members[0] in place:
            starts = np.array([place[c] for c in block.members], dtype=np.int64)
            count_block(block.codes, pos, starts, line_pos)
            count_block(block.codes, neg, starts, line_neg)
        else:
            wide = [_count_wide(columns, c, pos, neg) for c in block.members]
    return Tally(len(pos), len(neg), line_pos, line_neg, tuple(wide))


def subtract(columns: Columns, whole: Tally, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count the rows of a whole less the given ones, by counting only those."""
    part = tally(columns, pos, neg)
    wide = tuple(_subtract_wide(all_, gone) for all_, gone in zip(whole.wide, part.wide, strict=True))
    return Tally(whole.n_pos - part.n_pos, whole.n_neg - part.n_neg, whole.pos - part.pos, whole.neg - part.neg, wide)


def _subtract_wide(whole: WideCounts, part: WideCounts) -> WideCounts:
    """Subtract the counts of one wide column; every code that occurs in the part occurs in the whole."""
    if len(whole.codes) == len(part.codes):
        return WideCounts(whole.column, whole.codes, whole.pos - part.pos, whole.neg - part.neg)
    pos, neg = whole.pos.copy(), whole.neg.copy()
    occurs = (part.pos + part.neg) > 0
    at = np.searchsorted(whole.codes, part.codes[occurs])
    pos[at] -= part.pos[occurs]
    neg[at] -= part.neg[occurs]
    return WideCounts(whole.column, whole.codes, pos, neg)


def _count_wide(columns: Columns, column: int, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> WideCounts:
    """Count one wide column: by sweeping its codes when rows are many, by sorting the rows' codes when few."""
    n_codes = columns.books[column].missing + 1
    codes_of_rows = columns.codes_of(column)
    if n_codes <= SPARSE * (len(pos) + len(neg)):
        line = np.zeros((2, n_codes), dtype=np.int32)
        count_column(codes_of_rows, pos, line[0])
        count_column(codes_of_rows, neg, line[1])
        return WideCounts(column, np.arange(n_codes, dtype=np.int32), line[0], line[1])
    at_hand = np.concatenate([codes_of_rows[pos], codes_of_rows[neg]])
    codes, at = np.unique(at_hand, return_inverse=True)
    positives = np.bincount(at[: len(pos)], minlength=len(codes)).astype(np.int32)
    negatives = np.bincount(at[len(pos) :], minlength=len(codes)).astype(np.int32)
    return WideCounts(column, codes.astype(np.int32), positives, negatives)


@kernel
def count_block(
    codes: NDArray[Any], rows: NDArray[np.int32], starts: NDArray[np.int64], line: NDArray[np.int32]
) -> None:
    """Add one to line[starts[k] + codes[row, k]] (out) for each row at hand and each column k of the block."""
    for row in rows:
        for k in range(codes.shape[1]):
            line[starts[k] + codes[row, k]] += 1


@kernel
def count_column(codes: NDArray[Any], rows: NDArray[np.int32], line: NDArray[np.int32]) -> None:
    """Add one to line[codes[row]] (out) for each row at hand."""
    for row in rows:
        line[codes[row]] += 1
