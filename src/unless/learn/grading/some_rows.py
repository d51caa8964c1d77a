"""Some rows of a large table, chosen by their contents: enough to choose conditions on.

In: a table in codes. Out: row numbers, the same rows for any order of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns

HASH_START, HASH_PRIME, HASH_SHIFT = np.uint64(0xCBF29CE484222325), np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
SPREAD = 1000
"""Columns join the hash of a row until so many times as many rows could differ."""
PARTS = 4
"""A few rows are so much less than some."""
PROBE = 8
"""One of so many of a few rows is enough to see whether rows are alike."""
ALIKE = 8
"""Where more rows than this are alike on average, some of them say little of the others."""


def nested_rows(columns: Columns, n: int) -> tuple[NDArray[np.intp] | None, NDArray[np.intp] | None]:
    """Return the numbers of about n rows, and which of these, by their position, are a few: about a quarter of n.

    None is for all: where there are no more than n, or than twice a few, or where rows are too much alike.
    """
    n_rows, few = columns.n_rows, n // PARTS
    if n_rows <= 2 * few:
        return None, None
    hashes, probe = _hashes(columns), few // PROBE
    parted = np.partition(hashes, sorted({probe, few, min(n, n_rows - 1)}))
    is_few = hashes <= parted[few]
    if np.count_nonzero(is_few) > 2 * few or ALIKE * len(np.unique(parted[:probe])) < probe:
        return None, None
    if n_rows <= n:
        return None, np.flatnonzero(is_few)
    some = np.flatnonzero(hashes <= parted[n])
    return some, np.flatnonzero(is_few[some])


def _hashes(columns: Columns) -> NDArray[np.uint64]:
    """Return a number for each row that depends on its cells only, of the columns with most different cells."""
    hashes = np.full(columns.n_rows, HASH_START)
    different = 1
    for column in sorted(range(len(columns.books)), key=lambda j: (-columns.books[j].missing, j)):
        hashes ^= columns.codes_of(column)
        hashes *= HASH_PRIME
        hashes ^= hashes >> HASH_SHIFT
        different *= columns.books[column].missing + 1
        if different > SPREAD * columns.n_rows:
            break
    return hashes
