"""Dates, times and durations: read in whole columns, recognised from all their texts, and taken from frames.

The columnar twin of `logic.date_texts`, which says what the numbers are: days since 1970-01-01, or seconds.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import polars as pl

from unless.logic.date_texts import (
    CENTURY,
    CLOCK,
    DATES,
    DAY,
    DURATION,
    ISO,
    MONTH,
    MONTHS,
    NAMED,
    SHORT_YEARS,
    TIMES,
    DateFormat,
    date_format,
    times_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DATE_LIKE = (
    rf"^(?:[0-9]{{1,4}}[-./][0-9]{{1,2}}[-./][0-9]{{1,4}}|{'|'.join(NAMED.values())}|[0-9]{{4}}-[0-9]{{2}})"
    r"(?:[ T]+[0-9]{1,2}:[0-9]{2}[0-9:.]*(?:Z|[+-][0-9:]+)?)?$"
)
ZONED = r":[0-9]{2}(?:[.][0-9]+)?[+-][0-9]{2}(?::?[0-9]{2})?$"
"""A time with a zone that is not UTC itself."""
TIME_LIKE = r"^-?(?:[0-9]+ ?d(?:ays?)?,? ?)?[0-9]+:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?$"
WITH_SECONDS = r":[0-9]{2}:[0-9]{2}"
MICRO = 1_000_000


def read_dates(text: pl.Series, form: DateFormat) -> pl.Series:
    """Read texts without blanks around them as numbers; null where they are no such dates."""
    if form.time == DURATION:
        return _durations(text, form)
    read = _own_dates(text, form)
    if form.date == ISO and form.time == CLOCK:
        return read
    for other in (DateFormat(ISO, ""), DateFormat(ISO, CLOCK)):
        is_other = (text.str.len_chars() == len(ISO)) if not other.time else (text.str.len_chars() > len(ISO))
        left = read.is_null() & is_other & (text.str.slice(4, 1) == "-")
        if other != form and left.any():
            read = read.zip_with(~left, _divided(_own_dates(text, other) * other.unit, form.unit))
    return read


def _own_dates(text: pl.Series, form: DateFormat) -> pl.Series:
    """Read texts that are written in the format itself."""
    parts = text.str.extract_groups(form.pattern).struct.unnest()
    _, order = DATES[form.date]
    by_name = {name: parts.to_series(i) for i, name in enumerate(order)}
    year, month = _year(by_name["y"], form), _month(by_name["m"], form)
    day = pl.Series(["01"]) if form.date == MONTH else by_name["d"].str.zfill(2)
    dates = year + "-" + month.str.zfill(2) + "-" + day
    days = dates.set(year == "0000", None).str.to_date("%Y-%m-%d", strict=False).to_physical()
    if not form.time:
        return days.cast(pl.Float64)
    hour, minute = (parts.to_series(i).cast(pl.Int64).fill_null(0) for i in (3, 4))
    second, micro = _seconds(parts.to_series(5))
    seconds = days.cast(pl.Int64) * DAY + hour * 3600 + minute * 60 + second - _offset(parts.to_series(6))
    read = _divided(seconds * MICRO + micro, MICRO)
    return read.set((hour > 23) | (minute > 59) | (second > 59), None)


def _year(text: pl.Series, form: DateFormat) -> pl.Series:
    if form.date not in SHORT_YEARS:
        return text
    is_past = (text.cast(pl.Int64, strict=False) >= CENTURY).fill_null(value=False)
    return ("19" + text).zip_with(is_past, "20" + text)


def _month(text: pl.Series, form: DateFormat) -> pl.Series:
    if form.date not in NAMED:
        return text
    numbers = {name: str(number) for name, number in MONTHS.items()}
    return text.str.to_lowercase().replace_strict(numbers, default=None, return_dtype=pl.String)


def _divided(numbers: pl.Series, by: int) -> pl.Series:
    """Divide as Python does: polars multiplies by the reciprocal, which is another number in the last digit."""
    return pl.Series(numbers.name, numbers.cast(pl.Float64).to_numpy() / by).fill_nan(None)


def _seconds(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return whole seconds and microseconds; absent ones are 0."""
    whole = text.str.slice(0, 2).cast(pl.Int64).fill_null(0)
    micro = text.str.slice(3).str.pad_end(6, "0").cast(pl.Int64, strict=False).fill_null(0)
    return whole, micro


def _offset(zone: pl.Series) -> pl.Series:
    """Return how many seconds zones are ahead of UTC."""
    hours = zone.str.slice(1, 2).cast(pl.Int64, strict=False).fill_null(0)
    minutes = zone.str.slice(3).str.strip_chars(":").cast(pl.Int64, strict=False).fill_null(0)
    seconds = hours * 3600 + minutes * 60
    return seconds.zip_with(~zone.str.starts_with("-").fill_null(value=False), -seconds)


def _durations(text: pl.Series, form: DateFormat) -> pl.Series:
    parts = text.str.extract_groups(form.pattern).struct.unnest()
    sign, days, hours, minutes = (parts.to_series(i) for i in range(4))
    second, micro = _seconds(parts.to_series(4))
    day, hour, minute = (part.cast(pl.Int64).fill_null(0) for part in (days, hours, minutes))
    total = day * DAY + hour * 3600 + minute * 60 + second
    read = _divided(total * MICRO + micro, MICRO)
    read = read.zip_with(sign.is_null(), -read)
    return read.set(days.is_null() & hours.is_null(), None)


def count_dates(texts: pl.Series, n_rows: pl.Series) -> dict[str, int]:
    """Count the rows that each format reads, for the texts that look like dates or times."""
    is_time, is_date = texts.str.contains(TIME_LIKE), texts.str.contains(DATE_LIKE)
    found: dict[str, int] = {}
    if is_time.any():
        found[DURATION] = int(n_rows.filter(is_time).sum())
    if not is_date.any():
        return found
    texts, n_rows = texts.filter(is_date), n_rows.filter(is_date)
    has_seconds = texts.str.contains(WITH_SECONDS)
    for date in DATES:
        for time in times_of(date):
            if time and not texts.str.contains(":", literal=True).any():
                continue
            read = _own_dates(texts, DateFormat(date, time)).is_not_null()
            read = read & ~has_seconds if time == TIMES[0] else read
            found[f"{date} {time}".strip()] = int(n_rows.filter(read).sum())
    return {form: n for form, n in found.items() if n}


def dates_of_few(counted: Mapping[str, int]) -> dict[str, int]:
    """Do the same for few texts, most of which look like no dates."""
    is_time, is_date = re.compile(TIME_LIKE).match, re.compile(DATE_LIKE).match
    like = {text: n for text, n in counted.items() if is_time(text) or is_date(text)}
    return count_dates(pl.Series(list(like)), pl.Series(list(like.values()))) if like else {}


def join_counts(some: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """Add up the counts of two parts of a table.

    A part of which no text has a time counts nothing for formats with a time, which read dates alone too.
    """
    joined = Counter({**_with_times(some, others)}) + Counter({**_with_times(others, some)})
    return dict(joined)


def _with_times(some: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    asked = {form: form.partition(" ")[0] for form in others if form not in some}
    return {**some, **{form: some[date] for form, date in asked.items() if date in some}}


def choose_dates(counts: Mapping[str, int]) -> tuple[tuple[str, ...], int]:
    """Return the formats that read the most rows, the likelier first, and how many rows they read."""
    if not counts:
        return (), 0
    most = max(counts.values())
    best = [form for form in _ordered(counts) if counts[form] == most]
    if not best or best[0] == DURATION:
        return tuple(best[:1]), most
    time = best[0].partition(" ")[2]
    return tuple(form for form in best if form.partition(" ")[2] == time), most


def read_besides(form: str, counts: Mapping[str, int]) -> int:
    """Count the rows that are read where a format is chosen: every format of dates reads 2023-11-28 too."""
    if form == DURATION:
        return counts[form]
    of_iso = max(counts.get(ISO, 0), counts.get(f"{ISO} {CLOCK}", 0))
    return of_iso if form.startswith(ISO) else counts[form] + of_iso


def _ordered(counts: Mapping[str, int]) -> list[str]:
    dates = [f"{date} {time}".strip() for time in ("", *TIMES) for date in DATES if time in times_of(date)]
    return [form for form in (*dates, DURATION) if form in counts]


def from_moments(series: pl.Series) -> tuple[pl.Series, str]:
    """Return a column of dates, times or durations of a frame as numbers, with the reading that they have."""
    dtype = series.dtype
    if dtype == pl.Date:
        return series.to_physical().cast(pl.Float64), ISO
    if isinstance(dtype, pl.Datetime):
        micros = series.dt.cast_time_unit("us").to_physical()  # in UTC, where there is a zone
        if len(micros) and (micros % (DAY * MICRO) == 0).all():
            return (micros // (DAY * MICRO)).cast(pl.Float64), ISO  # pandas has no dates, only midnights
        return _divided(micros, MICRO), f"{ISO} {CLOCK}"
    if dtype == pl.Time:
        return _divided(series.to_physical() // 1000, MICRO), DURATION
    return _divided(series.dt.total_microseconds(), MICRO), DURATION


def convert(numbers: pl.Series, given: str, wanted: str) -> pl.Series:
    """Return numbers of one reading of dates as those of another: days as seconds, or the reverse."""
    one, other = date_format(given), date_format(wanted)
    if one is None or other is None or one.unit == other.unit:
        return numbers
    return _divided(numbers * one.unit, other.unit)
