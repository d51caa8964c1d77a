"""Files become tables: CSV and TSV (also gzipped), Parquet, Arrow, and standard input, through polars.

A CSV file is read as text only: which column is numerical is decided later, by `kinds`, on what the cells say, so
"08" never turns into 8 on the way. A file that is not what it seems (ragged lines, two columns of one name, another
encoding) is refused with the place.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from unless.errors import DataError
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.table.frames import RawTable

SEPARATORS = ",\t;"
NEVER = "\x1f"
"""A separator that occurs in no text file: reads whole lines."""


def read_file(place: str) -> tuple[RawTable, bool]:
    """Read a table from a path, or from standard input for '-'; tell also whether its cells are mere text."""
    data = _bytes(place)
    if data[:4] == b"PAR1":
        return raw_table(_polars(place, pl.read_parquet, data)), False
    if data[:6] == b"ARROW1":
        return raw_table(_polars(place, pl.read_ipc, data)), False
    if data[:4] == b"\xff\xff\xff\xff":
        return raw_table(_polars(place, pl.read_ipc_stream, data)), False
    return raw_table(_read_csv(place, data)), True


def _bytes(place: str) -> bytes:
    try:
        data = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise DataError(cannot_read(place, error)) from None
    if not data.strip():
        msg = f"{_called(place)} is empty; a table has a line of column names and at least one row."
        raise DataError(msg)
    return data


def _called(place: str) -> str:
    return "standard input" if place == "-" else place


def cannot_read(place: str, error: Exception) -> str:
    """Say that a file cannot be read, and why."""
    reason = getattr(error, "strerror", None) or (str(error) or type(error).__name__).splitlines()[0]
    return f"cannot read {_called(place)}: {reason.rstrip('.')}."


def _polars(place: str, reader: object, data: bytes) -> pl.DataFrame:
    try:
        frame: pl.DataFrame = reader(io.BytesIO(data))  # type: ignore[operator]
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(cannot_read(place, error)) from None
    return frame


def _read_csv(place: str, data: bytes) -> pl.DataFrame:
    data = data.removeprefix(b"\xef\xbb\xbf")
    names, separator = read_header(place, data)
    return parse_csv(place, data, names, separator, has_header=True)


def parse_csv(
    place: str,
    data: bytes,
    names: list[str],
    separator: str,
    n_lines: Callable[[], int] = int,
    *,
    has_header: bool = False,
) -> pl.DataFrame:
    """Parse lines of a CSV file as text; `n_lines` counts the lines before them, for messages."""
    columns = [str(i) for i in range(len(names))]
    if not data and not has_header:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    try:
        frame = pl.read_csv(
            data, infer_schema=False, separator=separator, has_header=has_header,
            new_columns=columns if has_header else None,
            schema=None if has_header else dict.fromkeys(columns, pl.String),
        )  # fmt: skip
    except pl.exceptions.PolarsError as error:
        _refuse_encoding(place, data, n_lines)
        _refuse_ragged(place, data, separator, len(names), n_lines)
        msg = f"cannot read {_called(place)} as CSV: {str(error).splitlines()[0]}."
        raise DataError(msg) from None
    # polars pads short lines with nulls; only then can the last column have them.
    if frame.height and frame.to_series(-1).null_count():
        _refuse_ragged(place, data, separator, len(names), n_lines)
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def read_header(place: str, data: bytes) -> tuple[list[str], str]:
    """Read the column names, and see which separator they use."""
    _refuse_encoding(place, data[:4096], partial=True)
    first = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    line = next(csv.reader(first, delimiter=NEVER, quoting=csv.QUOTE_NONE), [""])
    text = NEVER.join(line)
    separator = max(SEPARATORS, key=lambda mark: (text.count(mark), -SEPARATORS.index(mark)))
    first.seek(0)
    names = next(csv.reader(first, delimiter=separator))
    for name in names:
        if names.count(name) > 1:
            msg = f"{_called(place)}: two columns are called {name!r}; each column needs a name of its own."
            raise DataError(msg)
    return names, separator


def _refuse_encoding(place: str, data: bytes, n_lines: Callable[[], int] = int, *, partial: bool = False) -> None:
    if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        msg = f"{_called(place)} holds a null byte: it is no text, or in another encoding, such as UTF-16; convert it."
        raise DataError(msg)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if partial and error.end == len(data) and len(data) - error.start < 4:
            return
        line = n_lines() + data.count(b"\n", 0, error.start) + 1
        hint = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "often Latin-1"
        msg = (
            f"{_called(place)}, line {line}: byte {data[error.start]:#04x} is not UTF-8. "
            f"Hint: the file is in another encoding ({hint}); convert it, for instance with iconv -t UTF-8."
        )
        raise DataError(msg) from None


def _refuse_ragged(place: str, data: bytes, separator: str, n_columns: int, n_lines: Callable[[], int]) -> None:
    """Find the first line with another number of cells than there are columns."""
    if not _may_be_ragged(data, separator, n_columns):
        return
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    reader = csv.reader(lines, delimiter=separator)
    for cells in reader:
        if cells and len(cells) != n_columns:
            line = n_lines() + reader.line_num
            msg = (
                f"{_called(place)}, line {line}: {len(cells)} cells, where the header has {n_columns}. "
                "Hint: a cell that contains the separator must stand in double quotes."
            )
            raise DataError(msg)


def _may_be_ragged(data: bytes, separator: str, n_columns: int) -> bool:
    """Count separators line by line, quickly; quoted cells make it unsure, which counts as maybe."""
    if b'"' in data:
        return True
    lines = pl.read_csv(data, has_header=False, separator=NEVER, quote_char=None, infer_schema=False).to_series()
    counts = lines.drop_nulls().str.count_matches(separator, literal=True)
    return bool((counts != n_columns - 1).any())
