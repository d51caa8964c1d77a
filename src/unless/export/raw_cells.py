"""A raw cell of a row as exports take it, a number, a word, or missing; and labels as they give them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.logic.date_parts import date_part
from unless.logic.readings import read_part_cell
from unless.logic.values import EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Column, Label, Value


def form_cell(column: Column, row: Mapping[str, object], missing: Sequence[str]) -> Value | None:
    """Read a cell; a number in a column of words stays a number."""
    cell = row.get(column.name)
    is_number = not isinstance(cell, bool | str) and cell is not None and hasattr(cell, "__float__")
    if is_number and column.kind == "categorical" and type(cell).__name__ not in ("bool_", "NAType", "NaTType"):
        number = float(cell)  # type: ignore[arg-type]
        if not math.isinf(number) and not (column.reading and date_part(column.reading) and column.name not in row):
            return None if math.isnan(number) else number + 0.0
    return read_part_cell(column, row, missing)


def is_long(label: Label) -> bool:
    """Tell whether a label is a whole number of so many digits that engines would round it; there it is text."""
    return isinstance(label, int) and abs(label) > EXACT
