"""Files that are written whole or not at all.

In: a path. Out: a stream whose bytes are that file once it is closed without an error. Until then they have no name
where the system allows that (so a killed process leaves nothing behind), or a hidden one beside the file. The new file
is on the disk before it gets its name, and the name before `whole_file` returns. A pipe or a device is no file: it is
written to, once all is there, and stays what it is.
"""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN_FILES = Path("/proc/self/fd")
"""Where Linux lets an open file without a name be given one."""


@contextmanager
def whole_file(path: str | os.PathLike[str], *, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all; one that need not outlast a power cut is written faster."""
    if _takes_a_stream(path):
        collected = BytesIO()
        yield collected
        Path(path).write_bytes(collected.getvalue())
        return
    file = Path(path).resolve()  # through links: the file is replaced, not the link to it
    handle, hidden = _open(file)
    try:
        with os.fdopen(handle, "wb") as copy:
            yield copy
            copy.flush()
            if lasting:
                os.fsync(handle)
            if not hidden.exists():
                _give_name(handle, hidden)
        _keep_mode(file, hidden)
        os.replace(hidden, file)
        if lasting:
            _sync_folder(file.parent)
    finally:
        hidden.unlink(missing_ok=True)


def _takes_a_stream(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is that of a pipe or a device, such as /dev/null or /dev/stdout."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:  # anything else, such as links in a circle, is for the caller to say
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _open(file: Path) -> tuple[int, Path]:
    """Open a new file in the folder of a file; return also the hidden name that it has, or will have."""
    if hasattr(os, "O_TMPFILE") and OPEN_FILES.is_dir():
        with suppress(OSError):  # not every file system can do it
            handle = os.open(file.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
            return handle, file.with_name(f".{file.name[:100]}.{secrets.token_hex(8)}")
    handle, hidden = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:100]}.")
    return handle, Path(hidden)


def _give_name(handle: int, hidden: Path) -> None:
    """Give an open file a name; given a folder, Python follows the link that stands for the file."""
    folder = os.open(hidden.parent, os.O_RDONLY)
    try:
        os.link(OPEN_FILES / str(handle), hidden.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _keep_mode(file: Path, hidden: Path) -> None:
    """Give the new file the rights of the one it replaces, or the usual ones: temporary files are private."""
    if file.exists():
        mode = file.stat().st_mode
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(hidden, mode)


def _sync_folder(folder: Path) -> None:
    """See to it that the new name is on the disk; systems that cannot sync a folder do it by themselves."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
