"""The subproblem that every step solves: rows, and for each the gain if a rule fires there.

In: bins, row numbers, packed gains, what is allowed, the price of a literal. Out: histograms and exact choices.
A body is a tuple of literals (tests or scores); it fires where all hold. Invariant: a problem is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from unless.learn.optimise import histograms, scans
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import NONE_OF, ONE_OF, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.layout import Bytes, Floats, Ints
    from unless.learn.optimise.scans import Choice, Move


ALONE = np.zeros((1, 2), dtype=np.int64)
"""The window of a single histogram."""


class BinLiteral(Protocol):
    """What a body is made of: a test, or a score over tests."""

    @property
    def size(self) -> int:
        """Count what is to be read."""

    @property
    def columns(self) -> frozenset[int]:
        """Return the columns tested."""

    def truth(self, bins: Bins, rows: Ints) -> Bytes:
        """Return the truth on the given rows."""


Body: TypeAlias = "tuple[BinLiteral, ...]"


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows that a rule would decide.

    `kinds[j]` are the tests allowed on column j, `rivals[j]` the columns that must not stand beside it, `outside` the
    columns already used above or below this rule.
    """

    bins: Bins
    rows: Ints
    gains: Ints
    kinds: Ints
    price: float
    limit: int
    rivals: Mapping[int, frozenset[int]] = field(default_factory=dict)
    outside: frozenset[int] = frozenset()
    points: bool = False

    @property
    def tolerance(self) -> float:
        """Return what is rounding, not a gain."""
        return 1e-6 * self.price

    def count(self, rows: Ints) -> Ints:
        """Count the weights of rows into a histogram."""
        return histograms.count_bins(self.bins.bin_index, rows, self.gains, self.bins.n_bins)

    @cached_property
    def nets(self) -> Floats:
        """Return right minus wrong of each row."""
        return nets_of(self.gains[self.rows])

    def totals(self, rows: Ints) -> tuple[int, int]:
        """Return the weight of right and of wrong rows."""
        return unpack(histograms.sum_gains(rows, self.gains))

    def totals_inside(self, hist: Ints, test: Test) -> tuple[int, int]:
        """Return the weight of right and of wrong rows of a histogram for which a test holds."""
        start, end = self.bins.layout.offsets[test.column : test.column + 2]
        return unpack(int(hist[start:end] @ test.table[: end - start]))

    def kinds_beside(self, body: Sequence[BinLiteral]) -> Ints:
        """Return the kinds allowed next to a body."""
        if not self.rivals:
            return self.kinds
        used = self.outside.union(*(literal.columns for literal in body))
        barred = [r for column in used for r in self.rivals.get(column, ())]
        kinds = self.kinds.copy()
        kinds[barred] = 0
        return kinds

    def choose(self, hist: Ints, kinds: Ints, beta: float = 1.0) -> Choice:
        """Return the best test under right - beta * wrong - price * size."""
        found = scans.choices_of(hist[None], ALONE, scans.ALONE, self.bins.spans, kinds[None], beta, self.price)
        return scans.choice(found[0].tolist())

    def choose_move(self, hists: Ints, totals: Ints, body: Sequence[BinLiteral]) -> Move:
        """Return the best move on a body: drop or replace one literal or, below the limit, add one.

        Histogram 0 has the rows where all literals hold, i + 1 those that only literal i refuses; the last is empty. A
        move is its gain, the index of the literal, and the choice to put there; column -1 drops.
        """
        choices, weights = self._choices_around(hists, body).tolist(), totals.tolist()
        kept, tolerance = float(net(weights[0])), self.tolerance
        best: Move = (0.0, -1, -1, -1, -1)
        for i, found in enumerate(choices):
            held = kept
            if i < len(body):
                held -= self.price * body[i].size
                gain = net(weights[0] + weights[i + 1]) - held
                if len(body) > 1 and gain > best[0] + tolerance:
                    best = (gain, i, -1, -1, -1)
            if found[0] - held > best[0] + tolerance:
                score, column, kind, at = scans.choice(found)
                best = (score - held, i, column, kind, at)
        return best

    def _choices_around(self, hists: Ints, body: Sequence[BinLiteral]) -> Floats:
        """Return the best test in the stead of each literal and, below the limit, of one more."""
        n = min(len(body) + 1, self.limit)
        if self.rivals:
            kinds = np.array([self.kinds_beside([*body[:i], *body[i + 1 :]]) for i in range(n)])
        else:
            kinds = self.kinds[None]
        windows = windows_around(n, len(body), len(hists))
        return scans.choices_of(hists, windows, scans.ADD, self.bins.spans, kinds, 1.0, self.price)

    def choose_graded(self, hist: Ints, kinds: Ints, *, foil: bool) -> Choice:
        """Return the single test of best FOIL or information gain."""
        total = hist[: self.bins.layout.offsets[1]].sum()
        return scans.best_grade(hist, self.bins.spans, kinds, total, foil)

    def build(self, hist: Ints, choice: Choice, beta: float = 1.0) -> Test:
        """Build the chosen test; the words of a set are read off the histogram again."""
        bins, (_, column, kind, at) = self.bins, choice
        if kind not in (ONE_OF, NONE_OF):
            return make_test(bins, column, kind, at)
        words: tuple[int, ...] = (at,)
        if at < 0:
            n_num, n_word = int(bins.layout.n_numbers[column]), int(bins.layout.n_words[column])
            first = int(bins.layout.offsets[column]) + n_num
            words = tuple((n_num + scans.members(hist, first, n_word, kind, beta, self.price)).tolist())
        return make_test(bins, column, kind, 0, words)


@lru_cache(maxsize=256)
def windows_around(n: int, n_literals: int, n_hists: int) -> Ints:
    """Return the histogram of the rows where all literals hold beside that of each literal, or beside the empty one."""
    return np.array([(0, i + 1 if i < n_literals else n_hists - 1) for i in range(n)], dtype=np.int64)


def unpack(packed: int) -> tuple[int, int]:
    """Return right and wrong of a packed gain."""
    return int(packed) >> RIGHT_BITS, int(packed) & WRONG_MASK


def nets_of(packed: Ints) -> Floats:
    """Return right minus wrong of many packed gains."""
    return np.asarray((packed >> RIGHT_BITS) - (packed & WRONG_MASK), dtype=np.float64)


def net(packed: int) -> int:
    """Return right minus wrong of a packed gain."""
    right, wrong = unpack(packed)
    return right - wrong
