"""Dates, times and durations as people write them, and the numbers that stand for them in programs.

A date is the number of days since 1970-01-01; a date with a time is the number of seconds since its midnight, in UTC
where the text or the frame names a zone, else as written; a time of day and a duration are seconds. Days and seconds
are whole or have few decimals, so the numbers are exact, s(CASP) compares them, and they are said as dates again.

A format is written with yyyy, mm, dd, hh, mm, ss: `dd.mm.yyyy`, `yyyy-mm-dd hh:mm`; mmm is the name of a month, in
English or German, yy a year of two digits (70 to 99 are of the last century), and `yyyy-mm` a month, which is its first
day. Whatever the format of a column of dates, `yyyy-mm-dd` is read too, and what the format cannot say is said so.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

EPOCH = dt.datetime(1970, 1, 1)
DAY = 86_400
ISO = "yyyy-mm-dd"
DATES = {
    "yyyy-mm-dd": ("-", "ymd"),
    "dd.mm.yyyy": (".", "dmy"),
    "mm/dd/yyyy": ("/", "mdy"),
    "dd/mm/yyyy": ("/", "dmy"),
    "yyyy/mm/dd": ("/", "ymd"),
    "dd-mm-yyyy": ("-", "dmy"),
    "mm-dd-yyyy": ("-", "mdy"),
    "yyyy.mm.dd": (".", "ymd"),
    "dd.mm.yy": (".", "dmy"),
    "mm/dd/yy": ("/", "mdy"),
    "dd/mm/yy": ("/", "dmy"),
    "dd-mmm-yyyy": ("-", "dmy"),
    "dd.mmm.yyyy": (". ", "dmy"),
    "mmm-dd-yyyy": (" ", "mdy"),
    "yyyy-mm": ("-", "ymd"),
}
"""The ways to write a date: the separator, and the order of year, month and day; of two that fit, the first wins."""
MONTH = "yyyy-mm"
SHORT_YEARS = frozenset({"dd.mm.yy", "mm/dd/yy", "dd/mm/yy"})
CENTURY = 70
"""Years of two digits from this one on are of the last century."""
LOOSE = SHORT_YEARS | {MONTH}
"""Formats that much else looks like: a column has one only if all of its cells do."""
NAME = r"([A-Za-z\u00e4\u00c4]{3,9})\.?"
NAMED = {
    "dd-mmm-yyyy": rf"([0-9]{{1,2}})[- ]+{NAME}[- ]+([0-9]{{4}})",
    "dd.mmm.yyyy": rf"([0-9]{{1,2}})\. *{NAME} *([0-9]{{4}})",
    "mmm-dd-yyyy": rf"{NAME}[- ]+([0-9]{{1,2}})(?:,|,? +|-)([0-9]{{4}})",
}
"""What dates with the name of a month look like."""
ENGLISH = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
GERMAN = (
    "Januar",
    "Februar",
    "M\u00e4rz",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
)
MONTHS = {
    name: number % 12 + 1
    for names in (ENGLISH, GERMAN)
    for number, whole in enumerate(names)
    for name in (whole.lower(), whole[:3].lower())
} | {"sept": 9, "mrz": 3, "j\u00e4n": 1, "j\u00e4nner": 1, "maerz": 3}
"""The number of a month by its name in lower case, whole or short."""
CLOCK = "hh:mm:ss"
TIMES = ("hh:mm", CLOCK)
Measure = Literal["dates", "durations", "numbers"]
"""What the numbers of a column stand for."""

DURATION = "duration"
"""Hours, minutes and seconds, perhaps days before them: 26:15, 0:07:30.5, 3 days 04:00. A time of day is one too."""


@dataclass(frozen=True)
class DateFormat:
    """How the dates, times or durations of a column are written: `date` empty means a time or a duration alone."""

    date: str
    time: str

    @property
    def text(self) -> str:
        """Return the format as it is typed and kept."""
        return f"{self.date} {self.time}".strip()

    @property
    def unit(self) -> int:
        """Return how many seconds the number 1 stands for: a day or a second."""
        return DAY if not self.time else 1

    @cached_property
    def pattern(self) -> str:
        """Return what such a text looks like, in groups: year, month, day in their order; hour, minute, second, zone.

        Of durations: minus, days, hours, minutes, seconds. Regular expressions of Python and of polars read it alike.
        """
        if self.time == DURATION:
            clock = r"([0-9]{1,9}):([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]{1,6})?)[0-9]*)?"
            return rf"^(-)?(?:([0-9]{{1,6}}) ?d(?:ays?)?,? ?)?(?:{clock})?$"
        return f"^{self.date_pattern}(?:[ T]+{self.time_pattern})?$" if self.time else f"^{self.date_pattern}$"

    @property
    def date_pattern(self) -> str:
        """Return what the date looks like."""
        if self.date in NAMED:
            return NAMED[self.date]
        if self.date == MONTH:
            return "([0-9]{4})-([0-9]{2})()"
        mark, order = DATES[self.date]
        year = "([0-9]{2})" if self.date in SHORT_YEARS else "([0-9]{4})"
        return re.escape(mark).join(year if part == "y" else "([0-9]{1,2})" for part in order)

    @property
    def time_pattern(self) -> str:
        """Return what the time looks like, which may be absent: no seconds, or with a zone behind it."""
        return r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,6})?)[0-9]*)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def read(self, text: str) -> float | None:
        """Read a text without blanks around it; None where it is no such date."""
        found = None if text.endswith("\n") else self._compiled.match(text)
        if found is None:
            return _read_iso(self, text)
        groups = found.groups()
        if self.time == DURATION:
            return _duration(groups)
        try:
            return _number(self, groups)
        except (ValueError, OverflowError):
            return None

    def say(self, number: float) -> str:
        """Write a number as a date; one that is no whole day, or out of the calendar, is said as exactly as it goes."""
        if not self.date:
            return _said_duration(number)
        try:
            moment = EPOCH + dt.timedelta(microseconds=round(number * self.unit * 1_000_000))
        except (ValueError, OverflowError):
            return repr(number)
        said = _said_date(self.date, moment)
        is_midnight = moment.time() == dt.time()
        return said if not self.time and is_midnight else f"{said} {_said_clock(moment.time(), self.time)}"


def _said_date(form: str, moment: dt.datetime) -> str:
    year = moment.year
    fits_year = form not in SHORT_YEARS or 1900 + CENTURY <= year < 2000 + CENTURY
    if not fits_year or (form == MONTH and (moment.day != 1 or moment.time() != dt.time())):
        form = ISO
    if form == MONTH:
        return f"{year:04}-{moment.month:02}"
    if form == "mmm-dd-yyyy":
        return f"{ENGLISH[moment.month - 1][:3]} {moment.day}, {year:04}"
    if form == "dd.mmm.yyyy":
        return f"{moment.day}. {GERMAN[moment.month - 1]} {year:04}"
    mark, order = DATES[form]
    month = ENGLISH[moment.month - 1][:3] if form in NAMED else f"{moment.month:02}"
    shown = f"{year % 100:02}" if form in SHORT_YEARS else f"{year:04}"
    return mark.join({"y": shown, "m": month, "d": f"{moment.day:02}"}[part] for part in order)


def _number(form: DateFormat, groups: tuple[str | None, ...]) -> float:
    _, order = DATES[form.date]
    parts = dict(zip(order, groups[:3], strict=True))
    name = parts["m"] or ""
    month = MONTHS.get(name.lower(), 0) if form.date in NAMED else int(name)
    year = int(parts["y"] or 0)
    if form.date in SHORT_YEARS:
        year += 1900 if year >= CENTURY else 2000
    days = (dt.date(year, month, int(parts["d"] or 1)) - EPOCH.date()).days
    if not form.time:
        return float(days)
    hour, minute, second, zone = groups[3:]
    whole, _, rest = (second or "0").partition(".")
    dt.time(int(hour or 0), int(minute or 0), int(whole))  # refuses what is no time
    seconds = days * DAY + int(hour or 0) * 3600 + int(minute or 0) * 60 + int(whole) - _offset(zone)
    return float(seconds * 1_000_000 + int(rest.ljust(6, "0"))) / 1_000_000


def _offset(zone: str | None) -> int:
    """Return how many seconds a zone is ahead of UTC."""
    if zone is None or zone == "Z":
        return 0
    sign = -1 if zone[0] == "-" else 1
    return sign * (int(zone[1:3]) * 3600 + int(zone[3:].strip(":") or 0) * 60)


def _read_iso(form: DateFormat, text: str) -> float | None:
    """Read a date as ISO writes it, with or without a time, where the column's own format does not fit."""
    if not form.date or len(text) < len(ISO) or text[4] != "-":
        return None
    whole = DateFormat(ISO, "" if len(text) == len(ISO) else CLOCK)
    if form == whole:
        return None
    number = whole.read(text)
    return None if number is None else number * whole.unit / form.unit


def _duration(groups: tuple[str | None, ...]) -> float | None:
    sign, days, hours, minutes, seconds = groups
    if days is None and hours is None:
        return None
    whole, _, rest = (seconds or "0").partition(".")
    total = int(days or 0) * DAY + int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(whole)
    number = float(total * 1_000_000 + int(rest.ljust(6, "0"))) / 1_000_000
    return -number if sign else number


def _said_duration(number: float) -> str:
    micros = round(abs(number) * 1_000_000)
    seconds, micro = divmod(micros, 1_000_000)
    rest = f".{micro:06}".rstrip("0") if micro else ""
    sign = "-" if number < 0 else ""
    shown = f":{seconds % 60:02}{rest}" if seconds % 60 or micro else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}{shown}"


def _said_clock(time: dt.time, form: str) -> str:
    if time.microsecond:
        return time.strftime("%H:%M:%S.%f").rstrip("0")
    return time.strftime("%H:%M" if form == "hh:mm" and not time.second else "%H:%M:%S")


@lru_cache(maxsize=256)
def date_format(text: str) -> DateFormat | None:
    """Read a format, None where the text is none.

    >>> date_format("dd.mm.yyyy").read("28.11.2023"), date_format("dd.mm.yyyy").say(19689.0)
    (19689.0, '28.11.2023')
    """
    date, _, time = text.partition(" ")
    if text == DURATION or text in TIMES:
        return DateFormat("", DURATION)
    return DateFormat(date, time) if date in DATES and time in times_of(date) else None


def measured_otherwise(given: str, wanted: str) -> Measure | None:
    """Return what the numbers of a reading stand for, if those of another stand for something else.

    >>> measured_otherwise("yyyy-mm-dd", ""), measured_otherwise("yyyy-mm-dd", "dd.mm.yyyy hh:mm")
    ('dates', None)
    """
    if given == wanted:
        return None
    measure = _measure(given)
    return None if measure == _measure(wanted) else measure


def _measure(reading: str) -> Measure:
    form = date_format(reading)
    if form is None:
        return "numbers"
    return "dates" if form.date else "durations"


def times_of(date: str) -> tuple[str, ...]:
    """Return the times that may stand behind a date, none included."""
    return ("",) if date == MONTH else ("", *TIMES)
