"""What rows weigh as evidence, and how far the costs of labels move a probability.

In: what rows weigh, by themselves and by their labels, which rows have the label. Out: whole weights, the weight that
counts as one row, and the shift of the log-odds. What a label costs is no evidence: an odds ratio of two labels is the
same among rows as they are and as weighed, only the odds of all rows move, by the ratio of costs. So points of two
labels are learned from rows as they are, and the curve is moved. With more labels the others' costs differ, no curve
can be moved for all rows alike, and points are learned from rows as weighed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.optimise.training import unit_of_labels, whole_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Ints
    from unless.learn.task import TrainingData


class Evidence:
    """The whole weights of some rows, and what labels cost beside them, by index; () if they cost the same."""

    def __init__(self, data: TrainingData, rows: Ints) -> None:
        """Take the rows of these numbers."""
        factors = data.label_factors
        moves_curve = factors is not None and len(factors) == 2
        weights = data.own_weights if factors is None or moves_curve else data.weights
        self.weights, are_whole = whole_weights(None if weights is None else weights[rows], len(rows))
        self.are_counts = are_whole and weights is data.own_weights
        self.costs = tuple(factors.tolist()) if factors is not None and moves_curve else ()

    @property
    def is_weighed(self) -> bool:
        """Tell whether some rows weigh more than others, or some labels."""
        return len(set(self.costs)) > 1 or bool(self.weights.min() < self.weights.max())

    @property
    def moves_curve_alone(self) -> bool:
        """Tell whether costs of labels are all that makes rows weigh differently: then both probabilities are known."""
        return len(set(self.costs)) > 1 and bool(self.weights.min() == self.weights.max())

    def unit(self, is_label: NDArray[np.bool_]) -> float:
        """Return the weight that counts as one row when a label is graded.

        Whole weights of rows' own count rows: one of weight 2 is the same as two.
        """
        return 1.0 if self.are_counts else unit_of_labels(self.weights, is_label)

    def cost_ratio(self, index: int) -> float:
        """Return how many times an error on a label costs one on the other: so much the odds of all rows rise."""
        return self.costs[index] / self.costs[1 - index] if self.costs else 1.0
