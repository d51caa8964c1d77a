"""What sees rows: truth, parting, hashing, and counting weights into histograms. Nothing here chooses.

In: byte cells (rows by columns), row numbers, packed weights (see layout.py). Out: arrays. Sums are of integers and
there are no threads, so the order of the rows cannot change anything.
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
    truth = np.zeros(len(rows), dtype=np.uint8)
    add_points(column, rows, table, 1, truth)
    return truth


def split_rows(column: Bytes, rows: Ints, table: Bytes) -> tuple[Ints, Ints]:
    """Return the rows for which a test of one column holds, and the others."""
    both = np.empty(len(rows), dtype=np.int64)
    n_inside = part_rows(column, rows, table, both)
    return both[:n_inside], both[n_inside:]


@kernel
def add_points(column: Bytes, rows: Ints, table: Bytes, points: int, scores: Bytes) -> None:
    """Add points to the scores (out) of the rows for which a test of one column holds."""
    for i in range(len(rows)):
        scores[i] += points * table[column[rows[i]]]


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
    hists, totals = np.zeros((1, n_bins), dtype=np.int64), np.zeros(1, dtype=np.int64)
    count_marked(bin_index, rows, weights, np.zeros(len(rows), dtype=np.uint8), hists, totals)
    hist: Ints = hists[0]
    return hist


def count_marked(bin_index: NDArray[Any], rows: Ints, weights: Ints, marks: Bytes, hists: Ints, totals: Ints) -> None:
    """Count the weight of each row into the total and the histogram of its mark; hists and totals are out."""
    move_marked(bin_index, rows, weights, np.full(len(rows), FAR, dtype=np.uint8), marks, hists, totals)


def move_marked(
    bin_index: NDArray[Any], rows: Ints, weights: Ints, before: Bytes, after: Bytes, hists: Ints, totals: Ints
) -> None:
    """Carry the rows whose mark changed from one histogram to the other; hists and totals are out."""
    moved = np.empty(len(rows), dtype=np.int64)
    carry_marked(bin_index, rows, weights, before, after, moved, hists.reshape(-1), totals)


@kernel
def carry_marked(
    bin_index: NDArray[Any],
    rows: Ints,
    weights: Ints,
    before: Bytes,
    after: Bytes,
    moved: Ints,
    flat: Ints,
    totals: Ints,
) -> None:
    """Do as `move_marked` says; moved is scratch, one number a row.

    Weights are of all rows, marks of those given. The histograms stand one after the other: a view per row would cost
    more than the adds.
    """
    n_bins = np.uint64(len(flat) // len(totals))  # unsigned: no index counts from the end
    n_moved = 0
    for i in range(len(rows)):  # apart from the rest: without a branch it takes no time
        moved[n_moved] = i
        n_moved += before[i] != after[i]
    for m in range(n_moved):
        i = moved[m]
        row, old, new = rows[i], before[i], after[i]
        weight = weights[row]
        if old != FAR:
            totals[old] -= weight
            base = np.uint64(old) * n_bins
            for j in range(bin_index.shape[1]):
                flat[base + bin_index[row, j]] -= weight
        if new != FAR:
            totals[new] += weight
            base = np.uint64(new) * n_bins
            for j in range(bin_index.shape[1]):
                flat[base + bin_index[row, j]] += weight


@kernel
def count_slopes(bin_index: NDArray[Any], rows: Ints, slopes: Ints, curves: Ints, sums: Ints) -> None:
    """Add the first and second derivatives of the loss at each row to sums (out), bin by bin."""
    for i in range(len(rows)):
        row, slope, curve = rows[i], slopes[i], curves[i]
        for j in range(bin_index.shape[1]):
            b = bin_index[row, j]
            sums[0, b] += slope
            sums[1, b] += curve
