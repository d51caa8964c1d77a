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

from unless.learn.optimise.growing.grow import Grower
from unless.learn.optimise.training import N_FOLDS, deal_order, first_dealt

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ThreadPoolExecutor

    from unless.learn.optimise.growing.growth_limits import Limits
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

    @property
    def is_full(self) -> bool:
        """Tell whether the program has as many rules as it may."""
        return self.grower.n_rules >= self.limits.max_rules

    def _said(self) -> Bytes:
        """Return what the program of the moment says of the rows kept aside."""
        return self.grower.program.predicted(self.task.bins.by_column, self.test, self._given)

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


class FoldAhead:
    """The next fold, whose program grows on to a price in another thread: it may turn out that nobody wants it."""

    def __init__(
        self, fold: HeldOutFold, price: float, is_hopeful: Callable[[Bytes], bool], pool: ThreadPoolExecutor
    ) -> None:
        self._fold, self._is_wanted = fold, True
        self._before, self._price = fold.grower.program.plain(), fold.grower.price
        self._predicted = pool.submit(fold.predicted, price, lambda said: self._is_wanted and is_hopeful(said))

    def predicted(self) -> Bytes:
        """Return which held-out rows the program gives to its class, once it is grown."""
        return self._predicted.result()

    def give_up(self) -> None:
        """Leave the fold as it was."""
        self._is_wanted = False
        self.predicted()
        self._fold.grower.go_back(self._before, self._price)


def make_folds(
    task: TrainingRows, limits: Limits, n_folds: int = N_FOLDS, most: int | None = None
) -> list[HeldOutFold]:
    """Keep each row aside once, or one part where there is one fold; steps of their growing are called tries."""
    watch = limits.on_progress
    limits = replace(limits, on_progress=lambda step: watch(replace(step, action="try")))
    if n_folds == 1:
        n_rows, train = task.bins.n_rows, np.sort(first_dealt(task, MAX_TRAIN if most is None else most))
        test = np.delete(np.arange(n_rows), train)
        return [HeldOutFold(task, limits, test, train, len(train) / n_rows)]
    order = deal_order(task)
    folds, part = [], _parts(task.right[order], n_folds)
    for k in range(n_folds):
        others = order[part != k]
        train = others if most is None else first_of(others, task, most)
        share = len(train) / max(1, len(others))
        folds.append(HeldOutFold(task, limits, np.sort(order[part == k]), np.sort(train), share))
    return folds


def _parts(right: Bytes, n_folds: int) -> Ints:
    """Return the part of each row: neighbours in the order of a class, so that a row more moves one or none of each."""
    n_first = int(np.count_nonzero(right == 0))
    sizes = np.where(right == 0, n_first, len(right) - n_first)
    numbers = np.arange(len(right)) - np.where(right == 0, 0, n_first)
    parts = numbers * n_folds // np.maximum(sizes, 1)
    return np.asarray(np.where(right == 0, parts, n_folds - 1 - parts), dtype=np.int64)  # few rows: not all in one


def first_of(order: Ints, task: TrainingRows, most: int) -> Ints:
    """Return at most so many of the rows, the first of each class: a row more changes one of them or none."""
    if len(order) <= most:
        return order
    right = task.right[order]
    n_right = round(most * int(np.count_nonzero(right)) / len(order))
    is_kept = np.where(right == 1, np.cumsum(right) <= n_right, np.cumsum(1 - right.astype(np.int64)) <= most - n_right)
    return order[is_kept]


def twins(folds: list[HeldOutFold], limits: Limits) -> list[HeldOutFold]:
    """Return folds of the same rows under other limits."""
    return [replace(fold, limits=replace(limits, on_progress=fold.limits.on_progress), twin=fold) for fold in folds]
