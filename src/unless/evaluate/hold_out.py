"""Rows to hold out: so many, of each label alike, and the same ones every time.

In: a label's code for each row, and how many rows are wanted. Out: the numbers of exactly so many rows, in order. The
rows are laid out label by label, shuffled within each, and taken at equal steps. So each label gives its share of the
rows, up or down by less than one; labels too rare for a share of their own are dealt out together, as they come. The
shuffle is drawn from the bits of a named generator, whose stream NumPy keeps from version to version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 0


def hold_out(codes: NDArray[np.integer[Any]], n_rows: int, seed: int = SEED) -> NDArray[np.intp]:
    """Draw rows, of each label alike."""
    n_all = len(codes)
    if not 0 <= n_rows <= n_all:
        msg = f"{n_rows:,} rows cannot be held out; the table has {n_all:,}."
        raise DataError(msg)
    by_label = _laid_out(codes, seed)
    # The middle of each step: whole numbers, so that no rounding takes a row twice.
    taken = (2 * np.arange(n_rows) + 1) * n_all // (2 * max(n_rows, 1))
    return np.sort(by_label[taken])


def folds(codes: NDArray[np.integer[Any]], n_folds: int, seed: int = SEED) -> list[NDArray[np.intp]]:
    """Deal all rows out into folds, of each label alike."""
    by_label = _laid_out(codes, seed)
    return [np.sort(by_label[first::n_folds]) for first in range(n_folds)]


def _laid_out(codes: NDArray[np.integer[Any]], seed: int) -> NDArray[np.intp]:
    """Return the rows label by label, shuffled within each."""
    shuffled = np.argsort(np.random.PCG64(seed).random_raw(len(codes)), kind="stable")
    return shuffled[np.argsort(codes[shuffled], kind="stable")]
