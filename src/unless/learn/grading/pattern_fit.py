"""A logistic curve fitted to patterns: what conditions weigh.

A pattern is a number whose bit i says whether condition i holds; rows with the same pattern are the same to a grade, so
fits work on patterns with the weight of their rows and of those with the label. In: `Patterns`, ascending, and where to
start. Out: `Fit`. Slopes and curves are rounded to whole numbers before they are added up, so that sums are exact:
neither the order of the rows nor threads of a matrix product can change a digit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Floats, Ints

SCALE = float(1 << 20)
"""Slopes and curves are counted in this fraction of a row, as whole numbers."""
TINY = 1e-12
FAR = 4.0
"""No weight moves further in one of Newton's steps."""
NEAR = 1e-7
"""Steps end when no weight moves further than this: beyond it slopes are lost in rounding."""
HIGHEST = 30.0
"""The logarithm of odds at most, so that no probability is quite 0 or 1."""


class Patterns(NamedTuple):
    """The patterns that occur, ascending, with the weight of their rows and of those with the label."""

    codes: Ints
    rows: Floats
    label: Floats


class Fit(NamedTuple):
    """Weights, with the constant last; the probability of each pattern; the penalised loss."""

    beta: Floats
    chances: Floats
    loss: float


def sigmoid(heights: Floats) -> Floats:
    """Return probabilities, never quite 0 or 1."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(heights, -HIGHEST, HIGHEST))))


def log_loss(rows: Floats, label: Floats, chances: Floats) -> float:
    """Return the loss of probabilities for some rows, of which some have the label."""
    return -float(np.sum(label * np.log(chances) + (rows - label) * np.log(1.0 - chances)))


def fit_patterns(patterns: Patterns, ridge: Floats, start: Floats, steps: int) -> Fit:
    """Fit a logistic curve by at most so many of Newton's steps; the constant is the last of ridge and start."""
    truths, beta = truth_lines(patterns.codes, len(start) - 1), start.copy()
    chances = _chances(truths, beta)
    for _ in range(steps):
        slopes = np.rint((patterns.label - patterns.rows * chances) * SCALE)
        move = np.linalg.solve(
            curvature(truths, patterns.rows, chances, ridge), (truths * slopes).sum(axis=1) / SCALE - ridge * beta
        )
        largest = float(np.abs(move).max())
        beta += move * min(1.0, FAR / (largest + TINY))
        chances = _chances(truths, beta)
        if largest < NEAR:
            break
    loss = log_loss(patterns.rows, patterns.label, chances) + 0.5 * float(np.sum(ridge * beta * beta))
    return Fit(beta, chances, loss)


def truth_lines(codes: Ints, n: int) -> Floats:
    """Return for each of n conditions a line of ones and zeros, by pattern, and a line of ones for the constant."""
    lines = np.ones((n + 1, len(codes)))
    for i in range(n):
        lines[i] = codes >> i & 1
    return lines


def curvature(truths: Floats, rows: Floats, chances: Floats, ridge: Floats) -> NDArray[np.float64]:
    """Return the second derivatives of the penalised loss by the weights."""
    curves = np.rint(rows * chances * (1.0 - chances) * SCALE)
    # Not `@`: the threads of BLAS cost more than they save on so little.
    matrix: NDArray[np.float64] = np.einsum("ip,jp->ij", truths * curves, truths) / SCALE
    matrix[np.diag_indices(len(matrix))] += ridge + TINY
    return matrix


def _chances(truths: Floats, beta: Floats) -> Floats:
    heights = np.zeros(truths.shape[1])
    for line, weight in zip(truths, beta.tolist(), strict=True):  # not a product: its rounding may depend on threads
        heights += weight * line
    return sigmoid(heights)
