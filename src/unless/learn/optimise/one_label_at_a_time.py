"""More than two classes: one after the other against the rest, each by the learner of two.

In: a run whose rows are those of all classes, the place of each row's class, labels. Out: rules in an order, of which
the first that holds decides, and the place of the default class. The rarest class comes first and the commonest is the
default, which needs no rules; each class sees only the rows that those before it left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.fold.foldrm import learn_ordered
from unless.learn.optimise.fit import learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.optimise.fit import Run
    from unless.learn.optimise.grow import Step
    from unless.logic.rules import Label, Rule


class InOrder(NamedTuple):
    """Rules in their order, the place of the default class, the traces of all classes, and if it was cut short."""

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
        place: int, rows: NDArray[np.intp], positive: NDArray[np.bool_]
    ) -> tuple[tuple[Rule, ...], NDArray[np.bool_]]:
        nonlocal to_come, left
        share = -(-left // to_come)
        to_come -= 1
        if share < 1 or run.clock.should_stop():
            return (), np.zeros(len(rows), dtype=np.bool_)
        task = replace(run.task.take(rows), right=positive.astype(np.uint8))
        learned = learn(replace(run, task=task, limits=replace(run.limits, max_rules=share)), labels[place])
        trace.extend(learned.trace)
        left -= learned.n_rules
        return learned.rules, learned.covers

    found = learn_ordered(codes, len(labels), one_class, weights=run.task.weights)
    return InOrder(found.rules, found.default, tuple(trace), run.clock.stopped)
