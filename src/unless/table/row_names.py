"""Rows by name: their number (the first is 0), or what an id column says.

In: a table and perhaps the name of a column. Out: the row numbers of a name, and the name of a row. An id is a word
as in a categorical column, so the number 30 and the text "30" name the same row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import DataError
from unless.table.columns import cells
from unless.table.plain_rows import row_number

if TYPE_CHECKING:
    from unless.table.cells import Cells
    from unless.table.frames import RawTable


@dataclass(frozen=True)
class NamedRows:
    """The rows of a table with their names."""

    table: RawTable
    id_column: str | None = None

    @cached_property
    def _ids(self) -> Cells | None:
        return None if self.id_column is None else cells(self.table.column(self.id_column), "categorical")

    def name(self, row: int) -> int | str:
        """Name a row by its number; a whole number is a number again."""
        if self._ids is None:
            return row
        name = self._ids.value(row)
        if name is None:
            return row
        return int(str(name)) if str(name).isdecimal() and str(int(str(name))) == name else str(name)

    def find(self, name: int | str) -> list[int]:
        """Return the numbers of the rows of that name; there must be one."""
        if self._ids is None:
            return [row_number(name, self.table.n_rows)]
        words = self._ids.words
        found = [] if words is None or str(name) not in words.lexicon else words.codes == words.lexicon.index(str(name))
        rows = [int(row) for row in np.flatnonzero(found)]
        if not rows:
            msg = f"no row has {str(name)!r} in column {self.id_column!r}."
            raise DataError(msg)
        return rows
