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
FEW = 16
"""One of so many of these rows is enough to see whether rows are alike."""
ALIKE = 8
"""Where more rows than this are alike on average, some of them say little of the others."""


def some_rows(columns: Columns, n: int) -> NDArray[np.intp] | None:
    """Return the numbers of about n rows; None for all, where there are no more, or rows are too much alike."""
    if columns.n_rows <= n:
        return None
    hashes, few = _hashes(columns), n // FEW
    parted = np.partition(hashes, (few, n))
    some = np.flatnonzero(hashes <= parted[n])
    if len(some) > 2 * n or ALIKE * len(np.unique(parted[:few])) < few:
        return None
    return some


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
