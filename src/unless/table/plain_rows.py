"""Rows of a text table without arrays, for where polars is not installed or takes longer to load than the table.

`unless predict` reads them in an install without polars, `unless explain` also wherever the table is small. In: a CSV
file, perhaps gzipped, in any of the encodings and with any of the separators and headers that `encodings` and `headers`
know. Out: rows as dicts of text. What is no text is refused, with what to install. The cells are those that `formats`
gives; a test holds the two together.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import DataError, absent_part
from unless.logic.column_names import found_name, matched, no_column, remark_names, sought_names
from unless.logic.readings import source_column
from unless.logic.values import BLANKS
from unless.table.content import read_content
from unless.table.encodings import as_utf8
from unless.table.headers import read_header
from unless.table.records import records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.logic.program import Program
    from unless.logic.rules import Column
    from unless.table.content import Content
    from unless.table.headers import Header

SMALL = 1 << 23
"""How many bytes of a file, perhaps packed, are sooner read as text than polars is loaded; about 80,000 rows."""
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
        return (dict(zip(self.header.names, cells, strict=True)) for cells in self._lines())

    def _lines(self) -> Iterator[list[str]]:
        n_columns = len(self.header.names)
        with self.content.open() as file:
            n_before = file.read(self.header.end).count(b"\n")
            lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
            try:
                for _, cells in records(self.content.origin, lines, self.header.separator, n_before):
                    if cells and len(cells) != n_columns:
                        n_cells = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                        msg = f"{self.content.origin}: a row has {n_cells}, the header {n_columns}."
                        raise DataError(msg)
                    yield cells or [""] * n_columns  # a blank line is a row of blanks
            except csv.Error as error:
                msg = f"cannot read {self.content.origin} as CSV: {error}."
                raise DataError(msg) from None

    @cached_property
    def cells(self) -> list[list[str]]:
        """Return the cells of all rows."""
        return list(self._lines())

    @cached_property
    def _ids(self) -> list[str] | None:
        if self.id_column is None:
            return None
        at = self.header.names.index(self.id_column)
        return [cells[at].strip(BLANKS) for cells in self.cells]

    def row(self, number: int) -> dict[str, str]:
        """Return the cells of a row by column."""
        return dict(zip(self.header.names, self.cells[number], strict=True))

    def called_by(self, program: Program) -> PlainRows:
        """Return the rows with their columns called as a program calls them; say which are called otherwise."""
        found = matched(sought_names(program), self.header.names)
        remark_names(found)
        called = {name: called for called, name in found.items()}
        id_column = None if self.id_column is None else called.get(self.id_column, self.id_column)
        names = tuple(called.get(name, name) for name in self.header.names)
        return PlainRows(self.content, replace(self.header, names=names), id_column)

    def refuse_absent(self, columns: Iterable[Column]) -> None:
        """Refuse a table that lacks a column which a program tests, and the date that it is a part of."""
        names = self.header.names
        for column in columns:
            if not {column.name, source_column(column)}.intersection(names):
                msg = "the program tests a column that is absent: " + no_column(source_column(column), names)
                raise DataError(msg)

    def find(self, name: str) -> list[int]:
        """Return the numbers of the rows of that name; there must be one."""
        if self._ids is None:
            return [row_number(name, len(self.cells))]
        found = [i for i, row_id in enumerate(self._ids) if row_id == name]
        if not found:
            msg = f"no row has {name!r} in column {self.id_column!r}."
            raise DataError(msg)
        return found

    def name(self, row: int) -> int | str:
        """Name a row: by its number, or by its id; a whole number is a number again."""
        name = "" if self._ids is None else self._ids[row]
        if not name:
            return row
        return int(name) if name.isdecimal() and str(int(name)) == name else name


def row_number(name: int | str, n_rows: int) -> int:
    """Read the number of a row of a table."""
    if not str(name).lstrip("-").isdecimal():
        msg = f"{name!r} is not the number of a row. Hint: name the column that has such names, by --id COLUMN."
        raise DataError(msg)
    if not 0 <= int(name) < n_rows:
        msg = f"there is no row {name}; the table has {n_rows} rows, numbered from 0 to {n_rows - 1}."
        raise DataError(msg)
    return int(name)


def is_small_text(path: str) -> bool:
    """Tell whether a path is that of a local file that is sooner read as text than polars is loaded."""
    file = Path(path)
    return file.is_file() and file.stat().st_size <= SMALL


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
    return PlainRows(content, header, None if id_column is None else found_name(id_column, header.names))
