"""One row: its values, its label with the reasons in short and in full, what would change it, and a letter.

In: a session and the number of a row, or values that a person changed. Out: plain data and text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from unless.errors import DataError, UnlessError
from unless.evaluate.recourse_rows import TableRecourse
from unless.explain.faces.recourse_report import RecourseReport
from unless.explain.proof.prover import prove
from unless.explain.words.language import language
from unless.explain.words.reason_words import GAPS, letter
from unless.explain.words.risk import risk_sentences
from unless.explain.words.short_proof import short_proof
from unless.logic.graded import graded_columns
from unless.logic.program import label_text
from unless.logic.readings import say_number
from unless.logic.reason.locks import lock_of
from unless.logic.reason.reasons import reasons
from unless.logic.reason.recourse import Advisor, ChangeLimits, label_named
from unless.web.explained_row import LANGUAGE, explain_row
from unless.web.served_program import ServedProgram
from unless.web.studio.program_work import Which, parsed
from unless.web.studio.shown_cells import shown_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.program import Program
    from unless.logic.rules import Column, Value
    from unless.web.session import Session

SECONDS = 10.0
WAYS = 3


class RecourseRequest(BaseModel):
    """The label that is wanted, by which program, and what cannot change, or only in one direction."""

    model_config = ConfigDict(extra="forbid")

    want: Annotated[str, Field(max_length=10_000)]
    frozen: Annotated[list[str], Field(max_length=10_000)] = []
    only_up: Annotated[list[str], Field(max_length=10_000)] = []
    only_down: Annotated[list[str], Field(max_length=10_000)] = []
    which: Which = "program"


def explained(
    session: Session, program: Program, values: Mapping[str, object], row: int | None = None
) -> dict[str, Any]:
    """Return a row's label with its reasons, in short first, and its probability with where that comes from."""
    proof, words = prove(program, values, row_name=row), language(LANGUAGE)
    short = short_proof(proof, words)
    awards = [{"points": points, "text": text} for points, text in short.awards]
    # Without the columns of the grade there is no probability, here as in the list of rows.
    risk = proof.risk if session.on_table(program).view.probabilities else None
    sure = None
    if risk is not None:
        said = risk_sentences(risk, words)
        sure = {"label": label_text(risk.label), "probability": risk.probability, "sentences": said}
    return {"short": list(short.sentences), "awards": awards, "sure": sure, **explain_row(program, values)}


def decided_otherwise(session: Session, values: Mapping[str, object]) -> dict[str, Any]:
    """Decide a row with values that a person typed, and say which of them are not such as the table has."""
    program = session.need_program()
    return {**explained(session, program, values), "warnings": list(_oddities(session, program, values))}


def _oddities(session: Session, program: Program, values: Mapping[str, object]) -> Iterator[str]:
    """Say which values are of the wrong kind, and which words no row of the table has."""
    opened, odd = session.need_table(), dict(ServedProgram("program", program).oddities(values))
    columns = {column.name: column for column in program.columns}
    for name in graded_columns(program):
        column, text = columns[name], values.get(name)
        known = opened.table.columns.get(name)
        if not isinstance(text, str) or known is None:
            continue
        words = opened.read(known, column.kind, program.missing, column.reading).words
        if words is not None and text.strip() in words.lexicon:
            continue
        if name in odd:
            yield odd[name]
        elif column.kind == "categorical" and text.strip():
            yield f"no row of the table has {text.strip()!r} in column {name!r}."


def one_row(session: Session, row: int) -> dict[str, Any]:
    """Give one row, its label, and the reasons for and against."""
    program = session.need_program()
    _check_row(session, row)
    view = session.on_table(program).view
    _ = view.predicted  # a column that the rules test and the table lacks is refused, here as in the list of rows
    values = view.row(row)
    columns = {column.name: column for column in program.columns}
    return {
        "row": row,
        "named": _name_of(session, row),
        "actual": view.actual_text(row),
        "values": values,
        "texts": {name: _text(session, columns[name], value, row) for name, value in values.items()},
        "readings": {name: columns[name].reading for name in values if columns[name].reading},
        "kinds": {name: columns[name].kind for name in values},
        "labels": [str(text) for text in dict.fromkeys(map(str, view.labels))],
        "used": list(program.used_columns),
        "graded": [name for name in graded_columns(program) if name in values and name not in program.used_columns],
        "words": {name: _some_words(session, columns[name], program.missing) for name in values},
        "predicted": explained(session, program, values, row),
        "predicted_by_draft": _predicted_by_draft(session, row),
    }


def _name_of(session: Session, row: int) -> str:
    """Return what the table calls a row, where a column names rows."""
    named = next(iter(session.need_table().identifiers), None)
    return "" if named is None else str(shown_cells(session, named, np.array([row]))[0] or "")


def _check_row(session: Session, row: int) -> None:
    n_rows = session.need_table().table.n_rows
    if row >= n_rows:
        msg = f"there is no row {row}; the table has {n_rows:,} rows, from 0."
        raise DataError(msg)


def _text(session: Session, column: Column, value: Value | None, row: int) -> str:
    """Write a value as a person types it; a date or an amount as the table does."""
    if value is None:
        return ""
    if column.reading and column.name in session.need_table().table.columns:
        return str(shown_cells(session, column.name, np.array([row]))[0] or "")
    return value if isinstance(value, str) else say_number(column, value)


def _predicted_by_draft(session: Session, row: int) -> dict[str, Any] | None:
    """Say what the draft predicts for a row, if there is one that can be read."""
    text = session.draft
    if text is None:
        return None
    try:
        draft = parsed(text)
        return explained(session, draft, session.on_table(draft).view.row(row), row)
    except UnlessError:
        return None


def _some_words(session: Session, column: Column, missing: tuple[str, ...]) -> list[str]:
    """Return the most frequent words of a column, to choose from."""
    summary: Mapping[str, Any] = session.need_table().summary(column.name, column.kind, missing)
    return [word["word"] for word in summary["words"]]


def recourse(session: Session, row: int, asked: RecourseRequest) -> dict[str, Any]:
    """Find the cheapest changes that give a row a label, or say that there is none."""
    program = session.chosen(asked.which)
    known = _known(session, program)
    limits = ChangeLimits(asked.frozen, asked.only_up, asked.only_down)
    want = label_named(program, asked.want)
    advisor = Advisor(program, limits, known.advisor.known, seconds=SECONDS)
    values = _row(session, program, row)
    found = advisor.ways(values, want, WAYS)
    lock = lock_of(advisor, values, want) if found.verdict == "no" else ""
    report = RecourseReport(program, values, want, found, row, lock)
    ways = report.data(lang=LANGUAGE)
    columns, words = {column.name: column for column in program.columns}, language(LANGUAGE)
    for change in (change for way in ways for change in way["changes"]):
        change["before_text"] = words.value(change["before"], columns.get(change["column"]))
    return {"ways": ways, "verdict": found.verdict, "text": report.text(lang=LANGUAGE)}


def letter_for(session: Session, row: int) -> str:
    """Write a letter about a row: the label, the values that decided, and what would change it."""
    program, words = session.need_program(), language(LANGUAGE)
    values = _row(session, program, row)
    advisor = _known(session, program).advisor
    found = reasons(advisor.engine, program, values)
    gaps = {name: f"{{{name}}}" for name in GAPS}
    name = _name_of(session, row) or row
    text = letter(words.say("letter", "template", **gaps), program, values, name, found, words)
    others = [*program.target.labels, program.target.default]
    decided = label_text(prove(program, values).label or program.target.default)
    for want in dict.fromkeys(label_text(label) for label in others if label_text(label) != decided):
        ways = advisor.ways(values, label_named(program, want), 1)
        report = RecourseReport(program, values, label_named(program, want), ways, name, "")
        text += "\n" + report.text(lang=LANGUAGE)
    return text


def _known(session: Session, program: Program) -> TableRecourse:
    on_table = session.on_table(program)
    return on_table.kept("recourse", lambda: TableRecourse(program, session.need_table().table, seconds=SECONDS))


def _row(session: Session, program: Program, row: int) -> dict[str, Value | None]:
    _check_row(session, row)
    return session.on_table(program).view.row(row)
