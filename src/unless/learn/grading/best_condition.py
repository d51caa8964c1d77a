"""The next condition of a card: of every cut, every set of words and every "is blank", the one that gains most.

In: slope and curve of the log-loss in every bin, as whole numbers. Out: `Found`. Of conditions that gain the same but
for rounding, the first by column is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import BinLayout, Floats, Ints

LE, GT, BLANK, WORDS = range(4)
"""The kinds of condition that are tried."""
MOST_WORDS = 8
SURELY = 1.0 + 1e-9
"""Gains that differ by less are the same but for rounding."""
TINY = 1e-12


class Found(NamedTuple):
    """A condition: what it gains, its column and kind, the last number below a cut, or its words."""

    gain: float
    column: int
    kind: int
    at: int = 0
    words: tuple[int, ...] = ()


class Offers(NamedTuple):
    """Conditions of one kind: what each gains (-1: not allowed), its column, and where in the search it is found."""

    gains: Floats
    columns: Ints
    kind: int
    at: Ints


class Gauge(NamedTuple):
    """What makes gains of slopes and curves: what counts as one row, the curve of all rows, and the ridge."""

    unit: float
    whole: float
    ridge: float

    def gains(self, slopes: Ints, curves: Ints) -> Floats:
        """Return how far the loss falls by conditions of such slopes and curves, the constant fitted again."""
        slope, curve = slopes / self.unit, curves / self.unit
        spread = np.maximum(curve * (1.0 - curve / self.whole), 0.0)
        return np.asarray(0.5 * slope * slope / (spread + self.ridge))


class ConditionSearch:
    """What can be asked of binned columns, laid out once for all searches."""

    def __init__(self, layout: BinLayout, directions: Ints) -> None:
        first, n_bins = layout.offsets[:-1], np.diff(layout.offsets)
        column = np.repeat(np.arange(len(first)), n_bins)
        within = np.arange(len(column)) - first[column]
        n_numbers, n_words = layout.n_numbers[column], layout.n_words[column]
        self.first, self.n_numbers, self.directions = first, layout.n_numbers, directions
        self.end = layout.offsets[1:]
        self.cuts = np.flatnonzero(within < n_numbers - 1)
        self.words = np.flatnonzero((within >= n_numbers) & (within < n_numbers + n_words))
        self.column = column

    def best(self, slopes: Ints, curves: Ints, allowed: Ints, unit: float, ridge: float) -> Found | None:
        """Return the condition that gains most, of the kinds allowed by column, as bits."""
        padded = [np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(each))) for each in (slopes, curves)]
        whole = float(padded[1][self.end[0]])  # of the first column: every column has all rows
        gauge = Gauge(unit, whole / unit + TINY, ridge)
        offers = [*self._cuts(padded, gauge, allowed), self._blanks(slopes, curves, gauge, allowed)]
        sides = [self._words(slopes, curves, gauge, allowed, side) for side in (1, -1)]
        offers += [offer for offer, _ in sides]
        most = max((float(offer.gains.max(initial=0.0)) for offer in offers), default=0.0)
        if most <= 0.0:
            return None
        ties = [
            (int(offer.columns[i]), offer.kind, int(offer.at[i]), n)
            for n, offer in enumerate(offers)
            for i in np.flatnonzero(offer.gains * SURELY >= most).tolist()
        ]
        column, kind, at, n = min(ties)
        if kind != WORDS:
            return Found(most, column, kind, 0 if kind == BLANK else at)
        return Found(most, column, kind, words=self._set(sides[n - len(offers)][1], column, at))

    def _cuts(self, padded: list[NDArray[np.int64]], gauge: Gauge, allowed: Ints) -> list[Offers]:
        """Try every cut of numbers: at most, and above."""
        columns = self.column[self.cuts]
        first, stop = self.first[columns], (self.first + self.n_numbers)[columns]
        slopes, curves = (each[self.cuts + 1] - each[first] for each in padded)
        above = [each[stop] - each[self.cuts + 1] for each in padded]
        at, direction, kinds = self.cuts - first, self.directions[columns], allowed[columns]
        may_le = (kinds >> LE & 1 == 1) & (slopes * direction <= 0)
        may_gt = (kinds >> GT & 1 == 1) & (above[0] * direction >= 0)
        return [
            Offers(np.where(may_le, gauge.gains(slopes, curves), -1.0), columns, LE, at),
            Offers(np.where(may_gt, gauge.gains(above[0], above[1]), -1.0), columns, GT, at),
        ]

    def _blanks(self, slopes: Ints, curves: Ints, gauge: Gauge, allowed: Ints) -> Offers:
        gains = gauge.gains(slopes[self.end - 1], curves[self.end - 1])
        columns = np.arange(len(self.end))
        return Offers(np.where(allowed >> BLANK & 1 == 1, gains, -1.0), columns, BLANK, columns)

    def _words(self, slopes: Ints, curves: Ints, gauge: Gauge, allowed: Ints, side: int) -> tuple[Offers, Ints]:
        """Try sets of words that deviate most to one side; return also the words in that order, column by column."""
        columns = self.column[self.words]
        ratios = side * slopes[self.words] / (curves[self.words] + gauge.unit)
        order = np.lexsort((-ratios, columns))
        order = order[(ratios[order] > 0.0) & (allowed[columns[order]] >> WORDS & 1 == 1)]
        words, columns = self.words[order], columns[order]
        starts = np.searchsorted(columns, columns)
        rank = np.arange(len(words)) - starts
        slope, curve = (
            np.cumsum(each) - np.concatenate(([0], np.cumsum(each)))[starts] for each in (slopes[words], curves[words])
        )
        gains = np.where(rank < MOST_WORDS, gauge.gains(slope, curve), -1.0)
        return Offers(gains, columns, WORDS, np.arange(len(words))), words

    def _set(self, words: Ints, column: int, at: int) -> tuple[int, ...]:
        """Return the words of a column up to one, counted from the column's first word."""
        mine = words[: at + 1][self.column[words[: at + 1]] == column]
        return tuple(sorted((mine - self.first[column] - self.n_numbers[column]).tolist()))
