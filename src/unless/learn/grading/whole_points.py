"""Weights become whole points: rounded, then moved by one while the log-loss falls.

In: the patterns of a selection, and its weights. Out: points for each condition, without a common factor, and the curve
from total points to a probability. The loss is that of the fit, ridge included: whole points times the slope stand for
the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.grading.point_kernels import MIDDLE, Work, improve_points

if TYPE_CHECKING:
    from unless.learn.grading.grade_kernels import Patterns
    from unless.learn.optimise.layout import Floats, Ints

MOST = 20
"""Points of one condition at most."""
SWEEPS = 20


def whole_points(patterns: Patterns, beta: Floats, ridge: Floats, signs: Ints) -> tuple[Ints, float, float]:
    """Return points, slope and offset; beta and ridge end with the constant's, signs say which points may not cross."""
    weights = np.where(beta[:-1] * signs < 0, 0.0, beta[:-1])
    largest = float(np.abs(weights).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(len(weights), dtype=np.int64), 0.0, float(beta[-1])
    points = np.rint(weights * (MOST / largest)).astype(np.int64)
    line = np.array([largest / MOST, beta[-1]])
    work = Work(np.empty(len(patterns.codes), dtype=np.int64), np.empty((2, 2 * MIDDLE + 1)), np.empty(2))
    improve_points(patterns, ridge[:-1], signs, points, MOST, line, work, SWEEPS)
    common = int(np.gcd.reduce(points)) or 1
    return points // common, float(line[0]) * common, float(line[1])
