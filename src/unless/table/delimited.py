"""Text with separators (CSV, TSV): where it may be cut, and its lines as a frame of text.

In: the content of a file, in UTF-8, and its header. Out: frames whose cells are mere text: which column is numerical is
decided later, by `kinds`, on what the cells say, so "08" never turns into 8 on the way. Ragged lines are refused with
the number of the line; a total below the rows is passed over, and that is said.
"""

from __future__ import annotations

import csv
import io
import logging
import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.table.records import records
from unless.table.stray_quotes import has_stray_quotes, read_with_stray_quotes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from unless.table.content import Content

log = logging.getLogger("unless")

NEVER = "\x1f"
"""A separator that occurs in no text file: reads whole lines."""
BYTES = 1 << 26
"""How much of a text is one piece."""
TAIL = 1 << 16
"""How far from its end the last line end of a piece is looked for."""
TOTAL = re.compile(r"(?:grand total|totals?|sum|summe|gesamt|gesamtsumme|insgesamt|somme)\b", re.IGNORECASE)
"""How rows of totals begin."""
TOO_MANY = "a cell that contains the separator must stand in double quotes."
TOO_FEW = "perhaps a note below the table, or a line that was cut; take it out, or write the cells that it lacks."
STRAY = "%s: quotes stand inside cells that begin without one; they are parts of the cells."
LINE_END, QUOTE = b"\n"[0], b'"'[0]


def _no_csv(origin: str, error: Exception) -> DataError:
    return DataError(f"cannot read {origin} as CSV: {str(error).splitlines()[0]}.")


def cut_lines(content: Content, start: int) -> Iterator[tuple[int, int]]:
    """Yield where pieces start and stop, from a start on: after a line, outside quotes."""
    data = content.array()
    while (stop := _cut(data, start)) < len(data):
        yield start, stop
        start = stop
    yield start, stop


def _cut(data: NDArray[np.uint8], start: int) -> int:
    size = BYTES
    while start + size < len(data):
        block = data[start : start + size]
        is_open = int((block == QUOTE).sum()) % 2
        for end in np.flatnonzero(block[-TAIL:] == LINE_END)[::-1] + max(0, len(block) - TAIL):
            if (is_open + int((block[end:] == QUOTE).sum())) % 2 == 0:
                return start + int(end) + 1
        size *= 2
    return len(data)


def parse_lines(content: Content, names: tuple[str, ...], separator: str, start: int, stop: int | None) -> pl.DataFrame:
    """Parse the lines from start to stop, which are rows."""
    data = content.bytes(start, stop)
    if not data:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    columns = [str(i) for i in range(len(names))]

    def n_lines() -> int:
        """Count the lines before these; only a message asks."""
        return int((content.array()[:start] == LINE_END).sum())

    if has_stray_quotes(data, separator):
        frame = _parse_slowly(content.origin, data, separator, columns, n_lines)
        log.warning(STRAY, content.origin)
    else:
        frame = _parse(content.origin, data, separator, columns, n_lines)
    return frame.rename(dict(zip(columns, names, strict=True)))


def _parse(
    origin: str, data: bytes, separator: str, columns: Sequence[str], n_lines: Callable[[], int]
) -> pl.DataFrame:
    """Parse lines in which quotes stand around cells, and doubled in them."""
    # polars counts the columns of the first line, which must therefore not be blank.
    is_blank = data[:1] in (b"\r", b"\n")
    header = (separator.join(columns) + "\n").encode() if is_blank else b""
    try:
        frame = pl.read_csv(
            header + data if is_blank else data,
            infer_schema=False,
            separator=separator,
            has_header=is_blank,
            schema=dict.fromkeys(columns, pl.String),
        )
    except pl.exceptions.PolarsError:
        return _parse_slowly(origin, data, separator, columns, n_lines)
    # polars pads short lines with nulls; only then can the last column have them.
    if frame.height and frame.to_series(-1).null_count():
        _refuse_ragged(origin, data, separator, len(columns), n_lines)
    return frame


def _parse_slowly(
    origin: str, data: bytes, separator: str, columns: Sequence[str], n_lines: Callable[[], int]
) -> pl.DataFrame:
    """Parse lines that polars does not, or would read otherwise."""
    _refuse_ragged(origin, data, separator, len(columns), n_lines)
    try:
        return read_with_stray_quotes(data, columns, separator)
    except csv.Error as error:
        raise _no_csv(origin, error) from None


def without_total(origin: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows without a last one that sums up the others: it says so, and most of its cells are empty."""
    last = [cell.strip() for cell in rows.row(-1) if cell is not None and cell.strip()] if rows.height > 1 else []
    if not last or 2 * len(last) > rows.width or not TOTAL.match(last[0]):
        return rows
    log.warning("%s: the last row, %r, is a total and is passed over.", origin, last[0])
    return rows[:-1]


def _refuse_ragged(origin: str, data: bytes, separator: str, n_columns: int, n_lines: Callable[[], int]) -> None:
    """Find the first line with another number of cells than there are columns."""
    if not _may_be_ragged(data, separator, n_columns):
        return
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    n_before = n_lines()
    try:
        for line, cells in records(origin, lines, separator, n_before):
            if cells and len(cells) != n_columns:
                msg = (
                    f"{origin}, line {line}: {len(cells)} cell{'s' * (len(cells) != 1)}, "
                    f"where the header has {n_columns}. Hint: {TOO_MANY if len(cells) > n_columns else TOO_FEW}"
                )
                raise DataError(msg)
    except csv.Error as error:
        raise _no_csv(origin, error) from None


def _may_be_ragged(data: bytes, separator: str, n_columns: int) -> bool:
    """Count separators line by line, quickly; quoted cells make it unsure, which counts as maybe."""
    if b'"' in data:
        return True
    lines = pl.read_csv(data, has_header=False, separator=NEVER, quote_char=None, infer_schema=False).to_series()
    counts = lines.drop_nulls().str.count_matches(separator, literal=True)
    return bool((counts != n_columns - 1).any())
