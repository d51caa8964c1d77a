"""What is said about the kinds of columns: decisions against the look of a column, and how its cells are read.

In: the look of a column, and its words, which are asked for only where one of them is shown. Out: warnings. A column of
which most cells are written like numbers or dates is never taken as words in silence.
"""

from __future__ import annotations

import logging
import shlex
from typing import TYPE_CHECKING

import polars as pl

from unless.errors import Count, NotePart, Phrase, listing
from unless.logic.date_texts import CENTURY, DATES, DURATION, SHORT_YEARS
from unless.logic.readings import is_date
from unless.table.columns import read_texts
from unless.table.hygiene import PERHAPS_MISSING
from unless.table.nearly_numbers import has_small_minus, may_be_nearly_numbers, nearly_numbers, with_mark_behind
from unless.table.number_formats import unit_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unless.table.column_look import Look
    from unless.table.recognise import Recognised

    WordsOf = Callable[[], Iterable[str]]

log = logging.getLogger("unless")

SWAPPED = (
    "; %s of %s cells are not written so, such as %r, where day and month are swapped: words here, and others of days "
    "up to 12 may be read wrongly"
)
PLAIN_READING = "1234.56"
"""The name of the reading of plain numbers."""
READ = "column %r is read as %s: %s%s%s%s."
READ_COLUMNS = "%s columns are read as %s: %s%s%s%s (%s)."
"""What is said of several columns that are read alike, in place of `READ` of each."""
MIXED = "column %r holds numbers and words (%s): it is taken as numerical (mixed)."
MIXED_COLUMNS = "columns %s hold numbers and words: they are taken as numerical (mixed)."
"""What is said of several columns, in place of `MIXED` of each."""


def remark_reading(name: str, found: Recognised, look: Look, words: WordsOf) -> None:
    """Say how a column is read, what else its texts might mean, and which cells are written otherwise."""
    how = meaning(found.reading), found.reading or PLAIN_READING, century(found.reading) or zone(look, found.reading)
    otherwise = _without_unit(found, look), _unread(found, look, words)
    if found.others:
        log.warning(
            "column %r is read as %s: %s%s%s%s. It could also be %s; say which, as in: --read %s",
            name, *how, *otherwise, " or ".join(found.others), quoted_option(name, found.others[0]),
        )  # fmt: skip
    else:
        log.warning(READ, name, *how, *otherwise)
    if has_small_minus(look.skeletons):
        log.warning(
            "column %r: a minus behind small numbers is read as a sign. If these are grades: --categorical %s",
            name, shlex.quote(name),
        )  # fmt: skip


def _without_unit(found: Recognised, look: Look) -> NotePart | str:
    if not found.n_bare:
        return ""
    counts = Count(found.n_bare), Count(look.n_seen)
    if found.n_bare == 1:
        return NotePart("; %s of %s cells stands without %r, and is read alike", *counts, found.unit)
    return NotePart("; %s of %s cells stand without %r, and are read alike", *counts, found.unit)


def _unread(found: Recognised, look: Look, words: WordsOf) -> NotePart | str:
    """Say which cells are words; those that perhaps mean missing are said as such, elsewhere."""
    n, word = look.n_seen - found.n_read, unlike(found.reading, words()) if look.n_seen > found.n_read else ""
    if not word:
        return ""
    if has_swapped_day(found.reading, word):
        return NotePart(SWAPPED, Count(n), Count(look.n_seen), word)
    if n == 1:
        return NotePart("; %s of %s cells is not written so, such as %r: it is a word", n, Count(look.n_seen), word)
    counts = Count(n), Count(look.n_seen)
    return NotePart("; %s of %s cells are not written so, such as %r: they are words", *counts, word)


def unlike(reading: str, words: Iterable[str]) -> str:
    """Return a word that is not written as a reading says, sooner one with a digit; "" where all may mean missing."""
    unread = unread_words(reading, words)
    with_digit = unread.filter(unread.str.contains("[0-9]"))
    return str((with_digit if len(with_digit) else unread).min() or "")


def has_swapped_day(reading: str, word: str) -> bool:
    """Tell whether a word is a date with day and month in the other order than a reading has them."""
    date, _, time = reading.partition(" ")
    mark, order = DATES.get(date, ("", ""))
    swapped = {"dmy": "mdy", "mdy": "dmy"}.get(order)
    others = [
        other
        for other, known in DATES.items()
        if known == (mark, swapped) and (other in SHORT_YEARS) == (date in SHORT_YEARS)
    ]
    texts = pl.Series([word], dtype=pl.String)
    return any(read_texts(texts, f"{other} {time}".strip()).is_not_null().all() for other in others)


def unread_words(reading: str, words: Iterable[str]) -> pl.Series:
    """Return the words that are not written as a reading says, and do not perhaps mean missing."""
    texts = pl.Series([*words], dtype=pl.String)
    return texts.filter(read_texts(texts, reading).is_null() & ~texts.str.to_lowercase().is_in(PERHAPS_MISSING))


def century(reading: str) -> str:
    """Say which years those of two digits are, where a reading has them."""
    is_short = reading.partition(" ")[0] in SHORT_YEARS
    return Phrase(f" (years {CENTURY} to 99 are 19{CENTURY} to 1999, the others 20xx)") if is_short else ""


def has_zone(look: Look, reading: str) -> bool:
    """Tell whether cells of a column of moments name a zone, in which they are not shown."""
    return look.has_zone and is_date(reading) and reading != DURATION


def zone(look: Look, reading: str) -> str:
    """Say that moments are in UTC, where cells name a zone."""
    return Phrase(" (in UTC, since cells name their zone)") if has_zone(look, reading) else ""


def meaning(reading: str) -> str:
    """Say what the cells of a column are, by their reading."""
    if not is_date(reading):
        return Phrase("numbers")
    return Phrase("times" if reading == DURATION else "dates")


def quoted_option(name: str, value: str) -> str:
    """Return NAME=VALUE as it is typed in a shell."""
    return shlex.quote(f"{name}={value}")


def remark_text(name: str, look: Look, decimals: frozenset[str]) -> None:
    """Say of a frame's column of text, which is taken as words, how it could be read."""
    found = look.recognise_most(decimals) if look.is_text and not look.n_numbers else None
    if found is not None or (look.is_text and not look.n_numbers and look.share > 0.5):
        reading = PLAIN_READING if found is None else found.reading
        log.warning(
            "column %r is text, but most of its values are %s, written %s: it is taken as words. "
            "To have it read so, readings={%r: %r} (--read %s).",
            name, meaning(reading), reading, name, reading, quoted_option(name, reading),
        )  # fmt: skip


def remark(name: str, look: Look, decimals: frozenset[str], words: WordsOf) -> None:
    """Say what was decided against the look of a column."""
    if not look.is_text:
        return
    if look.has_grades:
        log.warning(
            "column %r: numbers with plus and minus behind them, such as %s, as grades have: it is taken as words "
            "(categorical).", name, ", ".join(map(repr, with_mark_behind(words()))),
        )  # fmt: skip
        return
    found = look.recognise_most(decimals)
    if look.has_code and (found is not None or look.share > 0.5):
        log.warning("column %r is written like a code ('08'): it is taken as words (categorical).", name)
    elif found is not None:
        log.warning(
            "column %r: %s of %s cells are %s, written %s, %s: it is taken as words. To have it read so: --read %s",
            name, Count(found.n_read - found.n_bare), Count(look.n_seen), meaning(found.reading), found.reading,
            _rest(found, look, words), quoted_option(name, found.reading),
        )  # fmt: skip
    elif 0.5 < look.share < 1.0:
        log.warning(MIXED, name, listing(repr(word) for word in look.words))
    elif n := look.n_with_units:
        log.warning(
            "column %r: %s of %s cells are numbers with different units, such as %s: it is taken as words. "
            "Write them alike to have it read as numbers.",
            name, Count(n), Count(look.n_seen), ", ".join(map(repr, unit_examples(words()))),
        )  # fmt: skip
    elif may_be_nearly_numbers(look.words) and (near := nearly_numbers(words(), look.n_seen)):
        log.warning(
            "column %r: values such as %s are neither numbers nor dates that can be read: it is taken as words. To "
            "have it read, write one number in a cell, or moments as 2024-12-31 14:05.",
            name, ", ".join(map(repr, near)),
        )  # fmt: skip


def unit_examples(words: Iterable[str]) -> list[str]:
    """Return a number for each unit that numbers have; a few."""
    found: dict[str | None, str] = {}
    for word in sorted(words):
        found.setdefault(unit_in(word), word)
    return [word for unit, word in found.items() if unit is not None][:3]


def _rest(found: Recognised, look: Look, words: WordsOf) -> NotePart | str:
    """Say how the cells are written that are not as most are."""
    bare, other = _bare(found.n_bare, found.unit), _other(look.n_seen - found.n_read, found.reading, words)
    return NotePart("%s and %s", bare, other) if bare and other else bare or other


def _bare(n: int, unit: str) -> NotePart | str:
    if n == 1:
        return NotePart("%s stands without %r", n, unit)
    return NotePart("%s stand without %r", Count(n), unit) if n else ""


def _other(n: int, reading: str, words: WordsOf) -> NotePart | str:
    word = unlike(reading, words()) if n else ""
    if n == 1:
        return NotePart("%s is not, such as %r", n, word) if word else NotePart("%s is not", n)
    if not n:
        return ""
    return NotePart("%s are not, such as %r", Count(n), word) if word else NotePart("%s are not", Count(n))
