"""The studio's start: files that the user named are opened, and what was left unfinished is taken up again.

The learners are compiled meanwhile (see `warm_up_thread`): the page is there at once, and only learning waits.
"""

from __future__ import annotations

from pathlib import Path

from unless.logic.text.files import load
from unless.web.open_table import named_file
from unless.web.session import Session
from unless.web.session_store import SessionStore, state_folder
from unless.web.warm_up_thread import WarmUp, warm_learner


def start_session(data: str | None, model: str | None, folder: Path | None = None) -> Session:
    """Begin a session with the files that the user named, each perhaps none."""
    origin = None if data is None else named_file(Path(data).resolve())
    path = None if model is None else Path(model).resolve()
    program = load(path) if path is not None and path.exists() else None
    store = SessionStore(folder or state_folder(), "" if origin is None else origin.path, str(path or ""))
    warm_up = WarmUp(warm_learner)
    session = Session(store, origin, program, None if path is None else str(path), warm_up)
    # Only now, so that opening the table does not share the processor with the compiler.
    warm_up.start()
    return session
