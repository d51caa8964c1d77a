"""The program in use in the language of a database, a service or a reasoner: what `unless export` writes.

In: a target and what is asked of it. Out: the text and the name of its file; replayed first, if asked, on the engine
itself and on the different rows of the open table. Targets that are refused for every program are not offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.export.own_rows import own_vectors
from unless.export.targets import TARGETS, dialect_of, export_program, find_target
from unless.export.verify import verify

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.web.session import Session

TITLES = {
    "prolog": "Prolog",
    "clingo": "clingo (answer set programming)",
    "pmml": "PMML",
    "json": "JSON",
    "python": "Python module",
    "javascript": "JavaScript module",
}
"""How targets are called on the page; those of SQL are called by their dialects."""
N_MADE = 1000
"""So many rows of each kind are made to replay an export with, beside those of the table: a person waits for it."""


def export_choices() -> list[dict[str, Any]]:
    """Return what can be written, with the engine that it can be replayed on."""
    offered = [name for name in TARGETS if name.startswith("sql:") or name in TITLES]
    return [
        {"to": name, "title": _title(name), "engine": TARGETS[name].engine, "suffix": TARGETS[name].suffix}
        for name in offered
    ]


def _title(name: str) -> str:
    return TITLES.get(name) or f"SQL for {dialect_of(name).title}"


def exported(session: Session, to: str, options: ExportOptions, *, replay: bool) -> tuple[str, str]:
    """Write the program in use, and name the file; what an engine decides otherwise is refused."""
    program = session.need_program()
    text = export_program(program, to, table=options.table, form=options.shape)
    if replay:
        rows = [] if session.opened is None else [own_vectors(program, session.opened.table)]
        verify(program, to, text, options, n_rows=N_MADE, further=rows)
    return text, f"program{find_target(to).suffix}"
