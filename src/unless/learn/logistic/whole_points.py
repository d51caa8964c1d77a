"""Weights become whole points: rounded, then moved by one while the loss falls.

In: the patterns of a selection, and its fit. Out: points for each condition, without a common factor, and the curve
from total points to a probability. Near the fitted weights the loss is a bowl, known by its curvature: what points
cost, slope and constant fitted again, is read off it. At the end the curve is fitted to the rows themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.pattern_fit import HIGHEST, NEAR, TINY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.logistic.pattern_fit import Fit, Patterns
    from unless.learn.optimise.layout import Floats, Ints

MOST = 20
"""Points of one condition at most."""
MOVES = 200
STEPS = 12
"""Newton's steps for the curve."""
LEAST = 1e-9
"""The share of what is explained that a move must add."""


def whole_points(
    patterns: Patterns, fit: Fit, ridge: Floats, signs: Ints, most: int = MOST
) -> tuple[Ints, float, float]:  # fmt: skip
    """Return points, slope and offset; ridge ends with the constant's, signs say which points may not cross zero."""
    weights = np.where(fit.beta[:-1] * signs < 0, 0.0, fit.beta[:-1])
    largest = float(np.abs(weights).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(len(weights), dtype=np.int64), 0.0, float(fit.beta[-1])
    bowl = _bowl(np.einsum("ik,jk->ij", fit.root, fit.root))
    rounded = np.rint(weights * (most / largest)).astype(np.int64)
    points = _improved(rounded, bowl, bowl @ fit.beta[:-1], signs, most)
    points //= int(np.gcd.reduce(points)) or 1
    pull = float(points @ bowl @ fit.beta[:-1]) / (float(points @ bowl @ points) + TINY)
    slope, offset = _curve(patterns, points, float(np.sum(ridge[:-1] * points * points)), [pull, fit.beta[-1]])
    return points, slope, offset


def _bowl(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the curvature of the loss by the weights, the constant following."""
    return np.asarray(curves[:-1, :-1] - np.outer(curves[:-1, -1], curves[-1, :-1]) / curves[-1, -1])


def _improved(points: Ints, bowl: NDArray[np.float64], pull: Floats, signs: Ints, most: int) -> Ints:
    """Move one point at a time, each time the one that explains most.

    Weights w explain (p.Bw)^2 / (p.Bp) of themselves by points p, the slope being best; `pull` is Bw.
    """
    points, changes = points.copy(), np.array([[1], [-1]])
    for _ in range(MOVES):
        new = points + changes
        steep, square = float(points @ pull), float(points @ bowl @ points)
        grown = square + changes * 2.0 * (bowl @ points) + np.diag(bowl)
        explained = (steep + changes * pull) ** 2 / (grown + TINY)
        explained[(np.abs(new) > most) | (new * signs < 0) | (steep + changes * pull <= 0.0)] = 0.0
        best = int(np.argmax(explained))
        if explained.flat[best] <= (steep * steep / (square + TINY)) * (1.0 + LEAST):
            break
        points = points.copy()
        points[best % len(points)] += 1 if best < len(points) else -1
    return points


def _curve(patterns: Patterns, points: Ints, penalty: float, start: list[float]) -> tuple[float, float]:
    """Fit slope and offset to the rows by total points; weights are slope times points, and penalised so."""
    totals = np.zeros(len(patterns.codes), dtype=np.int64)
    for i, mine in enumerate(points.tolist()):
        totals += mine * (patterns.codes >> i & 1)
    different, indices = np.unique(totals, return_inverse=True)
    rows, label = (np.bincount(indices, each).astype(np.float64) for each in (patterns.rows, patterns.label))
    lines = np.stack((different.astype(np.float64), np.ones(len(different))))
    ridge = np.array([penalty, 0.0])

    def height(line: Floats) -> tuple[float, Floats]:
        chances = sigmoid(line[0] * lines[0] + line[1])
        return log_loss(rows, label, chances) + 0.5 * penalty * float(line[0]) ** 2, chances

    line = np.array(start)
    loss, chances = height(line)
    for _ in range(STEPS):
        slopes = np.sum(lines * (label - rows * chances), axis=1) - ridge * line
        curves = np.sum(lines[:, None] * lines * (rows * chances * (1.0 - chances)), axis=2)
        move = np.linalg.solve(curves + np.diag(ridge + TINY), slopes)
        new, new_chances = height(line + move)
        while new > loss and np.abs(move).max() > NEAR:
            move /= 2.0
            new, new_chances = height(line + move)
        if new >= loss:
            break
        line, loss, chances = line + move, new, new_chances
    return float(line[0]), float(line[1])


def sigmoid(heights: Floats) -> Floats:
    """Return probabilities, never quite 0 or 1."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(heights, -HIGHEST, HIGHEST))))


def log_loss(rows: Floats, label: Floats, chances: Floats) -> float:
    """Return the loss of probabilities for some rows, of which some have the label."""
    return -float(np.sum(label * np.log(chances) + (rows - label) * np.log(1.0 - chances)))
