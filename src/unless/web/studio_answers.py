"""A session's answers as plain data, ready for JSON: the library's own values under the names that the page shows.

In: a session and what is asked. Out: dicts, lists and text. Counting, proving, drawing and comparing are the
library's; here is only what goes into which answer.
"""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless import __version__
from unless.errors import DataError, UnlessError
from unless.evaluate.scores import LABEL_METRICS
from unless.explain.faces.picture import picture
from unless.explain.words.language import language
from unless.explain.words.program_lines import program_lines
from unless.logic.program import label_text
from unless.logic.text.parser import parse
from unless.logic.text.printer import clause_text, spelling_of
from unless.table.hygiene import perhaps_missing
from unless.web.explained_row import LANGUAGE, explain_row
from unless.web.refusals import error_detail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.evaluate.figures import Coverage
    from unless.evaluate.view import View
    from unless.logic.program import Program
    from unless.web.session import Session

    Rows = NDArray[np.bool_]

SHOWN_FLIPS = 20
SPLITS = ("held_out", "training", "all")


@dataclass(frozen=True)
class RowFilter:
    """Which rows are wanted: those of a split that also meet what else is given."""

    split: str
    rule: str | None = None
    actual: int | None = None
    predicted: int | None = None
    flips: bool = False


def state(session: Session) -> dict[str, Any]:
    """Say what is open."""
    opened, settings = session.opened, session.settings
    return {
        "version": __version__,
        "origin": None if opened is None else {"kind": opened.origin.kind, "name": opened.origin.name},
        "n_rows": 0 if opened is None else opened.table.n_rows,
        "n_columns": 0 if opened is None else len(opened.table.names),
        "settings": asdict(settings),
        "program": None if session.program is None else str(session.program),
        "draft": session.draft,
        "n_history": len(session.history),
        "save_to": session.save_name,
        "learning": learning(session),
    }


def learning(session: Session) -> dict[str, Any]:
    """Say how far learning is."""
    return {"stage": "idle", "waiting_for": None} if session.learning is None else session.learning.data()


def columns(session: Session) -> list[dict[str, Any]]:
    """Describe the columns."""
    opened, settings = session.need_table(), session.settings
    described = []
    for name, guess in opened.guesses.items():
        kind = settings.kinds[name]
        entry: dict[str, Any] = {"name": name, "note": guess.note, "usable": guess.usable}
        entry |= {"kind": kind, "guess": guess.kind, "left_out": name in settings.left_out}
        entry |= {"reading": opened.readings.get(name, "") if guess.usable and kind == "numerical" else ""}
        entry |= {"odd": [{"what": found.what, "evidence": found.evidence} for found in opened.odd.get(name, ())]}
        try:
            entry |= opened.summary(name, kind, settings.missing)
            entry |= {"perhaps_missing": perhaps_missing(each["word"] for each in entry["words"])}
            if name == settings.target:
                labels = opened.summary(name, "categorical", ())
                entry |= {"labels": labels["words"], "n_labels": labels["n_distinct"]}
        except DataError as error:
            entry |= {"note": str(error), "usable": False}
        described.append(entry)
    return described


def rules(session: Session, split: str) -> dict[str, Any]:
    """Give the rules with their figures on some rows, and the scores on all kinds of rows."""
    program = session.need_program()
    answer: dict[str, Any] = {
        "target": program.target.column,
        "labels": [label_text(label) for label in (*program.target.labels, program.target.default)],
        "text": str(program),
        "splits": [],
        "findings": [],
        "covered_rows": None,
        "problem": None,
    }
    coverage = None
    if session.opened is not None:
        try:
            on_table = session.on_table(program)
            coverage = on_table.coverage(split, session.rows(split))
            answer["splits"] = on_table.kept("splits", lambda: list(_splits(session, on_table.view)))
            answer["findings"] = [finding.as_dict() for finding in on_table.findings]
            answer["covered_rows"] = coverage.n_rows
        except DataError as error:
            answer["problem"] = str(error)
    answer["lines"] = list(_lines(program, coverage))
    return answer


def _lines(program: Program, coverage: Coverage | None) -> Iterator[dict[str, Any]]:
    """Yield the lines of the program in plain language, each with its clause and its figures."""
    spelling, words = spelling_of(program), language(LANGUAGE)
    figures = {} if coverage is None else coverage.by_number
    for line in program_lines(program, words):
        entry = line.entry
        found = None if entry is None else figures.get(entry.number)
        yield {
            "depth": line.depth,
            "english": line.numbered(words),
            "clause": None if entry is None else clause_text(entry.clause, spelling),
            "number": line.number,
            "kind": line.kind,
            "supports": None if entry is None else entry.supports,
            "figures": None if found is None else found.as_dict(),
        }
    if coverage is not None:
        rest = coverage["else"]
        named = {"depth": 0, "clause": None, "number": "else", "kind": "default", "supports": None}
        yield {**named, "english": f"Else: {label_text(program.target.default)}", "figures": rest.as_dict()}


def _splits(session: Session, view: View) -> Iterator[dict[str, Any]]:
    """Yield, for the rows held out, those learned from and all of them, the scores and the confusion matrix."""
    for split in SPLITS:
        rows = session.rows(split)
        if not rows.any() or (split == "training" and session.learned_on is None):
            continue
        answer: dict[str, Any] = {"split": split, "n_rows": int(rows.sum())}
        if view.actual is not None:
            answer |= {"metrics": _metrics(view, rows), "matrix": _matrix(view, rows)}
        yield answer


def _metrics(view: View, rows: Rows) -> list[dict[str, Any]]:
    """Give what is right among some rows, first of all labels, then of each label that rules conclude."""
    found: list[dict[str, Any]] = [{"name": "accuracy", "label": None, "value": view.accuracy(rows)}]
    for label in map(label_text, view.program.target.labels):
        scores = view.scores(label, rows).as_dict()
        found += [{"name": name, "label": label, "value": scores[name]} for name in LABEL_METRICS]
    return found


def _matrix(view: View, rows: Rows) -> list[list[int]]:
    """Count the rows by actual label (a row each, labels that the program does not know last) and predicted label."""
    assert view.actual is not None
    n = len(view.labels)
    actual = np.where(view.actual < 0, n, view.actual)[rows]
    counted: list[list[int]] = (
        np.bincount(actual * n + view.predicted[rows], minlength=(n + 1) * n).reshape(-1, n).tolist()
    )
    return counted if any(counted[-1]) else counted[:-1]


def drawing(session: Session, split: str) -> str:
    """Draw the rules, with figures where a table is open."""
    program = session.need_program()
    if session.opened is None:
        return picture(program)
    return picture(program, session.on_table(program).coverage(split, session.rows(split)))


def page(session: Session, wanted: RowFilter, offset: int, limit: int) -> dict[str, Any]:
    """List some of the rows wanted."""
    opened = session.need_table()
    view = None if session.program is None else session.on_table(session.program).view
    numbers = np.flatnonzero(_wanted(session, view, wanted))
    cells = {name: _cell_reader(session, name) for name in opened.table.names if _usable(session, name)}
    shown = numbers[offset : offset + limit].tolist()
    return {
        "n_rows": len(numbers),
        "offset": offset,
        "columns": list(cells),
        "used": [] if view is None else list(view.program.used_columns),
        "rows": [
            {
                "row": row,
                "predicted": None if view is None else view.predicted_text(row),
                "actual": None if view is None else view.actual_text(row),
                "values": [read.value(row) for read in cells.values()],
            }
            for row in shown
        ],
    }


def _usable(session: Session, name: str) -> bool:
    return session.need_table().guesses[name].usable


def _cell_reader(session: Session, name: str) -> Any:
    opened, settings = session.need_table(), session.settings
    return opened.read(opened.table.columns[name], settings.kinds[name], settings.missing)


def _wanted(session: Session, view: View | None, wanted: RowFilter) -> Rows:
    rows = session.rows(wanted.split)
    if view is None:
        return rows
    if wanted.rule is not None:
        rows = rows & session.covered(view.program, wanted.rule)
    if wanted.predicted is not None:
        rows = rows & (view.predicted == wanted.predicted)
    if wanted.actual is not None and view.actual is not None:
        rows = rows & (view.actual == (wanted.actual if wanted.actual < len(view.labels) else -1))
    if wanted.flips and session.draft is not None:
        draft = session.on_table(parse(session.draft)).view
        rows = rows & (view.predicted_texts() != draft.predicted_texts())
    return rows


def one_row(session: Session, row: int) -> dict[str, Any]:
    """Give one row, its label, and the reasons for and against."""
    opened, program = session.need_table(), session.need_program()
    if row >= opened.table.n_rows:
        msg = f"there is no row {row}; the table has {opened.table.n_rows:,} rows, from 0."
        raise DataError(msg)
    view = session.on_table(program).view
    values = view.row(row)
    return {
        "row": row,
        "actual": view.actual_text(row),
        "values": values,
        "kinds": program.kinds,
        "used": list(program.used_columns),
        "words": {name: _some_words(session, name) for name in values},
        "predicted": explain_row(program, values),
        "predicted_by_draft": _predicted_by_draft(session, row),
    }


def _predicted_by_draft(session: Session, row: int) -> dict[str, Any] | None:
    """Say what the draft predicts for a row, if there is one that can be read."""
    if session.draft is None:
        return None
    try:
        draft = parse(session.draft)
        return explain_row(draft, session.on_table(draft).view.row(row))
    except UnlessError:
        return None


def _some_words(session: Session, name: str) -> list[str]:
    """Return the most frequent words of a column, to choose from."""
    opened = session.need_table()
    program = session.need_program()
    kind = "categorical" if program.kinds[name] == "categorical" else "numerical"
    summary = opened.summary(name, kind, program.missing)  # type: ignore[arg-type]
    return [word["word"] for word in summary["words"]]


def effect(session: Session, text: str) -> dict[str, Any]:
    """Say what a text in the editor would change, or where it is wrong."""
    try:
        draft = parse(text)
    except UnlessError as error:
        return {"problem": error_detail(error), "comparison": None, "findings": []}
    if session.opened is None:
        return {"problem": None, "comparison": None, "findings": []}
    try:
        on_table = session.on_table(draft)
        comparison = None if session.program is None else session.comparison(draft)
        return {
            "problem": None,
            "findings": [finding.as_dict() for finding in on_table.findings],
            "comparison": None if comparison is None else comparison.as_dict(SHOWN_FLIPS),
        }
    except DataError as error:
        return {"problem": error_detail(error), "comparison": None, "findings": []}


def predictions(session: Session) -> str:
    """Write the label predicted for each row as CSV, after the number of the row."""
    program = session.need_program()
    texts = session.on_table(program).view.predicted_texts().tolist()
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["row", program.target.column], *enumerate(texts)])
    return text.getvalue()


def report(session: Session, n_rows: int) -> str:
    """Write the report of the program on the open table."""
    from unless.explain.faces.report import view_report

    program = session.need_program()
    name = session.need_table().origin.name
    shown = range(min(n_rows, session.need_table().table.n_rows))
    apart = None if session.learned_on is None else session.rows("held_out")
    return view_report(session.on_table(program).view, name, shown, held_out=apart)
