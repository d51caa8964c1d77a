"""How much weight one row is worth as evidence, where rows weigh differently.

In: whole weights, how often each row is there, which rows have the label. Out: the weight that counts as one row. What
a label costs is no evidence: were weights taken for copies of rows, chance would look ten times as sure at ten times
the cost. Divided by the unit, slopes of the log-loss vary as those of so many plain rows do (the ratio of the middle
and the outer part of the sandwich estimator, where nothing is known yet).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.training import count_rows, unit_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.training import TrainingRows


def row_counts(rows: TrainingRows, own: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return how often each row is there, by what it weighs by itself; None if once, or if that is no count."""
    return None if own is None or not count_rows(own) else own[rows.rows]


def row_unit(weights: Ints, counts: NDArray[np.float64] | None, is_label: NDArray[np.bool_]) -> float:
    """Return the weight that counts as one row when a label is graded: both labels' units, each by the other's share.

    So rows of a weight that is the same for all count once, whole weights of their own count rows (a row of weight 2 is
    the same as two rows), and where a label costs more, its rows count the more the rarer it is.
    """
    mine, others = (_unit(weights, counts, rows) for rows in (is_label, ~is_label))
    if mine == others:
        return mine
    share = int(weights[is_label].sum()) / int(weights.sum())
    return mine * (1.0 - share) + others * share


def _unit(weights: Ints, counts: NDArray[np.float64] | None, rows: NDArray[np.bool_]) -> float:
    """Return the weight of the row that an average unit of weight belongs to, each row as often as it is there."""
    if counts is None:
        return unit_of(weights[rows])
    some = weights[rows].astype(np.float64)
    return math.fsum(some * some / counts[rows]) / math.fsum(some)  # exact sums: the order of the rows must not matter
