"""What counting gives: for one set of rows, how many of each class have each code.

The counts of all columns stand in one line, column after column (`Columns.starts`), for each class. Counts are
integers, so they add and subtract exactly: the counts of a table are the sum of the counts of its parts, whatever the
parts, and the counts of the rows kept are those of all less those of the rows dropped.

A few rows have few of many codes: then the tally is sparse, and `indices` says which of the line it has counts for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The counts of every column for one set of rows; `indices`, ascending, where it is sparse."""

    n_pos: int
    n_neg: int
    pos: Counts
    neg: Counts
    indices: NDArray[np.int64] | None = None

    def swap(self) -> Tally:
        """Return the same counts with the classes exchanged."""
        return Tally(self.n_neg, self.n_pos, self.neg, self.pos, self.indices)

    def line(self, low: int, high: int) -> tuple[Counts, Counts]:
        """Return the counts of a piece of the line, zeros included."""
        if self.indices is None:
            return self.pos[low:high], self.neg[low:high]
        mine = slice(*np.searchsorted(self.indices, [low, high]))
        lines = np.zeros((2, high - low), dtype=np.int32)
        lines[:, self.indices[mine] - low] = self.pos[mine], self.neg[mine]
        return lines[0], lines[1]

    def packed(self) -> Tally:
        """Return the same counts in the form that takes less room."""
        if self.indices is not None:
            return self
        indices = np.flatnonzero(self.pos + self.neg)
        if 2 * len(indices) > len(self.pos):
            return self
        return replace(self, pos=self.pos[indices], neg=self.neg[indices], indices=indices)

    @property
    def n_bytes(self) -> int:
        """Count the bytes that travel when it does."""
        return self.pos.nbytes + self.neg.nbytes + (0 if self.indices is None else self.indices.nbytes)

    def __add__(self, other: Tally) -> Tally:
        n_pos, n_neg = self.n_pos + other.n_pos, self.n_neg + other.n_neg
        if self.indices is None:
            return Tally(n_pos, n_neg, *self._put(np.add, other))
        if other.indices is None:
            return other + self
        indices = np.union1d(self.indices, other.indices)
        lines = np.zeros((2, len(indices)), dtype=np.int32)
        for one, mine in ((self, self.indices), (other, other.indices)):
            at = np.searchsorted(indices, mine)
            lines[0, at] += one.pos
            lines[1, at] += one.neg
        return Tally(n_pos, n_neg, lines[0], lines[1], indices)

    def __sub__(self, other: Tally) -> Tally:
        """Take away the counts of some of the rows; the counts of the whole are dense."""
        return Tally(self.n_pos - other.n_pos, self.n_neg - other.n_neg, *self._put(np.subtract, other))

    def _put(self, operate: np.ufunc, other: Tally) -> tuple[Counts, Counts]:
        """Add or subtract other counts to or from these, which are dense."""
        if other.indices is None:
            return operate(self.pos, other.pos), operate(self.neg, other.neg)
        lines = self.pos.copy(), self.neg.copy()
        for line, counts in zip(lines, (other.pos, other.neg), strict=True):
            line[other.indices] = operate(line[other.indices], counts)
        return lines
