"""What the conditions of a card may be: how many, of which columns, in which direction, and how far they are held back.

In: binned columns, and what a user asks of rules. Out: `GradingLimits`, also for a program's decisions on the rows that
it was learned from, and for those of programs learned without a row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.constraints import read_constraints
from unless.learn.grading.best_condition import BLANK, GT, LE, WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Ints
    from unless.learn.task import TrainingData

IN_SAMPLE = 10.0
"""How many times the ridge the program's decisions have on the rows it was learned from."""
LEAST_SHARED = 0.05
"""Decisions of programs learned without a row, and the program's own, share no less than this."""


@dataclass(frozen=True)
class GradingLimits:
    """How many conditions there are at most, what each must gain, the ridge, and what constraints forbid.

    `allowed` are the kinds of condition by column, as bits; `directions` say by column +1 where more of it may only
    speak for the label; `rivals` are the columns that must not stand beside a column.
    """

    allowed: Ints
    directions: Ints
    rivals: dict[int, frozenset[int]]
    most: int = 15
    least_gain: float = 0.5
    ridge: float = 1.0
    decision_ridge: float = 1.0
    sweeps: int = 1


def limits_of(bins: Bins, data: TrainingData, settings: Any) -> GradingLimits:
    """Turn what a user asks of rules into what conditions may be."""
    constraints = read_constraints(
        getattr(settings, "forbidden", ()),
        getattr(settings, "apart", ()),
        getattr(settings, "monotonic_cst", None),
        bins.books,
        data.theory,
    )
    names = {book.name: j for j, book in enumerate(bins.books)}
    allowed = np.array([_kinds(bins, j) for j in range(len(bins.books))], dtype=np.int64)
    allowed[[names[name] for name in (*constraints.forbidden, *data.theory.helpers)]] = 0
    directions = np.zeros(len(bins.books), dtype=np.int64)
    for name, direction in constraints.directions.items():
        directions[names[name]] = data.direction * direction
    rivals: dict[int, frozenset[int]] = {}
    for a, b in constraints.apart:
        rivals[names[a]] = rivals.get(names[a], frozenset()) | {names[b]}
        rivals[names[b]] = rivals.get(names[b], frozenset()) | {names[a]}
    return GradingLimits(allowed, directions, rivals)


def in_sample(limits: GradingLimits) -> GradingLimits:
    """Return the limits where the program has learned from the very rows that it decides: they flatter it."""
    return replace(limits, decision_ridge=IN_SAMPLE * limits.ridge)


def out_of_fold(
    limits: GradingLimits, weights: Ints, decided: NDArray[np.bool_], own: NDArray[np.bool_]
) -> GradingLimits:
    """Return the limits where decisions are of programs learned without the row: they may be of another kind.

    Where few rows that either decides for are shared by both, those programs say little about the program's `own`.
    """

    def shared(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
        either = int(weights[one | other].sum())
        return int(weights[one & other].sum()) / either if either else 1.0

    share = max(min(shared(decided, own), shared(~decided, ~own)), LEAST_SHARED)
    return replace(limits, decision_ridge=limits.ridge / share)


def _kinds(bins: Bins, column: int) -> int:
    """Return the kinds of condition that make sense for a column, as bits."""
    start, end = bins.layout.offsets[column : column + 2].tolist()
    n_numbers, n_words = int(bins.layout.n_numbers[column]), int(bins.layout.n_words[column])
    cells = bins.by_column[column]
    is_blank = bool((cells == end - start - 1).any())
    kinds = 1 << LE if n_numbers > 1 else 0
    if n_numbers > 1 and bool((cells >= n_numbers).any()):
        kinds |= 1 << GT
    return kinds | (1 << WORDS if n_words else 0) | (1 << BLANK if is_blank else 0)
