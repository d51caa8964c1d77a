"""The columns of pandas, read without importing pandas, and without detours: most tables that people have are these.

In: a pandas series. Out: a `RawColumn`. Text comes with its words already coded, by what stores it: Arrow's dictionary,
pandas' categories, or pandas' hash table. A column of objects is coded by the addresses of its objects first, because
readers of files make one object of equal words.
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.values import number_word
from unless.table.columns import RawColumn, dated_column
from unless.table.objects import TAKE_OUT, from_objects, refusing_half_characters, unmasked

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

DATES = ("DatetimeTZDtype", "PeriodDtype")
"""The types of dates that are no types of NumPy."""

FEW = 1000
"""Up to this many rows, nothing is won by coding words here."""

PLAIN = frozenset({str, int, float})
"""The types of objects that are read by their distinct values."""

GLANCE = 100
"""So many objects tell whether a column may hold words."""


def is_pandas_frame(data: Any) -> bool:
    """Tell whether something is a pandas data frame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_pandas_series(data: Any) -> bool:
    """Tell whether something is a pandas series or index, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.Series | pandas.Index)


@refusing_half_characters()
def from_pandas(name: str, series: Any) -> RawColumn:
    """Read a pandas series."""
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        array = series.to_numpy()
        return _from_object_array(name, series, array) if dtype.kind == "O" else from_vector(name, array)
    read = _READERS.get(type(dtype).__name__, _from_numbers if _is_number(dtype) else _from_values)
    return read(name, series)


def _is_number(dtype: Any) -> bool:
    """Tell whether an extension type of pandas is one of numbers that may be missing."""
    return getattr(dtype, "kind", "O") in tuple("iuf")


def _from_numbers(name: str, series: Any) -> RawColumn:
    return RawColumn(name, numbers=pl.Series(series.to_numpy(dtype=np.float64, na_value=np.nan)).fill_nan(None))


def _from_values(name: str, series: Any) -> RawColumn:
    """Read what has no reader of its own, such as intervals, value by value."""
    return from_objects(name, series.tolist())


def _from_text(name: str, series: Any) -> RawColumn:
    if getattr(series.dtype, "storage", "") == "pyarrow":
        return from_arrow_text(name, series.array.__arrow_array__())
    return _from_object_array(name, series, series.to_numpy(dtype=object))


def _from_flags(name: str, series: Any) -> RawColumn:
    return from_objects(name, series.to_numpy(dtype=object, na_value=None))


def _from_arrow(name: str, series: Any) -> RawColumn:
    """Read a column that Arrow stores, by what Arrow says it is."""
    kind = str(series.dtype.pyarrow_dtype)
    if kind in ("string", "large_string", "string_view"):
        return from_arrow_text(name, series.array.__arrow_array__())
    if kind == "bool":
        return _from_flags(name, series)
    return _from_numbers(name, series) if _is_number(series.dtype) else _from_values(name, series)


def _from_zoned(name: str, series: Any) -> RawColumn:
    """Read moments with a time zone, which NumPy does not know."""
    import narwhals as nw

    return dated_column(name, nw.from_native(series, series_only=True).to_polars())


def _refuse_periods(name: str, series: Any) -> RawColumn:
    raise DataError(_holds_dates(name, series.dtype))


def _holds_dates(name: str, dtype: object) -> str:
    return (
        f"column {name!r} holds {dtype}, spans of time or categories of dates. "
        "Hint: turn them into dates, as with pandas' to_timestamp or astype, or into text."
    )


@refusing_half_characters()
def from_vector(name: str, vector: NDArray[Any]) -> RawColumn:
    """Read a NumPy vector."""
    if vector.ndim != 1:
        msg = f"column {name!r} is an array of {vector.ndim} dimensions; a cell is a number or a word. {TAKE_OUT}"
        raise DataError(msg)
    vector = unmasked(vector)
    kind = vector.dtype.kind
    if kind in "Mm":
        micros = vector if vector.dtype == "M8[D]" else vector.astype(f"{kind}8[us]")
        return dated_column(name, pl.Series(micros))
    if kind == "c":
        msg = f"column {name!r} holds complex numbers. Complex data not supported: take real and imaginary parts."
        raise DataError(msg)
    if kind == "b":
        return flag_column(name, vector)
    if kind in "iuf":
        is_wide = vector.dtype.itemsize in (4, 8) and kind != "f"
        wide = vector if is_wide else vector.astype(np.float64, copy=False)
        return RawColumn(name, numbers=pl.Series(np.ascontiguousarray(wide)))
    return from_objects(name, vector.tolist())


def flag_column(name: str, flags: NDArray[np.bool_]) -> RawColumn:
    """Spell flags the way Python and CSV files do."""
    return _coded_column(name, flags.astype(np.int8), ["False", "True"])


@refusing_half_characters()
def from_arrow_text(name: str, chunked: Any) -> RawColumn:
    """Read text that Arrow stores, by its dictionary."""
    if len(chunked) <= FEW:
        return RawColumn(name, text=pl.Series(chunked.to_pylist(), dtype=pl.String))
    coded = chunked.dictionary_encode()
    coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded
    if hasattr(coded, "chunk"):
        coded = coded.chunk(0)
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return _coded_column(name, codes, coded.dictionary.to_pylist())


def _coded_column(name: str, codes: NDArray[Any], words: list[str]) -> RawColumn:
    """Make a column of text of codes (-1: missing) and words."""
    text = pl.Series([*words, None], dtype=pl.String)[codes]  # -1 is the last, which is null
    return RawColumn(name, text=text, coded=(codes, words))


def _from_categories(name: str, series: Any) -> RawColumn:
    """Read categories; they may be numbers, flags or intervals themselves, and are words all the same."""
    codes, categories = series.array.codes, series.array.categories
    if getattr(categories.dtype, "kind", "O") in tuple("Mm") or type(categories.dtype).__name__ in DATES:
        raise DataError(_holds_dates(name, categories.dtype))
    return replace(_coded_column(name, codes, _words(name, categories.tolist())), is_declared=True)


def _words(name: str, values: list[Any]) -> list[str]:
    """Spell categories: words as they are, numbers in their shortest form."""
    if all(type(value) is str for value in values):
        return values
    column = from_objects(name, values)
    texts = [None] * len(values) if column.text is None else column.text.to_list()
    found = [None] * len(values) if column.numbers is None else column.numbers.to_list()
    return [
        text if text is not None else "" if number is None else number_word(number)
        for text, number in zip(texts, found, strict=True)
    ]


def _from_object_array(name: str, series: Any, array: NDArray[Any]) -> RawColumn:
    """Read a column of objects; where they are words, each distinct one is looked at once."""
    may_be_words = str in set(map(type, array[:GLANCE].tolist()))
    if len(array) > FEW and not may_be_words:
        inferred = series.infer_objects()
        if isinstance(inferred.dtype, np.dtype) and inferred.dtype.kind in "iuf":
            return from_vector(name, inferred.to_numpy())
    if len(array) > FEW and may_be_words:
        codes, words = _factorized(series, array)
        if words and all(type(word) is str for word in words):
            return _coded_column(name, codes, words)
        if words and len(words) * 2 <= len(array) and _are_apart(words, array):
            return _from_distinct(name, codes, words)
    column = from_objects(name, array)
    if column.text is None and column.numbers is not None and column.numbers.null_count() == len(array):
        return RawColumn(name, text=pl.Series([None] * len(array), dtype=pl.String))  # pandas' way to say text
    return column


def _are_apart(distinct: list[Any], array: NDArray[Any]) -> bool:
    """Tell whether distinct objects are plain numbers and words, of which a hash table made one only where they are."""
    if not set(map(type, distinct)) <= PLAIN:
        return False
    return not {0, 1} & set(distinct) or bool not in set(map(type, array.tolist()))  # True is 1 to a hash table


def _from_distinct(name: str, codes: NDArray[np.intp], distinct: list[Any]) -> RawColumn:
    """Read numbers and words by the distinct ones."""
    found = from_objects(name, [*distinct, None])  # -1 is the last, which is missing
    numbers = None if found.numbers is None else pl.Series(found.numbers.to_numpy()[codes]).fill_nan(None)
    return RawColumn(name, numbers, None if found.text is None else found.text[codes])


def _factorized(series: Any, array: NDArray[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Return pandas' codes (-1: missing) and the distinct objects; by address first, which is no look at all."""
    make = sys.modules["pandas"].Series
    if not array.flags.c_contiguous:  # a reversed view begins at its end: what follows there is not its own
        codes, words = series.factorize()
        return codes, words.tolist()
    addresses = np.ctypeslib.as_array((ctypes.c_ssize_t * len(array)).from_address(array.ctypes.data))
    by_address, distinct = make(addresses).factorize()
    if len(distinct) > len(array) // 8:
        codes, words = series.factorize()
        return codes, words.tolist()
    rows = np.empty(len(distinct), dtype=np.intp)
    rows[by_address] = np.arange(len(array))
    codes, words = make(array[rows], dtype=object).factorize()
    return codes[by_address], words.tolist()


_READERS: dict[str, Callable[[str, Any], RawColumn]] = {
    "ArrowDtype": _from_arrow,
    "BooleanDtype": _from_flags,
    "CategoricalDtype": _from_categories,
    "SparseDtype": lambda name, series: from_pandas(name, series.sparse.to_dense()),
    "StringDtype": _from_text,
    "DatetimeTZDtype": _from_zoned,
    "PeriodDtype": _refuse_periods,
}
"""How the columns of each type of pandas are read."""
