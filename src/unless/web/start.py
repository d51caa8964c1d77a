"""The studio's start: files that the user named are opened, and what was left unfinished is taken up again."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

from unless.logic.text.files import load
from unless.web.open_table import named_file
from unless.web.session import Session
from unless.web.store import Store, state_folder


def start_session(data: str | None, model: str | None, folder: Path | None = None) -> Session:
    """Begin a session with the files that the user named, each perhaps none."""
    source = None if data is None else named_file(Path(data).resolve())
    place = None if model is None else Path(model).resolve()
    program = load(place) if place is not None and place.exists() else None
    store = Store(folder or state_folder(), "" if source is None else source.place, str(place or ""))
    session = Session(store, source, program, None if place is None else str(place))
    # Kernels are compiled on first use; that must not be the first thing a person waits for.
    Thread(target=warm_up, name="warm-up", daemon=True).start()
    return session


def warm_up() -> None:
    """Compile the kernels, or load them from their cache, by learning from a few rows."""
    from unless.datasets import loans
    from unless.estimators.foldrpp_classifier import FoldRPPClassifier

    few = loans(60)
    FoldRPPClassifier(categorical_features=["purpose", "housing", "history"]).fit(few.drop("loan"), few["loan"])
