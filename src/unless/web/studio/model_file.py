"""The model file that the user named, which the studio writes to: never over what somebody else wrote there meanwhile.

In: a path. Out: the file holds a program's text, or the save is refused in a sentence.
"""

from __future__ import annotations

from pathlib import Path

from unless.errors import UnlessError
from unless.logic.text.files import write_text


class ChangedFileError(UnlessError):
    """The file holds something that is not known here."""

    status = 409


class ModelFile:
    """A file, and the bytes that it had when it was last read or written here; None where there was no file."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._known = self._bytes()

    def write(self, text: str) -> None:
        """Write a program's text, unless the file was changed meanwhile."""
        if self._bytes() != self._known:
            msg = (
                f"{self.path.name} was changed since it was opened here, so it was not written over. Download the "
                "program, or start the studio again: it opens the file as it is now, and undo leads back to this."
            )
            raise ChangedFileError(msg)
        write_text(self.path, text)
        self._known = self._bytes()

    def _bytes(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except OSError:
            return None
