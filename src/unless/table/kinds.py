"""Which columns are numerical and which categorical, and how their cells are read.

The user's word comes first. Otherwise the dtype decides (numbers and dates: numerical, text: categorical), and where
there is no dtype, as in a CSV file, the content: a column in which most values are numbers or dates, however they are
written (`recognise`), is numerical, unless it is written like a code ("08"). What is decided against the look of a
column, and how its cells are read, is said, so that the user can decide otherwise.

All that a decision needs of a column is its `Look`, and the looks at parts of a table join to that of the whole: a
table that comes in parts gets the same kinds.
"""

from __future__ import annotations

import logging
import re
import shlex
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np

from unless.errors import DataError, listing, unknown_column
from unless.logic.date_parts import DatePart
from unless.logic.date_texts import CENTURY, DURATION, SHORT_YEARS
from unless.logic.readings import is_date, reading_format
from unless.logic.rules import Column
from unless.logic.values import read_number
from unless.table.columns import RawColumn, as_text, read_numbers
from unless.table.dates import count_dates, dates_of_few, join_counts
from unless.table.number_formats import join_skeletons, plain_few, plain_skeletons, skeletons, skeletons_of_few
from unless.table.recognise import Recognised, decimal_marks, may_be_thousands, recognise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from unless.logic.rules import Kind
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

LOOKS_LIKE_CODE = r"^\s*-?0\d"
STARTS_LIKE_CODE = re.compile(LOOKS_LIKE_CODE)
HAS_DIGIT = re.compile("[0-9]")
FEW = 1000
"""Up to this many distinct texts are looked at one by one, which takes less time than to ask polars about all."""
GLANCE = 100
"""Where only a hint depends on what texts look like, so many of them are looked at."""

PLAIN_READING = "1234.56"
"""The name of the reading of plain numbers."""

Evidence = OneOf["dtype", "content"]


@dataclass(frozen=True, slots=True)
class Look:
    """What a column looks like: how many numbers and texts it has, and how many of the texts seen are plain numbers.

    `skeletons` and `dates` count the texts by what they look like; `given` is the reading of a frame's own dates.
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
        )

    @property
    def share(self) -> float:
        """Return the share of plain numbers among the texts seen."""
        return self.n_read / self.n_seen if self.n_seen else 0.0

    def recognise(self, decimals: frozenset[str] = frozenset()) -> Recognised:
        """Recognise how the texts are written."""
        return recognise(self.skeletons, self.dates, self.n_seen, self.n_read, decimals)


@dataclass(frozen=True, slots=True)
class KindRule:
    """How kinds are decided: those named are fixed, the others go by dtype or by content; missing words have no say.

    `readings` are the ways to read the columns that it names, which are numerical then.
    """

    by: Evidence
    fixed: Mapping[str, Kind] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, reading in self.readings.items():
            reading_format(reading)
            if self.fixed.get(name) == "categorical":
                msg = f"column {name!r} is named categorical, and to be read as {reading!r}; it can be one."
                raise DataError(msg)

    def columns(self, names: Sequence[str], looks: Mapping[str, Look]) -> dict[str, Column]:
        """Decide the kind of every column, and how it is read; those that are fixed need no look."""
        for name in (*self.fixed, *self.readings):
            if name not in names:
                raise DataError(unknown_column(name, names))
        decimals = decimals_of(looks)
        return {name: self._column(name, looks.get(name), decimals) for name in names}

    def _column(self, name: str, look: Look | None, decimals: frozenset[str]) -> Column:
        if name in self.readings:
            form = reading_format(self.readings[name])
            return Column(name, form.kind if isinstance(form, DatePart) else "numerical", reading=form.text)
        kind = self.fixed.get(name)
        if kind == "categorical" or look is None:
            return Column(name, kind or "categorical")
        found, reading = decide(look, self.evidence(name), decimals)
        if kind is not None:
            found, reading = kind, look.recognise(decimals).reading or look.given
        return Column(name, found, reading=reading)

    def evidence(self, name: str) -> Evidence:
        """Say what decides about a column: what is to be numerical must be looked at closely."""
        return "content" if self.fixed.get(name) == "numerical" else self.by

    def needs_look(self, name: str) -> bool:
        """Tell whether anything is left to decide about a column."""
        return name not in self.readings and self.fixed.get(name) != "categorical"

    def remark(self, looks: Mapping[str, Look]) -> None:
        """Say what was decided against the look of a column, and how it is read."""
        columns = self.columns([*dict.fromkeys((*looks, *self.fixed, *self.readings))], looks)
        decimals = decimals_of(looks)
        for name, look in looks.items():
            found = look.recognise(decimals)
            if look.is_text and (columns[name].reading or (found.others and columns[name].kind == "numerical")):
                remark_reading(name, found)
            elif name not in self.fixed:
                remark(name, look, self.by)


def decimals_of(looks: Mapping[str, Look]) -> frozenset[str]:
    """Return the decimal marks of a table, where some column needs to know."""
    if all(look.n_read == look.n_seen and not may_be_thousands(look.skeletons) for look in looks.values()):
        return frozenset()
    return decimal_marks((look.skeletons, look.n_read) for look in looks.values())


def kinds_from_dtype(table: RawTable) -> dict[str, Kind]:
    """Decide by dtype: text is categorical, numbers are numerical, objects go by what most of them are."""
    return _decided(table, KindRule("dtype"))


def kinds_from_content(table: RawTable, missing: Sequence[str] = ()) -> dict[str, Kind]:
    """Decide by what the cells look like: for files, where everything is text."""
    return _decided(table, KindRule("content", missing=tuple(missing)))


def _decided(table: RawTable, rule: KindRule) -> dict[str, Kind]:
    return {name: column.kind for name, column in read_columns(table, rule).items()}


def read_columns(table: RawTable, rule: KindRule, *, aloud: bool = True) -> dict[str, Column]:
    """Decide the kind of every column of a table, and how it is read; say so, if `aloud`."""
    known = {name: kind for name, kind in rule.fixed.items() if name in table.columns}
    rule = KindRule(rule.by, known, rule.missing, {n: r for n, r in rule.readings.items() if n in table.columns})
    looks = {name: look_at(table.column(name), rule) for name in table.names if rule.needs_look(name)}
    if aloud:
        rule.remark(looks)
    return rule.columns(table.names, looks)


def kinds_from_choice(table: RawTable, choice: Any) -> dict[str, Kind]:
    """Apply scikit-learn's `categorical_features` to a table in memory."""
    return _decided(table, rule_from_choice(table.names, choice))


def rule_from_choice(names: Sequence[str], choice: Any, by: Evidence = "dtype") -> KindRule:
    """Apply scikit-learn's `categorical_features`: 'from_dtype', None, names, positions, or a mask."""
    if isinstance(choice, str):
        if choice != "from_dtype":
            msg = f"categorical_features is {choice!r}; accepted: 'from_dtype', None, or a list of columns."
            raise DataError(msg)
        return KindRule(by)
    categorical = set() if choice is None else _chosen(names, list(choice))
    return KindRule(by, {name: "categorical" if name in categorical else "numerical" for name in names})


def override(kinds: Mapping[str, Kind], categorical: Sequence[str], numerical: Sequence[str]) -> dict[str, Kind]:
    """Set the kind of the named columns."""
    chosen = kinds_by_name(categorical, numerical)
    for name in chosen:
        if name not in kinds:
            raise DataError(unknown_column(name, list(kinds)))
    return {**kinds, **chosen}


def kinds_by_name(categorical: Sequence[str], numerical: Sequence[str]) -> dict[str, Kind]:
    """Return the kinds of columns that are named by kind; none may be named twice."""
    both = sorted(set(categorical) & set(numerical))
    if both:
        msg = f"column {both[0]!r} is named both categorical and numerical; it can be one."
        raise DataError(msg)
    chosen: dict[str, Kind] = dict.fromkeys(categorical, "categorical")
    return chosen | dict.fromkeys(numerical, "numerical")


def kinds_of_file(
    table: RawTable, categorical: Sequence[str], numerical: Sequence[str], *, is_text: bool, missing: Sequence[str] = ()
) -> dict[str, Kind]:
    """Decide for a table from a file: as the user says, else by content (mere text) or by dtype."""
    known = [name for name in (*categorical, *numerical) if name in table.columns]
    others = table.without(known)
    guess = kinds_from_content(others, missing) if is_text else kinds_from_dtype(others)
    guessed: dict[str, Kind] = {**guess, **dict.fromkeys(known, "numerical")}
    return override({name: guessed[name] for name in table.names}, categorical, numerical)


def _chosen(names: Sequence[str], choice: list[Any]) -> set[str]:
    if choice and all(isinstance(item, bool | np.bool_) for item in choice):
        if len(choice) != len(names):
            msg = f"categorical_features is a mask of {len(choice)} for {len(names)} columns."
            raise DataError(msg)
        return {name for name, chosen in zip(names, choice, strict=True) if chosen}
    chosen = {_at(names, int(item)) if isinstance(item, int | np.integer) else str(item) for item in choice}
    for name in sorted(chosen - set(names)):
        raise DataError(unknown_column(name, names))
    return chosen


def _at(names: Sequence[str], index: int) -> str:
    if not -len(names) <= index < len(names):
        msg = f"categorical_features names column {index} of a table with {len(names)} columns."
        raise DataError(msg)
    return names[index]


def look_at(column: RawColumn, rule: KindRule) -> Look:
    """Look at a column: at all of its texts where the content decides, at some where the dtype does."""
    n_numbers = 0 if column.numbers is None else len(column.numbers) - column.numbers.null_count()
    if column.text is None:
        return Look(is_text=False, n_numbers=n_numbers, n_texts=0, given=column.reading)
    n_texts = len(column.text) - column.text.null_count()
    is_glance = rule.evidence(column.name) == "dtype"
    text = column.text.head(GLANCE) if is_glance else column.text
    return _look_at_distinct(text, rule, n_numbers, n_texts)


def _look_at_distinct(text: pl.Series, rule: KindRule, n_numbers: int, n_texts: int) -> Look:
    """Look at each distinct text once, however many rows have it: most columns have few."""
    if len(text) <= FEW:
        return _look_at_few(Counter(as_text(text).to_list()), rule, n_numbers, n_texts)
    counted = as_text(text.drop_nulls()).alias("text").value_counts(name="n")
    if counted.height <= FEW:
        few = dict(zip(counted["text"].to_list(), counted["n"].to_list(), strict=True))
        return _look_at_few(few, rule, n_numbers, n_texts)
    stripped = counted["text"].str.strip_chars()
    counts = stripped != ""  # blank is missing
    if rule.missing:
        named = list(rule.missing)
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
    )


def _look_at_few(counted: Mapping[str | None, int], rule: KindRule, n_numbers: int, n_texts: int) -> Look:
    """Do the same text by text."""
    read: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for text, n in counted.items():
        bare = "" if text is None else text.strip()
        if bare and not (text in rule.missing or bare in rule.missing):
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


def decide(look: Look, by: Evidence, decimals: frozenset[str] = frozenset()) -> tuple[Kind, str]:
    """Decide the kind of a column by its look, and how it is read."""
    if not look.is_text:
        return "numerical", look.given
    if by == "dtype":
        return ("numerical" if look.n_numbers and look.n_numbers >= look.n_texts else "categorical"), ""
    found = look.recognise(decimals)
    if is_date(found.reading):
        return "numerical", found.reading
    if 2 * found.n_read <= look.n_seen or look.has_code:
        return "categorical", ""
    return "numerical", found.reading


def remark_reading(name: str, found: Recognised) -> None:
    """Say how a column is read, and what else its texts might mean."""
    what = meaning(found.reading)
    if found.others:
        log.warning(
            "column %r is read as %s: %s%s. It could also be %s; say which, as in --read %s.",
            name, what, found.reading or PLAIN_READING, century(found.reading), " or ".join(found.others),
            quoted_option(name, found.others[0]),
        )  # fmt: skip
    else:
        log.warning("column %r is read as %s: %s%s.", name, what, found.reading, century(found.reading))


def century(reading: str) -> str:
    """Say which years those of two digits are, where a reading has them."""
    is_short = reading.partition(" ")[0] in SHORT_YEARS
    return f" (years {CENTURY} to 99 are 19{CENTURY} to 1999, the others 20xx)" if is_short else ""


def meaning(reading: str) -> str:
    """Say what the cells of a column are, by their reading."""
    if not is_date(reading):
        return "numbers"
    return "times" if reading == DURATION else "dates"


def quoted_option(name: str, value: str) -> str:
    """Return NAME=VALUE as it is typed in a shell."""
    return shlex.quote(f"{name}={value}")


def remark(name: str, look: Look, by: Evidence) -> None:
    """Say what was decided against the look of a column."""
    if not look.is_text or (by == "dtype" and look.n_numbers):
        return
    if by == "dtype":
        found = look.recognise()
        if 2 * found.n_read > look.n_seen:
            reading = found.reading or PLAIN_READING
            log.warning(
                "column %r is text, but most of its values are %s, written %s: it is taken as words. "
                "To have it read so, readings={%r: %r} (--read %s).",
                name, meaning(found.reading), reading, name, reading, quoted_option(name, reading),
            )  # fmt: skip
    elif look.share <= 0.5:
        return
    elif look.has_code:
        log.warning("column %r is written like a code ('08'): it is taken as words (categorical).", name)
    elif look.share < 1.0:
        shown = listing(repr(word) for word in look.words)
        log.warning("column %r holds numbers and words (%s): it is taken as numerical (mixed).", name, shown)
