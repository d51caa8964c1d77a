"""Stage 4: the rows at hand. The learner asks them for counts and for subsets, and touches no array itself.

`Rows` is the one abstraction with more than one implementation: this machine (`LocalRows`, here) and a cluster. A set
of rows is immutable; every question has one answer, whatever the order of the rows or where they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from unless.learn.rows import counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import CodedLiteral, Columns
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

    def keep(self, choice: CodedLiteral) -> Self:
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
        if self._whole._tally.indices is not None or len(self._gone) >= len(self):
            return None
        return self._whole._tally - self._gone.tally()

    def __len__(self) -> int:
        return len(self.pos) + len(self.neg)

    def detail(self, asks: Sequence[Ask]) -> list[Detail]:
        """Count code by code in the buckets asked about."""
        return [counts.detail(self.columns, self.pos, self.neg, ask) for ask in asks]

    def keep(self, choice: CodedLiteral) -> LocalRows:
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
    """Part rows into those whose code lies in the range (or, inverted, outside) and the others; both ascending."""

    def part(portion: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        at_hand = codes[portion]
        is_inside = at_hand < high
        is_inside &= at_hand >= low
        inside, outside = _divide(portion, is_inside)
        return (outside, inside) if inverted else (inside, outside)

    parts = counts.by_portions(part, rows)
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([kept for kept, _ in parts]), np.concatenate([other for _, other in parts])


def _apart(rows: NDArray[np.int32], others: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Part rows into those not among the others, and those among them; all are ascending."""
    if not len(others) or not len(rows):
        return rows, others[:0]
    at = np.searchsorted(rows[:-1], others)  # at most the last row
    is_kept = np.ones(len(rows), dtype=np.bool_)
    is_kept[at[rows[at] == others]] = False
    return _divide(rows, is_kept)


def _divide(rows: NDArray[np.int32], is_first: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the rows marked, and the others; `compress` takes a quarter of the time of an index of truths."""
    return rows.compress(is_first), rows.compress(~is_first)
