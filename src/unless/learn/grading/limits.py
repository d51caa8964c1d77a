"""What the conditions of a grade may be: of which columns, in which direction, and how far they are held back.

In: binned columns, and what a user asks of rules. Out: `ConditionLimits`, also for a program's decisions on the rows
that it was learned from, and for those of programs learned without a row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.constraints import read_constraints
from unless.learn.logistic.condition_limits import ConditionLimits, sensible_kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Ints
    from unless.learn.task import TrainingData

IN_SAMPLE = 10.0
"""How many times the ridge the program's decisions have on the rows it was learned from."""
LEAST_SHARED = 0.05
"""Decisions of programs learned without a row, and the program's own, share no less than this."""


def limits_of(bins: Bins, data: TrainingData, settings: Any) -> ConditionLimits:
    """Turn what a user asks of rules into what conditions may be."""
    constraints = read_constraints(
        getattr(settings, "forbidden", ()),
        getattr(settings, "apart", ()),
        getattr(settings, "monotonic_cst", None),
        bins.books,
        data.theory,
    )
    names = {book.name: j for j, book in enumerate(bins.books)}
    allowed = sensible_kinds(bins)
    allowed[[names[name] for name in (*constraints.forbidden, *data.theory.helpers)]] = 0
    directions = np.zeros(len(bins.books), dtype=np.int64)
    for name, direction in constraints.directions.items():
        directions[names[name]] = data.direction * direction
    rivals: dict[int, frozenset[int]] = {}
    for a, b in constraints.apart:
        rivals[names[a]] = rivals.get(names[a], frozenset()) | {names[b]}
        rivals[names[b]] = rivals.get(names[b], frozenset()) | {names[a]}
    return ConditionLimits(allowed, directions, rivals)


def in_sample(limits: ConditionLimits) -> ConditionLimits:
    """Return the limits where the program has learned from the very rows that it decides: they flatter it."""
    return replace(limits, decision_ridge=IN_SAMPLE * limits.ridge)


def out_of_fold(
    limits: ConditionLimits, weights: Ints, decided: NDArray[np.bool_], own: NDArray[np.bool_]
) -> ConditionLimits:
    """Return the limits where decisions are of programs learned without the row: they may be of another kind.

    Where few rows that either decides for are shared by both, those programs say little about the program's `own`.
    """

    def shared(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
        either = int(weights[one | other].sum())
        return int(weights[one & other].sum()) / either if either else 1.0

    share = max(min(shared(decided, own), shared(~decided, ~own)), LEAST_SHARED)
    return replace(limits, decision_ridge=limits.ridge / share)
