"""Inner folds: programs grown without some rows say what the table can bear.

In: a task, limits. Out: which of the rows kept aside a program gives to its class. Folds come from the contents of the
rows (training.py), and so does the sample that a fold is grown on where there are many rows: what inner folds cost is
bounded, and it changes little with one row more. From price to price a fold's program grows on where it stood.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.grow import Grower
from unless.learn.optimise.training import N_FOLDS, deal_order, fires_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.learn.optimise.grow import Limits
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.training import TrainingRows

MAX_TRAIN = 3000
"""The rows that a program of an inner fold is grown on at most."""
FOLDS_UP_TO = ((4, 1000), (3, 2000), (2, 10_000))
"""How many folds there are up to how many rows; beyond, one part is kept aside. More rows show as much in fewer."""


def n_inner_folds(n_rows: int) -> int:
    """Return how many inner folds a table is worth."""
    return next((n for n, most in FOLDS_UP_TO if n_rows <= most), 1)


@dataclass(frozen=True, eq=False)
class HeldOutFold:
    """Rows kept aside, and a program that grows without them; a sample of its rows has a lower price.

    A `twin` grows another program on the same rows.
    """

    task: TrainingRows
    limits: Limits
    test: Ints
    train: Ints
    share: float = 1.0
    twin: HeldOutFold | None = None

    def predicted(self, price: float, is_hopeful: Callable[[Bytes], bool] | None = None) -> Bytes:
        """Grow on to a price, and return which of the rows kept aside the program gives to its class.

        Growing ends early where that, said after a step, is not hopeful.
        """
        goes_on = (lambda: True) if is_hopeful is None else (lambda: is_hopeful(self._said()))
        self.grower.run(price * self.share**0.25, goes_on)
        return self._said()

    def wrong(self, price: float) -> Bytes:
        """Grow on to a price, and return which of the rows kept aside the program gets wrong."""
        return np.asarray(self.predicted(price) != self.task.right[self.test], dtype=np.uint8)

    @property
    def is_full(self) -> bool:
        """Tell whether the program has as many rules as it may."""
        return self.grower.state.n_rules >= self.limits.max_rules

    def _said(self) -> Bytes:
        free = [node for node in self.grower.state.tops if not node.is_locked]
        return np.asarray(fires_on(free, self.task.bins, self.test) | self._given, dtype=np.uint8)

    @cached_property
    def grower(self) -> Grower:
        """Return the program that grows."""
        return Grower(self.rows.state(), self.limits, math.inf)

    @cached_property
    def rows(self) -> TrainingRows:
        """Return the rows that the program grows on."""
        return self.task.take(self.train) if self.twin is None else self.twin.rows

    @cached_property
    def _given(self) -> Bytes:
        """Where the locked rules fire."""
        given = np.zeros(len(self.test), dtype=np.uint8)
        for fires in self.task.locked:
            given |= fires[self.test]
        return given


def make_folds(
    task: TrainingRows, limits: Limits, n_folds: int = N_FOLDS, most: int | None = None
) -> list[HeldOutFold]:
    """Keep each row aside once, or one part where there is one fold; steps of their growing are called tries."""
    order, watch = deal_order(task), limits.on_progress
    limits = replace(limits, on_progress=lambda step: watch(replace(step, action="try")))
    if n_folds == 1:
        train = evenly(order, MAX_TRAIN if most is None else most)
        test = np.setdiff1d(order, train)
        return [HeldOutFold(task, limits, test, np.sort(train), len(train) / len(order))]
    folds = []
    for k in range(n_folds):
        is_kept = np.arange(len(order)) % n_folds != k
        others = order[is_kept]
        train = others if most is None else evenly(others, most)
        share = len(train) / len(others)
        folds.append(HeldOutFold(task, limits, np.sort(order[~is_kept]), np.sort(train), share))
    return folds


def twins(folds: list[HeldOutFold], limits: Limits) -> list[HeldOutFold]:
    """Return folds of the same rows under other limits."""
    return [replace(fold, limits=replace(limits, on_progress=fold.limits.on_progress), twin=fold) for fold in folds]


def evenly(order: Ints, most: int) -> Ints:
    """Return at most so many of the rows, at even distances."""
    if len(order) <= most:
        return order
    return order[np.arange(most) * len(order) // most]
