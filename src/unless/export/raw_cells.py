"""A raw cell of a row as exports take it: a number, a word, or missing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.logic.date_parts import date_part
from unless.logic.readings import read_part_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Column, Value


def form_cell(column: Column, row: Mapping[str, object], missing: Sequence[str]) -> Value | None:
    """Read a cell; a number in a column of words stays a number."""
    cell = row.get(column.name)
    is_number = not isinstance(cell, bool | str) and cell is not None and hasattr(cell, "__float__")
    if is_number and column.kind == "categorical" and type(cell).__name__ not in ("bool_", "NAType", "NaTType"):
        number = float(cell)  # type: ignore[arg-type]
        if not math.isinf(number) and not (column.reading and date_part(column.reading) and column.name not in row):
            return None if math.isnan(number) else number + 0.0
    return read_part_cell(column, row, missing)
