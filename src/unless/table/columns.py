"""One column as it arrives, before its kind is known: real numbers beside text.

A frame's numeric column has only numbers, a text column only text, a column of Python objects may have both. `cells`
turns a raw column of a given kind into `Cells`:

- numerical: numbers stay; text is read as a number where it is one, and is a word where it is not (a mixed column);
- categorical: everything is a word. A number becomes the word of its shortest form (8 and 8.0 both become "8", so
  that a missing value elsewhere in the column, which turns integers into floats, changes no word).

Blank text and the words that the user names as missing are missing. Infinite numbers are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.values import BLANKS, EXACT, number_word, read_number
from unless.table.cells import MISSING, Cells, Words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from unless.logic.rules import Kind


FEW = 1000
"""Up to this many rows, words are coded one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class RawColumn:
    """A column's numbers (NaN or null: none) and its text (null: none); at least one of the two is there.

    The text may be polars strings or polars categories, which are quicker to code; quicker still are the `coded` words
    of a frame that has them, which say the same as the text: a code per row (-1: none) and the words they index.
    """

    name: str
    numbers: pl.Series | None = None
    text: pl.Series | None = None
    coded: tuple[NDArray[np.integer[Any]], list[str]] | None = None

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        part = self.numbers if self.numbers is not None else self.text
        assert part is not None
        return len(part)

    def take(self, rows: NDArray[np.intp]) -> RawColumn:
        """Return the column at some rows."""
        numbers = None if self.numbers is None else self.numbers.gather(rows)
        return RawColumn(self.name, numbers, None if self.text is None else self.text.gather(rows))


def cells(raw: RawColumn, kind: Kind, missing: Collection[str] = ()) -> Cells:
    """Read a raw column as the given kind."""
    if kind == "numerical":
        return _numerical(raw, missing)
    if raw.coded is not None:
        return Cells(raw.n_rows, words=_rank(*raw.coded, missing))
    text = raw.text
    if raw.numbers is not None:
        spelled = spell(raw.numbers)
        text = spelled if text is None else pl.select(pl.coalesce(text.cast(pl.String), spelled)).to_series()
    assert text is not None
    return Cells(raw.n_rows, words=_encode(text, missing))


def read_numbers(text: pl.Series) -> pl.Series:
    """Read text as numbers; null where it is none. Blanks around a number do not matter."""
    read = text.cast(pl.Float64, strict=False)
    unread = read.is_null() & text.is_not_null()
    if unread.any():
        # Few distinct texts are left as a rule: look at each once more, as `values` does.
        distinct = text.filter(unread).unique()
        again = pl.Series([read_number(word) for word in distinct.to_list()], dtype=pl.Float64)
        if again.null_count() < len(again):
            read = read.zip_with(~unread, text.replace_strict(distinct, again, default=None))
    # The text "nan" reads as a number in most libraries; here it is a word like "NA".
    return read.fill_nan(None)


def _numerical(raw: RawColumn, missing: Collection[str]) -> Cells:
    numbers = None if raw.numbers is None else _floats(raw.numbers)
    words = None
    if raw.text is not None:
        text = raw.text.cast(pl.String)
        if missing:
            text = text.set(text.is_in(list(missing)), None)
        read = read_numbers(text)
        left = read.is_null() & text.is_not_null()
        if left.any():
            words = _encode(text.set(~left, None), missing)
        parsed = _floats(read)
        numbers = parsed if numbers is None else np.where(np.isnan(numbers), parsed, numbers)
    assert numbers is not None
    _refuse_infinite(raw.name, numbers)
    if words is not None and not words.lexicon:
        words = None
    return Cells(raw.n_rows, numbers, words)


def _floats(series: pl.Series) -> NDArray[np.float64]:
    """Return a float array, NaN for null, with one zero (-0.0 is 0.0)."""
    array: NDArray[np.float64] = series.cast(pl.Float64).to_numpy()
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
        return _encode_few(text.cast(pl.String).to_list(), missing)
    if text.dtype == pl.String:
        text = text.cast(pl.Categorical(pl.Categories.random()))
    codes = _polars_codes(text)
    # polars numbers the words in the order it meets them: find one row for each, then rank the words.
    row_of = np.full(int(codes.max(initial=MISSING)) + 1, MISSING, dtype=np.int64)
    present = codes != MISSING
    row_of[codes[present]] = np.flatnonzero(present)
    met = np.flatnonzero(row_of != MISSING)
    words = text[row_of[met]].cast(pl.String).to_list()
    ranks = _ranks(words, missing)
    rank_of = np.full(len(row_of) + 1, MISSING, dtype=np.int32)  # the last entry serves -1, missing
    rank_of[met] = [ranks.get(word, MISSING) for word in words]
    return Words(rank_of[codes], tuple(ranks))


def _rank(codes: NDArray[np.integer[Any]], words: list[str], missing: Collection[str]) -> Words:
    """Code each word by its rank among those that occur, given its index in a list of words."""
    occurs = np.zeros(len(words) + 1, dtype=np.bool_)
    occurs[codes] = True
    ranks = _ranks((word for word, found in zip(words, occurs, strict=False) if found), missing)
    rank_of = np.array([*(ranks.get(word, MISSING) for word in words), MISSING], dtype=np.int32)
    return Words(rank_of[codes], tuple(ranks))


def _encode_few(words: list[str | None], missing: Collection[str]) -> Words:
    """Do the same word by word, which is quicker than asking polars when there are few."""
    ranks = _ranks((word for word in set(words) if word is not None), missing)
    return Words(np.array([ranks.get(word, MISSING) for word in words], dtype=np.int32), tuple(ranks))  # type: ignore[arg-type]


def _ranks(words: Iterable[str], missing: Collection[str]) -> dict[str, int]:
    """Rank the words that mean something, in code-point order."""
    lexicon = sorted(word for word in words if word.strip(BLANKS) and word not in missing)
    return {word: rank for rank, word in enumerate(lexicon)}


def _polars_codes(text: pl.Series) -> NDArray[np.int64]:
    """Return polars' own number of each row's word, -1 where there is none."""
    physical = text.to_physical().cast(pl.Int64)
    if physical.null_count():
        physical = physical.fill_null(MISSING)
    codes: NDArray[np.int64] = physical.to_numpy()
    return codes
