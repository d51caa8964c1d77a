"""Texts with digits that are no numbers, or other ones than they seem: grades, pairs, ages, times with AM and PM.

In: the skeletons of a column, or its words. Out: whether they are such, with examples. A column of them is never taken
as numbers or as words in silence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.table.number_formats import Skeletons

MARKED = re.compile("[09]{1,2}([-+\u2212])")
"""The skeleton of a small whole number with a sign behind it, as in 2- and 2+."""
MINUS_BEHIND = re.compile("[^(]*[09].*[-\u2212]")
MANY = 20
"""Of fewer different words it is plain that they are words: bands of age, classes of a school."""
MOST = 0.9
LONGEST, LETTERS = 24, 4
"""So long such texts are at most, with so many letters: 8h 26m, 3:22 AM, 17 mths; not 12 High Street."""
BEGINS_WITH_DIGIT = r"^[^\pL0-9]{0,3}[0-9]"
ROOM = r"^[0-9]+\pL$"
"""One letter behind a number, as in 5a and 5b, is a name."""
SHOWN = 2


def has_grades(found: Skeletons) -> bool:
    """Tell whether small numbers have a plus or a minus behind them: in 2+ and 2- these are no signs."""
    marks = {mark[1] for mark in map(MARKED.fullmatch, found) if mark}
    return "+" in marks and len(marks) > 1


def has_small_minus(found: Skeletons) -> bool:
    """Tell whether all numbers with a minus behind them are small and whole, as grades are, and there are some."""
    behind = [skeleton for skeleton in found if MINUS_BEHIND.fullmatch(skeleton)]
    return bool(behind) and all(map(MARKED.fullmatch, behind))


def with_mark_behind(words: Iterable[str]) -> list[str]:
    """Return a small number for each sign that stands behind one, in their order."""
    marked = sorted(word for word in words if re.fullmatch("[0-9]{1,2}[-+\u2212]", word.strip()))
    first = {word.strip()[-1]: word.strip() for word in reversed(marked)}
    return sorted(first.values())


def may_be_nearly_numbers(words: Iterable[str]) -> bool:
    """Tell by a few words whether all are worth a look."""
    return any(any(c.isdigit() for c in word[:4]) for word in words)


def nearly_numbers(words: Iterable[str], n_rows: int) -> list[str]:
    """Return examples, where nearly all words of a column begin with a digit and go on otherwise; else none."""
    texts = pl.Series([*words], dtype=pl.String)
    if len(texts) < MANY:
        return []
    is_near = begins_as_number(texts)
    if len(texts) > MOST * n_rows:  # names of rows, which are left out, but for moments
        is_near = is_near & texts.str.contains("[:/]")
    near = texts.filter(is_near).sort()
    return near.head(SHOWN).to_list() if len(near) >= MOST * len(texts) else []


def begins_as_number(texts: pl.Series) -> pl.Series:
    """Tell which texts begin with a digit, perhaps behind a sign or two, and are short, with few letters."""
    is_short = (texts.str.len_chars() <= LONGEST) & (texts.str.count_matches(r"\pL") <= LETTERS)
    return is_short & texts.str.contains(BEGINS_WITH_DIGIT) & ~texts.str.contains(ROOM)
