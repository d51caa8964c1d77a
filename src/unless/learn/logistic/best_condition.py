"""The next condition of a card: of every cut, every set of words and every "is blank", the one that gains most.

In: slope and curve of the log-loss in every bin, of all rows or of some, as whole numbers packed in one: the slope
above, the curve in the low bits; and the curve of all rows together. Out: `Found`. Of conditions that gain the same but
for rounding, the first by column is taken. No condition may hold for a handful of rows only, or for all but a handful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel

if TYPE_CHECKING:
    from unless.learn.optimise.layout import BinLayout, Floats, Ints

LE, GT, BLANK, WORDS = range(4)
"""The kinds of condition that are tried."""
MOST_WORDS = 8
MAX_BINS = 256
SURELY = 1.0 + 1e-9
"""Gains that differ by less are the same but for rounding."""
TINY = 1e-12
SLOPE_BITS = 32
"""How far up in a packed sum the slope stands."""
CURVE_MASK = (1 << SLOPE_BITS) - 1
"""The bits of a packed sum that are the curve."""


UNIT, WHOLE, RIDGE, FEWEST, MOST_ROWS, PER_WORD = range(6)
"""The measures of a scan: what a row counts, the curve of all rows, the ridge, limits of rows, what words cost."""


class Found(NamedTuple):
    """A condition: what it gains, its column and kind, the last number below a cut, or its words."""

    gain: float
    column: int
    kind: int
    at: int = 0
    words: tuple[int, ...] = ()


class ConditionSearch:
    """What can be asked of binned columns, laid out once for all searches."""

    def __init__(
        self, layout: BinLayout, directions: Ints, counts: Ints, held: tuple[int, int], per_word: float = 0.0
    ) -> None:
        """Take also the rows of each bin, for how many a condition must hold at least and at most, and what words cost.

        A set must gain so much for each word after the first.
        """
        self.spans = np.column_stack((layout.offsets[:-1], layout.n_numbers, layout.n_words, directions))
        self.counts, self._held, self._per_word = counts, held, per_word
        self.ratios, self.order = np.empty(MAX_BINS), np.empty((2, MOST_WORDS), dtype=np.int64)

    def measures(self, unit: float, ridge: float, whole: float = 0.0) -> Floats:
        """Return what a scan goes by: what a row counts, the curve of all rows, the ridge, and the limits."""
        return np.array([unit, whole, ridge, *self._held, self._per_word])

    def best(self, sums: Ints, allowed: Ints, unit: float, whole: float, ridge: float) -> Found | None:
        """Return the condition that gains most, of the kinds allowed by column, as bits; a row counts `unit`."""
        measures = self.measures(unit, ridge, whole)
        return self.found(*scan_conditions(sums, self.spans, allowed, self.counts, measures, self.ratios, self.order))

    def found(self, gain: float, column: int, kind: int, at: int) -> Found | None:
        """Return what a scan has found; the words stand in its scratch."""
        if column < 0:
            return None
        if kind == WORDS:
            return Found(gain, column, kind, words=tuple(sorted(self.order[1, :at].tolist())))
        return Found(gain, column, kind, at)


@helper
def _gained(packed: int, unit: float, whole: float, ridge: float) -> float:
    """Return how far the loss falls by a condition of such slope and curve, the constant fitted again."""
    slope, curve = (packed >> SLOPE_BITS) / unit, (packed & CURVE_MASK) / unit
    return 0.5 * slope * slope / (max(curve * (1.0 - curve / whole), 0.0) + ridge)


@kernel  # in one function: each further one takes its time to compile
def scan_conditions(  # noqa: C901, PLR0912
    sums: Ints, spans: Ints, allowed: Ints, counts: Ints, measures: Floats, ratios: Floats, order: Ints
) -> tuple[float, int, int, int]:
    """Return gain, column, kind and position of the best condition; the column is -1 if there is none.

    Counts are the rows of each bin; measures are the unit, the curve of all rows, the ridge, how many rows a condition
    must hold for at least and at most, and what each word after the first must gain. The position of words says how
    many of the second line of order (out) they are; ratios is scratch.
    """
    best, column, kind, at = 0.0, -1, -1, 0
    unit, whole, ridge = measures[UNIT], measures[WHOLE], measures[RIDGE]
    fewest, most_rows = measures[FEWEST], measures[MOST_ROWS]
    for j in range(len(spans)):
        first, n_numbers, n_words, direction = spans[j, 0], spans[j, 1], spans[j, 2], spans[j, 3]
        numbers, n_rows = 0, 0
        for b in range(n_numbers):
            numbers += sums[first + b]
            n_rows += counts[first + b]
        for k in range(2):  # at most, then above
            if allowed[j] >> k & 1 == 0:
                continue
            below, rows = 0, 0
            for b in range(n_numbers - 1):
                below += sums[first + b]
                rows += counts[first + b]
                packed = below if k == LE else numbers - below
                held = rows if k == LE else n_rows - rows
                if held < fewest or held > most_rows or (packed >> SLOPE_BITS) * direction * (2 * k - 1) < 0:
                    continue
                gain = _gained(packed, unit, whole, ridge)
                if gain > best * SURELY:
                    best, column, kind, at = gain, j, k, b
        blank = first + n_numbers + n_words + 1
        if allowed[j] >> BLANK & 1 and counts[blank] >= fewest and counts[blank] <= most_rows:
            gain = _gained(sums[blank], unit, whole, ridge)
            if gain > best * SURELY:
                best, column, kind, at = gain, j, BLANK, 0
        for side in range(2 if allowed[j] >> WORDS & 1 else 0):  # words that deviate most to one side
            for w in range(n_words):
                packed = sums[first + n_numbers + w]
                ratios[w] = (1 - 2 * side) * (packed >> SLOPE_BITS) / ((packed & CURVE_MASK) + unit)
            packed, rows = 0, 0
            for n in range(MOST_WORDS):
                most, word = 0.0, -1
                for w in range(n_words):
                    if ratios[w] > most:
                        most, word = ratios[w], w
                if word < 0:
                    break
                ratios[word] = 0.0
                order[0, n] = word
                packed += sums[first + n_numbers + word]
                rows += counts[first + n_numbers + word]
                gain = _gained(packed, unit, whole, ridge) - measures[PER_WORD] * n
                if gain > best * SURELY and rows >= fewest and rows <= most_rows:
                    best, column, kind, at = gain, j, WORDS, n + 1
                    for k in range(n + 1):
                        order[1, k] = order[0, k]
    return best, column, kind, at
