"""Kernels that see rows: binning, truth, and counting weights into histograms. They never choose.

In: byte cells (rows by columns), row numbers, packed weights (see layout.py). Out: arrays that the caller made, named
in each docstring. Sums are of integers and there are no threads, so the order of the rows cannot change anything.
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


@kernel
def fill_column(cells: Bytes, j: int, codes: NDArray[Any], bin_of: Bytes) -> None:
    """Write the bins of one column into cells (out)."""
    for i in range(codes.shape[0]):
        cells[i, j] = bin_of[codes[i]]


@kernel
def cut_evenly(counts: Ints, n_bins: int) -> Ints:
    """Return the bin of each value; a bin closes once it holds its share of what is left."""
    out = np.empty(counts.shape[0], dtype=np.int64)
    left = counts.sum()
    current, held, share = 0, 0, left / n_bins
    for v in range(counts.shape[0]):
        # A heavy value starts its own bin, so that it is not glued to light neighbours.
        if held > 0 and (held >= share or held + counts[v] > 1.5 * share) and current < n_bins - 1:
            left -= held
            current += 1
            held = 0
            share = left / (n_bins - current)
        out[v] = current
        held += counts[v]
    return out


@kernel
def hash_rows(cells: Bytes) -> NDArray[np.uint64]:
    """Return a number for each row that depends on its cells only."""
    out = np.empty(cells.shape[0], dtype=np.uint64)
    prime = np.uint64(0x100000001B3)
    for i in range(cells.shape[0]):
        h = np.uint64(0xCBF29CE484222325)
        for j in range(cells.shape[1]):
            h = (h ^ np.uint64(cells[i, j])) * prime
            h ^= h >> np.uint64(29)
        out[i] = h
    return out


@kernel
def look_up(column: Bytes, rows: Ints, table: Bytes) -> Bytes:
    """Return the truth of a test of one column on the given rows."""
    out = np.empty(rows.shape[0], dtype=np.uint8)
    for i in range(rows.shape[0]):
        out[i] = table[column[rows[i]]]
    return out


@kernel
def split_rows(column: Bytes, rows: Ints, table: Bytes) -> tuple[Ints, Ints]:
    """Return the rows for which a test of one column holds, and the others."""
    n = rows.shape[0]
    both = np.empty(n, dtype=rows.dtype)
    inside, outside = 0, n
    for i in range(n):
        row = rows[i]
        if table[column[row]]:
            both[inside] = row
            inside += 1
        else:
            outside -= 1
            both[outside] = row
    return both[:inside], both[inside:]


@kernel
def count_bins(places: NDArray[Any], rows: Ints, gains: Ints, hist: Ints) -> None:
    """Add the weights of rows to a histogram (out)."""
    for i in range(rows.shape[0]):
        row = rows[i]
        gain = gains[row]
        for j in range(places.shape[1]):
            hist[places[row, j]] += gain


@kernel
def move_near(
    places: NDArray[Any], rows: Ints, gains: Ints, before: Bytes, after: Bytes, hists: Ints, totals: Ints
) -> None:
    """Carry the rows whose mark changed from one histogram to the other; hists and totals are out."""
    n_columns, n_bins = places.shape[1], np.uint64(hists.shape[1])  # unsigned: no index counts from the end
    flat = hists.reshape(-1)  # one flat array: a view per row would cost more than the adds
    moved = np.empty(rows.shape[0], dtype=np.int64)
    n_moved = 0
    for i in range(rows.shape[0]):  # apart from the rest: without a branch it takes no time
        moved[n_moved] = i
        n_moved += before[i] != after[i]
    for i in moved[:n_moved]:
        old, new, row = before[i], after[i], rows[i]
        gain = gains[row]
        if old != FAR:
            totals[old] -= gain
            base = np.uint64(old) * n_bins
            for j in range(n_columns):
                flat[base + places[row, j]] -= gain
        if new != FAR:
            totals[new] += gain
            base = np.uint64(new) * n_bins
            for j in range(n_columns):
                flat[base + places[row, j]] += gain


@kernel
def sum_gains(rows: Ints, gains: Ints) -> int:
    """Add up packed weights."""
    total = 0
    for i in range(rows.shape[0]):
        total += gains[rows[i]]
    return total


@kernel
def add_points(column: Bytes, rows: Ints, table: Bytes, points: int, scores: Bytes) -> None:
    """Add the points of a test of one column to the scores (out) of the rows for which it holds."""
    for i in range(rows.shape[0]):
        scores[i] += points * table[column[rows[i]]]


@kernel
def count_by_score(places: NDArray[Any], rows: Ints, gains: Ints, scores: Bytes, hists: Ints, totals: Ints) -> None:
    """Add the weights of rows to one histogram per score; hists and totals are out."""
    n_columns, n_bins = places.shape[1], np.uint64(hists.shape[1])
    flat = hists.reshape(-1)
    for i in range(rows.shape[0]):
        row = rows[i]
        gain = gains[row]
        totals[scores[i]] += gain
        base = np.uint64(scores[i]) * n_bins
        for j in range(n_columns):
            flat[base + places[row, j]] += gain


@kernel
def count_slopes(places: NDArray[Any], rows: Ints, slopes: Ints, curves: Ints, sums: Ints) -> None:
    """Add the first and second derivatives of the loss at each row to sums (out), bin by bin."""
    for i in range(rows.shape[0]):
        row, slope, curve = rows[i], slopes[i], curves[i]
        for j in range(places.shape[1]):
            b = places[row, j]
            sums[0, b] += slope
            sums[1, b] += curve
