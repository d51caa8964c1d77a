"""What sees rows: truth, parting, hashing, and counting weights into histograms. Nothing here chooses.

In: byte cells (rows by columns), row numbers, packed weights (see layout.py). Out: arrays. Sums are of integers and
there are no threads, so the order of the rows cannot change anything. One kernel counts; NumPy does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Ints

FAR = 255
"""The mark of a row that more than one literal refuses: it belongs to no histogram."""

HASH_START, HASH_PRIME, HASH_SHIFT = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3), np.uint64(29)
HASHED_AT_ONCE = 1 << 13
"""Rows hashed together: their hashes stay in the cache while column after column joins them."""


def hash_rows(cells: Bytes) -> NDArray[np.uint64]:
    """Return a number for each row that depends on its cells only."""
    hashes = np.full(len(cells), HASH_START)
    for start in range(0, len(cells), HASHED_AT_ONCE):
        mine, portion = hashes[start : start + HASHED_AT_ONCE], cells[start : start + HASHED_AT_ONCE]
        for j in range(cells.shape[1]):
            mine ^= portion[:, j]
            mine *= HASH_PRIME
            mine ^= mine >> HASH_SHIFT
    return hashes


def look_up(column: Bytes, rows: Ints, table: Bytes) -> Bytes:
    """Return the truth of a test of one column on the given rows."""
    truth = np.empty(len(rows), dtype=np.uint8)
    write_truth(column, rows, table, truth)
    return truth


def split_rows(column: Bytes, rows: Ints, table: Bytes) -> tuple[Ints, Ints]:
    """Return the rows for which a test of one column holds, and the others."""
    both = np.empty(len(rows), dtype=np.int64)
    n_inside = part_rows(column, rows, table, both)
    return both[:n_inside], both[n_inside:]


@kernel
def write_truth(column: Bytes, rows: Ints, table: Bytes, truth: Bytes) -> None:
    """Write the truth of a test on each of the rows into truth (out)."""
    for i in range(len(rows)):
        truth[i] = table[column[rows[i]]]


@kernel
def part_rows(column: Bytes, rows: Ints, table: Bytes, both: Ints) -> int:
    """Write the rows for which a test holds into both (out) from the front, the others from the back."""
    inside, outside = 0, len(rows)
    for i in range(len(rows)):
        if table[column[rows[i]]]:
            both[inside] = rows[i]
            inside += 1
        else:
            outside -= 1
            both[outside] = rows[i]
    return inside


def sum_gains(rows: Ints, gains: Ints) -> int:
    """Add up packed weights."""
    return int(gains.take(rows).sum())


def count_bins(bin_index: NDArray[Any], rows: Ints, weights: Ints, n_bins: int) -> Ints:
    """Count the weights of rows into a histogram."""
    hist, total = np.zeros(n_bins, dtype=np.int64), np.zeros(1, dtype=np.int64)
    count_marked(bin_index, rows, weights, 1, np.zeros(len(rows), dtype=np.uint8), hist, total)
    return hist


def move_marked(
    bin_index: NDArray[Any], rows: Ints, weights: Ints, before: Bytes, after: Bytes, hists: Ints, totals: Ints
) -> None:
    """Carry the rows whose mark changed from one histogram to the other; hists and totals are out."""
    moved = np.flatnonzero(before != after)
    rows, flat = rows.take(moved), hists.reshape(-1)
    count_marked(bin_index, rows, weights, -1, before.take(moved), flat, totals)
    count_marked(bin_index, rows, weights, 1, after.take(moved), flat, totals)


@kernel
def count_marked(
    bin_index: NDArray[Any], rows: Ints, weights: Ints, sign: int, marks: Bytes, flat: Ints, totals: Ints
) -> None:
    """Add the weight of each row to the total (out) of its mark, and bin by bin to the histogram (out) of its mark.

    Weights are of all rows, marks of those given. The histograms stand one after the other: a view per row would cost
    more than the adds.
    """
    n_bins = np.uint64(len(flat) // len(totals))  # unsigned: no index counts from the end
    for i in range(len(rows)):
        mark, weight = marks[i], sign * weights[rows[i]]
        if mark != FAR:
            totals[mark] += weight
            base = np.uint64(mark) * n_bins
            for j in range(bin_index.shape[1]):
                flat[base + bin_index[rows[i], j]] += weight
