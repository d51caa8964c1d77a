"""A condition as the search of a grade knows it: a table over the bins of a column, perhaps within another condition.

In: the layout of binned columns, and what a search has found. Out: `BinCondition`s, their opposites, and the rows in
which they hold. Card_text.py says them in values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.logistic.best_condition import BLANK, GT, LE, MOST_WORDS, WORDS

if TYPE_CHECKING:
    from unless.learn.logistic.best_condition import Found
    from unless.learn.optimise.layout import BinLayout, Bytes

NEVER, IDENTITY = np.zeros(256, dtype=np.uint8), np.arange(256, dtype=np.uint8)


@dataclass(frozen=True)
class BinCondition:
    """A condition of one column as a table over its bins; it may ask for another one, `within` which it was found.

    The program's decision has no column.
    """

    column: int
    kind: int
    at: int = 0
    words: tuple[int, ...] = ()
    within: BinCondition | None = None
    table: Bytes = field(default_factory=lambda: NEVER, compare=False, repr=False)

    def holds(self, by_column: Bytes) -> Bytes:
        """Return 1 for each row in which the condition holds, given the cells column by column."""
        held: Bytes = self.table.take(by_column[self.column])
        return held if self.within is None else held & self.within.holds(by_column)


DECISION = BinCondition(-1, -1, table=IDENTITY)


def condition_found(layout: BinLayout, found: Found, within: BinCondition | None = None) -> BinCondition:
    """Return what a search has found, perhaps within another condition."""
    return _condition(layout, found.column, found.kind, found.at, found.words, within)


def opposite(layout: BinLayout, condition: BinCondition) -> BinCondition | None:
    """Return the other numbers, or the other words, of a condition of one column; None if they cannot be said."""
    column = condition.column
    if condition.kind in (LE, GT):
        return _condition(layout, column, GT if condition.kind == LE else LE, condition.at)
    words = tuple(word for word in range(int(layout.n_words[column])) if word not in condition.words)
    if condition.kind != WORDS or not 0 < len(words) <= MOST_WORDS:
        return None
    return _condition(layout, column, WORDS, words=words)


def _condition(
    layout: BinLayout,
    column: int,
    kind: int,
    at: int = 0,
    words: tuple[int, ...] = (),
    within: BinCondition | None = None,
) -> BinCondition:
    n_numbers, n_words = int(layout.n_numbers[column]), int(layout.n_words[column])
    table = bytearray(256)  # NumPy takes ten times as long to write a few bytes
    if kind == LE:
        table[: at + 1] = b"\1" * (at + 1)
    elif kind == GT:
        table[at + 1 : n_numbers] = b"\1" * (n_numbers - at - 1)
    elif kind == BLANK:
        table[n_numbers + n_words + 1] = 1
    else:
        for word in words:
            table[n_numbers + word] = 1
    return BinCondition(column, kind, at, words, within, np.frombuffer(table, dtype=np.uint8))
