"""Files larger than memory, in pieces: paths, folders, globs and remote paths become `Piece`s, each read by itself.

What a piece is, and how a file is cut, is the business of `formats`. What cannot be cut where it lies (standard input,
pipes, gzipped and remote files) is first copied to a temporary folder on disk, which goes away with `Files`.
"""

from __future__ import annotations

import glob
import gzip
import logging
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, listing
from unless.logic.column_names import found_name, found_names, matched
from unless.table.content import (
    PACKED,
    STANDARD_INPUT,
    Content,
    called,
    is_database,
    is_packed,
    local_files,
    read_content,
    refusing,
    split_part,
)
from unless.table.formats import Piece, whole_piece
from unless.table.streams import blocks, open_stream, room_on_disk

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence


log = logging.getLogger("unless")

OTHERWISE = "%s calls columns otherwise than %s: %s."


@dataclass(frozen=True, eq=False)
class Files:
    """Pieces that make up one table. `copies` is the folder of temporary copies, if any was needed."""

    pieces: tuple[Piece, ...]
    copies: tempfile.TemporaryDirectory[str] | None

    @property
    def is_text(self) -> bool:
        """Tell whether the cells are mere text, whose kinds the content decides."""
        return self.pieces[0].is_text

    @property
    def names(self) -> tuple[str, ...]:
        """Name the columns, in order."""
        return self.pieces[0].names

    def names_without(self, dropped: Sequence[str]) -> list[str]:
        """Name the columns but some, each of which must be there."""
        gone = found_names(dropped, self.names)
        return [name for name in self.names if name not in gone]

    def name_of(self, name: str) -> str:
        """Return what a column is called here, or say which there are."""
        return found_name(name, self.names)

    def is_number(self, name: str) -> bool:
        """Tell whether a column has numbers by its type."""
        first = self.pieces[0]
        if first.is_text or name not in first.names:
            return False
        return replace(first, stop=first.start + 1).read().columns[name].text is None


def open_files(paths: Sequence[str | os.PathLike[str]]) -> Files:
    """Find the pieces of all files; they must have the same columns."""
    finder = _Finder()
    contents = [content for path in paths for content in finder.contents(str(path))]
    pieces = [piece for content in contents for piece in whole_piece(content).cut()]
    if not pieces:
        msg = f"no file to read in {listing(map(str, paths)) or 'an empty list of paths'}."
        raise DataError(msg)
    return Files(tuple(_beside(pieces[0], piece) for piece in pieces), finder.copies)


def _beside(first: Piece, piece: Piece) -> Piece:
    """Return a piece with its columns called as in the first; refuse one that cannot stand in one table with it."""
    found = matched(first.names, piece.names)
    others = {*first.names} - {*found} | {*piece.names} - {*found.values()}
    if others:
        other = sorted(others)[0]
        msg = f"{first.origin} and {piece.origin} differ in column {other!r}; files of one table have the same columns."
        raise DataError(msg)
    if piece.is_text != first.is_text:
        one, other = f"{first.origin} is {first.format_name}", f"{piece.origin} is {piece.format_name}"
        msg = f"{one} and {other}; read text and typed files apart."
        raise DataError(msg)
    changed = [f"{name!r} = {called!r}" for name, called in found.items() if name != called]
    if not changed:
        return piece
    log.warning(OTHERWISE, piece.origin, first.origin, listing(changed))
    return replace(piece, known_as=first.names)


class _Finder:
    """Finds files, and copies to disk what does not lie there unpacked."""

    def __init__(self) -> None:
        self.copies: tempfile.TemporaryDirectory[str] | None = None

    def contents(self, path: str) -> list[Content]:
        """Return the files that a path, folder, glob or remote path stands for."""
        if is_database(path):
            return [read_content(path)]
        file, part = split_part(path)
        if file == STANDARD_INPUT:
            found = [self._unpacked(self._copy(called(file), sys.stdin.buffer))]
        elif "://" in file:
            found = [self._unpacked(content) for content in self._fetch(file)]
        else:
            found = [self._local(one) for one in local_files(file)]
        return [replace(content, part=part) for content in found]

    def _local(self, path: str) -> Content:
        if Path(path).is_file():
            return self._unpacked(Content(path, path))
        with refusing(path), open_stream(path) as stream:
            return self._unpacked(self._copy(path, stream))

    def _unpacked(self, content: Content) -> Content:
        with refusing(content.origin):
            if not is_packed(content.bytes(0, len(PACKED))):
                return content
            with gzip.open(content.path) as stream:
                return self._copy(content.origin, stream, Path(content.path).stat().st_size)

    def _copy(self, origin: str, stream: Any, packed: int | None = None) -> Content:
        """Copy a stream to disk."""
        if self.copies is None:
            self.copies = tempfile.TemporaryDirectory(prefix="unless-", ignore_cleanup_errors=True)
        copy = Path(tempfile.mkdtemp(dir=self.copies.name)) / Path(origin).name.removesuffix(".gz")
        with refusing(origin), copy.open("wb") as file:
            file.writelines(blocks(stream, origin, room_on_disk(self.copies.name), packed))
        return Content(origin, str(copy))

    def _fetch(self, path: str) -> list[Content]:
        """Copy remote files to disk."""
        try:
            import fsspec
        except ImportError:
            msg = f"{path} is a remote path; reading it needs the package fsspec. Hint: pip install 'unless[remote]'."
            raise DataError(msg) from None
        with refusing(path, ValueError, ImportError):
            system, within = fsspec.core.url_to_fs(path)
            found = system.glob(within) if glob.has_magic(within) else system.find(within)
            if not found:
                raise FileNotFoundError(path)
            copies = []
            for remote in found:
                with system.open(remote, "rb") as stream:
                    copies.append(self._copy(str(remote), stream))
        return copies
