"""Which lines of a card are turned so that its points count from 0, as people add them up.

In: the conditions of a card with their points, and the patterns of conditions that rows have. Out: the lines to be
written by their opposite, with the points of the other sign: that moves all totals by as much, and nothing else.
Of each column the rows that have the least get 0: there every line that holds for them is turned. What asks for two
conditions is turned where it takes points away. So no training row has less than 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.bin_condition import DECISION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.optimise.layout import Ints


def lines_to_turn(conditions: Sequence[BinCondition], points: Sequence[int], patterns: Ints) -> frozenset[int]:
    """Return the lines to turn, by their numbers, which are those of the bits of patterns."""
    columns: dict[int, list[int]] = {}
    turned: set[int] = set()
    for i, condition in enumerate(conditions):
        if condition.within is not None:
            turned |= {i} if points[i] < 0 else set()
        elif condition is not DECISION and points[i]:
            columns.setdefault(condition.column, []).append(i)
    for lines in columns.values():
        turned |= _held_by_the_lowest(lines, points, patterns)
    return frozenset(turned)


def _held_by_the_lowest(lines: Sequence[int], points: Sequence[int], patterns: Ints) -> set[int]:
    """Return those of the lines of a column that hold for the rows which get the least by them.

    Of several kinds of rows that get as little, the one whose pattern is the lowest number: row order cannot matter.
    """
    mine = np.unique(patterns & sum(1 << i for i in lines))
    totals = np.zeros(len(mine), dtype=np.int64)
    for i in lines:
        totals += points[i] * (mine >> i & 1)
    lowest = int(mine[np.argmin(totals)])
    return {i for i in lines if lowest >> i & 1}
