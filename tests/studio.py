"""A studio or a server in this process, for tests: the real application behind its guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.testclient import TestClient

from unless.logic.text.parser import parse
from unless.web.applications import studio_app
from unless.web.open_table import named_file
from unless.web.serve_application import serve_app
from unless.web.session import Session
from unless.web.session_store import SessionStore

if TYPE_CHECKING:
    from pathlib import Path

BIRDS = """\
%@ unless 1
%@ target flies: 'yes' else 'no'
%@ categorical bird, name
%@ numerical age
flies(X,'yes') :- bird(X,'yes'), not ab1(X).
ab1(X) :- name(X,'penguin'), not ab2(X).
ab2(X) :- age(X,N2), N2 > 100.0.
"""

ROWS = [
    {"bird": "yes", "name": "robin", "age": 2},
    {"bird": "yes", "name": "penguin", "age": 3},
    {"bird": "yes", "name": "penguin", "age": 101.5},
    {"bird": "no", "name": "cat", "age": None},
]
LABELS = ["yes", "no", "yes", "no"]

TABLE = "bird,name,age,flies\n" + "".join(
    f"{row['bird']},{row['name']},{'' if row['age'] is None else row['age']},{label}\n"
    for row, label in zip(ROWS, LABELS, strict=True)
)


def server(text: str = BIRDS, **options: object) -> TestClient:
    """Serve a program."""
    return TestClient(serve_app(parse(text), **options), base_url="http://localhost")  # type: ignore[arg-type]


def studio(folder: Path, table: str | None = None, program: str | None = None) -> tuple[TestClient, Session]:
    """Open a studio on a table, perhaps with a program; the same folder and table continue the same session."""
    origin = None
    if table is not None:
        path = folder / "table.csv"
        path.write_text(table)
        origin = named_file(path)
    session = Session(SessionStore(folder / "state", "test"), origin, None if program is None else parse(program))
    return TestClient(studio_app(session), base_url="http://localhost"), session


def learned(folder: Path) -> tuple[TestClient, Session]:
    """Open a studio on the example and learn its rules."""
    client, session = studio(folder)
    assert client.post("/api/studio/example").status_code == 200
    assert client.post("/api/studio/learning").status_code == 200
    assert session.learning is not None
    session.learning.wait(300)
    assert client.get("/api/studio/learning").json()["stage"] == "done"
    return client, session
