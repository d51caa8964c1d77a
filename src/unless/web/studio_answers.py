"""What is open in the studio, the picture and the report: answers as plain data and text.

In: a session. Out: dicts, lists and text. Each screen has a module of its own beside this one.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from unless import __version__
from unless.explain.faces.picture import NARROW, WIDTH, picture

if TYPE_CHECKING:
    from unless.learn.size_path import Frontier
    from unless.web.open_table import OpenTable
    from unless.web.session import Session


def _origin(opened: OpenTable) -> dict[str, Any]:
    """Say where the table came from, without its path."""
    origin = opened.origin
    return {"kind": origin.kind, "name": origin.name, "labelled_in": origin.labelled_in, "note": opened.note}


def state(session: Session) -> dict[str, Any]:
    """Say what is open."""
    opened, settings = session.opened, session.settings
    return {
        "version": __version__,
        "origin": None if opened is None else _origin(opened),
        "n_rows": 0 if opened is None else opened.table.n_rows,
        "n_columns": 0 if opened is None else len(opened.table.names),
        "settings": asdict(settings),
        "program": None if session.program is None else str(session.program),
        "draft": session.draft,
        "revision": session.timeline.revision,
        "undo": session.timeline.past[-1][1] if session.timeline.past else None,
        "redo": session.timeline.future[-1][1] if session.timeline.future else None,
        "n_locked": session.n_locked,
        "apart": None if session.apart is None else asdict(session.apart),
        "is_other_table": session.opened is not None and session.is_other_table,
        "versions": [
            {"name": v.name, "comment": v.comment, "at": v.at, "by": v.by, "changes": list(v.changes)}
            for v in session.versions.kept
        ],
        "n_checks": len(session.checks["cases"]) + len(session.checks["properties"]),
        "save_to": session.save_name,
        "learning": learning(session),
    }


def learning(session: Session) -> dict[str, Any]:
    """Say how far learning is; whoever asks looks at it."""
    if session.learning is not None:
        session.learning.looked_at()
    return {"stage": "idle", "waiting_for": None} if session.learning is None else session.learning.data()


def drawing(session: Session, split: str, *, narrow: bool = False) -> str:
    """Draw the rules, with figures where a table is open; narrow for a phone."""
    program = session.need_current()
    width = NARROW if narrow else WIDTH
    if session.opened is None:
        return picture(program, width=width)
    return picture(program, session.on_table(program).coverage(split, session.rows(split)), width=width)


def report(session: Session, n_rows: int) -> str:
    """Write the report of the program on the open table."""
    from unless.explain.faces.report import view_report

    program = session.need_program()
    name = session.need_table().origin.name
    shown = range(min(n_rows, session.need_table().table.n_rows))
    apart = None if session.apart is None else session.rows("held_out")
    return view_report(session.on_table(program).view, name, shown, held_out=apart)


def sizes(session: Session) -> dict[str, Any]:
    """Give the programs of all sizes that were learned, if they were."""
    found: Frontier | None = session.sizes
    if found is None:
        return {"points": [], "elbow": None}
    points = [
        {
            "n_rules": stop.n_rules,
            "n_conditions": stop.n_literals,
            "accuracy": stop.accuracy,
            "spread": stop.spread,
            "training": stop.training_accuracy,
            "size_penalty": stop.size_penalty,
        }
        for stop in found.points
    ]
    return {"points": points, "elbow": found.elbow, "is_weighed": found.is_weighed}
