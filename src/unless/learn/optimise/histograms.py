"""What sees rows and chooses nothing: truth, hashing, and where bins of numbers start.

In: byte cells, row numbers, counts. Out: arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import kernel
from unless.learn.optimise.layout import COLUMN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Ints

HASH_START, HASH_PRIME, HASH_SHIFT = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3), np.uint64(29)
HASHED_AT_ONCE = 1 << 13
"""Rows hashed together: their hashes stay in the cache while column after column joins them."""


def hash_rows(cells: Bytes) -> NDArray[np.uint64]:
    """Return a number for each row that depends on its cells only."""
    hashes = np.full(len(cells), HASH_START)
    for start in range(0, len(cells), HASHED_AT_ONCE):
        mine, portion = hashes[start : start + HASHED_AT_ONCE], cells[start : start + HASHED_AT_ONCE]
        for j in range(cells.shape[1]):
            join_hashes(mine, portion[:, j])
    return hashes


def join_hashes(hashes: NDArray[np.uint64], column: NDArray[Any]) -> None:
    """Let the cells of one more column have their say in the hashes (out) of rows."""
    hashes ^= column
    hashes *= HASH_PRIME
    hashes ^= hashes >> HASH_SHIFT


def look_up(by_column: Bytes, column: int, rows: Ints, table: Bytes) -> Bytes:
    """Return the truth of a test of one column on the given rows."""
    truth: Bytes = table.take(by_column[column].take(rows))
    return truth


@kernel
def add_points(by_column: Bytes, tests: Ints, rows: Ints, tables: Bytes, points: Ints, scores: Bytes) -> None:
    """Add the points of tests, each on a line of facts, to the scores (out) of the rows for which they hold."""
    for k in range(len(tests)):
        column, more = tests[k, COLUMN], points[k]
        for i in range(len(rows)):
            scores[i] += more * tables[k, by_column[column, rows[i]]]


@kernel
def start_bins(sums: Ints, n_bins: int, heavy: float, starts: Ints) -> None:
    """Mark the values that start a bin in starts (out); `sums` are the rows before each value, and of all.

    A bin closes with the value that fills its share of what is left, or before one that would make it `heavy` shares.
    """
    first, n = 0, len(starts)
    for current in range(n_bins - 1):
        base = sums[first]
        share = (sums[n] - base) / (n_bins - current)
        begun, full, too_full = first, first, first
        while begun <= n and sums[begun] <= base:
            begun += 1
        while full <= n and sums[full] - base < share:
            full += 1
        while too_full < n and sums[too_full + 1] - base <= heavy * share:
            too_full += 1
        first = max(begun, min(full, too_full))
        if first >= n:
            return
        starts[first] = 1
