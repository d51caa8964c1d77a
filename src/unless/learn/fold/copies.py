"""Weights for learners that count: a row stands in the table as often as it weighs.

In: `TrainingData` with weights. Out: the same without, whose rows are repeated; without weights it stays as it is. The
counts stay whole numbers, so nothing else in these learners knows of weights, and a row of weight two is two rows to
the letter. Weights that are no multiples of the smallest are rounded to eighths of the mean of those above 0, which are
one copy at least. How often a row is there depends on its weight and on that mean alone, never on the order of rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import DataError
from unless.learn.rows.codes import Block, Columns
from unless.learn.rows.source import LocalTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.task import TrainingData

PARTS = 8
"""Into how many parts the mean weight is divided."""
MOST = 1 << 28
"""So many rows are counted at most."""


def counted_out(data: TrainingData) -> TrainingData:
    """Return the training data with each row as often as it weighs."""
    if data.weights is None:
        return data
    times = copies(data.weights)
    if times.sum() > MOST:
        msg = (
            f"the weights ask for {times.sum():,} rows, and {MOST:,} can be counted. Hint: weights that are whole and "
            "small, or nearer to one another, need fewer."
        )
        raise DataError(msg)
    table = data.local
    labels = np.repeat(table.labels, times)
    columns = _repeated(table.columns, times)
    return replace(
        data,
        table=LocalTable(columns, labels, _repeated(table.aside, times)),
        columns=columns,
        counts=np.bincount(labels, minlength=len(data.classes)),
        weights=None,
    )


def copies(weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return how often each row is there; 0 for weight 0.

    >>> copies(np.array([0.5, 1.0, 0.0, 1.5])).tolist(), copies(np.array([1.0, 1.0, 4.3])).tolist()
    ([1, 2, 0, 3], [4, 4, 16])
    """
    multiples: NDArray[np.float64] = weights / weights[weights > 0].min()
    for whole in (multiples, weights):
        if (whole == np.rint(whole)).all() and whole.sum() <= PARTS * np.count_nonzero(weights):
            return whole.astype(np.intp)
    rounded: NDArray[np.float64] = np.rint(weights * (PARTS / np.sort(weights[weights > 0]).mean()))
    return np.maximum(rounded, weights > 0).astype(np.intp)


def _repeated(columns: Columns, times: NDArray[np.intp]) -> Columns:
    blocks = tuple(Block(block.members, np.repeat(block.codes, times, axis=0)) for block in columns.blocks)
    return Columns(columns.books, blocks, int(times.sum()))
