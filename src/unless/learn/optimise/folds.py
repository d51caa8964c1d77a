"""Inner folds: programs grown without a fifth of the rows each say what the table can bear.

In: a task, limits, a price. Out: whether scorecards come in, and the price of a literal. Folds come from the contents
of the rows (training.py). From price to price a fold's program grows on where it stood, so a second price costs little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.grow import Grower, ignore
from unless.learn.optimise.training import N_FOLDS, fires_on, fold_of

if TYPE_CHECKING:
    from unless.learn.learners import PointsChoice
    from unless.learn.optimise.grow import Limits
    from unless.learn.optimise.layout import Bytes, Floats, Ints
    from unless.learn.optimise.training import TrainingRows

FEW = 1000
"""Up to here inner folds can hardly tell one learner from another."""


@dataclass(frozen=True, eq=False)
class HeldOutFold:
    """Rows kept aside, and a program that grows without them."""

    task: TrainingRows
    limits: Limits
    test: Ints
    train: Ints

    def wrong(self, price: float) -> Bytes:
        """Grow on to a price, and return which of the rows kept aside the program gets wrong."""
        self._grower.run(price)
        free = [node for node in self._grower.state.tops if not node.is_locked]
        predicted = fires_on(free, self.task.bins, self.test) | self._given
        return np.asarray(predicted != self.task.right[self.test], dtype=np.uint8)

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self.task.take(self.train).state(), self.limits, math.inf)

    @cached_property
    def _given(self) -> Bytes:
        """Where the locked rules fire."""
        return self.task.take(self.test).state().predicted()


def make_folds(task: TrainingRows, limits: Limits, n_folds: int = N_FOLDS) -> list[HeldOutFold]:
    """Keep each row aside once; nobody hears of the growing."""
    folds, quiet = fold_of(task, n_folds), replace(limits, on_progress=ignore)
    return [HeldOutFold(task, quiet, np.flatnonzero(folds == k), np.flatnonzero(folds != k)) for k in range(n_folds)]


def held_out_errors(folds: list[HeldOutFold], price: float) -> Floats:
    """Return 1 for the rows that a program grown without them gets wrong; rows not reached in time count as right."""
    wrong = np.zeros(folds[0].task.bins.n_rows)
    for fold in folds:
        found = fold.wrong(price)
        if fold.limits.should_stop():
            break
        wrong[fold.test] = found
    return wrong


def choose_points(
    task: TrainingRows, limits: Limits, price: float, points: PointsChoice
) -> tuple[list[HeldOutFold], Floats]:
    """Return folds whose limits say whether scorecards come in, and the held-out errors; "auto" asks the rows.

    A rule reads better than a sum, so a sum must win by half a standard error, counted on the rows that the two tell
    apart. Few rows cannot show that, and there the steadier sum is right more often: it must only not lose by one.
    """
    folds = make_folds(task, limits)
    wrong = held_out_errors(folds, price)
    if points == "auto":
        scored = make_folds(task, replace(limits, points=True))
        scored_wrong = held_out_errors(scored, price)
        if _gain(wrong, scored_wrong) >= (-1.0 if task.bins.n_rows <= FEW else 0.5):
            return scored, scored_wrong
    return folds, wrong


def choose_price(folds: list[HeldOutFold], price: float, least: float) -> float:
    """Halve the price while that wins by two standard errors on the rows kept aside; few rows cannot show it."""
    if folds[0].task.bins.n_rows <= FEW:
        return price
    wrong = held_out_errors(folds, price)
    while price / 2 >= least:
        cheaper = held_out_errors(folds, price / 2)
        if _gain(wrong, cheaper) < 2:
            break
        price, wrong = price / 2, cheaper
    return price


def _gain(wrong: Floats, other: Floats) -> float:
    """Return how many rows more the other gets right, in standard errors on the rows that the two tell apart."""
    n_apart = float(np.abs(wrong - other).sum())
    return float((wrong - other).sum()) / math.sqrt(n_apart) if n_apart else 0.0
