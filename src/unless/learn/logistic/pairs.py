"""Two conditions together: the best one within those that a card has already, for columns that speak together.

In: rows as patterns, with slope and curve of the log-loss at each, and the conditions to look within. Out: what the
best pair gains, and the pair. There are many pairs, so some gain by chance, and they are harder to read: a pair must
gain clearly more than the best single condition. What each context could gain falls as a card grows; so a context that
promised less than is asked for, when it was last looked at, is not looked at again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.best_condition import BLANK, GT, LE, SURELY
from unless.learn.logistic.bin_condition import DECISION, condition_found, opposite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.learn.logistic.best_condition import ConditionSearch
    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.logistic.pattern_rows import PatternRows
    from unless.learn.optimise.layout import BinLayout, Ints

TIMES, MORE = 1.5, 7.0
"""A pair must gain so many times what the best single condition does, and so much more."""


def asked_of_pairs(gain: float) -> float:
    """Return what a pair must gain where the best single condition gains so much."""
    return TIMES * gain + MORE


def contexts_in(condition: BinCondition, layout: BinLayout, directions: Ints) -> tuple[BinCondition, ...]:
    """Return the contexts that a condition gives to look within: itself and its opposite, if it is of one column.

    One whose points have a direction gives none: whether it may speak for or against would hang on what is beside it.
    """
    if condition is DECISION or condition.within or condition.kind == BLANK or directions[condition.column]:
        return ()
    other = opposite(layout, condition)
    return (condition,) if other is None else (condition, other)


@dataclass(eq=False)
class PairSearch:
    """Searches pairs, and remembers what each context could gain when it was looked at last."""

    rows: PatternRows
    search: ConditionSearch
    unit: float
    ridge: float
    fewest: int
    directions: Ints
    _gains: dict[BinCondition, float] = field(default_factory=dict)
    _contexts: dict[BinCondition, tuple[BinCondition, ...]] = field(default_factory=dict)

    def contexts(self, conditions: Iterable[BinCondition]) -> list[BinCondition]:
        """Return where to look beside some conditions, each context once."""
        found: dict[BinCondition, None] = {}
        for condition in conditions:
            if condition not in self._contexts:
                self._contexts[condition] = contexts_in(condition, self.rows.bins.layout, self.directions)
            found |= dict.fromkeys(self._contexts[condition])
        return list(found)

    def best(
        self, contexts: list[tuple[BinCondition, Ints]], others: list[BinCondition], whole: float, asked: float
    ) -> tuple[float, BinCondition | None]:
        """Return the pair that gains most, if one gains more than is asked for.

        Beside each context stand the kinds of condition allowed in it; `whole` is the curve of all rows.
        """
        best, found = asked, None
        for context, allowed in sorted(contexts, key=lambda each: -self._gains.get(each[0], math.inf)):
            if self._gains.get(context, math.inf) < best:
                break
            gain, pair = self._within(context, allowed, whole)
            self._gains[context] = gain
            if pair is not None and gain > best * SURELY and pair not in others and not self._is_handful(pair):
                best, found = gain, pair
        return best, found

    def _within(self, context: BinCondition, allowed: Ints, whole: float) -> tuple[float, BinCondition | None]:
        """Return the best condition within one of one column, and what both together gain."""
        bins = self.rows.bins
        found = self.search.best(
            self.rows.sums_where(context), _both_sides(allowed, context.column), self.unit, whole, self.ridge
        )
        return (0.0, None) if found is None else (found.gain, condition_found(bins.layout, found, context))

    def _is_handful(self, pair: BinCondition) -> bool:
        return self.rows.count_of(pair.holds(self.rows.bins.by_column)) < self.fewest


def _both_sides(allowed: Ints, column: int) -> Ints:
    """Return the kinds allowed beside a column: alone "above" says no more than "at most", beside another it does."""
    kinds = np.where(allowed >> LE & 1, allowed | 1 << GT, allowed)
    kinds[column] = 0
    return kinds
