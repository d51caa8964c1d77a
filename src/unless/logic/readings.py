"""How the cells of a column are read as numbers, and its numbers said as its cells are: `Column.reading`.

A reading is the text of a format of numbers (`1.234,56 €`, see `number_texts`) or of dates (`dd.mm.yyyy`, see
`date_texts`); empty means plain numbers, as Python writes them. In the model file it is a line `%@ read`. Programs,
s(CASP) and exports see numbers; people may be given `say_number`, and what they type is read by `read_value`. `table`
reads whole columns with polars and must agree with this module on every cell; a property test holds the two together.
"""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.date_parts import DatePart, date_part
from unless.logic.date_texts import DATES, DURATION, TIMES, DateFormat, date_format
from unless.logic.number_texts import EXAMPLES, NumberFormat, number_format
from unless.logic.rules import Column
from unless.logic.values import BLANKS, number_word, read_cell, read_number, short_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from unless.logic.rules import Value

Format = NumberFormat | DateFormat | DatePart
READINGS = ("1234.56", "1.234,56 €", "yyyy-mm-dd", "dd.mm.yyyy hh:mm", DURATION)
"""Some of the ways to read a column, for messages."""


def reading_format(reading: str) -> Format:
    """Return the format that a reading names, or say which there are."""
    found = find_format(reading)
    if found is None:
        times = f"either with {' or '.join(TIMES)} behind it, or {DURATION}"
        msg = (
            f"{reading!r} is not a way to read a column. Write 1234.56 as the column does ({', '.join(EXAMPLES)}; a "
            f"currency or unit before or behind it), or how dates are written ({', '.join(DATES)}; {times})."
        )
        raise DataError(msg)
    return found


def find_format(reading: str) -> Format | None:
    """Return the format that a reading names, None where it names none."""
    return number_format(reading) or date_format(reading) or date_part(reading)


def is_date(reading: str) -> bool:
    """Tell whether a reading is of dates, times or durations."""
    return date_format(reading) is not None


def is_calendar(reading: str) -> bool:
    """Tell whether a reading is of days or moments, which come after one another, and not of mere lengths of time.

    >>> is_calendar("dd.mm.yyyy"), is_calendar("duration"), is_calendar("1.234,56")
    (True, False, False)
    """
    found = date_format(reading) if reading else None
    return found is not None and bool(found.date)


def read_text(reading: str, text: str) -> float | None:
    """Read a text as a number in a column of that reading, or return None; blanks around it do not matter.

    >>> read_text("1.234,56", " 1.000,50 "), read_text("", "1e3"), read_text("dd.mm.yyyy", "soon")
    (1000.5, 1000.0, None)
    """
    return reading_format(reading).read(text.strip(BLANKS)) if reading else read_number(text)


def read_column_cell(column: Column, cell: object, missing: Collection[str] = ()) -> Value | None:
    """Read one cell as a column does; None is missing."""
    if not column.reading:
        return read_cell(column.name, column.kind, cell, missing)
    if isinstance(cell, dt.date | dt.time | dt.timedelta) and type(cell).__name__ != "NaTType":
        moment = read_moment(column.reading, cell)
        cell = str(cell) if moment is None else moment
    return read_cell(column.name, column.kind, cell, missing, partial(read_text, column.reading))


def can_hold(column: Column, value: Value, missing: Collection[str] = ()) -> bool:
    """Tell whether some cell of a column is read as this value: none is read as a word that means missing, say.

    >>> can_hold(Column("age", "numerical"), "30"), can_hold(Column("town", "categorical"), "?", ["?"])
    (False, False)
    """
    try:
        return bool(column.atoms) or read_column_cell(column, value, missing) == value
    except DataError:
        return False


def source_column(column: Column) -> str:
    """Name the column of a table that a column is read from: itself, or the date it is a part of."""
    part = date_part(column.reading) if column.reading else None
    return column.name if part is None else part.source


def read_part_cell(column: Column, row: Mapping[str, object], missing: Collection[str] = ()) -> Value | None:
    """Read the cell of a column in a row; a part of a date that the row lacks comes from the date."""
    part = None if column.name in row or not column.reading else date_part(column.reading)
    if part is None:
        return read_column_cell(column, row.get(column.name), missing)
    date = read_column_cell(Column(part.source, "numerical", reading=part.form.text), row.get(part.source), missing)
    return part.of(date) if isinstance(date, float) else None


def say_number(column: Column, number: float) -> str:
    """Say a number of a column as its cells are written: 19689 may be the date 28.11.2023."""
    return reading_format(column.reading).say(number) if column.reading else number_word(number)


def shortened(column: Column, number: float, beside: Iterable[float] = ()) -> float:
    """Round a number of a column for readers, `beside` others that it is compared with; moments stay exact."""
    return number if column.reading and is_date(column.reading) else short_number(number, beside)


def read_value(column: Column, text: str) -> Value:
    """Read what a person typed as a value of a column: a number where it is one there, else a word.

    A plain number is taken too, except in a column whose format gives it another meaning.
    """
    if column.kind == "categorical":
        return text.strip(BLANKS)
    number = read_text(column.reading, text)
    if number is None and column.reading:
        number = read_number(text)
    return text.strip(BLANKS) if number is None else number


def typed_value(column: Column, text: str) -> Value:
    """Read what a person types into a field: as `read_value`, but a moment is written as one.

    Nobody who types 2022 beside dates means the day that has this number.
    """
    if column.kind == "numerical" and is_date(column.reading):
        number = read_text(column.reading, text)
        return text.strip(BLANKS) if number is None else number
    return read_value(column, text)


def read_moment(reading: str, moment: object) -> float | None:
    """Read a date, a time or a duration of Python as a column of that reading does; None where it is none of them."""
    form = date_format(reading)
    if form is None:
        return None
    if isinstance(moment, dt.timedelta):
        return None if form.date else moment / dt.timedelta(seconds=1)
    if isinstance(moment, dt.datetime):
        aware = moment.tzinfo is not None
        plain = moment.astimezone(dt.UTC).replace(tzinfo=None) if aware else moment
        return form.read(plain.isoformat(" ")) if form.date else None
    if isinstance(moment, dt.date):
        return form.read(moment.isoformat()) if form.date else None
    if isinstance(moment, dt.time):
        return None if form.date else form.read(moment.isoformat())
    return None
