"""The formats of files: how each looks, how it is cut into pieces, and how a piece is read. A format is a row here.

In: the content of a file. Out: `Piece`s, which hold no data of files on disk and so can be sent to another machine and
read there. A whole file is one piece, read by the same reader. What a file is goes by its first bytes, not by its name.
Spreadsheets, and text in old encodings, are turned into text in UTF-8 first, in memory.
"""

from __future__ import annotations

import glob
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from unless.table.content import Content, read_content, refusing
from unless.table.delimited import cut_lines, parse_lines, without_total
from unless.table.encodings import as_utf8
from unless.table.frames import RawTable, raw_table
from unless.table.headers import read_header
from unless.table.spreadsheets import is_spreadsheet, sheet_as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 1 << 19
"""How many rows of a Parquet or Arrow file are one piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a file from start to stop, or to its end: bytes of a text, rows of others.

    `known_as` are the names of columns in the first file of a table, where this one calls them otherwise.
    """

    content: Content
    format_name: str
    start: int = 0
    stop: int | None = None
    names: tuple[str, ...] = ()
    separator: str = ""
    known_as: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """Return what messages call the file."""
        return self.content.origin

    @property
    def is_text(self) -> bool:
        """Tell whether the cells are mere text, whose kinds the content decides."""
        return FORMATS[self.format_name].is_text

    @property
    def called(self) -> str:
        """Name the piece in a message; what was copied is called as it came."""
        return f"{self.origin}, from {'byte' if self.is_text else 'row'} {self.start}"

    def cut(self) -> Iterator[Piece]:
        """Cut the piece into pieces that fit into memory; these know the column names."""
        with refusing(self.origin):
            yield from FORMATS[self.format_name].cut(self)

    def read(self) -> RawTable:
        """Read the rows."""
        with refusing(self.origin):
            return raw_table(FORMATS[self.format_name].read(self)).called_as(self.known_as, aloud=False)


class Format(Protocol):
    """One format: its name, how its first bytes look, and how it is read."""

    @property
    def name(self) -> str:
        """Return what people call it."""

    @property
    def magic(self) -> bytes:
        """Return the bytes with which every such file begins."""

    @property
    def is_text(self) -> bool:
        """Tell whether cells are mere text; otherwise columns have types."""

    def whole(self, content: Content) -> Piece:
        """Return a file as one piece."""

    def cut(self, whole: Piece) -> Iterator[Piece]:
        """Cut a file into pieces."""

    def read(self, piece: Piece) -> pl.DataFrame:
        """Read a piece."""


@dataclass(frozen=True, slots=True)
class _Scanned:
    """A format that polars reads from any row on."""

    name: str
    magic: bytes
    scan: Callable[[Any], pl.LazyFrame]
    is_text: bool = False

    def whole(self, content: Content) -> Piece:
        return Piece(content, self.name)

    def cut(self, whole: Piece) -> Iterator[Piece]:
        lazy = self._lazy(whole.content)
        names = tuple(lazy.collect_schema().names())
        n_rows = lazy.select(pl.len()).collect().item()
        for start in range(0, max(n_rows, 1), ROWS):
            yield replace(whole, start=start, stop=min(start + ROWS, n_rows), names=names)

    def read(self, piece: Piece) -> pl.DataFrame:
        n_rows = None if piece.stop is None else piece.stop - piece.start
        return self._lazy(piece.content).slice(piece.start, n_rows).collect()

    def _lazy(self, content: Content) -> pl.LazyFrame:
        source = content.source
        return self.scan(glob.escape(source) if isinstance(source, str) else source)


@dataclass(frozen=True, slots=True)
class _Streamed:
    """A format that can only be read from its beginning: it is not cut."""

    name: str
    magic: bytes
    reader: Callable[..., pl.DataFrame]
    is_text: bool = False

    def whole(self, content: Content) -> Piece:
        return Piece(content, self.name)

    def cut(self, whole: Piece) -> Iterator[Piece]:
        yield replace(whole, names=tuple(self.read(whole).columns))

    def read(self, piece: Piece) -> pl.DataFrame:
        return self.reader(piece.content.source, n_rows=piece.stop)


@dataclass(frozen=True, slots=True)
class _Delimited:
    """Text, whatever its first bytes; a line of column names, then a line for each row."""

    name: str
    magic: bytes = b""
    is_text: bool = True

    def whole(self, content: Content) -> Piece:
        content = as_utf8(content)
        header = read_header(content)
        return Piece(content, self.name, header.end, names=header.names, separator=header.separator)

    def cut(self, whole: Piece) -> Iterator[Piece]:
        for start, stop in cut_lines(whole.content, whole.start):
            yield replace(whole, start=start, stop=stop)

    def read(self, piece: Piece) -> pl.DataFrame:
        rows = parse_lines(piece.content, piece.names, piece.separator, piece.start, piece.stop)
        is_last = piece.stop is None or piece.stop >= len(piece.content.array())
        return without_total(piece.origin, rows) if is_last else rows


_FORMATS: tuple[Format, ...] = (
    _Scanned("parquet", b"PAR1", pl.scan_parquet),
    _Scanned("arrow", b"ARROW1", pl.scan_ipc),
    _Streamed("stream", b"\xff\xff\xff\xff", pl.read_ipc_stream),
    _Delimited("csv"),  # the last, since any text may be it
)
FORMATS: dict[str, Format] = {each.name: each for each in _FORMATS}
GLANCE = max(len(each.magic) for each in _FORMATS)
"""So many bytes tell the format."""


def format_of(start: bytes) -> Format:
    """Return the format of a file by its first bytes."""
    return next(each for each in _FORMATS if start.startswith(each.magic))


def whole_piece(content: Content) -> Piece:
    """Return a file as one piece."""
    with refusing(content.origin):
        start = content.bytes(0, GLANCE)
        if is_spreadsheet(start):
            content = sheet_as_text(content)
            start = content.bytes(0, GLANCE)
        return format_of(start).whole(content)


def read_file(path: str) -> tuple[RawTable, bool]:
    """Read a table from a path, or from standard input for '-'; tell also whether its cells are mere text."""
    piece = whole_piece(read_content(path))
    return piece.read(), piece.is_text
