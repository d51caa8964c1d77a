"""Cells that are not written as a program reads their column: amounts of another country, dates of another kind.

In: a column of a program and its cells in a table. Out: a warning, where words stand among the numbers that would be
numbers in another format, truth values among them, where cells only look like the words that the program asks for (YORK
for York, 1 for True), or like its labels, where all numbers are far from every bound that it compares them with, or are
thousands that its format takes for decimals, and where a frame has dates for numbers, or the reverse. To a program
these are other values: it would answer wrongly in silence.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import Count
from unless.logic.grade import cell_conditions
from unless.logic.readings import is_date, say_number, shortened
from unless.logic.rules import Literal, OneOf
from unless.table.cells import MISSING
from unless.table.columns import RawColumn

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Column
    from unless.table.cells import Cells, Words

log = logging.getLogger("unless")

LOOKED_AT = 1000
"""So many distinct words are looked at."""
ONE_UNLIKE = (
    "column %r is read as %s, and %s of %s cells is not written so, such as %r: it is a word to the program. "
    "Write them alike."
)
UNLIKE = (
    "column %r is read as %s, and %s of %s cells are not written so, such as %r: they are words to the program. "
    "Write them alike."
)
UNLIKE_SWAPPED = (
    "column %r is read as %s, and %s of %s cells are not written so, such as %r, where day and month are swapped: "
    "words to the program, and others of days up to 12 are perhaps read wrongly. Write them alike."
)
ONE_ALIKE = (
    "column %r: the program asks for %r, which no cell is, and %s of %s cells is %r: another word to the program. "
    "Write them alike."
)
ALIKE = (
    "column %r: the program asks for %r, which no cell is, and %s of %s cells are %r: another word to the program. "
    "Write them alike."
)
TOO_LOW = (
    "column %r: all numbers are from %s to %s, far below every bound of the program (the lowest is %s): "
    "perhaps another unit or format. Give them as in training."
)
TOO_HIGH = (
    "column %r: all numbers are from %s to %s, far above every bound of the program (the highest is %s): "
    "perhaps another unit or format. Give them as in training."
)
THOUSANDS = (
    "column %r: all numbers with decimals have three of them, such as %s, beside whole ones, such as %s: perhaps they "
    "are thousands, which are read as decimals here. Give them as in training."
)
FAR, FEW_NUMBERS = 10, 10
"""Numbers are far from a bound that are so many times larger or smaller; of fewer different ones nothing is said."""
FEW_WHOLE, SOME, NEARLY_ALL = 3, 0.02, 0.8
"""Of thousands that are read as decimals so many different ones are whole, and this share of all, since they have none;
and of the others this share has a third decimal that is not 0: eighths have that less often."""
MEASURES = {
    "dates": (
        "column %r is read as %s, and holds dates: they are taken as days or seconds since 1970. "
        "Give it as in training."
    ),
    "durations": (
        "column %r is read as %s, and holds times or durations: they are taken as seconds. Give it as in training."
    ),
    "numbers": (
        "column %r is read as %s, and holds plain numbers: they are taken as days or seconds. Give it as in training."
    ),
}
FLAGS = {"True": "1", "False": "0"}
"""How frames and files without truth values write them."""
WHOLE = re.compile(r"(-?\d+)\.0*", re.ASCII)
"""A whole number as a column of floats has it."""


def remark_unlike(program: Program, read: Mapping[str, Cells], *, said: Collection[str] = ()) -> None:
    """Say which columns are written otherwise than a program reads them, where that can be seen.

    `said` are columns of which it was said before.
    """
    asked, bounds = _asked_words(program), _bounds(program)
    for column in program.columns:
        cells = None if column.atoms or column.name in said else read.get(column.name)
        if cells is not None and cells.numbers is not None and column.name in bounds:
            _remark_numbers(column, cells.numbers, bounds[column.name])
        if cells is not None and cells.unlike is not None:
            from unless.table.kind_remarks import PLAIN_READING

            log.warning(MEASURES[cells.unlike], column.name, column.reading or PLAIN_READING)
        if cells is None or cells.words is None:
            continue
        known = asked.get(column.name, set())
        word, n_rows = _written_otherwise(cells, cells.words, known) if column.kind == "numerical" else ("", 0)
        if n_rows:
            from unless.table.kind_remarks import PLAIN_READING, has_swapped_day

            counted = Count(n_rows), Count(cells.n_rows)
            sentence = ONE_UNLIKE if n_rows == 1 else UNLIKE
            sentence = UNLIKE_SWAPPED if has_swapped_day(column.reading, word) else sentence
            log.warning(sentence, column.name, column.reading or PLAIN_READING, *counted, word)
        elif absent := known.difference(cells.words.lexicon):
            _remark_alike(column.name, absent, known, cells.words)


def _conditions(program: Program) -> list[Any]:
    """Return all that a program and its grade ask of columns."""
    cards = () if program.grade is None else program.grade.cards
    graded = (part for card in cards for award in card.awards for part in cell_conditions(award.condition))
    return [*(literal for clause in program.clauses for literal in clause.literals), *graded]


def _bounds(program: Program) -> dict[str, list[float]]:
    """Return the numbers that a program and its grade compare with, by column."""
    found: dict[str, list[float]] = {}
    for condition in _conditions(program):
        if isinstance(condition, Literal) and not isinstance(condition.value, str):
            found.setdefault(condition.column, []).append(condition.value)
    return found


def _remark_numbers(column: Column, numbers: NDArray[np.float64], bounds: Sequence[float]) -> None:
    """Say that all numbers of a column are on one side of every bound, and far from it, as 0.12 is from 12 %.

    Or that they are perhaps thousands, of which the program takes those with a separator for decimals.
    """
    if column.reading and is_date(column.reading):
        return
    low, high = float(np.fmin.reduce(numbers, initial=np.inf)), float(np.fmax.reduce(numbers, initial=-np.inf))
    is_low, is_high = 0 < FAR * high <= min(bounds), 0 < FAR * max(bounds) <= low
    if (is_low or is_high) and len(np.unique(numbers[~np.isnan(numbers)][:LOOKED_AT])) >= FEW_NUMBERS:
        shown = (
            say_number(column, shortened(column, each)) for each in (low, high, min(bounds) if is_low else max(bounds))
        )
        log.warning(TOO_LOW if is_low else TOO_HIGH, column.name, *shown)
    elif low > -1000 and high < 1000 and all(map(_may_be_thousands, (numbers[:LOOKED_AT], numbers))):
        some = (numbers[_apart(numbers * 100) > 0], numbers[numbers == np.floor(numbers)])
        log.warning(THOUSANDS, column.name, *(say_number(column, float(each.max())) for each in some))


def _may_be_thousands(numbers: NDArray[np.float64]) -> bool:
    """Tell whether numbers are as 950 and 2.345 are where it is thousands that the point separates."""
    known = np.abs(numbers[~np.isnan(numbers)])
    is_whole = known == np.floor(known)
    parts = known[~is_whole]
    if len(parts) < FEW_NUMBERS or is_whole.mean() < SOME or parts.min() < 1.0 or (_apart(parts * 1000) > 0).any():
        return False
    has_third = (_apart(parts * 100) > 0).mean() >= NEARLY_ALL
    return bool(has_third) and len(np.unique(parts)) >= FEW_NUMBERS and len(np.unique(known[is_whole])) >= FEW_WHOLE


def _apart(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far numbers are from whole ones; 0 where that is but the last digits of floats."""
    apart = np.abs(numbers - np.round(numbers))
    return np.where(apart < 1e-6, 0.0, apart)


def _asked_words(program: Program) -> dict[str, set[str]]:
    """Return the words that a program and its grade ask for, by column."""
    found: dict[str, set[str]] = {}
    for condition in _conditions(program):
        if isinstance(condition, OneOf):
            found.setdefault(condition.column, set()).update(condition.words)
        elif isinstance(condition, Literal) and isinstance(condition.value, str):
            found.setdefault(condition.column, set()).add(condition.value)
    return found


def _written_otherwise(cells: Cells, words: Words, asked: Collection[str]) -> tuple[str, int]:
    """Return a word that is a number, a date or a truth value in another format, and how many rows have such words.

    Where most rows have words that begin as numbers do, it is one of these: 3:22 PM is read in no format.
    """
    flags = [code for code, word in enumerate(words.lexicon) if word in FLAGS and word not in asked]
    if flags:
        return words.lexicon[flags[0]], _count(words, flags)
    with_digit = [code for code, word in enumerate(words.lexicon) if any(map(str.isdigit, word))]
    texts = [words.lexicon[code] for code in with_digit[:LOOKED_AT]]
    if not texts:
        return "", 0
    # Recognising formats is loaded only now: every prediction passes here, and few have such words.
    from unless.table.column_look import look_at
    from unless.table.nearly_numbers import begins_as_number

    found = look_at(RawColumn("", text=pl.Series(texts))).recognise()
    if 2 * found.n_read >= len(texts):
        return texts[0], _count(words, with_digit)
    near = [code for code, is_near in zip(with_digit, begins_as_number(pl.Series(texts)), strict=False) if is_near]
    n_rows = _count(words, near)
    return (words.lexicon[near[0]], n_rows) if 2 * n_rows > cells.n_rows else ("", 0)


def _remark_alike(column: str, absent: Collection[str], asked: Collection[str], words: Words) -> None:
    """Say that cells look like a word that is asked for, where no cell is that word."""
    looks = {_look(word): word for word in sorted(absent)}
    for code, word in enumerate(words.lexicon[:LOOKED_AT]):
        if (meant := looks.get(_look(word))) is not None and word not in asked:
            n_rows = _count(words, [code])
            counted = Count(n_rows), Count(len(words.codes))
            log.warning(ONE_ALIKE if n_rows == 1 else ALIKE, column, meant, *counted, word)
            return


def remark_labels_alike(known: Collection[str], unknown: Sequence[str]) -> None:
    """Say which labels that a program does not know look like one that it knows, as 1.0 does like 1."""
    looks = {_look(word): word for word in sorted(known)}
    twins = [f"{word!r} and {looks[look]!r}" for word in unknown if (look := _look(word)) in looks]
    if twins:
        log.warning(
            "labels that look like those of the program: %s. If they are one, write them alike.", "; ".join(twins)
        )


def _look(word: str) -> str:
    """Return a word without what people and spreadsheets overlook: case, accents, a point, zeros before and behind.

    A truth value is 1 or 0.
    """
    from unless.table.hygiene import bare  # loaded only where some word that is asked for does not occur

    whole = WHOLE.fullmatch(word)
    look = bare(word if whole is None else whole[1])
    look = look.lstrip("0") or "0" if look.isdecimal() else look
    return FLAGS.get(look.capitalize(), look)


def _count(words: Words, codes: Sequence[int]) -> int:
    """Count the rows that have one of some words."""
    counts = np.bincount(words.codes[words.codes != MISSING], minlength=len(words.lexicon))
    return int(counts[codes].sum())
