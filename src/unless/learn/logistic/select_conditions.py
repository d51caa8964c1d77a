"""The conditions of a card, one after the other: each time the one that lowers the log-loss most.

In: rows in bins, which of them have the label, what each weighs, and where the program decides for the label. Out:
`Selection`, the conditions with their weights. One pass over the rows gives slope and curve of the log-loss in every
bin; from these the gain of every cut, every set of words and every "is blank" is read off. Where two conditions
together gain far more (pairs.py), they are one line. Then each condition is taken out and chosen again, once; so of
many rows a few are enough for the first choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.best_condition import WORDS, ConditionSearch
from unless.learn.logistic.bin_condition import DECISION, IDENTITY, NEVER, BinCondition, condition_found
from unless.learn.logistic.held_back import is_chance
from unless.learn.logistic.pairs import PairSearch, asked_of_pairs
from unless.learn.logistic.pattern_fit import fit_patterns
from unless.learn.logistic.pattern_rows import PatternRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.logistic.condition_limits import ConditionLimits
    from unless.learn.logistic.pattern_fit import Fit
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Bytes, Floats, Ints

FIRST, NEXT = 4, 2
"""Newton's steps at the start, and after each condition."""
LAST = 20
"""Newton's steps where it makes as many as it needs."""
HANDFUL, ROWS_PER_ONE = 10, 50
"""Fewer rows than the first, or in a small table than one of so many, are a handful."""
LOWER = 0.05
"""By how much the loss must fall for a condition to give way to another."""


@dataclass(frozen=True, eq=False)
class LabelRows:
    """The rows to choose conditions on: bins, whole weights, which have the label, where the program decides for it."""

    bins: Bins
    weights: Ints
    unit: float
    is_label: NDArray[np.bool_]
    decided: NDArray[np.bool_] | None = None

    @property
    def has_both(self) -> bool:
        """Tell whether some rows have the label and some do not."""
        return bool(self.is_label.any() and not self.is_label.all())

    def take(self, rows: NDArray[np.intp]) -> LabelRows:
        """Return some of the rows."""
        decided = None if self.decided is None else self.decided[rows]
        return LabelRows(self.bins.take(rows), self.weights[rows], self.unit, self.is_label[rows], decided)


@dataclass(eq=False)
class Selection:
    """The conditions so far, and the fit: weights, with the constant last, and the loss."""

    rows: LabelRows
    limits: ConditionLimits
    conditions: list[BinCondition] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = self.rows
        self.most = self.limits.most + (rows.decided is not None)
        self.patterns = PatternRows(rows.bins, rows.weights, rows.unit, rows.is_label, self.most)
        self.beta = np.zeros(1)
        self.fitted: Fit | None = None
        limits, fewest = self.limits, fewest_rows(self.patterns.n_rows)
        most = self.patterns.n_rows - fewest
        self._search = ConditionSearch(
            rows.bins.layout, limits.directions, self.patterns.counts, (fewest, most), limits.per_word
        )
        self._unit = self.patterns.scale * rows.unit
        self._pairs = PairSearch(self.patterns, self._search, self._unit, limits.ridge, fewest, limits.directions)

    @property
    def ridges(self) -> Floats:
        """Return the ridge of each condition; the constant has none."""
        limits = self.limits
        return np.array([limits.decision_ridge if c is DECISION else limits.ridge for c in self.conditions] + [0.0])

    def put(self, condition: BinCondition, at: int, steps: int = NEXT) -> Fit:
        """Put a condition in at a position, which may be the end, and fit the weights of all from where they are."""
        if at == len(self.conditions):
            self.conditions.append(condition)
            self.beta = np.concatenate((self.beta[:-1], (0.0, self.beta[-1])))
        else:
            self.conditions[at] = condition
            self.beta = self.beta.copy()
            self.beta[at] = 0.0
        cells, table = self._cells(condition)
        self.fitted = self.patterns.put_and_fit(cells, table, at, len(self.conditions), self.ridges, self.beta, steps)
        self.beta = self.fitted.beta
        return self.fitted

    def follow(self, other: Selection) -> None:
        """Take over the conditions chosen on other rows, and fit their weights on these."""
        self.conditions, self.beta = list(other.conditions), other.beta
        for at, condition in enumerate(self.conditions):
            self.patterns.put(*self._cells(condition), at, at + 1)
        if not self.conditions:
            self.patterns.put(self.rows.bins.by_column[0], NEVER, 0, 0)
        self.fit(FIRST)

    def fit(self, steps: int) -> Fit:
        """Fit the weights of the conditions by Newton's steps, from where they are."""
        self.fitted = fit_patterns(self.patterns.patterns, self.ridges, self.beta, steps)
        self.beta = self.fitted.beta
        return self.fitted

    def _cells(self, condition: BinCondition) -> tuple[Bytes, Bytes]:
        """Return cells, and the table over these that says where a condition holds."""
        by_column = self.rows.bins.by_column
        if condition is DECISION:
            assert self.rows.decided is not None
            return self.rows.decided.view(np.uint8), condition.table
        if condition.within is None:
            return by_column[condition.column], condition.table
        return condition.holds(by_column), IDENTITY

    def search(self, others: list[BinCondition]) -> tuple[float, BinCondition | None]:
        """Return the condition that gains most beside others, or two together, with what it gains."""
        assert self.fitted is not None
        layout = self.rows.bins.layout
        best, single = self._single(self.fitted.chances, self._allowed(others))
        asked = asked_of_pairs(best)
        if single is None or not self.limits.has_pairs or self.fitted.loss <= asked:  # all there is to gain is the loss
            return best, single
        allowed = [(context, self._allowed([*others, context])) for context in self._pairs.contexts([*others, single])]
        gain, pair = self._pairs.best(allowed, others, self.patterns.whole, asked)
        return (best, single) if pair is None or is_chance(pair, gain, layout) else (gain, pair)

    def _single(self, chances: Floats, allowed: Ints) -> tuple[float, BinCondition | None]:
        """Return the condition of one column that gains most; words of a column where they gain by chance are none."""
        rows, layout, ridge = self.patterns, self.rows.bins.layout, self.limits.ridge
        found = rows.search(chances, self._search, allowed, self._unit, ridge)
        while found is not None:
            single = condition_found(layout, found)
            if not is_chance(single, found.gain, layout):
                return found.gain, single
            allowed = allowed.copy()
            allowed[found.column] &= ~(1 << WORDS)
            found = self._search.best(rows.sums[0], allowed, self._unit, rows.whole, ridge)
        return 0.0, None

    def _allowed(self, others: list[BinCondition]) -> Ints:
        """Return the kinds allowed beside other conditions: columns that are kept apart from theirs are not."""
        if not self.limits.rivals:
            return self.limits.allowed
        allowed = self.limits.allowed.copy()
        for condition in others:
            for part in (condition, condition.within or condition):
                allowed[list(self.limits.rivals.get(part.column, ()))] = 0
        return allowed


def fewest_rows(n_rows: int) -> int:
    """Return how many rows a condition must hold for, and how many it must not: no points rest on a handful."""
    return min(HANDFUL, n_rows // ROWS_PER_ONE)


def select(rows: LabelRows, limits: ConditionLimits, few: NDArray[np.intp] | None = None) -> Selection:
    """Choose the conditions of a card, first on a few of the rows where some are given; then each again, on all."""
    chosen = Selection(rows, limits)
    if few is not None and (part := rows.take(few)).has_both:
        chosen.follow(_add_conditions(_begun(Selection(part, limits))))
    else:
        _begun(chosen)
    _add_conditions(chosen)
    for _ in range(limits.sweeps):
        for at, condition in enumerate(chosen.conditions):
            if condition is not DECISION:
                _choose_again(chosen, at)
    return chosen


def _begun(chosen: Selection) -> Selection:
    """Fit the constant, and the decision if there is one."""
    rows = chosen.rows
    share = float(rows.weights[rows.is_label].sum()) / float(rows.weights.sum())
    chosen.beta[0] = math.log(share / (1.0 - share))
    if rows.decided is not None:
        chosen.put(DECISION, 0, FIRST)
    else:
        chosen.patterns.put(rows.bins.by_column[0], NEVER, 0, 0)
        chosen.fit(FIRST)
    return chosen


def _add_conditions(chosen: Selection) -> Selection:
    """Add the condition that gains most, while one gains enough."""
    limits = chosen.limits
    while len(chosen.conditions) < chosen.most:
        gain, condition = chosen.search(chosen.conditions)
        if condition in chosen.conditions:  # it is there already, and not yet weighed to the end
            chosen.fit(LAST)
            gain, condition = chosen.search(chosen.conditions)
        if condition is None or gain < limits.least_gain or condition in chosen.conditions:
            break
        chosen.put(condition, len(chosen.conditions))
    return chosen


def _choose_again(chosen: Selection, at: int) -> None:
    """Take a condition out and choose again; keep what lowers the loss."""
    old, before, counted = chosen.conditions[at], chosen.fitted, chosen.patterns.state
    assert before is not None
    chosen.put(BinCondition(old.column, old.kind), at)
    others = chosen.conditions[:at] + chosen.conditions[at + 1 :]
    _, new = chosen.search(others)
    is_new = new is not None and new != old and new not in others
    if new is not None and is_new and chosen.put(new, at).loss < before.loss - LOWER:
        return
    chosen.conditions[at], chosen.beta, chosen.fitted = old, before.beta, before
    chosen.patterns.state = counted
