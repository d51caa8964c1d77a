"""What is odd about a column, as findings: it names its rows, says nothing, repeats another, or decides alone.

In: the distinct values of a column, or its codes beside those of the labels. Out: a `ColumnFinding`, a frozen value
with the column, what was found, the evidence, and the fix to type. Nothing depends on the order of rows. A continuous
measurement is never taken for an identifier: words must differ in nearly every row, whole numbers must also count
without gaps or be called a number by the column's name, and dates must lie side by side.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np

from unless.logic.date_texts import date_format
from unless.logic.number_texts import EXAMPLES
from unless.logic.readings import is_date, say_number
from unless.logic.values import EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.logic.rules import Column

What = OneOf[
    "identifier",
    "constant",
    "duplicate",
    "decides alone",
    "code",
    "blank",
    "reading",
    "missing words",
    "look alike",
    "blanks",
    "near numbers",
    "own name",
    "no label",
    "too long",
]

FEW_ROWS = 20
"""Of fewer rows nothing is said about identifiers: in a small table all values may differ."""
NEARLY_ALL = 0.95
DENSE = 1.05
"""Whole numbers count the rows when they span at most this many times as many numbers."""
CALLED_A_NUMBER = re.compile(r"(?:^|[\W_])(?:id|ids|nr|no|num|number|nummer|key|uuid|guid|index)[\W_]*$", re.IGNORECASE)
CALLED_A_NUMBER_INSIDE = re.compile(r"[a-z](?:ID|Id|Nr|No)$")
CALLED_A_CODE = re.compile(
    r"(?:^|[\W_])(?:zip|plz|postal|postcode|postleitzahl|branch|filiale|code|area|region|store|dept|ward)(?:$|[\W_])",
    re.IGNORECASE,
)
NAMING = {
    "word": "a different word in {nearly}every row",
    "moment": "a different moment in {nearly}every row",
    "day": "a different day in {nearly}every row",
    "number": "a different whole number in {nearly}every row, as its name says",
    "counts": "it counts the rows, from {low} to {high}",
}
NINES, APART, FEW_CODES = (9.0, 99.0, 999.0, 9999.0), 3, 12
"""Numbers that often mean unknown, how many times the next smaller number, and of how many numbers words are made."""
LONGEST_WHOLE = 1e19
"""What is larger is no number of an account, but measured."""
RARELY_MEANT = 999
"""A number from this one on, or below as much, is hardly meant in any column, so that it can be missing in all."""
ALONE = 0.99
"""A column that decides this share of the rows by itself is pointed out, where guessing would not."""
GUESSED, MISSED, FEW_OTHERS = 0.9, 0.1, 10
"""Where one label is more than this share of the rows, a column is pointed out that misses this share of the others at
most; of fewer others it may be by chance."""
SEVERAL = 10
"""So many values that each go with one label may name the things that rows are about."""


@dataclass(frozen=True, slots=True)
class ColumnFinding:
    """Something odd about a column: what, the evidence in words, and what to type about it ("" where nothing helps).

    `phrase` and `gaps` are the evidence once more, for other languages: the name of a phrase and what fills it.
    """

    column: str
    what: What
    evidence: str
    fix: str = ""
    phrase: str = ""
    gaps: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        """Return the evidence, for the gap of a note."""
        return self.evidence


def option(name: str, value: str, *, lists: bool = False) -> str:
    """Write an option as it is typed in a shell; a name with a comma stands in double quotes, unless it is a list."""
    quoted = f'"{value}"' if "," in value and not lists else value
    return f"--{name} {shlex.quote(quoted)}"


def names_rows(column: Column, numbers: NDArray[np.float64], n_words: int, n_rows: int) -> ColumnFinding | None:
    """Find that a column names its rows, given its distinct numbers, sorted, and how many distinct words it has."""
    if n_rows < FEW_ROWS or len(numbers) + n_words < NEARLY_ALL * n_rows:
        return None
    nearly = "" if len(numbers) + n_words >= n_rows else "nearly "
    found = _naming(column, numbers, n_words, n_rows)
    if found is None:
        return None
    phrase, gaps = found
    evidence = NAMING[phrase].format(nearly=nearly, **gaps)
    key = f"{phrase}_nearly" if nearly and not gaps else phrase
    return ColumnFinding(column.name, "identifier", evidence, option("drop", column.name), key, gaps)


def _naming(
    column: Column, numbers: NDArray[np.float64], n_words: int, n_rows: int
) -> tuple[str, dict[str, str]] | None:
    """Return how a column names its rows, and what is to be said of it."""
    if n_words >= NEARLY_ALL * n_rows:
        return "word", {}
    if n_words or not len(numbers):
        return None
    span = float(numbers[-1] - numbers[0]) + 1
    if column.reading and is_date(column.reading):
        return _of_dates(column, span <= 2 * n_rows)
    return _of_numbers(column, numbers, span <= DENSE * n_rows)


def _of_dates(column: Column, side_by_side: bool) -> tuple[str, dict[str, str]] | None:
    form = date_format(column.reading)
    if form is None or not form.date or not (form.time or side_by_side):
        return None
    return "moment" if form.time else "day", {}


def _of_numbers(column: Column, numbers: NDArray[np.float64], is_dense: bool) -> tuple[str, dict[str, str]] | None:
    if not bool((numbers == np.floor(numbers)).all()):
        return None
    if is_dense:
        low, high = (say_number(column, float(number)) for number in (numbers[0], numbers[-1]))
        return "counts", {"low": low, "high": high}
    called = CALLED_A_NUMBER.search(column.name) or CALLED_A_NUMBER_INSIDE.search(column.name)
    return ("number", {}) if called else None


def is_constant(column: Column, n_values: int, n_missing: int, n_rows: int) -> ColumnFinding | None:
    """Find that a column has one value in all rows, or none at all."""
    if n_rows == 0 or n_values > 1 or (n_values == 1 and n_missing):
        return None
    evidence = "the same value in every row" if n_values else "no value in any row"
    phrase = "same" if n_values else "empty"
    return ColumnFinding(column.name, "constant", evidence, option("drop", column.name), phrase)


def looks_like_a_code(column: Column, numbers: NDArray[np.float64], n_rows: int) -> ColumnFinding | None:
    """Find that whole numbers are perhaps codes: all of one length, or so called, and too many rows for each."""
    if column.kind != "numerical" or column.reading or len(numbers) < 3 or 2 * len(numbers) > n_rows:
        return None
    if numbers[0] < 0 or not bool((numbers == np.floor(numbers)).all()):
        return None
    n_digits = len(str(int(numbers[-1])))
    is_year = bool(numbers[0] >= 1800) and bool(numbers[-1] <= 2200)
    if CALLED_A_CODE.search(column.name):
        evidence, phrase = "whole numbers, and its name speaks of codes", "called_code"
    elif n_digits >= 4 and len(str(int(numbers[0]))) == n_digits and not is_year and n_digits <= 8:
        evidence, phrase = f"whole numbers of {n_digits} digits each, perhaps codes", "like_code"
    else:
        return None
    fix = option("categorical", column.name)
    return ColumnFinding(column.name, "code", evidence, fix, phrase, {"digits": n_digits})


def stands_for_unknown(column: Column, numbers: NDArray[np.float64]) -> ColumnFinding | None:
    """Find that one whole number stands apart from all others as 9, 99 or -1 does where it means unknown.

    Of measurements with decimals -99, 999 and those beyond do; a 9 or a -1 may be measured.
    """
    if column.kind != "numerical" or column.reading not in ("", *EXAMPLES) or len(numbers) < 3:
        return None
    lowest, highest = float(numbers[0]), float(numbers[-1])
    is_whole = bool((numbers == np.floor(numbers)).all())
    if highest in (NINES if is_whole else NINES[2:]) and lowest >= 0 and APART * numbers[-2] <= highest:
        number = int(highest)
    elif (is_whole and -lowest in (1.0, NINES[0]) and numbers[1] >= 0) or (
        -lowest in NINES[1:] and -APART * numbers[1] <= -lowest
    ):
        number = int(lowest)
    else:
        return None
    evidence = f"{number} stands apart from the other numbers, perhaps for unknown"
    fix = f"--missing={number}" if abs(number) >= RARELY_MEANT else ""
    fix = option("categorical", column.name) if len(numbers) <= FEW_CODES else fix
    return ColumnFinding(column.name, "code", evidence, fix, "unknown_code", {"number": number})


def is_too_long(column: str, numbers: NDArray[np.float64]) -> ColumnFinding | None:
    """Find that whole numbers have more digits than numbers keep, as those of accounts have; the numbers are sorted."""
    if not len(numbers) or not EXACT <= numbers[0] <= numbers[-1] < LONGEST_WHOLE:
        return None
    n_digits = len(str(int(numbers[-1])))
    evidence = (
        f"whole numbers of {n_digits} digits, of which numbers keep about 16: some that differ count as one; names are "
        "better left out, or written as text"
    )
    return ColumnFinding(column, "too long", evidence, option("drop", column), "too_long", {"digits": n_digits})


def is_mostly_blank(column: str, n_missing: int, n_rows: int) -> ColumnFinding | None:
    """Find that hardly any row has a value: of merged cells only the first has it."""
    n_filled = n_rows - n_missing
    if n_rows < FEW_ROWS or not 1 < n_filled < (1 - NEARLY_ALL) * n_rows:
        return None
    evidence = f"blank but in {n_filled} rows; of merged cells of a spreadsheet only the first has the value"
    return ColumnFinding(column, "blank", evidence, "", "mostly_blank", {"rows": n_filled})


def repeats(
    column: str, n_values: int, codes: NDArray[Any], seen: dict[tuple[int, bytes], str]
) -> ColumnFinding | None:
    """Find that a column repeats one that was seen (in, out), by the codes of both: the same rows have the same values.

    Columns are known by a digest of their codes, so that each is looked at once, however many there are.
    """
    key = n_values, hashlib.blake2b(np.ascontiguousarray(codes).data, digest_size=16).digest()
    name = seen.setdefault(key, column)
    if name == column:
        return None
    evidence = f"it repeats {name}, row by row"
    return ColumnFinding(column, "duplicate", evidence, option("drop", column), "repeats", {"other": name})


def decides_alone(
    column: str, codes: NDArray[np.int64], n_numbers: int, labels: NDArray[np.intp]
) -> ColumnFinding | None:
    """Find that a column alone tells nearly every label, by a threshold or value by value; codes are ranks of values.

    One of several values may name persons, or other things, of several rows each: rows of one are then held out beside
    one another, and whatever is the same in them tells the label. Words of few rows each tell nearly every label by
    chance, so of these only rows count that have the word of another.
    """
    n_rows = len(labels)
    if n_rows < FEW_ROWS:
        return None
    n_labels, n_commonest = int(labels.max()) + 1, int(np.bincount(labels).max())
    enough = _enough(n_commonest, n_rows)
    n_codes = int(codes.max()) + 1
    if enough is None:
        return None
    if n_codes - n_numbers > n_rows / 10:  # a word for few rows each
        return _names_things(column, codes * n_labels + labels, n_labels) if n_commonest <= GUESSED * n_rows else None
    counts = np.bincount(codes * n_labels + labels, minlength=n_codes * n_labels).reshape(n_codes, n_labels)
    right = _by_threshold(counts[:n_numbers]) + int(counts[n_numbers:].max(axis=1, initial=0).sum())
    n_values, phrase = int(counts.any(axis=1).sum()), "alone"
    if n_values <= n_rows / 10 and (right < enough or not n_numbers):
        right = int(counts.max(axis=1).sum())
        phrase = "alone_by_value" if n_values >= SEVERAL else phrase
    if right < enough:
        return None
    or_names = (
        ", or it names persons or things of several rows each, and a check is too good" if phrase != "alone" else ""
    )
    gaps = {"share": right / n_rows}
    beside = ""
    if n_commonest > GUESSED * n_rows:
        phrase, gaps["commonest"] = f"{phrase}_rare", n_commonest / n_rows
        beside = f" (always the commonest is right {n_commonest / n_rows:.1%})"
    evidence = (
        f"it alone tells {right / n_rows:.1%} of the labels{beside}; perhaps it is known only after them{or_names}"
    )
    return ColumnFinding(column, "decides alone", evidence, option("drop", column), phrase, gaps)


def _names_things(column: str, pairs: NDArray[np.int64], n_labels: int) -> ColumnFinding | None:
    """Find that rows with the same word have the same label, as two visits of a patient have; given both."""
    different, n_of_pair = np.unique(pairs, return_counts=True)
    starts = np.flatnonzero(np.diff(different // n_labels, prepend=-1))
    n_beside = len(pairs) - len(starts)
    right = int((np.maximum.reduceat(n_of_pair, starts) - 1).sum())
    if n_beside < max(FEW_ROWS, len(pairs) / 4) or right < ALONE * n_beside:
        return None
    evidence = (
        f"rows with the same value have the same label ({right / n_beside:.1%}); perhaps it names persons or things of "
        "several rows each, and a check is too good"
    )
    gaps = {"share": right / n_beside}
    return ColumnFinding(column, "decides alone", evidence, option("drop", column), "same_value", gaps)


def _enough(n_commonest: int, n_rows: int) -> float | None:
    """Return how many rows a column tells that is pointed out; None where the other labels are too few to say."""
    n_others = n_rows - n_commonest
    if n_commonest <= GUESSED * n_rows:
        return ALONE * n_rows
    return n_rows - MISSED * n_others if n_others >= FEW_OTHERS else None


def _by_threshold(counts: NDArray[np.int64]) -> int:
    """Count the rows that the best threshold among numbers decides right."""
    if not len(counts):
        return 0
    below = counts.cumsum(axis=0)
    above = below[-1] - below
    return int((below.max(axis=1) + above.max(axis=1)).max())
