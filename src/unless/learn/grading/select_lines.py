"""The conditions of a card, one after the other: each time the one that lowers the log-loss most.

In: rows in bins, which of them have the label, what each weighs, and where the program decides for the label. Out:
`Selection`, the conditions with their weights. One pass over the rows gives slope and curve of the log-loss in every
bin; from these the gain of every cut, every set of words and every "is blank" is read off. Then each condition is taken
out and chosen again, once. Sums are of whole numbers, so the order of the rows cannot matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.grading.best_condition import BLANK, GT, LE, ConditionSearch
from unless.learn.grading.pattern_fit import SCALE, Fit, Patterns, fit_patterns
from unless.learn.optimise.histograms import count_slopes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.grading.best_condition import Found
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Bytes, Floats, Ints

FIRST, NEXT, LAST = 4, 2, 20
"""Newton's steps at the start, after each condition, and at the end, where it makes as many as it needs."""
LOWER = 0.05
"""By how much the loss must fall for a condition to give way to another."""
NEVER = np.zeros(256, dtype=np.uint8)


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


@dataclass(frozen=True, eq=False)
class LabelRows:
    """The rows to grade: bins, whole weights, which have the label, and where the program decides for it."""

    bins: Bins
    weights: Ints
    unit: float
    is_label: NDArray[np.bool_]
    decided: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class BinCondition:
    """A condition of one column as a table over its bins; the program's decision has no column."""

    column: int
    kind: int
    at: int = 0
    words: tuple[int, ...] = ()
    table: Bytes | None = field(default=None, compare=False, repr=False)


DECISION = BinCondition(-1, -1)


@dataclass(eq=False)
class Selection:
    """The conditions so far, the pattern of each row, and the fit: weights, with the constant last, and the loss."""

    rows: LabelRows
    limits: GradingLimits
    conditions: list[BinCondition] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codes = np.zeros(self.rows.bins.n_rows, dtype=np.int64)
        self.beta = np.zeros(1)
        self.loss = math.inf
        self.fitted = Fit(self.beta, np.zeros(0), math.inf)
        self._search = ConditionSearch(self.rows.bins.layout, self.limits.directions)
        self._label_weights = (self.rows.weights * self.rows.is_label).astype(np.float64)
        self._weights = self.rows.weights.astype(np.float64)

    @property
    def ridges(self) -> Floats:
        """Return the ridge of each condition; the constant has none."""
        limits = self.limits
        return np.array([limits.decision_ridge if c is DECISION else limits.ridge for c in self.conditions] + [0.0])

    def patterns(self) -> Patterns:
        """Return the patterns there are, with the weight of their rows and of those with the label, in average rows."""
        size = 1 << len(self.conditions)
        is_there = np.zeros(size, dtype=np.bool_)
        is_there[self.codes] = True
        present = np.flatnonzero(is_there)
        number = np.empty(size, dtype=np.int64)
        number[present] = np.arange(len(present))
        self.pattern = number[self.codes]
        rows = np.bincount(self.pattern, self._weights) / self.rows.unit
        return Patterns(present, rows, np.bincount(self.pattern, self._label_weights) / self.rows.unit)

    def truth(self, condition: BinCondition) -> NDArray[Any]:
        """Return for each row whether a condition holds."""
        if condition is DECISION:
            assert self.rows.decided is not None
            return self.rows.decided
        assert condition.table is not None
        holds: NDArray[Any] = condition.table[self.rows.bins.by_column[condition.column]]
        return holds

    def put(self, condition: BinCondition, at: int, weight: float = 0.0) -> None:
        """Put a condition in at a position, which may be the end."""
        bit = self.truth(condition).astype(np.int64) << at
        if at == len(self.conditions):
            self.conditions.append(condition)
            self.beta = np.insert(self.beta, at, weight)
            self.codes = self.codes | bit
        else:
            self.conditions[at] = condition
            self.beta = self.beta.copy()
            self.beta[at] = weight
            self.codes = self.codes & ~np.int64(1 << at) | bit

    def fit(self, steps: int) -> None:
        """Fit the weights of the conditions by Newton's steps, from where they are."""
        self.fitted = fit_patterns(self.patterns(), self.ridges, self.beta, steps)
        self.beta, self.loss = self.fitted.beta, self.fitted.loss

    def search(self, others: list[BinCondition]) -> tuple[float, BinCondition | None]:
        """Return the condition that gains most beside others, with what it gains."""
        rows, chances = self.rows, self.fitted.chances
        slopes = self._label_weights * SCALE - np.rint(chances * SCALE)[self.pattern] * self._weights
        curves = np.rint(chances * (1.0 - chances) * SCALE)[self.pattern] * self._weights
        allowed = self._allowed(others)
        sums = np.zeros((2, rows.bins.n_bins), dtype=np.int64)
        count_slopes(rows.bins.bin_index, slopes.astype(np.int64), curves.astype(np.int64), sums)
        found = self._search.best(sums[0], sums[1], allowed, SCALE * rows.unit, self.limits.ridge)
        return (0.0, None) if found is None else (found.gain, self._condition(found))

    def _condition(self, found: Found) -> BinCondition:
        layout = self.rows.bins.layout
        n_numbers, n_words = int(layout.n_numbers[found.column]), int(layout.n_words[found.column])
        table = np.zeros(256, dtype=np.uint8)
        if found.kind == LE:
            table[: found.at + 1] = 1
        elif found.kind == GT:
            table[found.at + 1 : n_numbers] = 1
        elif found.kind == BLANK:
            table[n_numbers + n_words + 1] = 1
        else:
            table[[n_numbers + word for word in found.words]] = 1
        return BinCondition(found.column, found.kind, found.at, found.words, table)

    def _allowed(self, others: list[BinCondition]) -> Ints:
        """Return the kinds allowed beside other conditions: columns that are kept apart from theirs are not."""
        allowed = self.limits.allowed.copy()
        for condition in others:
            allowed[list(self.limits.rivals.get(condition.column, ()))] = 0
        return allowed


def select(rows: LabelRows, limits: GradingLimits) -> Selection:
    """Choose the conditions of a card."""
    chosen = Selection(rows, limits)
    share = float(rows.weights @ rows.is_label) / float(rows.weights.sum())
    chosen.beta[0] = math.log(share / (1.0 - share))
    if rows.decided is not None:
        chosen.put(DECISION, 0)
    chosen.fit(FIRST)
    while len(chosen.conditions) < limits.most + (rows.decided is not None):
        gain, condition = chosen.search(chosen.conditions)
        if condition in chosen.conditions:  # it is there already, and not yet weighed to the end
            chosen.fit(LAST)
            gain, condition = chosen.search(chosen.conditions)
        if condition is None or gain < limits.least_gain or condition in chosen.conditions:
            break
        chosen.put(condition, len(chosen.conditions))
        chosen.fit(NEXT)
    for _ in range(limits.sweeps):
        for at, condition in enumerate(chosen.conditions):
            if condition is not DECISION:
                _choose_again(chosen, at)
    chosen.fit(LAST)
    return chosen


def _choose_again(chosen: Selection, at: int) -> None:
    """Take a condition out and choose again; keep what lowers the loss."""
    old, kept = chosen.conditions[at], dict(vars(chosen))
    chosen.put(BinCondition(old.column, old.kind, table=NEVER), at)
    chosen.fit(NEXT)
    others = chosen.conditions[:at] + chosen.conditions[at + 1 :]
    _, new = chosen.search(others)
    if new is not None and new != old and new not in others:
        chosen.put(new, at)
        chosen.fit(NEXT)
        if chosen.loss < kept["loss"] - LOWER:
            return
    vars(chosen).update(kept)
    chosen.conditions[at] = old
