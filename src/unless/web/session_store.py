"""The studio's memory: one small JSON file per table, written whole after every change, read back at the start.

In: the state of a session as plain data. Out: the same after a restart. A file that cannot be read is put aside, never
overwritten: somebody's edit may be in it.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from unless.logic.text.files import write_text

VERSION = 3


def state_folder() -> Path:
    """Return the folder where states are kept: under XDG_STATE_HOME, else ~/.local/state."""
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "unless" / "studio"


class SessionStore:
    """The file of one session."""

    def __init__(self, folder: Path, *about: str) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # what is in a table is nobody else's business
        name = hashlib.sha256("\0".join(about).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self.folder = folder
        self.path = folder / f"session-{name}.json"

    def write(self, state: dict[str, Any]) -> None:
        """Keep a state, for its owner alone: the folder may be one that others look into."""
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)
        write_text(self.path, json.dumps({"version": VERSION, **state}))

    def read(self) -> dict[str, Any] | None:
        """Return the state kept last, if any."""
        try:
            text = self.path.read_text(encoding="utf-8")
            if not text:  # made, and not written yet
                return None
            state = json.loads(text)
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            self._put_aside()
            return None
        if not isinstance(state, dict) or state.get("version") != VERSION:
            self._put_aside()
            return None
        return state

    def _put_aside(self) -> None:
        os.replace(self.path, self.path.with_suffix(".unread.json"))
