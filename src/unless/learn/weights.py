"""What each row weighs in learning: by itself, and by its label."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError, MisfitError, listing
from unless.learn.optimise.training import whole_weights
from unless.table.labels import index_of, plain_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.logic.rules import Label


def row_weights(
    classes: NDArray[Any],
    labels: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    by_label: Mapping[Label, float] | str | None,
    costs: Mapping[Label, float] | None = None,
) -> NDArray[np.float64] | None:
    """Return the weight of each row; None if all weigh the same. `labels` are indices among the classes.

    A row weighs what it weighs by itself, times the weight of its label or what an error on that label costs.
    """
    factors = label_factors(classes, labels, by_label, costs, weights)
    if factors is not None:
        weights = factors[labels] if weights is None else weights * factors[labels]
    if weights is None:
        return None
    with np.errstate(over="ignore"):
        is_sound = (weights >= 0).all() and np.isfinite(weights.sum())
    if not is_sound:
        msg = "a weight is negative or not a number, or all together are too large to add up; "
        msg += "accepted for sample_weight, class_weight and costs: numbers of at least 0."
        raise DataError(msg)
    counted = {*labels[weights > 0].tolist()}
    if len(counted) < 2:
        msg = "the rows with a weight above 0 are of one class only; two are needed to learn anything."
        raise DataError(msg)
    for lost in sorted(counted - {*labels[whole_weights(weights, len(weights))[0] > 0].tolist()}):
        msg = (
            f"rows of {plain_label(classes[lost])!r} weigh so little beside the others that nothing is learned from "
            "them; bring sample_weight, class_weight or costs nearer together."
        )
        raise DataError(msg)
    return weights


def label_factors(
    classes: NDArray[Any],
    labels: NDArray[np.intp],
    by_label: Mapping[Label, float] | str | None,
    costs: Mapping[Label, float] | None,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64] | None:
    """Return by what the weight of a row is multiplied for its label; None if by nothing."""
    if by_label is not None and costs is not None:
        problem = "cannot stand beside --balanced (class_weight): both say what rows of a label weigh; give one."
        raise MisfitError(name="costs", problem=problem)
    if costs is not None:
        return _ratios(label_weights(classes, costs, "costs"))
    if isinstance(by_label, str):
        return _balanced(len(classes), labels, weights)
    return None if by_label is None else _ratios(label_weights(classes, by_label, "class_weight"))


def _ratios(by_label: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what labels weigh beside the lightest that weighs anything: six to two is three to one.

    Only the ratio says what an error costs. A whole factor does not count rows, as a whole weight of a row does; and
    5.1 to 1.7 is three to one too, whatever the last digit.
    """
    if not (by_label > 0).any():
        return by_label  # refused with the weights of the rows
    with np.errstate(over="ignore", invalid="ignore"):
        ratios = by_label / by_label[by_label > 0].min()
    if not np.isfinite(ratios).all():
        return by_label
    whole = np.rint(ratios)
    found: NDArray[np.float64] = np.where(np.isclose(ratios, whole, rtol=1e-12, atol=0.0), whole, ratios)
    return found


def _balanced(n_labels: int, labels: NDArray[np.intp], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return what makes all labels weigh the same, rows of different weight included."""
    if weights is None:
        sums = np.bincount(labels, minlength=n_labels).astype(np.float64)
    else:  # exact sums: the order of the rows must not matter
        sums = np.array([math.fsum(weights[labels == k]) for k in range(n_labels)])
    return math.fsum(sums) / (n_labels * np.where(sums > 0, sums, 1.0))


def label_weights(classes: NDArray[Any], by_label: Mapping[Label, float], name: str) -> NDArray[np.float64]:
    """Return the weight of each label; those not named weigh 1."""
    found = np.ones(len(classes))
    for label, weight in by_label.items():
        index = index_of(classes, label)
        if index < 0 and isinstance(label, str):  # the command knows labels by their text
            index = index_of(np.array([str(plain_label(one)) for one in classes]), label)
        if index < 0:
            known = listing(repr(plain_label(label)) for label in classes)
            raise MisfitError(name=name, problem=f"names {label!r}, which is not a label; labels: {known}.")
        found[index] = weight
    return found
