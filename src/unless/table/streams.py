"""Streams in bounds: what is packed, or no regular file, is read as far as there is room for it.

In: a path that is no regular file, or a stream, perhaps of a packed file. Out: its blocks. Devices, pipes into which
nobody writes, streams without an end and files made to burst (a few kilobytes that unpack to many gigabytes) are
refused in a sentence, in time.
"""

from __future__ import annotations

import os
import select
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 24
"""How many bytes are read at a time."""
RATIO = 300
"""Tables are packed to a tenth, the dullest to a hundredth of their size."""
HARMLESS = 1 << 28
"""So many bytes may be unpacked from any file."""
PATIENCE = 10.0
"""So many seconds somebody has to begin to write into a pipe."""
RESERVE = 1 << 30
"""So many bytes of a disk stay free."""
MEMORY = 1 << 33
"""What a machine has that does not say."""


class Stream(Protocol):
    """What can be read block by block."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most so many; none at the end."""


def open_stream(path: str) -> BinaryIO:
    """Open what is no regular file: a pipe."""
    mode = os.stat(path).st_mode
    if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and os.path.realpath(path) != os.devnull:
        msg = f"{path} is a device; a table is read from a file, from a pipe or from standard input (-)."
        raise DataError(msg)
    # A pipe without a name has its writer, or has had it.
    return _named_pipe(path) if stat.S_ISFIFO(mode) and os.path.exists(os.path.realpath(path)) else open(path, "rb")


def _named_pipe(path: str) -> BinaryIO:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    ready, _, _ = select.select([handle], [], [], PATIENCE)
    if not ready and not _has_writer(handle):
        os.close(handle)
        msg = f"{path} is a pipe, and in {PATIENCE:.0f} seconds nobody wrote into it."
        raise DataError(msg)
    os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")


def _has_writer(handle: int) -> bool:
    try:
        os.read(handle, 1)
    except BlockingIOError:  # somebody has opened it, and will write
        return True
    return False


def blocks(stream: Stream, origin: str, room: tuple[int, str], packed: int | None = None) -> Iterator[bytes]:
    """Yield a stream in blocks, as far as there is room; `packed` is how many bytes it is unpacked from."""
    n_bytes = 0
    while block := stream.read(BLOCK):
        n_bytes += len(block)
        if packed is not None:
            refuse_burst(origin, packed, n_bytes)
        if n_bytes > room[0]:
            msg = f"{origin} has more than {room[0]:,} bytes, for which there is no room {room[1]}."
            raise DataError(msg)
        yield block


def refuse_burst(origin: str, packed: int, n_bytes: int) -> None:
    """Refuse a packed file that is far larger unpacked than any table would be."""
    if n_bytes > max(HARMLESS, RATIO * packed):
        msg = (
            f"{origin} has {packed:,} bytes and unpacks to over {RATIO} times as many, which a table does not. "
            "Hint: if it is one, unpack it first."
        )
        raise DataError(msg)


def room_in_memory() -> tuple[int, str]:
    """Return how many bytes may be read into memory: half of what is free."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        free = MEMORY
    return free // 2, "in memory"


def room_on_disk(folder: str) -> tuple[int, str]:
    """Return how many bytes may be copied into a folder."""
    import shutil  # here: most files are never copied

    return max(shutil.disk_usage(folder).free - RESERVE, 0), "among the temporary files"
