"""What a column holds once it is read: `Cells`, the only form of data that learning and predicting see.

In: nothing but arrays. Out: frozen values. Invariant: at each row at most one of `numbers` (not NaN) and `words`
(code not -1) has a value; a row with neither is missing. `Words.lexicon` is sorted by code point and holds each word
once, so a word's code is its rank and the order of words never depends on the order of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.date_texts import Measure

MISSING = -1
"""The word code of a row that has no word."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a column: a code per row and the sorted lexicon they index."""

    codes: NDArray[np.int32]
    lexicon: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One column: its numbers (NaN where there is none) and its words (-1 where there is none).

    `unlike` says what a frame holds where that is not what the column is read as: dates, durations or plain numbers.
    """

    n_rows: int
    numbers: NDArray[np.float64] | None = None
    words: Words | None = None
    unlike: Measure | None = None

    def value(self, row: int) -> float | str | None:
        """Return the value of one row: a number, a word, or None for missing."""
        if self.words is not None and (code := int(self.words.codes[row])) != MISSING:
            return self.words.lexicon[code]
        if self.numbers is not None and not np.isnan(number := self.numbers[row]):
            return float(number)
        return None

    def blank(self) -> NDArray[np.bool_]:
        """Return the rows without a value."""
        blank = np.ones(self.n_rows, dtype=bool)
        if self.numbers is not None:
            blank &= np.isnan(self.numbers)
        if self.words is not None:
            blank &= self.words.codes == MISSING
        return blank

    def count_missing(self) -> int:
        """Count the rows without a value."""
        return int(np.count_nonzero(self.blank()))

    def known_numbers(self) -> NDArray[np.float64]:
        """Return the numbers that there are, in the order of rows."""
        return np.empty(0) if self.numbers is None else self.numbers[~np.isnan(self.numbers)]


def flag_cells(flags: NDArray[np.bool_]) -> Cells:
    """Return flags as a column with one word, where they hold; elsewhere nothing."""
    return Cells(len(flags), words=Words(np.where(flags, 0, MISSING).astype(np.int32), ("true",)))
