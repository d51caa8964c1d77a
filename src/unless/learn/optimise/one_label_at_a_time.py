"""More than two classes: one after the other against the rest, each by the learner of two.

In: a run whose rows are those of all classes, the index of each row's class, labels. Out: rules in an order, of which
the first that holds decides, and the index of the default class. The rarest class comes first and the commonest is the
default, which needs no rules; each class sees only the rows that those before it left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.optimise.fit import learn
from unless.learn.optimise.training import skew_of, typical_weight, unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.learn.optimise.fit import Run
    from unless.learn.optimise.growing.growth_limits import Step
    from unless.learn.optimise.layout import Ints
    from unless.logic.rules import Label, Rule

    LearnLabel = Callable[[int, NDArray[np.intp], NDArray[np.bool_]], tuple[Sequence[Rule], NDArray[np.bool_]]]


class InOrder(NamedTuple):
    """Rules in their order, the index of the default class, the traces of all classes, and if it was cut short."""

    rules: tuple[Rule, ...]
    default: int
    trace: tuple[Step, ...]
    stopped: bool


def learn_in_order(run: Run, codes: NDArray[np.intp], labels: Sequence[Label]) -> InOrder:
    """Learn each class in its turn.

    The limit of rules is that of all classes together: each may use its share of what those before it left.
    """
    codes = codes[run.task.rows]
    trace: list[Step] = []
    to_come, left = len(labels) - 1, run.limits.max_rules

    def one_class(
        index: int, rows: NDArray[np.intp], positive: NDArray[np.bool_]
    ) -> tuple[tuple[Rule, ...], NDArray[np.bool_]]:
        nonlocal to_come, left
        share = -(-left // to_come)
        to_come -= 1
        if share < 1 or run.clock.should_stop():
            return (), np.zeros(len(rows), dtype=np.bool_)
        task = replace(run.task.take(rows), right=positive.astype(np.uint8))
        units = _units(task.weights, positive)
        task = replace(task, heavier=max(units), skew=skew_of(*units))
        learned = learn(replace(run, task=task, limits=replace(run.limits, max_rules=share)), labels[index])
        trace.extend(learned.trace)
        left -= learned.n_rules
        return learned.rules, learned.covers

    found = learn_ordered(codes, len(labels), one_class, weights=run.task.weights)
    return InOrder(found.rules, found.default, tuple(trace), run.clock.stopped)


def _units(weights: Ints, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Return what a row of a class weighs, and one of the others.

    Of the others a typical row counts: a class of one row, weighed like all others, is as heavy as a thousand rows, and
    would make the rules of every class dear.
    """
    return unit_of(weights[positive]), typical_weight(weights[~positive])


class Ordered(NamedTuple):
    """Rules in their order, and the index of the class of the rows that none covers."""

    rules: tuple[Rule, ...]
    default: int


def learn_ordered(
    codes: NDArray[np.intp], n_classes: int, learn: LearnLabel, weights: NDArray[np.integer[Any]] | None = None
) -> Ordered:
    """Learn one class after the other against the rest, by any learner of two classes.

    `codes` are the indices of the rows' classes. `learn(label, rows, positive)` gets a class, the numbers of the rows
    that no earlier class has taken, and which of them are of the class; it returns rules (whose heads are its label)
    and which of these rows they cover. The rarest class comes first; the commonest needs no rules. Each class sees only
    what the classes before it left, and the rows that all leave decide the default.
    """
    weights = np.ones(len(codes), dtype=np.int64) if weights is None else weights
    left = np.arange(len(codes))
    rules: list[Rule] = []
    for label in _rarest_first(codes, weights, n_classes)[:-1]:
        positive = codes[left] == label
        if not positive.any() or positive.all():
            continue
        learned, covered = learn(label, left, positive)
        rules += learned
        left = left[~covered]
    rest = left if len(left) else np.arange(len(codes))
    return Ordered(tuple(rules), _commonest(codes[rest], weights[rest], n_classes))


def _rarest_first(codes: NDArray[np.intp], weights: NDArray[np.integer[Any]], n_classes: int) -> list[int]:
    """Return the classes by weight and, where all were made to weigh the same, by rows; of equal ones the first."""
    shares, rows = _shares(codes, weights, n_classes)
    return [int(label) for label in np.lexsort((rows, shares))]


def _commonest(codes: NDArray[np.intp], weights: NDArray[np.integer[Any]], n_classes: int) -> int:
    """Return the class of most weight, of equally heavy ones that of most rows; of equal ones the first."""
    shares, rows = _shares(codes, weights, n_classes)
    return int(np.lexsort((-rows, -shares))[0])


def _shares(
    codes: NDArray[np.intp], weights: NDArray[np.integer[Any]], n_classes: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the share of each class in the weight, without what rounding adds to it, and its rows."""
    by_class = np.bincount(codes, weights, n_classes)
    return np.round(by_class / by_class.sum(), 6), np.bincount(codes, minlength=n_classes)
