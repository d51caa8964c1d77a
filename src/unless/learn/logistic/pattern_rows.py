"""Rows as patterns of conditions: which there are, and what each bin of a table would add to them.

In: binned rows with whole weights, and the conditions so far, as bits of one number a row. Out: `Patterns`; and slope
and curve of the log-loss in every bin, packed (see best_condition.py), of all rows or of some. Sums are of whole
numbers, so the order of the rows cannot matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.logistic.best_condition import CURVE_MASK, SLOPE_BITS, TINY, UNIT, WHOLE, scan_conditions
from unless.learn.logistic.pattern_fit import Fit, Patterns, newton

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.logistic.best_condition import ConditionSearch, Found
    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Bytes, Floats, Ints

MOST = float(1 << 30)
"""What the weights of all rows make together, where slopes and curves are rounded: a sum of either fits 32 bits."""
BLOCK_BITS = 6
"""Patterns are looked through by blocks of two to this power: few rows have patterns in few of them."""
FINE = 1024.0
"""A row is counted in at least so many parts."""


class PatternRows:
    """The rows of a card: which conditions hold in each, counted by pattern.

    The first line of `sums` has slope and curve of every bin, packed, as of the last search; `whole` is the curve of
    all rows.
    """

    def __init__(self, bins: Bins, weights: Ints, unit: float, is_label: NDArray[np.bool_], most: int) -> None:
        self.bins, self.unit = bins, unit
        self.codes = np.zeros(bins.n_rows, dtype=np.int64)
        self._is_label, self._weights = is_label.astype(np.uint8), weights.astype(np.float64)
        self.scale = MOST / float(self._weights.sum())
        # Where weights count rows, a row of weight 2 is the same as two rows, to the last bit.
        self._times = weights if unit == 1.0 and self.scale >= FINE else np.ones_like(weights)
        self._scaled = self._weights / self._times * self.scale
        size = 1 << most
        self._totals, self._chances = np.zeros((size, 2)), np.empty(size)
        self._blocks = np.zeros((size >> BLOCK_BITS) + 1, dtype=np.uint8)
        self._all, self._packed = np.arange(bins.n_rows), np.zeros(bins.n_rows, dtype=np.int64)
        self._listed = np.empty(bins.n_rows + 1, dtype=np.int64)
        self.sums, self.whole = np.zeros((2, bins.n_bins), dtype=np.int64), 0.0
        room = min(size, bins.n_rows)
        self._found = Patterns(np.empty(room, dtype=np.int64), np.empty(room), np.empty(room))
        self.patterns = Patterns(np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1))

    @property
    def state(self) -> tuple[Ints, Patterns]:
        """Return which conditions hold in each row, and the patterns, to come back to."""
        return self.codes.copy(), self.patterns

    @state.setter
    def state(self, before: tuple[Ints, Patterns]) -> None:
        self.codes, self.patterns = before

    def put(self, cells: Bytes, table: Bytes, at: int, n: int) -> None:
        """Set bit `at` of the n conditions of each row by a table over its cells, and count the patterns."""
        codes, rows, label = self._found
        found = put_condition(
            cells, table, at, n, self.codes, self._is_label, self._weights, self._totals, self._blocks, self._found
        )
        self.patterns = Patterns(codes[:found].copy(), rows[:found] / self.unit, label[:found] / self.unit)

    def put_and_fit(
        self, cells: Bytes, table: Bytes, at: int, n: int, ridge: Floats, start: Floats, steps: int
    ) -> Fit:  # fmt: skip
        """Set bit `at` as `put` does, and fit the weights of the conditions as `fit_patterns` does, at once."""
        room, k, beta = len(self._found.codes), n + 1, start.copy()
        present = Patterns(np.empty(room, dtype=np.int64), np.empty(room), np.empty(room))
        chances, held, work = np.empty(room), np.empty(k, dtype=np.int64), np.empty((k + 1, k))
        found, loss = put_and_fit(
            cells, table, at, n, self.codes, self._is_label, self._weights, self._totals, self._blocks, self.unit,
            ridge, beta, chances, held, work, steps, present,
        )  # fmt: skip
        self.patterns = Patterns(present.codes[:found], present.rows[:found], present.label[:found])
        return Fit(beta, chances[:found], loss, work[:k])

    def search(
        self, chances: Floats, search: ConditionSearch, allowed: Ints, unit: float, ridge: float
    ) -> Found | None:
        """Return the condition of one column that gains most, where patterns have these chances."""
        measures = search.measures(unit, ridge)
        gain, column, kind, at = search_rows(
            self.patterns.codes, chances, self._chances, self.codes, self._is_label, self._scaled, self._times,
            self._packed, self.bins.bin_index, self._all, self.sums, search.spans, allowed, search.counts, measures,
            search.ratios, search.order,
        )  # fmt: skip
        self.whole = float(measures[WHOLE])
        return search.found(gain, column, kind, at)

    @property
    def counts(self) -> Ints:
        """Return how many rows each bin has; where weights count rows, as many as they say."""
        sums = np.zeros((2, self.bins.n_bins), dtype=np.int64)
        count_bins(self.bins.bin_index, self._all, self._times, sums)
        return np.asarray(sums[0] + sums[1])

    @property
    def n_rows(self) -> int:
        """Return how many rows there are, counted in the same way."""
        return int(self._times.sum())

    def count_of(self, held: Bytes) -> int:
        """Return how many rows there are where something holds."""
        return int(self._times[held.view(np.bool_)].sum())

    def sums_where(self, condition: BinCondition) -> Ints:
        """Return slope and curve of the rows where a condition of one column holds, at the chances last asked for."""
        sums, cells = np.zeros((2, self.bins.n_bins), dtype=np.int64), self.bins.by_column[condition.column]
        count_bins_where(self.bins.bin_index, cells, condition.table, self._listed, self._packed, sums)
        return np.asarray(sums[0] + sums[1])


@kernel
def put_condition(  # noqa: PLR0913, PLR0917
    cells: Bytes, table: Bytes, at: int, n: int, codes: Ints, is_label: Bytes, weights: Floats, totals: Floats,
    blocks: Bytes, found: Patterns,
) -> int:  # fmt: skip
    """Set a bit of the codes (out) of all rows; write the patterns found (out), of n conditions; return how many.

    Totals has a line for every pattern, blocks a byte for so many of them; both are zero before and after.
    """
    others = -1 - (1 << at)
    for i in range(len(codes)):
        code = codes[i] & others | int(table[cells[i]]) << at
        codes[i] = code
        blocks[code >> BLOCK_BITS] = 1
        totals[code, 0] += weights[i]
        totals[code, 1] += weights[i] * is_label[i]
    n_found = 0
    for block in range((1 << n >> BLOCK_BITS) + 1):
        if blocks[block]:
            blocks[block] = 0
            for code in range(block << BLOCK_BITS, min(block + 1 << BLOCK_BITS, 1 << n)):
                if totals[code, 0] > 0.0:
                    found.codes[n_found] = code
                    found.rows[n_found], found.label[n_found] = totals[code, 0], totals[code, 1]
                    totals[code, 0], totals[code, 1] = 0.0, 0.0
                    n_found += 1
    return n_found


@kernel
def put_and_fit(  # noqa: PLR0913, PLR0917
    cells: Bytes, table: Bytes, at: int, n: int, codes: Ints, is_label: Bytes, weights: Floats, totals: Floats,
    blocks: Bytes, unit: float, ridge: Floats, beta: Floats, chances: Floats, held: Ints, work: Floats, steps: int,
    found: Patterns,
) -> tuple[int, float]:  # fmt: skip
    """Put a condition, and move beta (out) by Newton's steps; return how many patterns there are, and the loss."""
    n_found = put_condition(cells, table, at, n, codes, is_label, weights, totals, blocks, found)
    for p in range(n_found):
        found.rows[p] /= unit
        found.label[p] /= unit
    present = Patterns(found.codes[:n_found], found.rows[:n_found], found.label[:n_found])
    return n_found, newton(present, ridge, beta, chances, held, work, steps)


@kernel
def search_rows(  # noqa: PLR0913, PLR0917
    patterns: Ints, chances: Floats, by_code: Floats, codes: Ints, is_label: Bytes, weights: Floats, times: Ints,
    packed: Ints, bin_index: NDArray[Any], rows: Ints, sums: Ints, spans: Ints, allowed: Ints, counts: Ints,
    measures: Floats, ratios: Floats, order: Ints,
) -> tuple[float, int, int, int]:  # fmt: skip
    """Add up slope and curve in every bin, write the curve of all rows among the measures, scan for a condition."""
    for p in range(len(patterns)):
        by_code[patterns[p]] = chances[p]
    pack_rows(codes, by_code, is_label, weights, times, packed)
    sums[:, :] = 0
    count_bins(bin_index, rows, packed, sums)
    for b in range(sums.shape[1]):
        sums[0, b] += sums[1, b]
    curve = 0
    for b in range(spans[0, 1] + spans[0, 2] + 2):  # every column has all rows
        curve += sums[0, b] & CURVE_MASK
    measures[WHOLE] = TINY + curve / measures[UNIT]
    return scan_conditions(sums[0], spans, allowed, counts, measures, ratios, order)


@kernel
def pack_rows(codes: Ints, chances: Floats, is_label: Bytes, weights: Floats, times: Ints, packed: Ints) -> None:
    """Write for each row so many times slope and curve of the loss at it, as whole numbers in one (out)."""
    for row in range(len(codes)):
        chance, weight = chances[codes[row]], weights[row]
        slope, curve = round(weight * (is_label[row] - chance)), round(weight * chance * (1.0 - chance))
        packed[row] = ((slope << SLOPE_BITS) + curve) * times[row]


@kernel
def count_bins(bin_index: NDArray[Any], rows: Ints, packed: Ints, sums: Ints) -> None:
    """Add what is packed of some rows to the sums (out) of their bins."""
    _count(bin_index, rows, packed, sums)


@kernel
def count_bins_where(
    bin_index: NDArray[Any], cells: Bytes, table: Bytes, listed: Ints, packed: Ints, sums: Ints
) -> None:  # fmt: skip
    """Add what is packed of the rows whose cells a table marks to the sums (out) of their bins; `listed` is scratch."""
    n = 0
    for row in range(len(cells)):
        listed[n] = row  # written always: a branch would cost more
        n += table[cells[row]]
    _count(bin_index, listed[:n], packed, sums)


@helper
def _count(bin_index: NDArray[Any], rows: Ints, packed: Ints, sums: Ints) -> None:
    """Add what is packed of some rows to the sums (out) of their bins.

    Every other row is added to the second line of sums: an addition need not wait for the one before it.
    """
    for i in range(len(rows)):
        row, line = rows[i], i & 1
        mine = packed[row]
        for j in range(bin_index.shape[1]):
            sums[line, bin_index[row, j]] += mine
