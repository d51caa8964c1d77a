"""Segments of a column: its words, ranges of its numbers and amounts, months or years of its dates.

In: the open table and the rows that are looked at. Out: groups of them, of which every row is in one. Numbers and
amounts are cut where about as many rows lie in each range, at round numbers; dates by the calendar, as finely as a few
groups allow; of many words the commonest have a group each, and all others one.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.audit import GroupKey, blank_group, word_groups
from unless.explain.words.language import language
from unless.logic.date_texts import date_format
from unless.table.cells import MISSING
from unless.web.explained_row import LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.logic.date_texts import DateFormat
    from unless.logic.rules import Column
    from unless.web.session import Session

    Rows = NDArray[np.bool_]
    Groups = list[tuple[GroupKey, Rows]]

PARTS = 6
"""Numbers are looked at in about so many ranges."""
FEW = 12
"""A column of so many numbers at most has a segment for each; and so many parts of the calendar are shown."""
MOST_WORDS = 30
CALENDAR = ("D", "M", "Q", "Y", "10Y", "100Y")
"""Days, months, quarters, years, decades, centuries."""


def segment_groups(session: Session, by: str, rows: Rows) -> Groups:
    """Return the segments of a column among some rows."""
    opened, settings = session.need_table(), session.settings
    opened.check_name(by)
    raw, kind = opened.table.columns[by], settings.kinds[by]
    column = opened.described(by, kind)
    read = opened.read(raw, kind, settings.missing)
    groups: Groups = []
    blank = rows.copy()
    if read.numbers is not None:
        numbers = np.where(rows, read.numbers, np.nan)
        groups += _ranges(column, numbers)
        blank &= np.isnan(numbers)
    if read.words is not None:
        codes = np.where(rows, read.words.codes, MISSING)
        groups += _words(read.words.lexicon, codes)
        blank &= codes == MISSING
    return [*groups, *blank_group(blank)]


def _words(lexicon: Sequence[str], codes: NDArray[np.int32]) -> Groups:
    counts = np.bincount(codes[codes != MISSING], minlength=len(lexicon))
    if np.count_nonzero(counts) <= MOST_WORDS:
        return word_groups(lexicon, codes)
    common = np.argsort(-counts, kind="stable")[: MOST_WORDS - 1]
    is_common = np.isin(codes, common)
    found = word_groups(lexicon, np.where(is_common, codes, MISSING))
    others = language(LANGUAGE).say("audit", "others")
    return [*found, (GroupKey(text=others), ~is_common & (codes != MISSING))]


def _ranges(column: Column, numbers: NDArray[np.float64]) -> Groups:
    present = numbers[~np.isnan(numbers)]
    distinct = np.unique(present)
    words = language(LANGUAGE)
    if len(distinct) <= FEW:
        few = distinct.tolist()
        return [(GroupKey(None, value, value, words.number_of(column, value, few)), numbers == value) for value in few]
    form = date_format(column.reading) if column.reading else None
    if form is not None and form.date:
        return _calendar(form, column, numbers)
    cuts = round_cuts(present)
    bounds = [-math.inf, *cuts, math.inf]
    found: Groups = []
    for low, high in itertools.pairwise(bounds):
        inside = (numbers >= low) & (numbers < high)
        if inside.any():
            found.append((GroupKey(None, _finite(low), _finite(high), _range_text(column, low, high)), inside))
    return found


def _range_text(column: Column, low: float, high: float) -> str:
    words = language(LANGUAGE)
    phrase = "below" if low == -math.inf else "at_least" if high == math.inf else "from_to"
    said = {name: words.number_of(column, end, (low, high)) for name, end in (("low", low), ("high", high))}
    return words.say("audit", phrase, **said)


def _finite(bound: float) -> float | None:
    return bound if math.isfinite(bound) else None


def round_cuts(numbers: NDArray[np.float64]) -> list[float]:
    """Return round numbers between which about as many of the numbers lie each.

    >>> round_cuts(np.arange(1000.0))
    [170.0, 330.0, 500.0, 670.0, 830.0]
    """
    parts = np.quantile(numbers, np.linspace(0, 1, PARTS + 1))
    low, high = np.quantile(numbers, [0.05, 0.95])
    spread = float(high - low) or float(parts[-1] - parts[0])
    step = _round_down(spread / (PARTS * 8))
    digits = max(0, 1 - math.floor(math.log10(step)))
    rounded = [round(round(float(part) / step) * step, digits) for part in parts[1:-1]]
    return [cut for cut in dict.fromkeys(rounded) if numbers.min() < cut <= numbers.max()]


def _round_down(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return max(power * part for part in (1, 2, 5) if power * part <= step * (1 + 1e-9))


def _calendar(form: DateFormat, column: Column, numbers: NDArray[np.float64]) -> Groups:
    """Return the days, months, quarters or years of dates, as finely as a few groups allow."""
    known = ~np.isnan(numbers)
    days = np.floor(np.where(known, numbers, 0) * form.unit / 86_400).astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(np.int64)
    width = {"M": 1, "Q": 3, "Y": 12, "10Y": 120, "100Y": 1200}
    for part in CALENDAR:
        # Months are counted from 1970, whose year, decade and century begin elsewhere.
        codes = days.astype(np.int64) if part == "D" else (months + 1970 * 12) // width[part]
        found = np.unique(codes[known])
        if len(found) <= FEW:
            break
    text = _calendar_text(part, column, form)
    return [(GroupKey(text=text(int(code))), known & (codes == code)) for code in found.tolist()]


def _calendar_text(part: str, column: Column, form: DateFormat) -> Callable[[int], str]:
    """Return how a part of the calendar is called."""
    names: dict[str, Callable[[int], str]] = {
        "D": lambda day: language(LANGUAGE).number_of(column, float(day * 86_400 // form.unit)),
        "M": lambda month: f"{month // 12:04d}-{month % 12 + 1:02d}",
        "Q": lambda quarter: f"{quarter // 4:04d} Q{quarter % 4 + 1}",
        "Y": lambda year: f"{year:04d}",
        "10Y": lambda decade: f"{decade * 10:04d}–{decade * 10 + 9:04d}",
        "100Y": lambda century: f"{century * 100:04d}–{century * 100 + 99:04d}",
    }
    return names[part]
