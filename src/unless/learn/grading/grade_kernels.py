"""What counts in grading, compiled: the fit on patterns, and the best next condition.

A pattern is a number whose bit i says whether condition i holds; rows with the same pattern are the same to a grade, so
fits work on patterns with the weight of their rows and of those with the label. Patterns come in ascending order and
weights are whole numbers: the order of the rows cannot change a digit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from unless.learn.compiled import helper, kernel

if TYPE_CHECKING:
    from unless.learn.optimise.layout import BinLayout, Floats, Ints

LE, GT, WORDS, BLANK = range(4)
"""The kinds of condition that are tried."""
TINY = 1e-12
SURELY = 1.0 + 1e-9
"""Of conditions that gain the same but for rounding, the first is taken."""
FAR = 4.0
"""No weight moves further in one of Newton's steps."""


class Patterns(NamedTuple):
    """The patterns that occur, ascending, with the weight of their rows and of those with the label."""

    codes: Ints
    rows: Floats
    label: Floats


class Kinds(NamedTuple):
    """What may be tried, by column: kinds of condition as bits, and +1 or -1 where more must speak for or against."""

    allowed: Ints
    directions: Ints


@helper
def sigmoid(x: float) -> float:
    """Return a probability, never quite 0 or 1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@helper
def log_loss(rows: float, label: float, chance: float) -> float:
    """Return the loss of a probability for some rows, of which some have the label."""
    return -label * math.log(chance) - (rows - label) * math.log(1.0 - chance)


@helper
def _solve(matrix: Floats, vector: Floats, n: int) -> None:
    """Solve a positive definite system in the upper left corner of matrix; vector (out) becomes its solution."""
    for j in range(n):
        for k in range(j):
            matrix[j, j] -= matrix[j, k] * matrix[j, k]
        matrix[j, j] = math.sqrt(max(matrix[j, j], TINY))
        for i in range(j + 1, n):
            for k in range(j):
                matrix[i, j] -= matrix[i, k] * matrix[j, k]
            matrix[i, j] /= matrix[j, j]
    for i in range(n):
        for k in range(i):
            vector[i] -= matrix[i, k] * vector[k]
        vector[i] /= matrix[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            vector[i] -= matrix[k, i] * vector[k]
        vector[i] /= matrix[i, i]


@helper
def _add_up(patterns: Patterns, beta: Floats, chances: Floats, scratch: Floats) -> float:
    """Add up slopes and curves of the loss over the patterns, into scratch (out); return the loss."""
    n, loss = len(beta), 0.0
    gradient, held = scratch[n], scratch[n + 1]
    for p in range(len(patterns.codes)):
        height, m = beta[n - 1], 0
        for i in range(n - 1):
            if patterns.codes[p] >> i & 1:
                held[m] = i
                height += beta[i]
                m += 1
        held[m] = n - 1
        chance = sigmoid(height)
        chances[p] = chance
        loss += log_loss(patterns.rows[p], patterns.label[p], chance)
        slope, curve = patterns.label[p] - patterns.rows[p] * chance, patterns.rows[p] * chance * (1.0 - chance)
        for a in range(m + 1):
            i = int(held[a])
            gradient[i] += slope
            for b in range(a + 1):
                scratch[i, int(held[b])] += curve
    return loss


@kernel
def fit_patterns(
    patterns: Patterns, ridge: Floats, beta: Floats, chances: Floats, scratch: Floats, steps: int
) -> float:
    """Fit a logistic curve by Newton's steps from beta (out), whose last is the constant; return the penalised loss.

    `chances` (out) are probabilities by pattern; scratch has two lines more than beta is long.
    """
    n, loss, largest = len(beta), 0.0, 1.0
    gradient = scratch[n]
    for step in range(steps + 1):
        scratch[:, :] = 0.0
        loss = _add_up(patterns, beta, chances, scratch)
        for i in range(n):
            loss += 0.5 * ridge[i] * beta[i] * beta[i]
            gradient[i] -= ridge[i] * beta[i]
            scratch[i, i] += ridge[i] + TINY
        if step == steps or largest < 1e-9:
            break
        _solve(scratch, gradient, n)
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(gradient[i]))
        for i in range(n):
            beta[i] += gradient[i] * min(1.0, FAR / (largest + TINY))
    return loss


@helper
def _offer(slope: float, curve: float, whole: float, ridge: float, best: Floats) -> bool:
    """Tell whether the loss falls further by one more condition, the constant fitted again, than by the best (out)."""
    gain = 0.5 * slope * slope / (curve * (1.0 - curve / whole) + ridge)
    if gain <= best[0] * SURELY:
        return False
    best[0] = gain
    return True


@helper
def _try_cuts(
    sums: Floats, first: int, numbers: int, allowed: int, direction: int, whole: float, ridge: float, best: Floats
) -> int:
    """Try every cut of the numbers of a column; return 2 * cut + kind of the best one, -1 when none is better."""
    all_slope, all_curve = 0.0, 0.0
    for b in range(first, first + numbers):
        all_slope += sums[0, b]
        all_curve += sums[1, b]
    slope, curve, found = 0.0, 0.0, -1
    for k in range(numbers - 1):
        slope += sums[0, first + k]
        curve += sums[1, first + k]
        if allowed >> LE & 1 and slope * direction <= 0.0 and _offer(slope, curve, whole, ridge, best):
            found = 2 * k + LE
        above = all_slope - slope
        if allowed >> GT & 1 and above * direction >= 0.0 and _offer(above, all_curve - curve, whole, ridge, best):
            found = 2 * k + GT
    return found


@helper
def _next_word(sums: Floats, first: int, n_words: int, taken: Ints, n_taken: int, side: float) -> int:
    """Return the word whose rows deviate most to one side, among those not taken yet; -1 when there is none."""
    top, pick = 0.0, -1
    for w in range(n_words):
        ratio = side * sums[0, first + w] / (sums[1, first + w] + 1.0)
        if ratio > top:
            is_free = True
            for t in range(n_taken):
                is_free = is_free and taken[t] != w
            if is_free:
                top, pick = ratio, w
    return pick


@helper
def _try_words(
    sums: Floats, first: int, n_words: int, whole: float, ridge: float, taken: Ints, best: Floats, found: Ints
) -> int:
    """Try sets of words that deviate to one side; return the size of the best, whose words are in found (out), or 0."""
    size = 0
    for side in range(2):
        slope, curve = 0.0, 0.0
        for n in range(min(len(taken), n_words)):
            word = _next_word(sums, first, n_words, taken, n, 1.0 - 2.0 * side)
            if word < 0:
                break
            taken[n] = word
            slope += sums[0, first + word]
            curve += sums[1, first + word]
            if _offer(slope, curve, whole, ridge, best):
                size = n + 1
                for t in range(size):
                    found[3 + t] = taken[t]
    return size


@kernel
def best_condition(
    sums: Floats, layout: BinLayout, kinds: Kinds, ridge: float, taken: Ints, best: Floats, found: Ints
) -> None:
    """Find the condition of any column that gains most: best (out) is its gain, found (out) column, kind, cut, words.

    `sums` are slopes and curves by bin. `taken` is scratch, as long as a set of words may be.
    """
    for c in range(len(layout.n_numbers)):
        start, end, numbers, allowed = layout.offsets[c], layout.offsets[c + 1], layout.n_numbers[c], kinds.allowed[c]
        whole = TINY
        for b in range(start, end):
            whole += sums[1, b]
        if allowed >> LE & 3:
            cut = _try_cuts(sums, start, numbers, allowed, kinds.directions[c], whole, ridge, best)
            if cut >= 0:
                found[0], found[1], found[2] = c, cut % 2, cut // 2
        if allowed >> BLANK & 1 and _offer(sums[0, end - 1], sums[1, end - 1], whole, ridge, best):
            found[0], found[1], found[2] = c, BLANK, 0
        if allowed >> WORDS & 1:
            size = _try_words(sums, start + numbers, layout.n_words[c], whole, ridge, taken, best, found)
            if size > 0:
                found[0], found[1], found[2] = c, WORDS, size
