"""Times and durations of spreadsheets: what a sheet keeps as a part of its first days is written as hours.

In: the cells of a sheet as text, and once more as durations, which is what all its moments are to a spreadsheet: days
since it began to count. Out: the text, with 07:30:00 for a time of day and 29:15:00 for a duration, in columns whose
moments all are such; dates stay dates. Sheets of OpenDocument have times only as durations, and none of a day or more
can be read: that is said.
"""

from __future__ import annotations

import logging
import re
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.table.content import Content

log = logging.getLogger("unless")

EARLY = r"^(?:1899-12-3[01]|190[0-5]-[0-9]{2}-[0-9]{2}) "
"""A moment of the first days of a spreadsheet, which count from the end of 1899, or from 1904."""
DAY = 86_400_000
LONGEST = 5 * 365 * DAY
"""What is longer is a date; so are whole days."""
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"
LONG_TIME = re.compile(rb'office:time-value="-?P(?:[0-9]*[1-9][0-9]*D|T(?:2[4-9]|[3-9][0-9]|0*[1-9][0-9]{2,})H)')
"""A time of a day or more, as OpenDocument writes it."""
TOO_LONG = (
    "%s has durations of 24 hours and more, which cannot be read from this format: these cells are blank. "
    "Save it as xlsx."
)


def with_times(content: Content, texts: pl.DataFrame, as_durations: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return the cells of a sheet with its times and durations as hours."""
    is_open = OPEN_DOCUMENT in content.bytes(0, 128)
    if is_open:
        _remark_long(content)
    elif not any(cells.str.contains(EARLY).any() for cells in texts):
        return texts
    times = as_durations()
    return texts.with_columns(_written(texts[name], times[name], is_open=is_open) for name in texts.columns)


def _written(texts: pl.Series, times: pl.Series, *, is_open: bool) -> pl.Series:
    """Return the cells of a column, with times written as hours if all its moments are times."""
    millis = times.dt.total_milliseconds()
    known = millis.drop_nulls()
    longest = int(known.max() or 0)  # type: ignore[arg-type]
    is_date = longest >= LONGEST or (longest >= DAY and (known % DAY == 0).all())
    if not len(known) or (is_date and not is_open):
        return texts
    hours = pl.Series(texts.name, [None if n is None else _hours(n) for n in millis], dtype=pl.String)
    return hours.zip_with(millis.is_not_null(), texts)


def _hours(millis: int) -> str:
    """Write milliseconds as hours, minutes and seconds.

    >>> _hours(105_300_000), _hours(-500)
    ('29:15:00', '-00:00:00.500')
    """
    seconds, rest = divmod(abs(millis), 1000)
    shown = f".{rest:03}" if rest else ""
    return f"{'-' * (millis < 0)}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{shown}"


def _remark_long(content: Content) -> None:
    """Say that times of a day or more are lost, which the reader of spreadsheets takes for blank."""
    with suppress(zipfile.BadZipFile, KeyError), content.open() as file, zipfile.ZipFile(file) as parts:
        if LONG_TIME.search(parts.read("content.xml")):
            log.warning(TOO_LONG, content.origin)
