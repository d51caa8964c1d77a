"""Quotes that begin no cell, as in `TV 55" black`: how they are noticed, and read as parts of their cells.

In: lines of a text with separators. Out: whether some quote neither begins nor ends a cell, and such lines as a frame,
read as Python's `csv` does, which is also how single rows are read. A fast reader takes such a quote for the beginning
of a cell in quotes, and what follows for its contents, over separators and lines.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

QUOTE = b'"'
LINE_ENDS = b"\r\n"


def has_stray_quotes(data: bytes, separator: str) -> bool:
    """Tell whether some quote stands where no cell begins or ends.

    Of the quotes that are left without doubled ones, the first, third, ... begin a cell, and the others end one.
    """
    if QUOTE not in data:
        return False
    bare = data.replace(QUOTE + QUOTE, b"")
    where = np.flatnonzero(np.frombuffer(bare, dtype=np.uint8) == QUOTE[0])
    around = np.frombuffer(b"\n" + bare + b"\n", dtype=np.uint8)
    bounds = np.frombuffer(separator.encode() + LINE_ENDS, dtype=np.uint8)
    begins, ends = around[where[0::2]], around[where[1::2] + 2]
    return len(begins) != len(ends) or not (np.isin(begins, bounds).all() and np.isin(ends, bounds).all())


def read_with_stray_quotes(data: bytes, columns: Sequence[str], separator: str) -> pl.DataFrame:
    """Read lines, all with a cell for each column, or blank; blank cells are missing."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    blank = [""] * len(columns)
    rows = [cells or blank for cells in csv.reader(lines, delimiter=separator)]
    by_column = zip(*rows, strict=True) if rows else ((),) * len(columns)
    texts = (pl.Series(name, cells, dtype=pl.String) for name, cells in zip(columns, by_column, strict=True))
    return pl.DataFrame(list(texts)).with_columns(pl.all().replace("", None))
