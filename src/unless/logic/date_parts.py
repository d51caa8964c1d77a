"""Parts of dates as columns of their own: the weekday, month or year of a date, an age at a date.

A part is asked for as `weekday`, or `age@2024-01-01`, and is kept in the model file as the reading of its column:
`weekday of start as dd.mm.yyyy`. So a table that has the date has the part. Weekdays are words, all others numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from unless.logic.date_texts import EPOCH, ISO, DateFormat, date_format
from unless.logic.values import number_word, read_number

if TYPE_CHECKING:
    from unless.logic.rules import Kind, Value

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PARTS = ("year", "quarter", "month", "day", "weekday", "hour")
AGE = re.compile(r"age@([0-9]{4}-[0-9]{2}-[0-9]{2})")
KEPT = re.compile(rf"({'|'.join(PARTS)}|{AGE.pattern}) of (.*) as ([^ ].*)", re.DOTALL)


@dataclass(frozen=True)
class DatePart:
    """A part of the dates in a column, the source, which are written in a format."""

    part: str
    source: str
    form: DateFormat

    @property
    def text(self) -> str:
        """Return the part as it is kept."""
        return f"{self.part} of {self.source} as {self.form.text}"

    @property
    def kind(self) -> Kind:
        """Return the kind of its column."""
        return "categorical" if self.part == "weekday" else "numerical"

    @property
    def column(self) -> str:
        """Name its column."""
        return f"{self.source} {self.part.partition('@')[0]}"

    @property
    def reference(self) -> dt.date | None:
        """Return the date at which an age is taken."""
        found = AGE.fullmatch(self.part)
        return None if found is None else dt.date.fromisoformat(found.group(1))

    def of(self, number: float) -> Value | None:
        """Return the part of a date, given as its number; None where the calendar has no such date."""
        try:
            moment = EPOCH + dt.timedelta(microseconds=round(number * self.form.unit * 1_000_000))
        except (ValueError, OverflowError):
            return None
        at = self.reference
        if at is not None:
            return float(at.year - moment.year - ((at.month, at.day) < (moment.month, moment.day)))
        if self.part == "weekday":
            return WEEKDAYS[moment.weekday()]
        return float((moment.month + 2) // 3 if self.part == "quarter" else getattr(moment, self.part))

    def read(self, text: str) -> float | None:
        """Read a cell of the part's own column: a plain number."""
        return read_number(text)

    def say(self, number: float) -> str:
        """Say a number of the part's own column: plainly."""
        return number_word(number)


@lru_cache(maxsize=256)
def date_part(text: str) -> DatePart | None:
    """Read a part as it is kept, None where the text is none.

    >>> date_part("weekday of start as dd.mm.yyyy").of(19689.0)
    'Tuesday'
    """
    found = KEPT.fullmatch(text)
    form = None if found is None else date_format(found.group(4))
    if found is None or form is None or not form.date or not is_part(found.group(1)):
        return None
    return DatePart(found.group(1), found.group(3), form)


def is_part(text: str) -> bool:
    """Tell whether a text asks for a part of a date."""
    found = AGE.fullmatch(text)
    return text in PARTS or (found is not None and DateFormat(ISO, "").read(found.group(1)) is not None)
