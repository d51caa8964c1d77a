"""The weights of a scorecard: a logistic regression with ridge 1 over the patterns of conditions that hold.

In: the board of a draft, with its rows gathered by pattern. Out: weights and the chance of each pattern, on the board.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper

if TYPE_CHECKING:
    from unless.learn.optimise.body.scorecard_board import DraftBoard
    from unless.learn.optimise.layout import Floats

MAX_STEPS = 8
FREE = 1e-6
"""The ridge of the intercept: enough to solve by."""
MAX_MOVE, CLOSE = 4.0, 1e-4
"""How far a weight may move in one step of the fit, and the largest move that ends it."""


@helper
def fit_weights(n: int, n_distinct: int, unit: float, board: DraftBoard) -> None:
    """Fit a logistic regression with ridge 1 over distinct patterns, from the weights of the fit before.

    Solved here and not by a library, whose last digits differ from machine to machine.
    """
    beta, chances, system = board.weights, board.chances, board.system
    beta[n] = 0.0
    is_close = False
    for step in range(MAX_STEPS + 1):
        for u in range(n_distinct):
            z, bits = beta[0], board.distinct[u]
            for i in range(n):
                if bits >> i & 1:
                    z += beta[i + 1]
            chances[u] = 1 / (1 + math.exp(-z))
        if step == MAX_STEPS or is_close:
            break
        _set_up(n, n_distinct, unit, board)
        _solve(n + 1, system)
        is_close = True
        for i in range(n + 1):
            change = system[i, n + 1]
            if abs(change) > MAX_MOVE:
                change = math.copysign(MAX_MOVE, change)
            beta[i] += change
            is_close &= abs(change) < CLOSE


@helper
def _set_up(n: int, n_distinct: int, unit: float, board: DraftBoard) -> None:
    """Write slopes and, above the diagonal and on it, curves of the penalised loss into the system."""
    system, held = board.system, board.order
    for i in range(n + 1):
        for k in range(n + 1):
            system[i, k] = 0.0
        system[i, i] = 1.0 if i else FREE
        system[i, n + 1] = -board.weights[i] if i else 0.0
    for u in range(n_distinct):
        bits, p = board.distinct[u], board.chances[u]
        right, wrong = board.gathered[0, bits] / unit, board.gathered[1, bits] / unit
        slope, curve = right - (right + wrong) * p, (right + wrong) * p * (1 - p)
        held[0] = 0
        n_held = 1
        for i in range(n):
            if bits >> i & 1:
                held[n_held] = i + 1
                n_held += 1
        for a in range(n_held):
            i = held[a]
            system[i, n + 1] += slope
            for b in range(a, n_held):
                system[i, held[b]] += curve


@helper
def _solve(n: int, system: Floats) -> None:
    """Solve a symmetric positive system of n lines in place: the solution comes into column n."""
    for i in range(n):
        for r in range(i + 1, n):
            part = system[i, r] / system[i, i]
            for k in range(r, n + 1):
                system[r, k] -= part * system[i, k]
    for back in range(1, n + 1):
        i = n - back
        for k in range(i + 1, n):
            system[i, n] -= system[i, k] * system[k, n]
        system[i, n] /= system[i, i]
