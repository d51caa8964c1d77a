"""Formats of numbers and dates as plain data, for targets that have regular expressions: patterns, orders, marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.logic.date_parts import DatePart
from unless.logic.date_texts import CENTURY, CLOCK, DATES, DURATION, ISO, MONTHS, NAMED, SHORT_YEARS, DateFormat
from unless.logic.number_texts import EXAMPLES, MARKS, NumberFormat
from unless.logic.readings import reading_format

if TYPE_CHECKING:
    from unless.logic.rules import Column


def column_formats(columns: tuple[Column, ...]) -> dict[str, dict[str, Any]]:
    """Return the formats of the columns that have one."""
    return {column.name: _format(reading_format(column.reading)) for column in columns if column.reading}


def _format(form: NumberFormat | DateFormat | DatePart) -> dict[str, Any]:
    if isinstance(form, NumberFormat):
        thousands, decimal = EXAMPLES[form.example]
        return {"kind": "number", "pattern": form.pattern, "marks": MARKS[thousands], "decimal": decimal}
    if isinstance(form, DatePart):
        part = form.part.partition("@")
        return {"kind": "part", "part": part[0], "at": part[2], "source": form.source, "form": _format(form.form)}
    if form.time == DURATION:
        return {"kind": "duration", "pattern": form.pattern}
    return _date(form) | {"iso": [_date(DateFormat(ISO, time)) for time in ("", CLOCK)]}


def _date(form: DateFormat) -> dict[str, Any]:
    return {
        "kind": "date",
        "pattern": form.pattern,
        "order": DATES[form.date][1],
        "named": form.date in NAMED,
        "century": CENTURY if form.date in SHORT_YEARS else None,
        "unit": form.unit,
    }


def month_numbers() -> dict[str, int]:
    """Return the number of a month by its name in lower case."""
    return dict(MONTHS)
