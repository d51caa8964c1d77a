"""Python values become a column: each a number, a word or missing, sorted by type and not one by one.

In: values of any types, as lists, dicts and columns of objects hold them. Out: a `RawColumn`. Flags are words, and so
are UUIDs and intervals, which have one spelling each; dates stand for themselves, without anything else among them.
What is none of these (nested values) is refused with its row.
"""

from __future__ import annotations

import datetime as dt
import numbers
import uuid
from contextlib import contextmanager
from decimal import Decimal
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError, half_character
from unless.table.columns import RawColumn, dated_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

TAKE_OUT = "Hint: take out of it what matters, as columns of their own, or leave it out."
DATE_HINT = "Hint: make the column all dates, or all text."


MOMENTS = (dt.datetime, dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64)
"""The types of dates and times; a moment is a date as well, so it comes first."""


def unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array whose masked cells are missing.

    >>> unmasked(np.ma.masked_array([1.0, 2.0], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not hasattr(type(array), "fill_value"):  # asked so, numpy.ma need not be loaded
        return array
    plain, masked = np.asarray(array), np.ma.getmaskarray(array)
    if not masked.any():
        return plain
    blank: Any = {"f": np.nan, "M": "NaT", "m": "NaT"}.get(plain.dtype.kind)
    found = plain.astype(object if blank is None else plain.dtype)
    found[masked] = blank
    return found


class Sort(IntEnum):
    """What the values of one type are."""

    MISSING = 0
    NUMBER = 1
    TEXT = 2
    SPELLED = 3
    FLAG = 4
    DATE = 5
    OTHER = 6


@contextmanager
def refusing_half_characters() -> Iterator[None]:
    """Say in one sentence that a text holds a surrogate: it can be neither compared nor written."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise DataError(half_character(error)) from None


@refusing_half_characters()
def from_objects(name: str, values: Sequence[Any] | NDArray[Any]) -> RawColumn:
    """Sort Python values into numbers and text."""
    array = values if isinstance(values, np.ndarray) else np.fromiter(values, dtype=object, count=len(values))
    types = list(map(type, array.tolist() if isinstance(values, np.ndarray) else values))
    sort_of = {each: _sort_of(each) for each in set(types)}
    sorts = set(sort_of.values())
    if Sort.DATE in sorts:
        moments = _moments(name, array.tolist(), types, sort_of)
        if moments is not None:
            return dated_column(name, moments)
    for refused in (Sort.DATE, Sort.OTHER):
        if refused in sorts:
            row = next(row for row, each in enumerate(types) if sort_of[each] is refused)
            raise DataError(_refusal(name, row, array[row], refused))
    if len(sorts) == 1:  # no need to look at each
        rows = {sorts.pop(): slice(None)}
    else:
        by_row = np.fromiter(map(sort_of.__getitem__, types), np.int8, len(types))
        rows = {sort: by_row == sort for sort in sorts}
    found_numbers, found_text = _numbers(name, array, rows), _text(array, rows)
    if found_numbers is None and found_text is None:
        found_numbers = pl.Series(np.full(len(array), np.nan)).fill_nan(None)
    return RawColumn(name, numbers=found_numbers, text=found_text)


def _moments(name: str, values: list[Any], types: list[type], sort_of: dict[type, Sort]) -> pl.Series | None:
    """Return values as a series of dates, times or durations, where all that are not missing are of one such kind."""
    found = {each for each, sort in sort_of.items() if sort is not Sort.MISSING}
    kind = next((kind for kind in MOMENTS if any(issubclass(each, kind) for each in found)), None)
    if kind is None or not all(issubclass(each, kind) for each in found):
        return None
    plain = [None if sort_of[each] is Sort.MISSING else value for value, each in zip(values, types, strict=True)]
    if kind in (np.datetime64, np.timedelta64):  # polars takes these as an array only
        return pl.Series(np.array(plain, dtype=f"{kind(0, 'us').dtype.kind}8[us]"))
    zones = {value.tzinfo for value in plain if value is not None} if kind is dt.datetime else set()
    if len(zones) > 1:  # a series has one zone; moments that have any are read in UTC
        if None in zones:
            msg = f"column {name!r} holds moments with a time zone and moments without; give all of them one, or none."
            raise DataError(msg)
        plain = [None if value is None else value.astimezone(dt.UTC) for value in plain]
    return pl.Series(plain, strict=False)


def _sort_of(each: type) -> Sort:  # noqa: PLR0911  (a table would hide that the order matters)
    """Tell what the values of a type are."""
    if issubclass(each, str):
        return Sort.TEXT
    if issubclass(each, bool | np.bool_):
        return Sort.FLAG
    if issubclass(each, np.timedelta64):  # a signed integer to NumPy
        return Sort.DATE
    if issubclass(each, numbers.Real | Decimal):
        return Sort.NUMBER
    # pandas' NA, NaT and friends: equal to nothing, not even to themselves.
    if issubclass(each, type(None)) or each.__name__ in ("NAType", "NaTType"):
        return Sort.MISSING
    if issubclass(each, dt.date | dt.time | dt.timedelta | np.datetime64) or each.__name__ == "Period":
        return Sort.DATE
    if issubclass(each, uuid.UUID) or (each.__name__ == "Interval" and each.__module__.startswith("pandas")):
        return Sort.SPELLED
    return Sort.OTHER


def _refusal(name: str, row: int, value: Any, sort: Sort) -> str:
    if sort is Sort.DATE:
        return f"column {name!r} holds a date or time, {value}, at row {row}, among other values. {DATE_HINT}"
    return (
        f"column {name!r} holds a {type(value).__name__} at row {row}; argument must be a string or a number, "
        "or missing."
    )


def _numbers(name: str, array: NDArray[Any], rows: dict[Sort, Any]) -> pl.Series | None:
    """Return the numbers, null where there is none; None if there is none at all."""
    if Sort.NUMBER not in rows:
        return None
    found = np.full(len(array), np.nan)
    try:
        found[rows[Sort.NUMBER]] = array[rows[Sort.NUMBER]].astype(np.float64)
    except OverflowError:
        msg = f"column {name!r} holds a whole number that is too large: numbers are those of a 64-bit float."
        raise DataError(msg) from None
    except ValueError:
        msg = f"column {name!r} holds a signaling NaN (sNaN), which is no number. Hint: make it a missing value."
        raise DataError(msg) from None
    return None if np.isnan(found).all() else pl.Series(found).fill_nan(None)


def _text(array: NDArray[Any], rows: dict[Sort, Any]) -> pl.Series | None:
    """Return the texts, null where there is none; None if there is none at all."""
    if not {Sort.TEXT, Sort.SPELLED, Sort.FLAG} & set(rows):
        return None
    found = np.full(len(array), None, dtype=object)
    if Sort.TEXT in rows:
        found[rows[Sort.TEXT]] = array[rows[Sort.TEXT]]
    for sort in (Sort.SPELLED, Sort.FLAG):
        if sort in rows:
            found[rows[sort]] = [str(value) for value in array[rows[sort]].tolist()]
    return pl.Series(found.tolist(), dtype=pl.String)
