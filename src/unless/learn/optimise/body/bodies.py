"""Bodies as Python sees them, and how kernels write their tests and what rows weigh.

A body is a tuple of literals (tests or scores); it fires where all hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import NONE_OF, ONE_OF, RIGHT_BITS, WRONG_MASK

if TYPE_CHECKING:
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


def nets_of(packed: Ints) -> Floats:
    """Return right minus wrong of many packed gains."""
    return np.asarray((packed >> RIGHT_BITS) - (packed & WRONG_MASK), dtype=np.float64)
