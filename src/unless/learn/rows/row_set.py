"""Stage 4: the rows at hand. The learner asks them for counts and for subsets, and touches no array itself.

`Rows` is the one abstraction with more than one implementation: this machine (`LocalRows`, here) and a cluster. A set
of rows is immutable; every question has one answer, whatever the order or place of the rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from unless.learn.compiled import kernel
from unless.learn.rows import counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.fold.chooser import Choice
    from unless.learn.rows.codes import Columns
    from unless.learn.rows.counts import Ask, Detail
    from unless.learn.rows.tally import Tally


class Rows(Protocol):
    """A set of rows, positive and negative."""

    @property
    def n_pos(self) -> int:
        """Count the positive rows."""

    @property
    def n_neg(self) -> int:
        """Count the negative rows."""

    def tally(self) -> Tally:
        """Count rows by class, column and code."""

    def detail(self, asks: Sequence[Ask]) -> Sequence[Detail]:
        """Count code by code in the buckets asked about."""

    def keep(self, choice: Choice) -> Self:
        """Return the rows for which the literal holds."""

    def without(self, others: Self) -> Self:
        """Return the rows that are not among the others."""

    def positives(self) -> Self:
        """Return the positive rows only."""

    def swap(self) -> Self:
        """Return the same rows with the classes exchanged."""


@dataclass(eq=False, slots=True)
class LocalRows:
    """Rows of a table in this machine's memory, as two ascending lists of row numbers.

    `_whole` and `_gone`, where given, are the larger set that these rows came from and what was taken away: counting
    the smaller of the two parts is enough.
    """

    columns: Columns
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    _whole: LocalRows | None = None
    _gone: LocalRows | None = None
    _tally: Tally | None = field(default=None, init=False)

    @property
    def n_pos(self) -> int:
        """Count the positive rows."""
        return len(self.pos)

    @property
    def n_neg(self) -> int:
        """Count the negative rows."""
        return len(self.neg)

    def tally(self) -> Tally:
        """Count rows by class, column and code, once."""
        if self._tally is None:
            self._tally = self._subtracted() or counts.tally(self.columns, self.pos, self.neg)
            self._whole = self._gone = None
        return self._tally

    def _subtracted(self) -> Tally | None:
        """Return the counts of the whole less those of what is gone, where that is less work."""
        if self._whole is None or self._gone is None or self._whole._tally is None:
            return None
        if self._whole._tally.places is not None or len(self._gone) >= len(self):
            return None
        return self._whole._tally - self._gone.tally()

    def __len__(self) -> int:
        return len(self.pos) + len(self.neg)

    def detail(self, asks: Sequence[Ask]) -> list[Detail]:
        """Count code by code in the buckets asked about."""
        return [counts.detail(self.columns, self.pos, self.neg, ask) for ask in asks]

    def keep(self, choice: Choice) -> LocalRows:
        """Return the rows for which the literal holds."""
        low, high, inverted = self.columns.books[choice.column].span(choice.op, choice.code)
        codes = self.columns.codes_of(choice.column)
        pos, other_pos = _part(codes, self.pos, low, high, inverted)
        neg, other_neg = _part(codes, self.neg, low, high, inverted)
        return LocalRows(self.columns, pos, neg, self, LocalRows(self.columns, other_pos, other_neg))

    def without(self, others: LocalRows) -> LocalRows:
        """Return the rows that are not among the others."""
        pos, gone_pos = _apart(self.pos, others.pos)
        neg, gone_neg = _apart(self.neg, others.neg)
        return LocalRows(self.columns, pos, neg, self, LocalRows(self.columns, gone_pos, gone_neg))

    def positives(self) -> LocalRows:
        """Return the positive rows only."""
        return LocalRows(self.columns, self.pos, self.neg[:0])

    def swap(self) -> LocalRows:
        """Return the same rows with the classes exchanged."""
        swapped = LocalRows(self.columns, self.neg, self.pos)
        if self._tally is not None:
            swapped._tally = self._tally.swap()
        elif self._whole is not None and self._gone is not None:
            swapped._whole, swapped._gone = self._whole.swap(), self._gone.swap()
        return swapped


def all_rows(columns: Columns, positive: NDArray[np.bool_]) -> LocalRows:
    """Return every row of a table, divided by class."""
    pos = np.flatnonzero(positive).astype(np.int32)
    neg = np.flatnonzero(~positive).astype(np.int32)
    return LocalRows(columns, pos, neg)


def _part(
    codes: NDArray[np.unsignedinteger], rows: NDArray[np.int32], low: int, high: int, inverted: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Part rows into those whose code lies in the range (or, inverted, outside) and the others."""

    def part(portion: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        kept, other = np.empty_like(portion), np.empty_like(portion)
        n_kept = part_rows(codes, portion, low, high, inverted, kept, other)
        return kept[:n_kept], other[: len(portion) - n_kept]

    parts = counts.by_portions(part, rows)
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([kept for kept, _ in parts]), np.concatenate([other for _, other in parts])


def _apart(rows: NDArray[np.int32], others: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Part rows into those not among the others, and those among them."""
    if not len(others):
        return rows, others
    kept, gone = np.empty_like(rows), np.empty_like(rows)
    n_kept = part_from(rows, others, kept, gone)
    return kept[:n_kept], gone[: len(rows) - n_kept]


@kernel
def part_rows(
    codes: NDArray[Any],
    rows: NDArray[np.int32],
    low: int,
    high: int,
    inverted: bool,
    kept: NDArray[np.int32],
    other: NDArray[np.int32],
) -> int:
    """Write rows into kept (out) and other (out) and return how many are kept; both stay ascending."""
    n_kept, n_other = 0, 0
    for row in rows:
        code = codes[row]
        if (low <= code < high) != inverted:
            kept[n_kept] = row
            n_kept += 1
        else:
            other[n_other] = row
            n_other += 1
    return n_kept


@kernel
def part_from(
    rows: NDArray[np.int32], others: NDArray[np.int32], kept: NDArray[np.int32], gone: NDArray[np.int32]
) -> int:
    """Write rows into kept (out), or into gone (out) where they are among the others; all are ascending."""
    n_kept, n_gone, k = 0, 0, 0
    for row in rows:
        while k < len(others) and others[k] < row:
            k += 1
        if k < len(others) and others[k] == row:
            gone[n_gone] = row
            n_gone += 1
        else:
            kept[n_kept] = row
            n_kept += 1
    return n_kept
