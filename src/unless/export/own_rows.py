"""The user's own table as rows to replay: its cells as they are, text as text and numbers as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.export.vectors import Vectors, tested_columns
from unless.logic.column_names import no_column, sought_names

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.table.columns import RawColumn
    from unless.table.frames import RawTable

MOST_ROWS = 20_000
"""So many different rows of a table are replayed."""


def own_vectors(program: Program, table: RawTable) -> Vectors:
    """Return the different rows of a table, as the columns that a program tests hold them."""
    names = [column.name for column in tested_columns(program)]
    table = table.called_as(sought_names(program))
    absent = [name for name in names if name not in table.columns]
    if absent:
        msg = "the program tests a column that is absent: " + no_column(absent[0], table.names)
        raise DataError(msg)
    columns = [_cells(table.columns[name]) for name in names]
    rows = tuple(dict.fromkeys(zip(*columns, strict=True)))[:MOST_ROWS]
    typed = frozenset(name for name in names if table.columns[name].text is None)
    return Vectors(tuple(names), rows, typed)


def _cells(column: RawColumn) -> list[float | str | None]:
    numbers = [None] * column.n_rows if column.numbers is None else column.numbers.cast(float).to_list()
    if column.text is None:
        return list(numbers)
    text = column.text.cast(str).to_list()
    return [
        word if word is not None or number is None else repr(number) for word, number in zip(text, numbers, strict=True)
    ]
