"""A file that the browser sends becomes a file of ours, if it is not too large, packed or unpacked.

In: the bytes of an upload. Out: the path of a copy in the state folder, named after its content, so that the same file
is kept once and a restarted server finds it again. The name that the browser gives is shown, in errors too.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import IO

import polars as pl

from unless.errors import DataError
from unless.table.content import is_packed
from unless.table.formats import GLANCE, format_of
from unless.web.security import MIB

MAX_UPLOAD = 256 * MIB
MAX_UNPACKED = 2048 * MIB
MAX_CELLS = 500_000_000
UNFINISHED = ".upload-"
DAY = 24 * 3600


def keep_upload(file: IO[bytes], folder: Path, name: str) -> Path:
    """Copy an upload into a folder and return the path of the copy."""
    folder.mkdir(parents=True, exist_ok=True)
    _forget_unfinished(folder)
    digest = hashlib.sha256()
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as copy:
            while chunk := file.read(MIB):
                digest.update(chunk)
                copy.write(chunk)
        _refuse_bombs(Path(temporary), name)
        path = folder / f"upload-{digest.hexdigest()[:32]}"
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return path


def _forget_unfinished(folder: Path) -> None:
    """Remove what a killed server left: no upload takes a day."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - DAY:
                left.unlink()


def _refuse_bombs(path: Path, name: str) -> None:
    """Refuse a small file that becomes a huge table."""
    with path.open("rb") as file:
        start = file.read(GLANCE)
    if is_packed(start):
        _refuse_unpacked(path, name)
    elif format_of(start).name == "parquet":
        _refuse_cells(path, name)


def _refuse_unpacked(path: Path, name: str) -> None:
    n_bytes = 0
    try:
        with gzip.open(path) as unpacked:
            while chunk := unpacked.read(MIB):
                n_bytes += len(chunk)
                if n_bytes > MAX_UNPACKED:
                    msg = f"{name} unpacks to more than {MAX_UNPACKED:,} bytes."
                    raise DataError(msg)
    except (OSError, EOFError, zlib.error) as error:
        msg = f"cannot unpack {name}: {error}."
        raise DataError(msg) from None


def _refuse_cells(path: Path, name: str) -> None:
    try:
        frame = pl.scan_parquet(path)
        n_rows, n_columns = frame.select(pl.len()).collect().item(), len(frame.collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        msg = f"cannot read {name}: {str(error).splitlines()[0].replace(str(path), name)}."
        raise DataError(msg) from None
    if n_rows * n_columns > MAX_CELLS:
        msg = f"{name} has {n_rows:,} rows and {n_columns:,} columns; at most {MAX_CELLS:,} cells are accepted."
        raise DataError(msg)
