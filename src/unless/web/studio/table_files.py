"""Tables that people take along, as CSV, Excel or Parquet.

In: a frame. Out: bytes. In files that spreadsheets open, a text that a spreadsheet would run as a formula stands behind
an apostrophe.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from typing import Literal as OneOf

import polars as pl

from unless.logic.text.spreadsheet_cells import escaped, is_formula

if TYPE_CHECKING:
    from collections.abc import Container

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
    found = [text for text in series.unique().drop_nulls().to_list() if is_formula(text)]
    return series.replace(found, list(map(escaped, found))) if found else series
