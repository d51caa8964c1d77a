"""Amounts and dates as offices write them, read in SQL: patterns for regular expressions, then plain arithmetic.

In: the text of a cell and the format of its column. Out: layers of SQL: the parts of a text (year, month, day, ...),
NULL where it does not look like that, and its number, NULL where it is none. The calendar is worked out in whole
numbers, so no engine's own dates are asked. It is the twin of `logic.number_texts` and `logic.date_texts`; replays
hold the two together. Durations and parts of dates are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.logic.date_texts import CENTURY, CLOCK, DATES, DURATION, ISO, MONTHS, NAMED, SHORT_YEARS, DateFormat
from unless.logic.number_texts import EXAMPLES, MARKS, NumberFormat
from unless.logic.readings import find_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.export.sql.dialect import SqlDialect
    from unless.logic.rules import Column

    Added = Callable[[str, str], str]
    """Adds an expression under a short name to the layer of parts, and returns what stands for it."""

READERS = ("sql:duckdb", "sql:postgres")
"""The targets whose dialects read formats."""
EPOCH = 719_468
"""Days from the first of March of the year 0 to 1970."""


def can_read(dialect: SqlDialect, column: Column) -> bool:
    """Tell whether a dialect reads the format of a column."""
    return dialect.reads_formats and is_readable(column)


def is_readable(column: Column) -> bool:
    """Tell whether the dialects that read formats read that of a column."""
    form = find_format(column.reading)
    return isinstance(form, NumberFormat | DateFormat) and not _is_duration(form)


def _pattern(form: NumberFormat | DateFormat) -> str:
    """Return the pattern of a format, with letters where Python has numbers of them."""
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), form.pattern)


def _is_duration(form: NumberFormat | DateFormat) -> bool:
    return isinstance(form, DateFormat) and form.time == DURATION


@dataclass(frozen=True)
class FormatReader:
    """Writes how the texts of one column are read."""

    dialect: SqlDialect
    text: str
    add: Added

    def number(self, column: Column) -> str:
        """Write the number of a text, NULL where it is none."""
        form = find_format(column.reading)
        if isinstance(form, NumberFormat):
            return self._amount(form)
        assert isinstance(form, DateFormat)
        return self._moment(form)

    # Amounts.

    def _amount(self, form: NumberFormat) -> str:
        dialect = self.dialect
        groups = [f"NULLIF({dialect.group(self.text, _pattern(form), k)}, '')" for k in range(1, 8)]
        opened, first, second, digits, third, fourth, closed = (self.add(f"a{k}", g) for k, g in enumerate(groups, 1))
        signs = (opened, first, second, third, fourth)
        count = " + ".join(f"CASE WHEN {sign} IS NULL THEN 0 ELSE 1 END" for sign in signs)
        thousands, decimal = EXAMPLES[form.example]
        plain = dialect.without(digits, MARKS[thousands]) if thousands else digits
        value = dialect.to_number(f"replace({plain}, {dialect.text(decimal)}, '.')")
        sign = f"COALESCE({', '.join(signs)}, '+')"
        return (
            f"CASE WHEN {digits} IS NULL OR {count} > 1 OR ({opened} IS NULL) <> ({closed} IS NULL) THEN NULL "
            f"WHEN {sign} = '+' THEN {value} ELSE -({value}) END"
        )

    # Dates.

    def _moment(self, form: DateFormat) -> str:
        cases = [self._case(form, "f", form)]
        for name, iso in (("i", DateFormat(ISO, "")), ("j", DateFormat(ISO, CLOCK))):
            if iso != form:
                length = f"length({self.text}) {'=' if not iso.time else '>'} {len(ISO)}"
                cases.append(self._case(iso, name, form, f"{length} AND substr({self.text}, 5, 1) = '-' AND "))
        return f"CASE {' '.join(cases)} END"

    def _case(self, form: DateFormat, name: str, wanted: DateFormat, guard: str = "") -> str:
        parts = dict(zip(DATES[form.date][1], (1, 2, 3), strict=True))
        year, day = self._whole(form, name, "y", parts["y"]), self._whole(form, name, "d", parts["d"], 1)
        if form.date in SHORT_YEARS:
            year = f"({year} + CASE WHEN {year} >= {CENTURY} THEN 1900 ELSE 2000 END)"
        month = self._month(form, name, parts["m"])
        valid = (
            f"{year} BETWEEN 1 AND 9999 AND {month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND {_days_in(year, month)}"
        )
        days = self.add(f"{name}days", f"CASE WHEN {valid} THEN {_days(year, month, day, self.dialect.divided)} END")
        value = f"CAST({days} AS {self.dialect.double})" if not form.time else self._seconds(form, name, days)
        if form.unit != wanted.unit:
            value = f"{value} * {self.dialect.number(float(form.unit))} / {self.dialect.number(float(wanted.unit))}"
        return f"WHEN {guard}{self.dialect.matches(self.text, _pattern(form))} THEN {value}"

    def _whole(self, form: DateFormat, name: str, part: str, group: int, default: int = 0) -> str:
        found = self.dialect.whole(f"NULLIF({self.dialect.group(self.text, _pattern(form), group)}, '')")
        return self.add(f"{name}{part}", f"COALESCE({found}, {default})")

    def _month(self, form: DateFormat, name: str, group: int) -> str:
        if form.date not in NAMED:
            return self._whole(form, name, "m", group)
        called = self.dialect.month_name(self.dialect.group(self.text, _pattern(form), group))
        cases = " ".join(f"WHEN {self.dialect.text(month)} THEN {n}" for month, n in MONTHS.items())
        return self.add(f"{name}m", f"CASE {called} {cases} ELSE 0 END")

    def _seconds(self, form: DateFormat, name: str, days: str) -> str:
        dialect = self.dialect
        hour, minute = (self._whole(form, name, part, k) for part, k in (("h", 4), ("n", 5)))
        written = self.add(f"{name}s", f"COALESCE(NULLIF({dialect.group(self.text, _pattern(form), 6)}, ''), '0')")
        second = self.add(f"{name}w", dialect.whole(f"split_part({written}, '.', 1)"))
        micros = self.add(f"{name}u", dialect.whole(f"rpad(split_part({written}, '.', 2), 6, '0')"))
        zone = self.add(f"{name}z", f"COALESCE(NULLIF({dialect.group(self.text, _pattern(form), 7)}, ''), 'Z')")
        minutes = dialect.whole(f"NULLIF(replace(substr({zone}, 4), ':', ''), '')")
        ahead = f"({dialect.whole(f'substr({zone}, 2, 2)')} * 3600 + COALESCE({minutes}, 0) * 60)"
        offset = f"CASE WHEN {zone} = 'Z' THEN 0 WHEN substr({zone}, 1, 1) = '-' THEN -{ahead} ELSE {ahead} END"
        seconds = f"({days} * 86400 + {hour} * 3600 + {minute} * 60 + {second} - ({offset}))"
        value = f"CAST({seconds} * 1000000 + {micros} AS {dialect.double}) / {dialect.number(1e6)}"
        return f"CASE WHEN {hour} <= 23 AND {minute} <= 59 AND {second} <= 59 THEN {value} END"


def _days_in(year: str, month: str) -> str:
    leap = f"({year} % 4 = 0 AND {year} % 100 <> 0) OR {year} % 400 = 0"
    return f"CASE WHEN {month} IN (4, 6, 9, 11) THEN 30 WHEN {month} <> 2 THEN 31 WHEN {leap} THEN 29 ELSE 28 END"


def _days(year: str, month: str, day: str, divided: str) -> str:
    """Count the days since 1970-01-01, by years that begin in March."""
    years = f"({year} - CASE WHEN {month} <= 2 THEN 1 ELSE 0 END)"
    months = f"({month} + CASE WHEN {month} <= 2 THEN 9 ELSE -3 END)"
    leaps = f"{years} {divided} 4 - {years} {divided} 100 + {years} {divided} 400"
    return f"{day} - 1 + (153 * {months} + 2) {divided} 5 + 365 * {years} + {leaps} - {EPOCH}"
