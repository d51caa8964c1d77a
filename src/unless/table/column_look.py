"""What a column looks like: how many numbers and texts it has, and how its texts are written.

In: a column, the words for missing. Out: `Look`, all that deciding its kind needs (`kinds`). The looks at parts of a
table join to that of the whole, so that a table that comes in parts gets the same kinds.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unless.logic.values import read_number
from unless.table.columns import RawColumn, as_text, plain_lines, read_numbers
from unless.table.dates import ZONED, count_dates, dates_of_few, join_counts
from unless.table.nearly_numbers import has_grades
from unless.table.number_formats import (
    join_skeletons,
    plain_few,
    plain_in_lines,
    plain_skeletons,
    rows_with_units,
    skeletons,
    skeletons_of_few,
)
from unless.table.recognise import Recognised, may_be_thousands, recognise, recognise_most

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

LOOKS_LIKE_CODE = r"^\s*-?0\d"
STARTS_LIKE_CODE = re.compile(LOOKS_LIKE_CODE)
CODE_IN_LINES = re.compile(LOOKS_LIKE_CODE, re.MULTILINE)
HAS_DIGIT, HAS_ZONE = re.compile("[0-9]"), re.compile(ZONED).search
FEW = 1000
"""Up to this many distinct texts are looked at one by one, which takes less time than to ask polars about all."""
GLANCE = 100
"""Where only a hint depends on what texts look like, so many of them are looked at."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a column looks like: how many numbers and texts it has, and how many of the texts seen are plain numbers.

    `skeletons` and `dates` count the texts by what they look like, `has_zone` tells that dates have a time with a zone;
    `given` is the reading of a frame's own dates.
    """

    is_text: bool
    n_numbers: int
    n_texts: int
    n_seen: int = 0
    n_read: int = 0
    has_code: bool = False
    skeletons: Mapping[str, int] = field(default_factory=dict)
    dates: Mapping[str, int] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    given: str = ""
    has_zone: bool = False

    def __add__(self, other: Look) -> Look:
        return Look(
            self.is_text or other.is_text,
            self.n_numbers + other.n_numbers,
            self.n_texts + other.n_texts,
            self.n_seen + other.n_seen,
            self.n_read + other.n_read,
            self.has_code or other.has_code,
            join_skeletons(self.skeletons, other.skeletons),
            join_counts(self.dates, other.dates),
            tuple(sorted({*self.words, *other.words})[:4]),
            max(self.given, other.given, key=lambda reading: (len(reading), reading)),
            self.has_zone or other.has_zone,
        )

    @property
    def share(self) -> float:
        """Return the share of plain numbers among the texts seen."""
        return self.n_read / self.n_seen if self.n_seen else 0.0

    @property
    def n_with_units(self) -> int:
        """Count the rows with numbers that have different units, where most have; else 0."""
        n = rows_with_units(self.skeletons)
        return n if 2 * n > self.n_seen else 0

    @property
    def has_grades(self) -> bool:
        """Tell whether they are grades such as 2+ and 2-, in which the minus is no sign."""
        return has_grades(self.skeletons)

    def recognise(self, decimals: frozenset[str] = frozenset()) -> Recognised:
        """Recognise how the texts are written."""
        if self.n_read == self.n_seen and not self.dates and not may_be_thousands(self.skeletons):
            return Recognised("", self.n_read)  # plain numbers, as most are
        return recognise(self.skeletons, self.dates, self.n_seen, self.n_read, decimals)

    def recognise_most(self, decimals: frozenset[str] = frozenset()) -> Recognised | None:
        """Recognise how more than half of the texts are written, None where they are not alike, or plain numbers."""
        found = self.recognise(decimals)
        if self.has_grades:
            return None
        if not found.reading and self.n_read < self.n_seen:
            found = recognise_most(self.skeletons, self.dates, self.n_read, decimals)
        return found if found.reading and 2 * found.n_read > self.n_seen else None


def look_at(column: RawColumn, missing: Sequence[str] = (), *, is_glance: bool = False) -> Look:
    """Look at a column: at all of its texts, or, for a glance, at some; missing words have no say."""
    n_numbers = 0 if column.numbers is None else len(column.numbers) - column.numbers.null_count()
    if column.text is None:
        return Look(is_text=False, n_numbers=n_numbers, n_texts=0, given=column.reading)
    n_texts = len(column.text) - column.text.null_count()
    if column.is_declared and is_glance:
        return Look(is_text=True, n_numbers=n_numbers, n_texts=n_texts)  # whose owner said what they are
    text = column.text.head(GLANCE) if is_glance else column.text
    return _look_at_distinct(text, missing, n_numbers, n_texts)


def _look_at_distinct(text: pl.Series, missing: Sequence[str], n_numbers: int, n_texts: int) -> Look:
    """Look at each distinct text once, however many rows have it: most columns have few."""
    if len(text) <= FEW:
        every = as_text(text).to_list()
        if lines := plain_lines(every, missing):
            return _look_at_plain(lines, n_numbers, n_texts)
        return _look_at_few(Counter(every), missing, n_numbers, n_texts)
    counted = as_text(text.drop_nulls()).alias("text").value_counts(name="n")
    if counted.height <= FEW:
        few = dict(zip(counted["text"].to_list(), counted["n"].to_list(), strict=True))
        return _look_at_few(few, missing, n_numbers, n_texts)
    stripped = counted["text"].str.strip_chars()
    counts = stripped != ""  # blank is missing
    if missing:
        named = list(missing)
        counts = counts & ~counted["text"].is_in(named) & ~stripped.is_in(named)
    texts, n_rows = stripped, counted["n"]
    if not counts.all():
        texts, n_rows = texts.filter(counts), n_rows.filter(counts)
    is_number = read_numbers(texts).is_not_null()
    unread = texts.filter(~is_number)
    bones, dates = _shapes(texts, n_rows, is_number, unread)
    return Look(
        is_text=True,
        n_numbers=n_numbers,
        n_texts=n_texts,
        n_seen=int(n_rows.sum()),
        n_read=int(n_rows.filter(is_number).sum()),
        has_code=bool(texts.str.contains(LOOKS_LIKE_CODE).any()),
        skeletons=bones,
        dates=dates,
        words=tuple(unread.sort().head(4)),
        has_zone=bool(dates) and bool(unread.str.contains(ZONED).any()),
    )


def _look_at_plain(lines: str, n_numbers: int, n_texts: int) -> Look:
    """Do the same for lines of which each is a plain number."""
    n = lines.count("\n")
    has_code = CODE_IN_LINES.search(lines) is not None
    bones = plain_in_lines(lines)
    return Look(
        is_text=True, n_numbers=n_numbers, n_texts=n_texts, n_seen=n, n_read=n, has_code=has_code, skeletons=bones
    )


def _look_at_few(counted: Mapping[str | None, int], missing: Sequence[str], n_numbers: int, n_texts: int) -> Look:
    """Do the same text by text."""
    read: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for text, n in counted.items():
        bare = "" if text is None else text.strip()
        if bare and not (text in missing or bare in missing):
            (unread if read_number(bare) is None else read)[bare] += n
    bones, dates = plain_few(read), {}
    if any(map(HAS_DIGIT.search, unread)):
        bones, dates = skeletons_of_few({**read, **unread}), dates_of_few(unread)
    n_read = read.total()
    return Look(
        is_text=True,
        n_numbers=n_numbers,
        n_texts=n_texts,
        n_seen=n_read + unread.total(),
        n_read=n_read,
        has_code=any(map(STARTS_LIKE_CODE.match, (*read, *unread))),
        skeletons=bones,
        dates=dates,
        words=tuple(sorted(unread)[:4]),
        has_zone=bool(dates) and any(map(HAS_ZONE, unread)),
    )


def _shapes(
    texts: pl.Series, n_rows: pl.Series, is_number: pl.Series, unread: pl.Series
) -> tuple[dict[str, int], dict[str, int]]:
    """Count what texts look like; where all that has a digit is a plain number, there is little to look at."""
    if not len(unread):
        return plain_skeletons(texts, n_rows), {}
    if not unread.str.contains("[0-9]").any():
        return plain_skeletons(texts.filter(is_number), n_rows.filter(is_number)), {}
    return skeletons(texts, n_rows), count_dates(unread, n_rows.filter(~is_number))
