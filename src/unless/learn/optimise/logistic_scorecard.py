"""A scorecard weighed by logistic regression, as a program of one rule.

In: rows in bins, limits. Out: its body, or None where no sum of points reaches one half. Its conditions are chosen one
after the other by log-loss, its points are the rounded weights, and its threshold is where the probability passes one
half. Scorecards found by exact steps have fewer errors on the rows they are learned from; on others, where rows are few
or labels noisy, this one has: nothing in it was chosen by counting errors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.logistic.best_condition import BLANK, LE, WORDS
from unless.learn.logistic.best_condition import GT as ABOVE
from unless.learn.logistic.condition_limits import ConditionLimits, sensible_kinds
from unless.learn.logistic.select_conditions import LabelRows, select
from unless.learn.logistic.weigh_conditions import weigh_conditions
from unless.learn.optimise import layout
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS, MAX_POINTS
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.thresholds import Hanging, is_numeric, refit_test
from unless.learn.optimise.training import unit_of_labels

if TYPE_CHECKING:
    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.logistic.select_conditions import Selection
    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.body.bodies import Body
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.growing.growth_limits import Limits
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.state import State
    from unless.learn.optimise.training import TrainingRows

LEAST_GAIN = 1.0
"""Units of log-likelihood that a condition must gain at the usual price, and each word after its first: as many as a
further weight gains by chance (Akaike)."""
ONE = 1 << 20
"""Losses are added up in so many parts."""
FAR_APART = 0.5
"""From here on the rows of one label weigh so much more that a short rule is wanted, not a sum (`skew_of`)."""


class Weighed(NamedTuple):
    """Conditions with whole points, some below 0, and the curve from the points of a row to its probability."""

    conditions: list[BinCondition]
    points: list[int]
    slope: float
    offset: float


class WeighedTests(NamedTuple):
    """Tests that give points, and the curve from the points of a row to its probability."""

    parts: list[tuple[int, Test]]
    slope: float
    offset: float


def scorecard_limits(task: TrainingRows, limits: Limits, size_penalty: float) -> ConditionLimits | None:
    """Return what the conditions of a scorecard may be under the limits of rules; None where it could be no program.

    It could not beside rules that stay, nor where columns must be apart: a sum combines all of its columns.
    """
    if task.locked or limits.rivals or limits.max_rules < 1 or task.skew >= FAR_APART:
        return None
    kinds = limits.kinds[0]
    above, at_most = kinds >> layout.GT & 1, kinds >> layout.LE & 1
    allowed = np.where(kinds != 0, sensible_kinds(task.bins) & ~(1 << BLANK), 0)
    return ConditionLimits(
        allowed, above - at_most, most=MAX_CONDITIONS, least_gain=LEAST_GAIN * size_penalty,
        per_word=LEAST_GAIN * size_penalty, sweeps=0, has_pairs=False,
    )  # fmt: skip


def scorecard_of(task: TrainingRows, kinds: Ints, limits: ConditionLimits, *, is_exact: bool = True) -> Body | None:
    """Weigh a scorecard on some rows; None if it would say nothing, or the same of all rows.

    Conditions are chosen in bins; with `is_exact` their thresholds are then moved to exact numbers.
    """
    right = task.right.view(np.bool_)
    rows = LabelRows(task.bins, task.weights, unit_of_labels(task.weights, right), right)
    if not rows.has_both:
        return None
    lines = as_tests(task.bins, weigh(select(rows, limits), kinds))
    return body_of(with_exact_thresholds(lines, rows) if is_exact else lines)


def scorecard_predicted(fold: HeldOutFold, limits: ConditionLimits) -> tuple[Bytes, int]:
    """Return which held-out rows of a fold a scorecard weighed without them gives to its class, and its size."""
    body, bins = scorecard_of(fold.rows, fold.limits.kinds[0], limits, is_exact=False), fold.task.bins
    if body is None:
        return np.zeros(len(fold.test), dtype=np.uint8), 0
    return body[0].truth(bins, fold.test), 1 + body[0].size


def scorecard_state(task: TrainingRows, kinds: Ints, limits: ConditionLimits) -> State:
    """Return the program of which a scorecard weighed on all rows is the one rule."""
    state, body = task.state(), scorecard_of(task, kinds, limits)
    if body is not None:
        state.add(None, body)
    return state


def weigh(chosen: Selection, kinds: Ints) -> Weighed:
    """Give whole points to the conditions chosen; `kinds` are the tests allowed by column."""
    points, *curve = weigh_conditions(chosen, chosen.patterns.patterns, _signs(chosen, kinds), MAX_POINTS)
    return Weighed(chosen.conditions, points.tolist(), *curve)


def as_tests(bins: Bins, weighed: Weighed) -> WeighedTests:
    """Return tests that give points only: a condition that takes some away is turned, and its opposite gives them."""
    lines = [(mine, one) for mine, one in zip(weighed.points, weighed.conditions, strict=True) if mine]
    taken = sum(mine for mine, _ in lines if mine < 0)
    parts = [(abs(mine), _test(bins, one, mine > 0)) for mine, one in lines]
    return WeighedTests(parts, weighed.slope, weighed.offset + weighed.slope * taken)


def with_exact_thresholds(lines: WeighedTests, rows: LabelRows) -> WeighedTests:
    """Move each threshold to where the log-loss is least, all else fixed: in the bins beside it, to exact numbers.

    Not further: that it was chosen among few keeps it from following noise. Losses are added up as whole numbers: the
    order of the rows cannot change a choice.
    """
    bins, parts = rows.bins, list(lines.parts)
    everyone, signs = np.arange(bins.n_rows), np.where(rows.is_label, -1.0, 1.0)
    held = [test.truth(bins, everyone) for _, test in parts]
    totals = np.sum([mine * holds for (mine, _), holds in zip(parts, held, strict=True)], axis=0)
    heights = lines.offset + lines.slope * totals
    for k, (mine, test) in enumerate(parts):
        if is_numeric(test):
            without = heights - lines.slope * mine * held[k]
            gains = np.logaddexp(0.0, signs * without) - np.logaddexp(0.0, signs * (without + lines.slope * mine))
            nets = np.rint(gains * (rows.weights / rows.unit) * ONE)
            beside = (bins.by_column[test.column] - np.uint8(test.at) <= 1).view(np.uint8)  # of the two bins around it
            parts[k] = mine, refit_test(bins, test, Hanging(everyone, nets, beside, np.zeros_like(beside), 1, 1))
            held[k] = parts[k][1].truth(bins, everyone)
            heights = without + lines.slope * mine * held[k]
    return lines._replace(parts=parts)


def body_of(lines: WeighedTests) -> Body | None:
    """Return the body that holds where the probability is above one half; None if that is nowhere, or everywhere."""
    if lines.slope <= 0.0:
        return None
    threshold = math.floor(-lines.offset / lines.slope) + 1
    if not 0 < threshold <= sum(mine for mine, _ in lines.parts):
        return None
    parts = [(min(mine, threshold), test) for mine, test in lines.parts]
    factor = math.gcd(*(mine for mine, _ in parts))
    parts = [(mine // factor, test) for mine, test in parts]
    return (parts[0][1],) if len(parts) == 1 else (Score(tuple(parts), -(-threshold // factor)),)


def _signs(chosen: Selection, kinds: Ints) -> Ints:
    """Return +1 or -1 where points must not be of the other sign."""
    signs, directions = np.zeros(len(chosen.conditions), dtype=np.int64), chosen.limits.directions
    for i, condition in enumerate(chosen.conditions):
        if condition.kind in (LE, ABOVE):
            signs[i] = directions[condition.column] * (1 if condition.kind == ABOVE else -1)
        elif not kinds[condition.column] >> layout.NONE_OF & 1:
            signs[i] = 1
    return signs


def _test(bins: Bins, condition: BinCondition, is_for: bool) -> Test:
    """Return the test of a condition, or of its opposite where it speaks against the class."""
    column, first = condition.column, int(bins.layout.n_numbers[condition.column])
    if condition.kind == WORDS:
        words = tuple(first + word for word in condition.words)
        return make_test(bins, column, layout.ONE_OF if is_for else layout.NONE_OF, 0, words)
    is_low = condition.kind == LE
    if is_for:
        kind = layout.LE if is_low else layout.GT
    elif bins.kinds[column] >> layout.NOT_LE & 1:  # blanks and words are on the other side too
        kind = layout.NOT_LE if is_low else layout.NOT_GT
    else:
        kind = layout.GT if is_low else layout.LE
    return make_test(bins, column, kind, condition.at)
