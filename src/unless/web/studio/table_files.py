"""Tables that people take along, as CSV, Excel or Parquet.

In: a frame. Out: bytes. In files that spreadsheets open, a text that a spreadsheet would run as a formula stands behind
an apostrophe.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from typing import Literal as OneOf

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Container

FORMULA = r"^[=+\-@\t\r]"
FileForm = OneOf["csv", "xlsx", "parquet"]
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}


def file_of(frame: pl.DataFrame, form: FileForm, sheet: str = "unless") -> bytes:
    """Write a frame."""
    out = io.BytesIO()
    if form == "parquet":
        frame.write_parquet(out)
    elif form == "xlsx":
        from unless.web.studio.xlsx_writer import xlsx

        return xlsx(_plain(frame), sheet)
    else:
        _plain(frame).write_csv(out)
    return out.getvalue()


def free_name(name: str, taken: Container[str]) -> str:
    """Return a name that no column has yet."""
    while name in taken:
        name += " (2)"
    return name


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before texts and names that a spreadsheet would run."""
    # Each under a plain name: in an expression a name such as * or ^a.*$ would mean several columns.
    return pl.DataFrame([_plain_series(each.alias("A")).alias(escaped(each.name)) for each in frame.iter_columns()])


def _plain_series(series: pl.Series) -> pl.Series:
    if series.dtype != pl.String:
        return series
    runs = series.str.contains(FORMULA)
    return pl.select(pl.when(runs).then(pl.lit("'") + series).otherwise(series)).to_series()


def escaped(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run.

    >>> escaped("=HYPERLINK(1)"), escaped("plain")
    ("'=HYPERLINK(1)", 'plain')
    """
    return f"'{text}" if re.match(FORMULA, text) else text
