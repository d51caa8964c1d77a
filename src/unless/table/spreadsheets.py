"""Spreadsheets (xlsx, xls, ods): one sheet becomes a text with commas, which is read like any other.

In: the content of a file, and the name of a sheet as its part. Out: a content in memory. Cells are text, as in a CSV
file, because people write numbers as text there, titles above the header, and totals below the rows: those go.
"""

from __future__ import annotations

import io
import logging
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from unless.errors import DataError, listing
from unless.table.streams import refuse_burst

if TYPE_CHECKING:
    from unless.table.content import Content

log = logging.getLogger("unless")

MAGICS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How they begin: a zip file (xlsx, ods), and the old format of Excel (xls)."""
TOTAL = re.compile(r"(?:grand total|total|sum|summe|gesamt|gesamtsumme|insgesamt|somme)\b", re.IGNORECASE)
"""How rows of totals begin."""
MIDNIGHT = " 00:00:00"


def is_spreadsheet(start: bytes) -> bool:
    """Tell by its first bytes whether a file is a spreadsheet."""
    return start.startswith(MAGICS)


def sheet_as_text(content: Content) -> Content:
    """Return the sheet that the content's part names, or the first, as text with commas."""
    try:
        import fastexcel
    except ImportError:
        msg = (
            f"{content.origin} is a spreadsheet; reading it needs the package fastexcel. "
            "Hint: pip install 'unless[excel]'."
        )
        raise DataError(msg) from None
    _refuse_bursting(content)
    try:
        book = fastexcel.read_excel(content.source)
        sheet = book.load_sheet(_sheet_name(content, book.sheet_names), header_row=None, dtypes="string")
        cells: Any = pl.DataFrame(sheet)
    except fastexcel.FastExcelError as error:
        msg = f"cannot read {content.origin} as a spreadsheet: {str(error).splitlines()[0]}."
        raise DataError(msg) from None
    cells = cells.filter(~pl.all_horizontal(pl.all().is_null())) if cells.width else cells
    cells = cells.with_columns(pl.all().str.strip_suffix(MIDNIGHT)) if cells.width else cells
    cells = _without_total(content.origin, cells)
    used = [name for name in cells.columns if cells[name].null_count() < cells.height]
    text = io.BytesIO()
    cells.select(used).write_csv(text, include_header=False, null_value="")
    return replace(content, path="", data=text.getvalue(), part="")


def _refuse_bursting(content: Content) -> None:
    """Refuse a zip file whose parts are far larger unpacked."""
    import zipfile  # here: most tables are no spreadsheets

    with suppress(zipfile.BadZipFile), content.open() as file, zipfile.ZipFile(file) as parts:
        size = file.seek(0, io.SEEK_END)
        refuse_burst(content.origin, size, sum(part.file_size for part in parts.infolist()))


def _without_total(origin: str, cells: pl.DataFrame) -> pl.DataFrame:
    """Return a sheet without a last row that sums up the others: it says so, and most of its cells are empty."""
    if cells.height < 3:
        return cells
    last = [cell for cell in cells.row(-1) if cell is not None]
    if 2 * len(last) > cells.width or not TOTAL.match(last[0].strip()):
        return cells
    log.warning("%s: the last row, %r, is a total and is passed over.", origin, last[0].strip())
    return cells[:-1]


def _sheet_name(content: Content, names: list[str]) -> str:
    if content.part and content.part not in names:
        msg = f"{content.origin}: there is no sheet {content.part!r}; sheets: {listing(map(repr, names))}."
        raise DataError(msg)
    if not content.part and len(names) > 1:
        log.warning(
            "%s has the sheets %s: the first is read. Name another after the path: '%s#%s'.",
            content.origin, listing(map(repr, names)), content.origin, names[1],
        )  # fmt: skip
    return content.part or names[0]
