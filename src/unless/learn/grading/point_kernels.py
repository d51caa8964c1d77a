"""Whole points, compiled: the curve through totals of points, and moves by one point while the loss falls.

A move changes the points of one condition; patterns then give a histogram of totals, and the curve is fitted to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unless.learn.compiled import helper, kernel
from unless.learn.grading.grade_kernels import TINY, log_loss, sigmoid

if TYPE_CHECKING:
    from unless.learn.grading.grade_kernels import Patterns
    from unless.learn.optimise.layout import Floats, Ints

MIDDLE = 512
"""Where a total of zero stands in the histogram of totals; further ones count as the last."""
SURE, QUICK = 12, 3
"""Newton's steps for the curve: at the ends, and for each move that is tried."""
LEAST = 1e-7
"""The share of the loss that a move must save."""


class Work(NamedTuple):
    """Room to work in: the total of each pattern, rows and label by total, and the curve of a move."""

    totals: Ints
    hist: Floats
    trial: Floats


@helper
def _fit_line(hist: Floats, penalty: float, line: Floats, steps: int) -> float:
    """Fit the curve (line, out: slope and offset) to a histogram of totals; return the penalised loss."""
    for _ in range(steps):
        g0, g1, h00, h01, h11 = -penalty * line[0], 0.0, penalty, 0.0, TINY
        for t in range(hist.shape[1]):
            if hist[0, t] > 0.0:
                x = float(t - MIDDLE)
                chance = sigmoid(line[0] * x + line[1])
                slope, curve = hist[1, t] - hist[0, t] * chance, hist[0, t] * chance * (1.0 - chance)
                g0 += slope * x
                g1 += slope
                h00 += curve * x * x
                h01 += curve * x
                h11 += curve
        whole = h00 * h11 - h01 * h01 + TINY
        line[0] += (g0 * h11 - g1 * h01) / whole
        line[1] += (g1 * h00 - g0 * h01) / whole
    loss: float = 0.5 * penalty * line[0] * line[0]
    for t in range(hist.shape[1]):
        if hist[0, t] > 0.0:
            loss += log_loss(hist[0, t], hist[1, t], sigmoid(line[0] * (t - MIDDLE) + line[1]))
    return loss


@helper
def _count(patterns: Patterns, totals: Ints, bit: int, change: int, hist: Floats) -> None:
    """Count weights by total into hist (out), condition `bit` having `change` points more."""
    hist[:, :] = 0.0
    for p in range(len(patterns.codes)):
        t = totals[p] + MIDDLE + change * (patterns.codes[p] >> bit & 1)
        t = max(0, min(2 * MIDDLE, t))
        hist[0, t] += patterns.rows[p]
        hist[1, t] += patterns.label[p]


@kernel
def improve_points(
    patterns: Patterns, ridge: Floats, signs: Ints, points: Ints, most: int, line: Floats, work: Work, sweeps: int
) -> float:
    """Move whole points (out) by one while the penalised loss falls, the curve `line` (out) fitted again each time.

    `signs` of +1 or -1 keep points from crossing zero; none are beyond `most`. Return the loss.
    """
    penalty = 0.0
    work.totals[:] = 0
    for i in range(len(points)):
        penalty += ridge[i] * points[i] * points[i]
        for p in range(len(patterns.codes)):
            work.totals[p] += points[i] * (patterns.codes[p] >> i & 1)
    _count(patterns, work.totals, 0, 0, work.hist)
    best, left = _fit_line(work.hist, penalty, line, SURE), sweeps * 2 * len(points)
    since, move = 0, 0
    while since < 2 * len(points) and left > 0:
        i, change = move // 2, 1 - 2 * (move % 2)
        move = (move + 1) % (2 * len(points))
        left, since, new = left - 1, since + 1, points[i] + change
        if abs(new) > most or new * signs[i] < 0:
            continue
        _count(patterns, work.totals, i, change, work.hist)
        work.trial[0], work.trial[1] = line[0], line[1]
        cost = penalty + ridge[i] * (new * new - points[i] * points[i])
        loss = _fit_line(work.hist, cost, work.trial, QUICK)
        if loss < best - LEAST * (1.0 + best):
            best, penalty, since = loss, cost, 0
            points[i] = new
            line[0], line[1] = work.trial[0], work.trial[1]
            for p in range(len(patterns.codes)):
                work.totals[p] += change * (patterns.codes[p] >> i & 1)
    _count(patterns, work.totals, 0, 0, work.hist)
    return _fit_line(work.hist, penalty, line, SURE)
