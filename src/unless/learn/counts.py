"""Stage 2: counting. How many of the rows at hand, positive and negative, have each code.

Counting needs rows; choosing (`splits`) needs only these counts. Counts are integers, so they add and subtract
exactly: the counts of a table are the sum of the counts of its parts, whatever the parts, and the counts of the rows
kept are those of all less those of the rows dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.columns import WIDE
from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.columns import Block, Columns

SPARSE = 8
"""A wide column is counted sparsely when it has more than this many codes for each row at hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The codes of one column that occur among the rows at hand, ascending, with their positives and negatives.

    A dense count lists every code, also those that occur in no row.
    """

    column: int
    codes: NDArray[np.int32]
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    dense: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The counts of every column for one set of rows."""

    n_pos: int
    n_neg: int
    counts: tuple[Counts, ...]

    def swap(self) -> Tally:
        """Return the same counts with the classes exchanged."""
        counts = tuple(Counts(c.column, c.codes, c.neg, c.pos, c.dense) for c in self.counts)
        return Tally(self.n_neg, self.n_pos, counts)


def tally(columns: Columns, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count rows of both classes, column by column."""
    counts: list[Counts] = []
    for block in columns.blocks:
        if block.codes.dtype.itemsize < 4:
            counts += _dense(columns, block, pos, neg)
        else:
            counts += [_wide(columns, block, k, pos, neg) for k in range(len(block.members))]
    return Tally(len(pos), len(neg), tuple(sorted(counts, key=lambda c: c.column)))


def subtract(columns: Columns, whole: Tally, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count the rows of a whole less the given ones, by counting only those."""
    n_pos, n_neg = whole.n_pos - len(pos), whole.n_neg - len(neg)
    part = tally(columns, pos, neg)
    left = []
    for all_, gone in zip(whole.counts, part.counts, strict=True):
        if all_.dense and gone.dense:
            left.append(Counts(all_.column, all_.codes, all_.pos - gone.pos, all_.neg - gone.neg, dense=True))
        else:
            left.append(_scatter_off(all_, gone))
    return Tally(n_pos, n_neg, tuple(left))


def _scatter_off(whole: Counts, part: Counts) -> Counts:
    """Subtract a sparse count; every code of the part occurs in the whole."""
    pos, neg = whole.pos.copy(), whole.neg.copy()
    at = part.codes if whole.dense else np.searchsorted(whole.codes, part.codes)
    if part.dense:
        # A dense part lists codes that the whole may lack: only those that occur count.
        occurs = (part.pos + part.neg) > 0
        at = np.searchsorted(whole.codes, part.codes[occurs])
        pos[at] -= part.pos[occurs]
        neg[at] -= part.neg[occurs]
    else:
        pos[at] -= part.pos
        neg[at] -= part.neg
    return Counts(whole.column, whole.codes, pos, neg, whole.dense)


def _dense(columns: Columns, block: Block, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> list[Counts]:
    """Count all columns of a narrow block in one sweep over the rows."""
    sizes = np.array([columns.books[c].missing + 1 for c in block.members], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    line = np.zeros((2, int(starts[-1])), dtype=np.int32)
    count_block(block.codes, pos, starts, line[0])
    count_block(block.codes, neg, starts, line[1])
    counts = []
    for k, c in enumerate(block.members):
        low, high = starts[k], starts[k + 1]
        codes = np.arange(sizes[k], dtype=np.int32)
        counts.append(Counts(c, codes, line[0, low:high], line[1, low:high], dense=True))
    return counts


def _wide(columns: Columns, block: Block, k: int, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Counts:
    """Count one wide column: by sweeping its codes when rows are many, by sorting the rows' codes when few."""
    column = block.members[k]
    n_codes = columns.books[column].missing + 1
    view = block.codes[:, k]
    if n_codes <= max(WIDE, SPARSE * (len(pos) + len(neg))):
        line = np.zeros((2, n_codes), dtype=np.int32)
        count_column(view, pos, line[0])
        count_column(view, neg, line[1])
        return Counts(column, np.arange(n_codes, dtype=np.int32), line[0], line[1], dense=True)
    of_pos, of_neg = view[pos], view[neg]
    codes, at = np.unique(np.concatenate([of_pos, of_neg]), return_inverse=True)
    n_pos = len(of_pos)
    positives = np.bincount(at[:n_pos], minlength=len(codes)).astype(np.int32)
    negatives = np.bincount(at[n_pos:], minlength=len(codes)).astype(np.int32)
    return Counts(column, codes.astype(np.int32), positives, negatives, dense=False)


@kernel
def count_block(codes, rows, starts, line):  # type: ignore[no-untyped-def]
    """Add one to line[starts[k] + codes[row, k]] (out) for each row at hand and each column k of the block."""
    for row in rows:
        for k in range(codes.shape[1]):
            line[starts[k] + codes[row, k]] += 1


@kernel
def count_column(codes, rows, line):  # type: ignore[no-untyped-def]
    """Add one to line[codes[row]] (out) for each row at hand."""
    for row in rows:
        line[codes[row]] += 1
