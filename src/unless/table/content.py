"""The bytes of a file, unpacked: on disk where they lie there, in memory when they can be read only once.

In: a path, or '-' for standard input. Out: a `Content`, which knows what messages call it. Nothing here knows what the
bytes mean: that is the business of `formats`.
"""

from __future__ import annotations

import glob
import gzip
import io
import os
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from unless.errors import DataError
from unless.table.streams import Stream, blocks, open_stream, room_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

STANDARD_INPUT = "-"
PACKED = b"\x1f\x8b"
"""How gzipped files begin."""

DATABASES = ("sqlite", "postgres", "postgresql", "mysql", "mssql", "oracle", "redshift", "clickhouse", "bigquery")
"""How the addresses of databases begin."""

UNREADABLE = (OSError, EOFError, zlib.error)
"""What is raised when a file is absent, broken or not what it seems; so is polars' own error, where it reads."""


@dataclass(frozen=True, slots=True)
class Content:
    """Unpacked bytes: those of the file at `path`, or `data` where they are in memory; `origin` is for messages.

    `part` is what the path says after a number sign: the name of a sheet, or that there is no header.
    """

    origin: str
    path: str = ""
    data: bytes | None = None
    part: str = ""

    @property
    def source(self) -> str | bytes:
        """Return the path or the bytes, which is what polars reads."""
        return self.path if self.data is None else self.data

    def open(self) -> BinaryIO:
        """Open the bytes as a file."""
        return open(self.path, "rb") if self.data is None else io.BytesIO(self.data)

    def bytes(self, start: int, stop: int | None = None) -> bytes:
        """Return a part of the bytes."""
        with self.open() as file:
            file.seek(start)
            return file.read(-1 if stop is None else stop - start)

    def array(self) -> NDArray[np.uint8]:
        """Return the bytes as an array, without reading them all; there must be some."""
        import numpy as np  # here: rows are read without arrays, too

        if self.data is None:
            return np.memmap(self.path, dtype=np.uint8, mode="r")
        return np.frombuffer(self.data, dtype=np.uint8)


def read_content(path: str | os.PathLike[str]) -> Content:
    """Return the content of one file; what is packed, or no regular file, is read into memory."""
    path = os.fspath(path)
    if is_database(path):
        from unless.table.databases import read_database

        shown, data = read_database(path)
        return Content(shown, data=data)
    file, part = split_part(path)
    origin = called(path)
    with refusing(origin):
        if file == STANDARD_INPUT:
            data = _in_memory(sys.stdin.buffer, origin)
        elif Path(file).is_file() and not is_packed(Content(origin, file).bytes(0, len(PACKED))):
            return Content(origin, file, part=part)
        else:
            with open(file, "rb") if Path(file).is_file() else open_stream(file) as stream:
                data = _in_memory(stream, origin)
        if is_packed(data):
            data = _in_memory(gzip.GzipFile(fileobj=io.BytesIO(data)), origin, len(data))
        return Content(origin, data=data, part=part)


def _in_memory(stream: Stream, origin: str, packed: int | None = None) -> bytes:
    return b"".join(blocks(stream, origin, room_in_memory(), packed))


def is_database(path: str) -> bool:
    """Tell whether a path is the address of a database."""
    return "://" in path and path.partition("://")[0].partition("+")[0] in DATABASES


def split_part(path: str) -> tuple[str, str]:
    """Split a path from what follows its last number sign, unless there is a file of that very name."""
    file, mark, part = path.rpartition("#")
    return (file, part) if mark and file and not Path(path).exists() else (path, "")


def called(path: str) -> str:
    """Return what messages call a file."""
    return "standard input" if split_part(path)[0] == STANDARD_INPUT else path


def is_packed(start: bytes) -> bool:
    """Tell by its first bytes whether a file is gzipped."""
    return start.startswith(PACKED)


@contextmanager
def refusing(origin: str, *more: type[Exception]) -> Iterator[None]:
    """Say in one sentence why a file cannot be read; `more` are further errors that mean just that."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        if not isinstance(error, (*UNREADABLE, *_polars_errors(), *more)):
            raise
        reason = getattr(error, "strerror", None) or (str(error) or type(error).__name__).splitlines()[0]
        msg = f"cannot read {origin}: {reason.rstrip('.')}."
        raise DataError(msg) from None


def _polars_errors() -> tuple[type[Exception], ...]:
    """Return what polars raises, where it is loaded; else it raised nothing."""
    polars = sys.modules.get("polars")
    return () if polars is None else (polars.exceptions.PolarsError,)


def local_files(path: str) -> list[str]:
    """Return the files of this machine that a path, a folder or a glob stands for."""
    folder = Path(path)
    if folder.is_dir():
        return sorted(str(file) for file in folder.iterdir() if file.is_file() and file.name[0] not in "._")
    if not folder.exists() and glob.has_magic(path):
        return sorted(file for file in glob.glob(path, recursive=True) if Path(file).is_file())
    return [path]
