"""Python values become a column: each a number, a word or missing, sorted by type and not one by one.

In: values of any types, as lists, dicts and columns of objects hold them. Out: a `RawColumn`. Flags are words, and so
are UUIDs and intervals, which have one spelling each; what is neither a number nor a word (dates, nested values) is
refused with its row.
"""

from __future__ import annotations

import datetime as dt
import numbers
import uuid
from decimal import Decimal
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.table.columns import RawColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DATE_HINT = (
    "dates are neither numbers nor words. Hint: split it into numbers first (year, month, day, days since a date), "
    "turn it into text, or leave the column out."
)


class Sort(IntEnum):
    """What the values of one type are."""

    MISSING = 0
    NUMBER = 1
    TEXT = 2
    SPELLED = 3
    FLAG = 4
    DATE = 5
    OTHER = 6


def from_objects(name: str, values: Sequence[Any] | NDArray[Any]) -> RawColumn:
    """Sort Python values into numbers and text."""
    array = values if isinstance(values, np.ndarray) else np.fromiter(values, dtype=object, count=len(values))
    types = list(map(type, array.tolist() if isinstance(values, np.ndarray) else values))
    sort_of = {each: _sort_of(each) for each in set(types)}
    sorts = set(sort_of.values())
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


def holds_dates(name: str, dtype: object) -> str:
    """Say that a column of dates is refused."""
    return f"column {name!r} holds dates or times ({dtype}); {DATE_HINT}"


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
        return f"column {name!r} holds a date or time, {value}, at row {row}; {DATE_HINT}"
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
