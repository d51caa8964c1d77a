"""Which columns are numerical and which categorical.

The user's word comes first. Otherwise the dtype decides (numbers: numerical, text: categorical), and where there is
no dtype, as in a CSV file, the content: a column in which most values are numbers is numerical, unless it is written
like a code ("08"). What is decided against the look of a column is said, so that the user can decide otherwise.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError, listing, unknown_column
from unless.table.frames import DATE_HINT
from unless.table.raw import RawColumn, read_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.rules import Kind
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

LOOKS_LIKE_DATE = r"^\s*\d{4}-\d{2}-\d{2}([T ].*)?$"
LOOKS_LIKE_CODE = r"^\s*-?0\d"


def kinds_from_dtype(table: RawTable) -> dict[str, Kind]:
    """Decide by dtype: text is categorical, numbers are numerical, objects go by what most of them are."""
    return {name: _kind_from_dtype(column) for name, column in table.columns.items()}


def kinds_from_content(table: RawTable) -> dict[str, Kind]:
    """Decide by what the cells look like: for files, where everything is text."""
    return {name: _kind_from_content(column) for name, column in table.columns.items()}


def kinds_from_choice(table: RawTable, choice: Any) -> dict[str, Kind]:
    """Apply scikit-learn's `categorical_features`: 'from_dtype', None, names, positions, or a mask."""
    if isinstance(choice, str):
        if choice != "from_dtype":
            msg = f"categorical_features is {choice!r}; accepted: 'from_dtype', None, or a list of columns."
            raise DataError(msg)
        return kinds_from_dtype(table)
    categorical = set() if choice is None else _chosen(table.names, list(choice))
    return {name: "categorical" if name in categorical else "numerical" for name in table.names}


def override(kinds: Mapping[str, Kind], categorical: Sequence[str], numerical: Sequence[str]) -> dict[str, Kind]:
    """Set the kind of the named columns."""
    both = sorted(set(categorical) & set(numerical))
    if both:
        msg = f"column {both[0]!r} is named both categorical and numerical; it can be one."
        raise DataError(msg)
    result = dict(kinds)
    chosen: list[tuple[str, Kind]] = [(name, "categorical") for name in categorical]
    chosen += [(name, "numerical") for name in numerical]
    for name, kind in chosen:
        if name not in result:
            raise DataError(unknown_column(name, list(result)))
        result[name] = kind
    return result


def kinds_of_file(
    table: RawTable, categorical: Sequence[str], numerical: Sequence[str], *, is_text: bool
) -> dict[str, Kind]:
    """Decide for a table from a file: as the user says, else by content (mere text) or by dtype."""
    known = [name for name in (*categorical, *numerical) if name in table.columns]
    guess = kinds_from_content if is_text else kinds_from_dtype
    guessed: dict[str, Kind] = {**guess(table.without(known)), **dict.fromkeys(known, "numerical")}
    return override({name: guessed[name] for name in table.names}, categorical, numerical)


def _chosen(names: Sequence[str], choice: list[Any]) -> set[str]:
    if choice and all(isinstance(item, bool | np.bool_) for item in choice):
        if len(choice) != len(names):
            msg = f"categorical_features is a mask of {len(choice)} for {len(names)} columns."
            raise DataError(msg)
        return {name for name, chosen in zip(names, choice, strict=True) if chosen}
    chosen = {_at(names, int(item)) if isinstance(item, int | np.integer) else str(item) for item in choice}
    for name in sorted(chosen - set(names)):
        raise DataError(unknown_column(name, names))
    return chosen


def _at(names: Sequence[str], place: int) -> str:
    if not -len(names) <= place < len(names):
        msg = f"categorical_features names column {place} of a table with {len(names)} columns."
        raise DataError(msg)
    return names[place]


def _kind_from_dtype(column: RawColumn) -> Kind:
    if column.text is None:
        return "numerical"
    if column.numbers is not None:
        n_numbers = len(column.numbers) - column.numbers.null_count()
        return "numerical" if n_numbers >= len(column.text) - column.text.null_count() else "categorical"
    # Only a hint depends on this, so a glance at some of the rows is enough.
    if _share_of_numbers(column.text.head(1000)) > 0.5:
        log.warning(
            "column %r is text, but most of its values are numbers: it is taken as words. "
            "Name the categorical columns to have it taken as numerical (mixed).",
            column.name,
        )
    return "categorical"


def _kind_from_content(column: RawColumn) -> Kind:
    if column.text is None:
        return "numerical"
    text = column.text.drop_nulls().cast(pl.String)
    share = _share_of_numbers(text)
    if share <= 0.5:
        _refuse_dates(column.name, text)
        return "categorical"
    if text.str.contains(LOOKS_LIKE_CODE).any():
        log.warning("column %r is written like a code ('08'): it is taken as words (categorical).", column.name)
        return "categorical"
    if share < 1.0:
        words = text.filter(read_numbers(text).is_null()).unique().sort()
        log.warning(
            "column %r holds numbers and words (%s): it is taken as numerical (mixed).",
            column.name,
            listing(repr(word) for word in words.head(4)),
        )
    return "numerical"


def _share_of_numbers(text: pl.Series) -> float:
    words = text.cast(pl.String)
    present = words.filter(words.str.strip_chars() != "")  # blank is missing
    if not len(present):
        return 0.0
    return 1.0 - read_numbers(present).null_count() / len(present)


def _refuse_dates(name: str, text: pl.Series) -> None:
    if len(text) and text.str.contains(LOOKS_LIKE_DATE).all():
        msg = f"column {name!r} holds dates, such as {text[0]!r}; {DATE_HINT}"
        raise DataError(msg)
