"""Shares of the labels among rows that are decided alike: what probabilities are made of. Made nowhere else.

In: for each way to be decided (a label, or a leaf, see `evaluate.leaves`) how many rows of each label go that way, and
which label is predicted there. Out: smoothed shares in which the predicted label always has the largest: the program
is the model, and a probability never speaks against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.leaves import leaf_indices, leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.table.cells import Cells


def smoothed_shares(counts: NDArray[Any], predicted: NDArray[np.intp]) -> NDArray[np.float64]:
    """Smooth counts of labels, a line for each way to be decided, into shares (Laplace)."""
    smoothed = (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
    return np.array([agreeing(line, label) for line, label in zip(smoothed, predicted, strict=True)])


def agreeing(shares: NDArray[np.float64], predicted: int) -> NDArray[np.float64]:
    """Return shares in which the predicted label has the largest: the same ones, where it has."""
    if np.argmax(shares) != predicted or np.sum(shares == shares.max()) > 1:
        # Where the training rows speak against the program, its label is barely more likely than not.
        others = np.delete(shares, predicted)
        shares = np.insert(others * 0.5 / others.sum() * (1 - 1e-9), predicted, 0.0)
        shares[predicted] = 1.0 - shares.sum()
    return shares


def leaf_counts(
    program: Program,
    columns: Mapping[str, Cells],
    labels: NDArray[np.intp],
    n_labels: int,
    weights: NDArray[np.float64] | None = None,
    known: Mapping[str, NDArray[np.bool_]] | None = None,
) -> NDArray[np.float64]:
    """Count rows by leaf and label; `labels` are indices of labels, and rows where it is negative do not count."""
    counts = np.zeros((len(leaves(program)), n_labels))
    labelled = labels >= 0
    ways = leaf_indices(program, columns, len(labels), known)[labelled]
    np.add.at(counts, (ways, labels[labelled]), 1.0 if weights is None else weights[labelled])
    return counts


def leaf_labels(program: Program, classes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the label predicted at each leaf, given the class of each label of the target, the default last."""
    return np.array([classes[leaf.label] for leaf in leaves(program)])
