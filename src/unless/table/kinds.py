"""Which columns are numerical and which categorical.

The user's word comes first. Otherwise the dtype decides (numbers: numerical, text: categorical), and where there is
no dtype, as in a CSV file, the content: a column in which most values are numbers is numerical, unless it is written
like a code ("08"). What is decided against the look of a column is said, so that the user can decide otherwise.

All that a decision needs of a column is its `Look`, and the looks at parts of a table join to that of the whole: a
table that comes in parts gets the same kinds.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np
import polars as pl

from unless.errors import DataError, listing, unknown_column
from unless.logic.values import read_number
from unless.table.columns import RawColumn, read_numbers
from unless.table.objects import DATE_HINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Kind
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

LOOKS_LIKE_DATE = r"^\s*\d{4}-\d{2}-\d{2}([T ].*)?$"
LOOKS_LIKE_CODE = r"^\s*-?0\d"
GLANCE = 100
"""Where only a hint depends on what texts look like, so many of them are looked at."""

Evidence = OneOf["dtype", "content"]


@dataclass(frozen=True, slots=True)
class Look:
    """What a column looks like: how many numbers and texts it has, and how many of the texts seen are numbers."""

    is_text: bool
    n_numbers: int
    n_texts: int
    n_seen: int
    n_read: int
    has_code: bool
    has_only_dates: bool
    example: str | None
    words: tuple[str, ...]

    def __add__(self, other: Look) -> Look:
        return Look(
            self.is_text or other.is_text,
            self.n_numbers + other.n_numbers,
            self.n_texts + other.n_texts,
            self.n_seen + other.n_seen,
            self.n_read + other.n_read,
            self.has_code or other.has_code,
            self.has_only_dates and other.has_only_dates,
            self.example if self.example is not None else other.example,
            tuple(sorted({*self.words, *other.words})[:4]),
        )

    @property
    def share(self) -> float:
        """Return the share of numbers among the texts seen."""
        return self.n_read / self.n_seen if self.n_seen else 0.0


@dataclass(frozen=True, slots=True)
class KindRule:
    """How kinds are decided: those named are fixed, the others go by dtype or by content; missing words have no say."""

    by: Evidence
    fixed: Mapping[str, Kind] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    def kinds(self, names: Sequence[str], looks: Mapping[str, Look]) -> dict[str, Kind]:
        """Decide the kind of every column; those that are fixed need no look."""
        for name in self.fixed:
            if name not in names:
                raise DataError(unknown_column(name, names))
        return {name: self.fixed.get(name) or decide(looks[name], self.by) for name in names}

    def remark(self, looks: Mapping[str, Look]) -> None:
        """Refuse dates, and say what was decided against the look of a column."""
        for name, look in looks.items():
            if name not in self.fixed:
                remark(name, look, self.by)


def kinds_from_dtype(table: RawTable) -> dict[str, Kind]:
    """Decide by dtype: text is categorical, numbers are numerical, objects go by what most of them are."""
    return _decided(table, KindRule("dtype"))


def kinds_from_content(table: RawTable, missing: Sequence[str] = ()) -> dict[str, Kind]:
    """Decide by what the cells look like: for files, where everything is text."""
    return _decided(table, KindRule("content", missing=tuple(missing)))


def _decided(table: RawTable, rule: KindRule) -> dict[str, Kind]:
    looks = {name: look_at(table.column(name), rule) for name in table.names if name not in rule.fixed}
    rule.remark(looks)
    known = KindRule(rule.by, {name: kind for name, kind in rule.fixed.items() if name in table.columns})
    return known.kinds(table.names, looks)


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
        return Look(False, n_numbers, 0, 0, 0, False, True, None, ())
    n_texts = len(column.text) - column.text.null_count()
    if rule.by == "dtype":
        texts = [text for text in column.text.head(GLANCE).cast(pl.String).to_list() if text and text.strip()]
        n_read = sum(read_number(text) is not None for text in texts)
        return Look(True, n_numbers, n_texts, len(texts), n_read, False, False, None, ())
    return _look_at_distinct(column.text, rule, n_numbers, n_texts)


def _look_at_distinct(text: pl.Series, rule: KindRule, n_numbers: int, n_texts: int) -> Look:
    """Look at each distinct text once, however many rows have it: most columns have few."""
    counted = text.drop_nulls().cast(pl.String).alias("text").value_counts(name="n")
    counted = counted.filter(counted["text"].str.strip_chars() != "")  # blank is missing
    if rule.missing:
        counted = counted.filter(~counted["text"].is_in(list(rule.missing)))
    texts, n_rows = counted["text"], counted["n"]
    is_number = read_numbers(texts).is_not_null()
    unread = texts.filter(~is_number)
    return Look(
        True,
        n_numbers,
        n_texts,
        int(n_rows.sum()),
        int(n_rows.filter(is_number).sum()),
        bool(texts.str.contains(LOOKS_LIKE_CODE).any()),
        bool(unread.str.contains(LOOKS_LIKE_DATE).all()) and len(unread) == len(texts),
        str(texts.min()) if len(texts) else None,
        tuple(unread.sort().head(4)),
    )


def decide(look: Look, by: Evidence) -> Kind:
    """Decide the kind of a column by its look."""
    if not look.is_text:
        return "numerical"
    if by == "dtype":
        return "numerical" if look.n_numbers and look.n_numbers >= look.n_texts else "categorical"
    return "categorical" if look.share <= 0.5 or look.has_code else "numerical"


def remark(name: str, look: Look, by: Evidence) -> None:
    """Refuse dates, and say what was decided against the look of a column."""
    if not look.is_text or (by == "dtype" and look.n_numbers):
        return
    if by == "dtype":
        if look.share > 0.5:
            log.warning(
                "column %r is text, but most of its values are numbers: it is taken as words. "
                "Name the categorical columns to have it taken as numerical (mixed).",
                name,
            )
    elif look.share <= 0.5:
        if look.has_only_dates and look.example is not None:
            msg = f"column {name!r} holds dates, such as {look.example!r}; {DATE_HINT}"
            raise DataError(msg)
    elif look.has_code:
        log.warning("column %r is written like a code ('08'): it is taken as words (categorical).", name)
    elif look.share < 1.0:
        shown = listing(repr(word) for word in look.words)
        log.warning("column %r holds numbers and words (%s): it is taken as numerical (mixed).", name, shown)
