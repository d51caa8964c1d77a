"""Parts of dates, worked out from the dates of a table: the columnar twin of `logic.date_parts`.

In: a table, and columns whose reading says of which column they are a part. Out: the table with these columns too,
worked out when they are asked for, date by date and not row by row. With them, and under its own names, a program sees
a table.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.column_names import resolved_keys, sought_names
from unless.logic.date_parts import PARTS, DatePart, date_part, is_part
from unless.logic.date_texts import date_format
from unless.table.columns import RawColumn, cells
from unless.table.frames import RawTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from unless.logic.program import Program


def parts_of_dates(
    table: RawTable, asked: Mapping[str, Sequence[str]], readings: Mapping[str, str], missing: Sequence[str] = ()
) -> tuple[DatePart, ...]:
    """Return the parts that are asked for of columns, whose dates are read as given, or as they look."""
    read, named = resolved_keys(readings, table.names), {table.name_of(name): parts for name, parts in asked.items()}
    return tuple(part for name, parts in named.items() for part in _parts(table, name, parts, read, missing))


def _parts(
    table: RawTable, name: str, parts: Sequence[str], readings: Mapping[str, str], missing: Sequence[str]
) -> Iterable[DatePart]:
    reading = readings.get(name)
    if reading is None:
        from unless.table.kinds import KindRule, read_columns

        one = RawTable({name: table.column(name)}, table.n_rows)
        reading = read_columns(one, KindRule("content", missing=tuple(missing)), aloud=False)[name].reading
    form = date_format(reading)
    if form is None or not form.date:
        msg = f"column {name!r} has no parts: its cells are not dates. Hint: say how they are written, as dd.mm.yyyy."
        raise DataError(msg)
    for part in parts:
        if not is_part(part):
            msg = f"{part!r} is not a part of a date; parts: {', '.join(PARTS)}, age@yyyy-mm-dd."
            raise DataError(msg)
        yield DatePart(part, name, form)


def seen_by(program: Program, table: RawTable) -> RawTable:
    """Return a table as a program sees it: under its names, with parts of dates where it has the dates alone."""
    table = table.called_as(sought_names(program))
    parts = {each.name: part for each in program.columns if each.reading and (part := date_part(each.reading))}
    wanted = {n: p for n, p in parts.items() if n not in table.columns and p.source in table.columns}
    return add_parts(table, wanted, program.missing)


def add_parts(table: RawTable, parts: Mapping[str, DatePart], missing: Collection[str] = ()) -> RawTable:
    """Return a table with parts of its dates as columns of their own."""
    if not parts:
        return table
    return table.with_columns({name: partial(_part, table, name, part, missing) for name, part in parts.items()})


def _part(table: RawTable, name: str, part: DatePart, missing: Collection[str]) -> RawColumn:
    numbers = cells(table.column(part.source), "numerical", missing, part.form.text).numbers
    assert numbers is not None
    present = ~np.isnan(numbers)
    dates, codes = np.unique(numbers[present], return_inverse=True)
    values = np.array([part.of(float(date)) for date in dates], dtype=object)
    found = np.full(table.n_rows, None, dtype=object)
    found[present] = values[codes]
    if part.kind == "categorical":
        return RawColumn(name, text=pl.Series(found.tolist(), dtype=pl.String))
    return RawColumn(name, numbers=pl.Series(found.tolist(), dtype=pl.Float64))
