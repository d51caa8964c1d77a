"""The subproblem that every step solves: rows, and for each the gain if a rule fires there.

In: bins, row numbers, packed gains, what is allowed, the price of a literal. Out: the same as kernels want it.
A body is a tuple of literals (tests or scores); it fires where all hold. Invariant: a problem is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from unless.learn.optimise.bins import make_test
from unless.learn.optimise.boards import Desk, Subproblem
from unless.learn.optimise.layout import NONE_OF, ONE_OF, RIGHT_BITS, WRONG_MASK
from unless.learn.optimise.scorecard_draft import n_polished, near_drafts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.layout import Bytes, Floats, Ints


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


@dataclass(eq=False)  # not frozen, which takes three times as long to make: there are hundreds in a fit
class Problem:
    """Rows that a rule would decide.

    `kinds[j]` are the tests allowed on column j, `rivals[j]` the columns that must not stand beside it, `outside` the
    columns already used above or below this rule, `skew` how much more the rows of one class weigh.
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
    skew: float = 0.0
    desk: Desk = field(default_factory=Desk)

    @property
    def tolerance(self) -> float:
        """Return what is rounding, not a gain."""
        return 1e-6 * self.price

    @cached_property
    def packed(self) -> Subproblem:
        """Return the problem as kernels want it."""
        bins, n_columns = self.bins, len(self.kinds)
        rivals, kinds = np.zeros((n_columns if self.rivals else 0, n_columns), dtype=np.uint8), self.kinds
        for column, others in self.rivals.items():
            rivals[column, list(others)] = 1
        if self.rivals and self.outside:
            kinds = np.where(rivals[sorted(self.outside)].any(axis=0), 0, kinds)
        return Subproblem(
            bins.bin_index, bins.by_column, self.rows, self.gains, bins.spans, kinds, rivals, self.price, self.limit,
            n_polished(len(self.rows), self.skew), self.price * near_drafts(self.skew),
        )  # fmt: skip

    @cached_property
    def nets(self) -> Floats:
        """Return right minus wrong of each row."""
        return nets_of(self.gains[self.rows])

    def value(self, body: Body) -> float:
        """Return what a body saves; one without literals is no rule."""
        if not body:
            return 0.0
        holds = np.ones(len(self.rows), dtype=np.uint8)
        for literal in body:
            holds &= literal.truth(self.bins, self.rows)
        right, wrong = self.totals(self.rows[holds.view(np.bool_)])
        return right - wrong - self.price * (1 + sum(literal.size for literal in body))

    def totals(self, rows: Ints) -> tuple[int, int]:
        """Return the weight of right and of wrong rows."""
        return unpack(int(self.gains.take(rows).sum()))


def read_test(bins: Bins, facts: Ints, table: Bytes) -> Test:
    """Return the test that a kernel wrote: its line of facts, and its truth by bin."""
    column, kind, at, _ = facts.tolist()
    if kind not in (ONE_OF, NONE_OF):
        return make_test(bins, column, kind, at)
    key = (column, kind, table.tobytes())
    test = bins.sets.get(key)
    if test is None:
        first = int(bins.layout.n_numbers[column])
        listed = table[first : first + int(bins.layout.n_words[column])] == (kind == ONE_OF)
        test = make_test(bins, column, kind, 0, tuple((first + np.flatnonzero(listed)).tolist()))
        bins.sets[key] = test
    return test


def line_of(test: Test) -> tuple[int, int, int, int]:
    """Return the line of facts that kernels read of a test."""
    return test.column, test.kind, test.at, test.size


def unpack(packed: int) -> tuple[int, int]:
    """Return right and wrong of a packed gain."""
    return int(packed) >> RIGHT_BITS, int(packed) & WRONG_MASK


def nets_of(packed: Ints) -> Floats:
    """Return right minus wrong of many packed gains."""
    return np.asarray((packed >> RIGHT_BITS) - (packed & WRONG_MASK), dtype=np.float64)
