"""Files larger than memory, in pieces: paths, folders, globs and remote paths become `Piece`s, each read by itself.

A Parquet or Arrow file is cut between rows, a CSV file at line ends outside quotes. What cannot be cut where it lies
(standard input, gzipped and remote files) is first copied to a temporary folder on disk, which goes away with `Files`.
A piece holds no data, so it can be sent to another machine and read there.
"""

from __future__ import annotations

import glob
import gzip
import shutil
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np
import polars as pl

from unless.errors import DataError, listing, unknown_column
from unless.table.formats import cannot_read, parse_csv, read_header
from unless.table.frames import RawTable, raw_table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

BYTES = 1 << 26
"""How much of a CSV file is one piece."""
ROWS = 1 << 19
"""How many rows of a Parquet or Arrow file are one piece."""
LINE_END, QUOTE = b"\n"[0], b'"'[0]

Form = OneOf["csv", "parquet", "arrow", "stream"]
_SCANS: dict[Form, Callable[[str], pl.LazyFrame]] = {"parquet": pl.scan_parquet, "arrow": pl.scan_ipc}


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a file from start to stop: bytes of a CSV file, rows of others."""

    place: str
    form: Form
    start: int
    stop: int
    names: tuple[str, ...]
    separator: str = ","
    origin: str = ""

    @property
    def called(self) -> str:
        """Name the piece in a message; what was copied is called as it came."""
        unit = "byte" if self.form == "csv" else "row"
        return f"{self.origin or self.place}, from {unit} {self.start}"

    def read(self) -> RawTable:
        """Read the rows."""
        if self.form == "csv":
            return raw_table(
                parse_csv(self.origin or self.place, self._bytes(), list(self.names), self.separator, self._n_lines)
            )
        try:
            if self.form == "stream":
                return raw_table(pl.read_ipc_stream(self.place))
            return raw_table(_SCANS[self.form](self.place).slice(self.start, self.stop - self.start).collect())
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DataError(cannot_read(self.place, error)) from None

    def _bytes(self) -> bytes:
        try:
            with open(self.place, "rb") as file:
                file.seek(self.start)
                return file.read(self.stop - self.start)
        except OSError as error:
            raise DataError(cannot_read(self.place, error)) from None

    def _n_lines(self) -> int:
        """Count the lines of the file before this piece; only a message asks."""
        return int((np.memmap(self.place, dtype=np.uint8, mode="r")[: self.start] == LINE_END).sum())


@dataclass(frozen=True, eq=False)
class Files:
    """Pieces that make up one table. `copies` is the folder of temporary copies, if any was needed."""

    pieces: tuple[Piece, ...]
    copies: tempfile.TemporaryDirectory[str] | None

    @property
    def is_text(self) -> bool:
        """Tell whether the cells are mere text, whose kinds the content decides."""
        return self.pieces[0].form == "csv"

    @property
    def names(self) -> tuple[str, ...]:
        """Name the columns, in order."""
        return self.pieces[0].names

    def names_without(self, dropped: Sequence[str]) -> list[str]:
        """Name the columns but some, each of which must be there."""
        for name in dropped:
            if name not in self.names:
                raise DataError(unknown_column(name, self.names))
        return [name for name in self.names if name not in dropped]

    def is_number(self, name: str) -> bool:
        """Tell whether a column has numbers by its type."""
        first = self.pieces[0]
        if first.form == "csv" or name not in first.names:
            return False
        return replace(first, stop=min(first.stop, 1)).read().columns[name].text is None


def open_files(places: Sequence[str | os.PathLike[str]]) -> Files:
    """Find the pieces of all files; they must have the same columns."""
    finder = _Finder()
    files = [file for place in places for file in finder.files(str(place))]
    pieces = [piece for file, origin in files for piece in finder.pieces(file, origin)]
    if not pieces:
        msg = f"no file to read in {listing(map(str, places)) or 'an empty list of places'}."
        raise DataError(msg)
    first = pieces[0]
    for piece in pieces:
        if set(piece.names) != set(first.names):
            other = sorted(set(piece.names) ^ set(first.names))[0]
            msg = (
                f"{first.place} and {piece.place} differ in column {other!r}; files of one table have the same columns."
            )
            raise DataError(msg)
        if (piece.form == "csv") != (first.form == "csv"):
            msg = f"{first.place} is {first.form} and {piece.place} is {piece.form}; read text and typed files apart."
            raise DataError(msg)
    return Files(tuple(pieces), finder.copies)


class _Finder:
    """Finds files and cuts them into pieces."""

    def __init__(self) -> None:
        self.copies: tempfile.TemporaryDirectory[str] | None = None

    def files(self, place: str) -> list[tuple[str, str]]:
        """Return the files that a path, folder, glob or remote path stands for, and what to call them in messages."""
        if place == "-":
            return [(self._copy("standard input", sys.stdin.buffer), "standard input")]
        if "://" in place:
            return self._fetch(place)
        return [(file, file) for file in _local_files(place)]

    def pieces(self, place: str, origin: str) -> Iterator[Piece]:
        """Cut a file."""
        try:
            with open(place, "rb") as file:
                start = file.read(6)
            if start[:2] == b"\x1f\x8b":
                with gzip.open(place) as packed:
                    place = self._copy(origin, packed)
        except (OSError, EOFError) as error:
            raise DataError(cannot_read(origin, error)) from None
        if start[:4] == b"PAR1":
            yield from _between_rows(place, origin, "parquet")
        elif start == b"ARROW1":
            yield from _between_rows(place, origin, "arrow")
        elif start[:4] == b"\xff\xff\xff\xff":
            yield _whole_stream(place, origin)
        else:
            yield from _between_lines(place, origin)

    def _folder(self) -> str:
        if self.copies is None:
            self.copies = tempfile.TemporaryDirectory(prefix="unless-", ignore_cleanup_errors=True)
        return self.copies.name

    def _copy(self, place: str, stream: Any) -> str:
        """Copy a stream to disk."""
        folder = self._folder()
        name = Path(place).name.removesuffix(".gz")
        copy = Path(tempfile.mkdtemp(dir=folder)) / name
        try:
            with copy.open("wb") as file:
                shutil.copyfileobj(stream, file, BYTES)
        except (OSError, EOFError) as error:
            raise DataError(cannot_read(place, error)) from None
        return str(copy)

    def _fetch(self, place: str) -> list[tuple[str, str]]:
        """Copy remote files to disk."""
        try:
            import fsspec
        except ImportError:
            msg = f"{place} is a remote path; reading it needs the package fsspec. Hint: pip install 'unless[remote]'."
            raise DataError(msg) from None
        try:
            system, path = fsspec.core.url_to_fs(place)
            found = system.glob(path) if glob.has_magic(path) else system.find(path)
            if not found:
                raise FileNotFoundError(place)
            copies = []
            for remote in found:
                with system.open(remote, "rb") as stream:
                    copies.append((self._copy(str(remote), stream), str(remote)))
        except (OSError, ValueError, ImportError) as error:
            raise DataError(cannot_read(place, error)) from None
        return copies


def _local_files(place: str) -> list[str]:
    path = Path(place)
    if path.is_dir():
        return sorted(str(file) for file in path.iterdir() if file.is_file() and file.name[0] not in "._")
    if not path.exists() and glob.has_magic(place):
        return sorted(file for file in glob.glob(place, recursive=True) if Path(file).is_file())
    return [place]


def _whole_stream(place: str, origin: str) -> Piece:
    """Return an Arrow stream as one piece: it can only be read from its beginning."""
    piece = Piece(place, "stream", 0, 0, (), origin=origin)
    return replace(piece, names=piece.read().names)


def _between_rows(place: str, origin: str, form: Form) -> Iterator[Piece]:
    try:
        lazy = _SCANS[form](place)
        names = tuple(lazy.collect_schema().names())
        n_rows = lazy.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(cannot_read(origin, error)) from None
    for start in range(0, max(n_rows, 1), ROWS):
        yield Piece(place, form, start, min(start + ROWS, n_rows), names, origin=origin)


def _between_lines(place: str, origin: str) -> Iterator[Piece]:
    text = _Lines(place, origin)
    names, separator = read_header(origin, text.head)
    start = text.header_end
    first = Piece(place, "csv", start, start, tuple(names), separator, origin)
    while start < len(text.data):
        stop = text.cut(start)
        yield replace(first, start=start, stop=stop)
        start = stop
    if first.start == len(text.data):
        yield first


@dataclass(frozen=True)
class _Lines:
    """The bytes of a CSV file, where they lie."""

    place: str
    origin: str

    @cached_property
    def data(self) -> NDArray[np.uint8]:
        if Path(self.place).stat().st_size == 0:
            msg = f"{self.origin} is empty; a table has a line of column names and at least one row."
            raise DataError(msg)
        return np.memmap(self.place, dtype=np.uint8, mode="r")

    @cached_property
    def head(self) -> bytes:
        """Return the first line, as far as quotes reach, with a byte order mark removed."""
        return bytes(self.data[: self.header_end]).removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def header_end(self) -> int:
        size = 1 << 12
        while True:
            start = self.data[:size]
            ends = np.flatnonzero((start == LINE_END) & (np.cumsum(start == QUOTE) % 2 == 0))
            if len(ends):
                return int(ends[0]) + 1
            if size >= len(self.data):
                return len(self.data)
            size *= 2

    def cut(self, start: int) -> int:
        """Return where the piece that starts here ends: after a line, outside quotes."""
        size = BYTES
        while start + size < len(self.data):
            block = self.data[start : start + size]
            is_open = int((block == QUOTE).sum()) % 2
            for end in np.flatnonzero(block[-(1 << 16) :] == LINE_END)[::-1] + max(0, len(block) - (1 << 16)):
                if (is_open + int((block[end:] == QUOTE).sum())) % 2 == 0:
                    return start + int(end) + 1
            size *= 2
        return len(self.data)
