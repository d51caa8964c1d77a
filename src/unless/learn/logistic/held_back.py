"""Lines that were searched for are held back by what their search gains by chance.

In: the conditions of a card, their ridges and weights. Out: larger ridges. Of many cuts or sets of words the best one
gains something where there is nothing to find, so its weight is too large. A line that gains far more than chance would
keeps its weight; one that gains no more loses about half of it. The decision of the program was not searched for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.best_condition import GT, LE, WORDS
from unless.learn.logistic.bin_condition import DECISION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.optimise.layout import BinLayout, Floats

ANY, PER_CUTS, PER_WORD = 1.0, 0.5, 0.3
"""Units of log-likelihood gained by chance: by any line, by one of e times as many cuts, by a set of one word more.

The best of 31 cuts gains two units among noise, the best set of twelve words four; some more is for the choice of the
column.
"""
MANY_WORDS, PER_TIMES = 12, 6.0
"""Of more words than this a set takes but a few: from here on e times as many words gain so much more."""
LEAST_WEIGHT = 0.01
"""Smaller weights are held back as this one is."""


def chance_gain(condition: BinCondition, layout: BinLayout) -> float:
    """Return what the search that found a condition gains, about, where labels have nothing to do with the columns."""
    return 0.0 if condition is DECISION else ANY + _of_column(condition, layout)


def is_chance(condition: BinCondition, gain: float, layout: BinLayout) -> bool:
    """Tell whether a condition that asks for some of very many words gains no more than it would among noise."""
    asked = (condition, condition.within or condition)
    has_many = any(part.kind == WORDS and layout.n_words[part.column] > MANY_WORDS for part in asked)
    return has_many and gain < chance_gain(condition, layout)


def _of_column(condition: BinCondition, layout: BinLayout) -> float:
    """Return what is gained by the choice of a cut, or of words; of two conditions, by both choices."""
    within = 0.0 if condition.within is None else _of_column(condition.within, layout)
    if condition.kind in (LE, GT):
        return within + PER_CUTS * math.log(max(int(layout.n_numbers[condition.column]) - 1, 1))
    if condition.kind == WORDS:
        n_words = int(layout.n_words[condition.column])
        few = min(n_words, MANY_WORDS)
        return within + PER_WORD * max(few - 2, 0) + PER_TIMES * math.log(n_words / few)
    return within


def held_back(conditions: Sequence[BinCondition], layout: BinLayout, ridges: Floats, beta: Floats) -> Floats:
    """Return ridges by which a weight falls to g / (g + c) of itself, where its line gains g, and c by chance.

    A line of weight w and curvature v gains w²v / 2, and a ridge r leaves v / (v + r) of its weight. No ridge gets
    smaller; the constant's, the last, stays.
    """
    by_chance = np.array([chance_gain(condition, layout) for condition in conditions] + [0.0])
    return np.maximum(ridges, 2.0 * by_chance / np.maximum(beta * beta, LEAST_WEIGHT**2))
