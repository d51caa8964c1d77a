"""Codes become cells again: a program asks its questions of the rows it was learned from, long after their cells went.

In: a table in codes, with its codebooks. Out: `Cells`, column by column, when they are asked for; the same values,
since codes are exact. The helpers of the background were coded as flags, and come back as truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.table.cells import MISSING, Cells, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Codebook
    from unless.learn.rows.source import LocalTable


class DecodedCells(Mapping[str, Cells]):
    """The columns of a coded table as cells, each decoded when it is asked for."""

    def __init__(self, table: LocalTable) -> None:
        self._coded = {
            book.name: (columns, index)
            for columns in (table.aside, table.columns)
            for index, book in enumerate(columns.books)
        }

    def __getitem__(self, name: str) -> Cells:
        columns, index = self._coded[name]
        return decode(columns.books[index], columns.codes_of(index))

    def __iter__(self) -> Iterator[str]:
        return iter(self._coded)

    def __len__(self) -> int:
        return len(self._coded)


def decode(book: Codebook, codes: NDArray[Any]) -> Cells:
    """Return the cells that codes stand for."""
    numbers = np.full(book.missing + 1, np.nan)
    numbers[: book.n_numbers] = book.numbers
    words = np.full(book.missing + 1, MISSING, dtype=np.int32)
    words[book.n_numbers : book.missing] = np.arange(len(book.words))
    return Cells(
        len(codes),
        numbers=numbers[codes] if book.n_numbers else None,
        words=Words(words[codes], book.words) if book.words else None,
    )


def known_helpers(table: LocalTable, names: Iterable[str]) -> dict[str, NDArray[np.bool_]]:
    """Return where the helpers of the background hold: they were coded as flags, whose one word comes first."""
    indices = {book.name: index for index, book in enumerate(table.columns.books)}
    return {name: np.asarray(table.columns.codes_of(indices[name]) == 0) for name in names}
