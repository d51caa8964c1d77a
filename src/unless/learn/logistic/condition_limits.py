"""What conditions may be: how many, of which columns, in which direction, what each must gain, how far it is held back.

In: binned columns. Out: the kinds of condition that make sense for each, and `ConditionLimits`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.best_condition import BLANK, GT, LE, WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Ints


@dataclass(frozen=True)
class ConditionLimits:
    """How many conditions there are at most, what each must gain, the ridge, and what constraints forbid.

    `allowed` are the kinds of condition by column, as bits; `directions` say by column +1 where more of it may only
    speak for the label; `rivals` are the columns that must not stand beside a column. A condition must gain `per_word`
    for each of its words after the first. With `has_pairs` two conditions may be one line. Each condition is chosen
    again so many `sweeps`.
    """

    allowed: Ints
    directions: Ints
    rivals: Mapping[int, frozenset[int]] = field(default_factory=dict)
    most: int = 15
    least_gain: float = 0.5
    per_word: float = 0.0
    ridge: float = 1.0
    decision_ridge: float = 1.0
    sweeps: int = 1
    has_pairs: bool = True


def sensible_kinds(bins: Bins) -> Ints:
    """Return the kinds of condition that make sense for each column, as bits."""
    return np.array([_kinds(bins, j) for j in range(len(bins.books))], dtype=np.int64)


def _kinds(bins: Bins, column: int) -> int:
    start, end = bins.layout.offsets[column : column + 2].tolist()
    n_numbers, n_words = int(bins.layout.n_numbers[column]), int(bins.layout.n_words[column])
    cells = bins.by_column[column]
    is_blank = bool((cells == end - start - 1).any())
    kinds = 1 << LE if n_numbers > 1 else 0
    if n_numbers > 1 and bool((cells >= n_numbers).any()):
        kinds |= 1 << GT
    return kinds | (1 << WORDS if n_words else 0) | (1 << BLANK if is_blank else 0)
