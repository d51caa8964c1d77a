"""One column as it arrives, before its kind is known: real numbers beside text.

A frame's numeric column has only numbers, a text column only text, a column of Python objects may have both. `cells`
turns a raw column of a given kind into `Cells`:

- numerical: numbers stay; text is read as a number where it is one, in the column's way of writing numbers or dates
  (its reading), and is a word where it is not (a mixed column);
- categorical: everything is a word. A number becomes the word of its shortest form (8 and 8.0 both become "8", so
  that a missing value elsewhere in the column, which turns integers into floats, changes no word).

Blank text and the words that the user names as missing are missing, and so are the numbers that such words are read as,
however a cell holds them; blanks at the ends of a word say nothing and go. Infinite numbers are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.date_texts import DateFormat, measured_otherwise
from unless.logic.number_texts import NumberFormat
from unless.logic.readings import read_text, reading_format
from unless.logic.values import BLANKS, EXACT, missing_numbers, number_word, read_number
from unless.table.cells import MISSING, Cells, Words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from unless.logic.rules import Kind


MAY_BE_NUMBER = r"^\s*[+-]?[0-9.][0-9.eE+-]*\s*$"
"""What every text that `values` reads as a number looks like, and few others."""
PLAIN_LINES = re.compile(r"(?:[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\n)*+")
"""Lines of which each is a plain number, as `values.NUMBER` says it; nothing is tried twice."""
FEW = 1000
"""Up to this many rows, words are coded and numbers read one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class RawColumn:
    """A column's numbers (NaN or null: none) and its text (null: none); at least one of the two is there.

    The text may be polars strings or polars categories, which are quicker to code; quicker still are the `coded` words
    of a frame that has them, which say the same as the text: a code per row (-1: none) and the words they index. Where
    the numbers stand for dates of a frame, `reading` says for which. `is_declared` tells that the frame calls its words
    categories, whatever they look like.
    """

    name: str
    numbers: pl.Series | None = None
    text: pl.Series | None = None
    coded: tuple[NDArray[np.integer[Any]], list[str]] | None = None
    reading: str = ""
    is_declared: bool = False

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        part = self.numbers if self.numbers is not None else self.text
        assert part is not None
        return len(part)

    def take(self, rows: NDArray[np.intp]) -> RawColumn:
        """Return the column at some rows."""
        # For an array of few polars loads more of NumPy than else is used; to `gather` sets its whole engine in motion.
        wanted = pl.Series(rows.tolist() if len(rows) < FEW else rows.astype(np.uint32), dtype=pl.UInt32)
        numbers = None if self.numbers is None else self.numbers[wanted]
        text = None if self.text is None else self.text[wanted]
        return RawColumn(self.name, numbers, text, reading=self.reading, is_declared=self.is_declared)


def dated_column(name: str, series: pl.Series) -> RawColumn:
    """Return a column of a frame's own dates, times or durations."""
    from unless.table.dates import from_moments  # formats are loaded where a column has one: most have none

    numbers, reading = from_moments(series)
    return RawColumn(name, numbers, reading=reading)


def cells(raw: RawColumn, kind: Kind, missing: Collection[str] = (), reading: str = "") -> Cells:
    """Read a raw column as the given kind."""
    if kind == "numerical":
        return _numerical(raw, missing, reading)
    if raw.coded is not None:
        return Cells(raw.n_rows, words=_rank(*raw.coded, missing))
    text = raw.text
    if raw.numbers is not None:
        spelled = say_numbers(raw.numbers, raw.reading) if raw.reading else spell(raw.numbers)
        text = spelled if text is None else pl.select(pl.coalesce(text.cast(pl.String), spelled)).to_series()
    assert text is not None
    return Cells(raw.n_rows, words=_encode(text, missing))


def as_text(words: pl.Series) -> pl.Series:
    """Return words as text; those that are text stay, since even then polars would set its engine in motion."""
    return words if words.dtype == pl.String else words.cast(pl.String)


def read_numbers(text: pl.Series) -> pl.Series:
    """Read text as numbers; null where it is none. Blanks around a number do not matter."""
    read = text.cast(pl.Float64, strict=False)
    if read.null_count() == text.null_count() and read.is_finite().all():
        return read  # plain numbers only: every further question sets polars' engine in motion
    infinite = read.is_infinite().fill_null(value=False)
    if infinite.any():
        read = read.set(infinite, None)  # polars takes the word "inf" for a number
    unread = read.is_null() & text.is_not_null()
    if unread.any():
        # Few distinct texts are left that may yet be numbers: look at each once more, as `values` does.
        distinct = text.filter(unread).unique()
        distinct = distinct.filter(distinct.str.contains(MAY_BE_NUMBER))
        again = pl.Series([read_number(word) for word in distinct.to_list()], dtype=pl.Float64)
        if again.null_count() < len(again):
            read = read.zip_with(~unread, text.replace_strict(distinct, again, default=None))
    # The text "nan" reads as a number in most libraries; here it is a word like "NA".
    return read.fill_nan(None)


def read_texts(text: pl.Series, reading: str) -> pl.Series:
    """Read text as numbers in a column's way of writing them; null where it is none."""
    if not reading:
        return read_numbers(text)
    distinct = text.unique().drop_nulls()
    if len(distinct) * 2 > len(text):
        return _read_stripped(text.str.strip_chars(BLANKS), reading)
    return text.replace_strict(
        distinct, _read_stripped(distinct.str.strip_chars(BLANKS), reading), default=None, return_dtype=pl.Float64
    )


def _read_stripped(text: pl.Series, reading: str) -> pl.Series:
    form = reading_format(reading)
    if isinstance(form, NumberFormat):
        from unless.table.number_formats import read_formatted

        return read_formatted(text, form)
    if isinstance(form, DateFormat):
        from unless.table.dates import read_dates

        return read_dates(text, form)
    return read_numbers(text)


def say_numbers(numbers: pl.Series, reading: str) -> pl.Series:
    """Say numbers as a reading does, distinct value by distinct value."""
    form = reading_format(reading)
    distinct = numbers.unique().drop_nulls()
    said = pl.Series([form.say(number) for number in distinct.to_list()], dtype=pl.String)
    return numbers.replace_strict(distinct, said, default=None, return_dtype=pl.String)


def _converted(numbers: pl.Series, given: str, wanted: str) -> pl.Series:
    from unless.table.dates import convert

    return convert(numbers, given, wanted)


def _numerical(raw: RawColumn, missing: Collection[str], reading: str) -> Cells:
    numbers, unlike = None, None
    if raw.numbers is not None:
        numbers = _floats(_converted(raw.numbers, raw.reading, reading) if raw.reading else raw.numbers)
        unlike = None if np.isnan(numbers).all() else measured_otherwise(raw.reading, reading)
    words = None
    if raw.text is not None and not reading and raw.n_rows <= FEW:
        parsed, words = _read_few(as_text(raw.text).to_list(), missing)
        numbers = parsed if numbers is None else np.where(np.isnan(numbers), parsed, numbers)
    elif raw.text is not None:
        text = as_text(raw.text)
        if missing:
            named = list(missing)
            text = text.set(text.is_in(named) | text.str.strip_chars(BLANKS).is_in(named), None)
        read = read_texts(text, reading)
        if read.null_count() > text.null_count():
            left = read.is_null() & text.is_not_null()
            words = _encode(text.set(~left, None), missing)
        parsed = _floats(read)
        numbers = parsed if numbers is None else np.where(np.isnan(numbers), parsed, numbers)
    assert numbers is not None
    _refuse_infinite(raw.name, numbers)
    if gone := missing_numbers(missing, partial(read_text, reading)):
        numbers = np.where(np.isin(numbers, list(gone)), np.nan, numbers)
    if words is not None and not words.lexicon:
        words = None
    return Cells(raw.n_rows, numbers, words, unlike)


def plain_lines(texts: Sequence[str | None], missing: Collection[str] = ()) -> str:
    r"""Return texts line by line, if all of them are plain numbers and none means missing; else nothing.

    One search through all of them takes a fraction of the time of one for each.

    >>> plain_lines(["1", "-2.5", ".5e3"]), plain_lines(["1", "2 "]), plain_lines(["1", None]), plain_lines(["1\n2"])
    ('1\n-2.5\n.5e3\n', '', '', '')
    """
    if None in texts or not missing_from(missing, texts):
        return ""
    lines = "\n".join(texts) + "\n"  # type: ignore[arg-type]
    return lines if PLAIN_LINES.fullmatch(lines) and lines.count("\n") == len(texts) else ""


def missing_from(missing: Collection[str], texts: Sequence[str | None]) -> bool:
    """Tell whether no text is among those that mean missing."""
    return not missing or frozenset(missing).isdisjoint(texts)


def _read_few(texts: list[str | None], missing: Collection[str]) -> tuple[NDArray[np.float64], Words | None]:
    """Read text by text, which is quicker than asking polars when there are few; as numbers where they are."""
    if plain_lines(texts, missing):
        return np.fromiter(map(float, texts), np.float64, len(texts)) + 0.0, None  # type: ignore[arg-type]
    numbers = np.full(len(texts), np.nan)
    left: list[str | None] = [None] * len(texts)
    for row, text in enumerate(texts):
        if text is None or (missing and (text in missing or text.strip(BLANKS) in missing)):
            continue
        number = read_number(text)
        if number is None:
            left[row] = text
        else:
            numbers[row] = number
    return numbers + 0.0, _encode_few(left, missing) if any(text is not None for text in left) else None


def _floats(series: pl.Series) -> NDArray[np.float64]:
    """Return a float array, NaN for null, with one zero (-0.0 is 0.0)."""
    array: NDArray[np.float64] = (series if series.dtype == pl.Float64 else series.cast(pl.Float64)).to_numpy()
    is_zero = array == 0.0
    return array + 0.0 if is_zero.any() and np.signbit(array[is_zero]).any() else array


def _refuse_infinite(name: str, numbers: NDArray[np.float64]) -> None:
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(infinite.argmax())
        msg = (
            f"column {name!r} holds an infinite number, {numbers[row]}, at row {row}; numbers must be finite. "
            "Hint: replace infinity by a large number or by a missing value."
        )
        raise DataError(msg)


def spell(numbers: pl.Series) -> pl.Series:
    """Turn numbers into words, distinct value by distinct value."""
    if numbers.dtype.is_integer() and _is_exact(numbers):
        return numbers.cast(pl.String)
    numbers = numbers.cast(pl.Float64).fill_nan(None)
    distinct = numbers.unique().drop_nulls()
    spelled = [number_word(number) for number in distinct]
    return numbers.replace_strict(distinct, pl.Series(spelled, dtype=pl.String), default=None)


def _is_exact(whole: pl.Series) -> bool:
    """Tell whether all whole numbers of a column are floats too; others are spelled as the nearest float."""
    low, high = whole.min(), whole.max()
    return low is None or (int(low) > -EXACT and int(high) < EXACT)  # type: ignore[arg-type]


def _encode(text: pl.Series, missing: Collection[str]) -> Words:
    """Code each word by its rank in the sorted lexicon."""
    if len(text) <= FEW:
        return _encode_few(as_text(text).to_list(), missing)
    if text.dtype == pl.String:
        text = text.cast(pl.Categorical(pl.Categories.random()))
    codes = _polars_codes(text)
    # polars numbers the words in the order it meets them: find one row for each, then rank the words.
    row_of = np.full(int(codes.max(initial=MISSING)) + 1, MISSING, dtype=np.int64)
    present = codes != MISSING
    row_of[codes[present]] = np.flatnonzero(present)
    met = np.flatnonzero(row_of != MISSING)
    words = text.gather(row_of[met].tolist()).cast(pl.String).to_list()
    ranks, lexicon = _rank_words(words, missing)
    rank_of = np.full(len(row_of) + 1, MISSING, dtype=np.int32)  # the last entry serves -1, missing
    rank_of[met] = ranks
    return Words(rank_of[codes], lexicon)


def _rank(codes: NDArray[np.integer[Any]], words: list[str], missing: Collection[str]) -> Words:
    """Code each word by its rank among those that occur, given its index in a list of words."""
    occurs = np.zeros(len(words) + 1, dtype=np.bool_)
    occurs[codes] = True
    met = np.flatnonzero(occurs[:-1])
    ranks, lexicon = _rank_words([words[index] for index in met.tolist()], missing)
    rank_of = np.full(len(words) + 1, MISSING, dtype=np.int32)
    rank_of[met] = ranks
    return Words(rank_of[codes], lexicon)


def _encode_few(words: list[str | None], missing: Collection[str]) -> Words:
    """Do the same word by word, which is quicker than asking polars when there are few."""
    distinct = [word for word in set(words) if word is not None]
    ranks, lexicon = _rank_words(distinct, missing)
    rank_of: dict[str | None, int] = dict(zip(distinct, ranks, strict=True))
    return Words(np.array([rank_of.get(word, MISSING) for word in words], dtype=np.int32), lexicon)


def _rank_words(words: list[str], missing: Collection[str]) -> tuple[list[int], tuple[str, ...]]:
    """Rank each word among those that mean something, in code-point order; words that differ by blanks are one."""
    meant = [word.strip(BLANKS) for word in words]
    if missing:
        meant = ["" if word in missing or bare in missing else bare for word, bare in zip(words, meant, strict=True)]
    lexicon = sorted({word for word in meant if word})
    ranks = {word: rank for rank, word in enumerate(lexicon)}
    return [ranks.get(word, MISSING) for word in meant], tuple(lexicon)


def _polars_codes(text: pl.Series) -> NDArray[np.int64]:
    """Return polars' own number of each row's word, -1 where there is none."""
    physical = text.to_physical().cast(pl.Int64)
    if physical.null_count():
        physical = physical.fill_null(MISSING)
    codes: NDArray[np.int64] = physical.to_numpy()
    return codes
