"""Rows of a text table without arrays: what `unless predict` and `unless explain` read where polars is not installed.

In: a CSV file, perhaps gzipped, in any of the encodings and with any of the separators and headers that `encodings` and
`headers` know. Out: rows as dicts of text. What is no text is refused, with what to install. The cells are those that
`formats` gives; a test holds the two together.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from unless.errors import DataError, absent_part, unknown_column
from unless.logic.values import BLANKS
from unless.table.content import read_content
from unless.table.encodings import as_utf8
from unless.table.headers import read_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.table.content import Content
    from unless.table.headers import Header

BINARY = {
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"PK": "a spreadsheet",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
}


def has_arrays() -> bool:
    """Tell whether what reads and tests whole columns is installed."""
    return all(find_spec(name) is not None for name in ("numpy", "polars", "narwhals"))


@dataclass(frozen=True)
class PlainRows:
    """The rows of a text table, perhaps named by a column."""

    content: Content
    header: Header
    id_column: str | None = None

    def __iter__(self) -> Iterator[dict[str, str]]:
        names = self.header.names
        with self.content.open() as file:
            file.seek(self.header.end)
            lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
            reader = csv.reader(lines, delimiter=self.header.separator)
            try:
                for cells in reader:
                    if cells and len(cells) != len(names):
                        msg = f"{self.content.origin}: a row has {len(cells)} cells, the header {len(names)}."
                        raise DataError(msg)
                    yield dict(zip(names, cells or [""] * len(names), strict=True))  # a blank line is a row of blanks
            except csv.Error as error:
                msg = f"cannot read {self.content.origin} as CSV: {error}."
                raise DataError(msg) from None

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        """Return all rows."""
        return list(self)

    def find(self, name: str) -> list[int]:
        """Return the numbers of the rows of that name; there must be one."""
        if self.id_column is None:
            return [self._numbered(name)]
        found = [i for i, row in enumerate(self.rows) if row[self.id_column].strip(BLANKS) == name]
        if not found:
            msg = f"no row has {name!r} in column {self.id_column!r}."
            raise DataError(msg)
        return found

    def name(self, row: int) -> int | str:
        """Name a row: by its number, or by its id; a whole number is a number again."""
        name = "" if self.id_column is None else self.rows[row][self.id_column].strip(BLANKS)
        if not name:
            return row
        return int(name) if name.isdecimal() and str(int(name)) == name else name

    def _numbered(self, name: str) -> int:
        if not name.lstrip("-").isdecimal() or not 0 <= int(name) < len(self.rows):
            msg = f"there is no row {name}; the table has {len(self.rows)} rows, numbered from 0."
            raise DataError(msg)
        return int(name)


def plain_rows(path: str, id_column: str | None = None) -> PlainRows:
    """Open a text table."""
    content = read_content(path)
    start = content.bytes(0, 8)
    for magic, what in BINARY.items():
        if start.startswith(magic):
            msg = f"{content.origin} is {what}; reading it needs polars. {absent_part('polars')}"
            raise DataError(msg)
    content = as_utf8(content)
    header = read_header(content)
    if id_column is not None and id_column not in header.names:
        raise DataError(unknown_column(id_column, header.names))
    return PlainRows(content, header, id_column)
