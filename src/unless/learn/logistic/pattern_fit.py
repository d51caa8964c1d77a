"""A logistic curve fitted to patterns: what conditions weigh.

A pattern is a number whose bit i says whether condition i holds; rows with the same pattern are the same to a grade, so
fits work on patterns with the weight of their rows and of those with the label. In: `Patterns`, ascending, and where to
start. Out: `Fit`. Patterns are added up one after the other, by one thread: neither the order of the rows nor threads
can change a digit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel

if TYPE_CHECKING:
    from unless.learn.optimise.layout import Floats, Ints

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
    """Weights, with the constant last; the probability of each pattern; the penalised loss.

    `root` is the Cholesky root of the curvature of the loss by the weights, before the last step.
    """

    beta: Floats
    chances: Floats
    loss: float
    root: Floats


def fit_patterns(patterns: Patterns, ridge: Floats, start: Floats, steps: int) -> Fit:
    """Fit a logistic curve by at most so many of Newton's steps; the constant is the last of ridge and start."""
    n, beta, chances = len(start), start.copy(), np.empty(len(patterns.codes))
    held, work = np.empty(n, dtype=np.int64), np.empty((n + 1, n))
    loss = newton(patterns, ridge, beta, chances, held, work, steps)
    return Fit(beta, chances, loss, work[:n])


@kernel
def newton(
    patterns: Patterns, ridge: Floats, beta: Floats, chances: Floats, held: Ints, work: Floats, steps: int
) -> float:
    """Move beta (out) by Newton's steps, set the chances (out) of the patterns, return the penalised loss.

    Held and work are scratch: the conditions that hold in a pattern; the curvature's root with the move as last line.
    """
    n = len(beta)
    for _step in range(steps):
        _add_up(patterns, beta, held, work)
        for i in range(n):
            work[i, i] += ridge[i] + TINY
            work[n, i] -= ridge[i] * beta[i]
        _solve(work, n)
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(work[n, i]))
        for i in range(n):
            beta[i] += min(1.0, FAR / (largest + TINY)) * work[n, i]
        if largest < NEAR:
            break
    loss = 0.0
    for p in range(len(patterns.codes)):
        chance, height, _ = _chance(patterns.codes[p], beta, held)
        # The logarithm of 1 - chance is that of the chance less the height: one logarithm serves both.
        loss += (patterns.rows[p] - patterns.label[p]) * height - patterns.rows[p] * math.log(chance)
        chances[p] = chance
    for i in range(n):
        loss += 0.5 * ridge[i] * beta[i] * beta[i]
    return loss


@helper
def _chance(code: int, beta: Floats, held: Ints) -> tuple[float, float, int]:
    """Return the chance of a pattern, never quite 0 or 1, and the logarithm of its odds.

    Write to held (out) what these add up, and return how much.
    """
    last = len(beta) - 1
    height, n_held = beta[last], 0
    for i in range(last):  # without a branch: which conditions hold cannot be foreseen
        holds = code >> i & 1
        height += beta[i] * holds
        held[n_held] = i
        n_held += holds
    held[n_held] = last
    height = min(max(height, -HIGHEST), HIGHEST)
    return 1.0 / (1.0 + math.exp(-height)), height, n_held + 1


@helper
def _add_up(patterns: Patterns, beta: Floats, held: Ints, work: Floats) -> None:
    """Add up the lower half of the curvature of the loss, and the slopes in the last line of work (out)."""
    work[:, :] = 0.0
    last = len(beta)
    for p in range(len(patterns.codes)):
        chance, _, n_held = _chance(patterns.codes[p], beta, held)
        expected = patterns.rows[p] * chance
        slope, curve = patterns.label[p] - expected, expected * (1.0 - chance)
        for a in range(n_held):
            work[last, held[a]] += slope
            for b in range(a + 1):
                work[held[a], held[b]] += curve


@helper
def _solve(work: Floats, n: int) -> None:
    """Put the Cholesky root of a matrix in its lower half's stead, and what solves it in that of its last line."""
    for i in range(n):
        for j in range(i + 1):
            left = work[i, j]
            for k in range(j):
                left -= work[i, k] * work[j, k]
            work[i, j] = math.sqrt(max(left, TINY)) if i == j else left / work[j, j]
    for i in range(n):
        for k in range(i):
            work[n, i] -= work[i, k] * work[n, k]
        work[n, i] /= work[i, i]
    for back in range(n):
        i = n - 1 - back
        for k in range(i + 1, n):
            work[n, i] -= work[k, i] * work[n, k]
        work[n, i] /= work[i, i]
