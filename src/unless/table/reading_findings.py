"""What is odd about how a column is written: other formats that fit, cells that no format reads, units that differ.

In: a column, its look, and its words with their numbers of rows. Out: a `ColumnFinding`, with what to type where that
helps. `kind_remarks` says the same when something is learned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.table.identifiers import ColumnFinding, option
from unless.table.kind_remarks import century, has_zone, meaning, quoted_option, unit_examples, unlike
from unless.table.nearly_numbers import has_small_minus, may_be_nearly_numbers, nearly_numbers, with_mark_behind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.rules import Column
    from unless.table.column_look import Look
    from unless.table.recognise import Recognised


def odd_reading(
    column: Column, look: Look, decimals: frozenset[str], words: Mapping[str, int], *, is_counted: bool
) -> ColumnFinding | None:
    """Find what else the cells of a column may be, and which are not written as most are.

    `is_counted` says that all texts were looked at.
    """
    if column.kind == "categorical":
        if look.has_grades:
            return _grades(column.name, words)
        most = look.recognise_most(decimals)
        if most is not None:
            return _mostly(column.name, most, look, words, is_counted)
        return _odd_words(column.name, look, words)
    seen = look.recognise(decimals)
    if seen.others:
        text = f"it could also be written {' or '.join(seen.others)}"
        fix = f"--read {quoted_option(column.name, seen.others[0])}"
        return ColumnFinding(column.name, "reading", text, fix, "also", {"formats": list(seen.others)})
    return _odd_dates(column, look) or _odd_numbers(column.name, look, seen)


def _odd_dates(column: Column, look: Look) -> ColumnFinding | None:
    if century(column.reading):
        text = f"years have two digits{century(column.reading)}"
        return ColumnFinding(column.name, "reading", text, option("categorical", column.name), "two_digits")
    if has_zone(look, column.reading):
        text = "cells name their zone, and are read and shown in UTC"
        return ColumnFinding(column.name, "reading", text, "", "zones")
    return None


def _odd_numbers(column: str, look: Look, seen: Recognised) -> ColumnFinding | None:
    if has_small_minus(look.skeletons):
        text = "a minus behind small numbers is read as a sign; if these are grades"
        return ColumnFinding(column, "reading", text, option("categorical", column), "minus_behind")
    return _without_unit(column, seen) if seen.n_bare else None


def _odd_words(column: str, look: Look, words: Mapping[str, int]) -> ColumnFinding | None:
    if look.share > 0.5:
        return _plain_words(column, look)
    return _units(column, look, words) or _nearly_numbers(column, look, words)


def _grades(column: str, words: Mapping[str, int]) -> ColumnFinding:
    shown = with_mark_behind(words)
    text = f"numbers with plus and minus behind them, such as {', '.join(map(repr, shown))}: words, as grades are"
    return ColumnFinding(column, "reading", text, "", "grades", {"words": shown, "rows": sum(words.values())})


def _nearly_numbers(column: str, look: Look, words: Mapping[str, int]) -> ColumnFinding | None:
    shown = nearly_numbers(words, look.n_seen) if may_be_nearly_numbers(look.words) else []
    if not shown:
        return None
    text = (
        f"values such as {', '.join(map(repr, shown))} are neither numbers nor dates that can be read; to have them "
        "read, write one number in a cell, or moments as 2024-12-31 14:05"
    )
    return ColumnFinding(column, "reading", text, "", "nearly_digits", {"words": shown, "rows": look.n_seen})


def _mostly(column: str, most: Recognised, look: Look, words: Mapping[str, int], is_counted: bool) -> ColumnFinding:
    """Find that most of a column that is taken as words is written like numbers or dates."""
    kind, written = meaning(most.reading), f"written {most.reading}"
    fix = f"--read {quoted_option(column, most.reading)}"
    n_alike = most.n_read - most.n_bare
    if not is_counted or look.has_code or n_alike == look.n_seen:
        text = f"text, but most of it is {kind}, {written}"
        return ColumnFinding(column, "reading", text, fix, f"mostly_{kind}", {"format": most.reading})
    text = f"{n_alike} of {look.n_seen} cells are {kind}, {written}, the others "
    gaps = {"n": n_alike, "cells": look.n_seen, "format": most.reading}
    word = unlike(most.reading, words)
    if word:
        text, phrase, gaps["word"] = f"{text}are not, such as {word!r}", f"nearly_{kind}", word
    else:
        text, phrase, gaps["unit"] = f"{text}stand without {most.unit!r}", "nearly_without", most.unit
    return ColumnFinding(column, "reading", text, fix, phrase, gaps)


def _without_unit(column: str, seen: Recognised) -> ColumnFinding:
    text = f"{seen.n_bare} cell{'s' * (seen.n_bare != 1)} without {seen.unit!r}, read like the others"
    gaps = {"cells": seen.n_bare, "unit": seen.unit}
    return ColumnFinding(column, "reading", text, "", "without_unit", gaps)


def _units(column: str, look: Look, words: Mapping[str, int]) -> ColumnFinding | None:
    """Find that most of a column that is taken as words is numbers with different units."""
    if not look.n_with_units:
        return None
    shown, n_rows = unit_examples(words), look.n_with_units
    examples = ", ".join(map(repr, shown))
    text = f"numbers with different units in {n_rows} rows, such as {examples}; to have them read, write them alike"
    return ColumnFinding(column, "reading", text, "", "units", {"words": shown, "rows": n_rows})


def _plain_words(column: str, look: Look) -> ColumnFinding:
    """Find that most of a column that is taken as words is plain numbers."""
    if look.has_code:
        why, phrase = "written like codes, so taken as words; if they are numbers", "numbers_code"
    else:
        why, phrase = "numbers, text", "numbers_text"
    return ColumnFinding(column, "reading", why, option("numerical", column), phrase)
