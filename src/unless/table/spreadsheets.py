"""Spreadsheets (xlsx, xls, ods): one sheet becomes a text with commas, which is read like any other.

In: the content of a file, and the name of a sheet as its part. Out: a content in memory. Cells are text, as in a CSV
file, because people write numbers as text there, titles above the header, and totals below the rows.
"""

from __future__ import annotations

import csv
import io
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from unless.errors import DataError, listing
from unless.table.other_files import no_spreadsheet
from unless.table.sheet_times import with_times
from unless.table.streams import refuse_burst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.table.content import Content

log = logging.getLogger("unless")

MAGICS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How they begin: a zip file (xlsx, ods), and the old format of Excel (xls)."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""What a spreadsheet with a password holds in place of its sheets."""
WORKBOOKS = frozenset({"xl/workbook.xml", "xl/workbook.bin", "content.xml"})
"""What a spreadsheet that is a zip file has in it: one of these."""
MIDNIGHT = " 00:00:00"
GLANCE = 30
"""So many rows may stand above the table."""


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
        name, cells = _named_sheet(content, book)
        cells = with_times(content, cells, lambda: _sheet(book, name, "duration"))
    except fastexcel.FastExcelError:
        if ENCRYPTED in content.bytes(0):
            msg = f"{content.origin} is a spreadsheet with a password; save it without one and try again."
            raise DataError(msg) from None
        raise no_spreadsheet(content.origin, _files_inside(content)) from None
    used = [name for name in cells.columns if cells[name].null_count() < cells.height]
    cells = cells.select(used)
    above = _rows_above(cells)
    rows = cells[above:]
    rows = rows.filter(~pl.all_horizontal(pl.all().is_null())) if rows.width else rows
    rows = rows.with_columns(pl.all().str.strip_suffix(MIDNIGHT))
    text = io.BytesIO()
    for line in cells[:above].iter_rows():  # blank rows stay above: a line of the text is a row of the sheet
        text.write(_line(line) if any(cell is not None for cell in line) else b"\n")
    rows.write_csv(text, include_header=False, null_value="")
    return replace(content, path="", data=text.getvalue(), part="")


def _rows_above(cells: pl.DataFrame) -> int:
    """Count the rows above the first with more than a few cells: titles and blank ones, as `headers` sees them."""
    if not cells.width:
        return 0
    filled = cells[:GLANCE].select(pl.sum_horizontal(pl.all().is_not_null())).to_series()
    return next((index for index, n in enumerate(filled) if n > max(1, cells.width // 3) or n == cells.width), 0)


def _line(cells: tuple[str | None, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(["" if cell is None else cell for cell in cells])
    return text.getvalue().encode()


def _files_inside(content: Content) -> list[str] | None:
    """Return the names of the files in an archive that has no workbook in it; None of any other file."""
    import zipfile  # here: most tables are no spreadsheets

    with suppress(zipfile.BadZipFile), content.open() as file, zipfile.ZipFile(file) as parts:
        inside = [part.filename for part in parts.infolist() if not part.is_dir()]
        return None if WORKBOOKS & {*inside} else inside
    return None


def _refuse_bursting(content: Content) -> None:
    """Refuse a zip file whose parts are far larger unpacked."""
    import zipfile  # here: most tables are no spreadsheets

    with suppress(zipfile.BadZipFile), content.open() as file, zipfile.ZipFile(file) as parts:
        size = file.seek(0, io.SEEK_END)
        refuse_burst(content.origin, size, sum(part.file_size for part in parts.infolist()))


def _named_sheet(content: Content, book: Any) -> tuple[str, pl.DataFrame]:
    """Return the sheet that is named, or the first that holds a table, with its cells: a cover sheet is none."""
    names = list(book.sheet_names)
    if content.part:
        if content.part not in names:
            msg = f"{content.origin}: there is no sheet {content.part!r}; sheets: {listing(map(repr, names))}."
            raise DataError(msg)
        return content.part, _sheet(book, content.part)
    sheets = {name: _sheet(book, name) for name in names[:1]}
    if len(names) > 1 and not _is_table(sheets[names[0]]):
        sheets |= {name: _sheet(book, name) for name in names[1:]}
    chosen = next((name for name, cells in sheets.items() if _is_table(cells)), names[0])
    if len(names) > 1:
        _remark_sheets(content.origin, names, chosen)
    return chosen, sheets[chosen]


def _remark_sheets(origin: str, names: Sequence[str], chosen: str) -> None:
    """Say which of several sheets is read."""
    shown, other = listing(map(repr, names)), next(name for name in names if name != chosen)
    if chosen == names[0]:
        log.warning(
            "%s has the sheets %s: the first is read. Name another after the path: '%s#%s'.",
            origin, shown, origin, other,
        )  # fmt: skip
    else:
        log.warning(
            "%s has the sheets %s: %r is read, the first that holds a table. Name another after the path: '%s#%s'.",
            origin, shown, chosen, origin, other,
        )  # fmt: skip


def _sheet(book: Any, name: str, kind: str = "string") -> pl.DataFrame:
    """Return all cells of a sheet as text; no row is skipped, so that rows are counted as the sheet counts them."""
    return pl.DataFrame(book.load_sheet(name, header_row=None, skip_rows=0, dtypes=kind))


def _is_table(cells: pl.DataFrame) -> bool:
    """Tell whether a sheet holds a table: two rows or more with two cells or more."""
    return cells.width > 1 and int((cells.select(pl.sum_horizontal(pl.all().is_not_null())).to_series() > 1).sum()) > 1
