"""The conditions of a selection get whole points, held back by what searching for them gains by chance.

In: a selection, and the patterns of its conditions on the rows to weigh them on. Out: points, slope and offset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.logistic.held_back import held_back
from unless.learn.logistic.pattern_fit import fit_patterns
from unless.learn.logistic.select_conditions import LAST
from unless.learn.logistic.whole_points import MOST, whole_points

if TYPE_CHECKING:
    from unless.learn.logistic.pattern_fit import Patterns
    from unless.learn.logistic.select_conditions import Selection
    from unless.learn.optimise.layout import Ints


def weigh_conditions(
    chosen: Selection, patterns: Patterns, signs: Ints, most: int = MOST
) -> tuple[Ints, float, float]:  # fmt: skip
    """Return the points of each condition, at most so many, with slope and offset of the curve."""
    first = fit_patterns(patterns, chosen.ridges, chosen.beta, LAST)
    ridges = held_back(chosen.conditions, chosen.rows.bins.layout, chosen.ridges, first.beta)
    fitted = fit_patterns(patterns, ridges, first.beta, LAST)
    # Together the conditions are surer than each of them is: the curve is held back half as far.
    return whole_points(patterns, fitted, (chosen.ridges + ridges) / 2.0, signs, most)
