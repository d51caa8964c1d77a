"""The Rules screen: scores on rows kept apart first, then each rule in words, with its parts to edit and its figures.

In: a session and the rows that figures are wanted of. Out: plain data. What is shown is the program that is worked on:
the draft where there is one that can be read.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.label_scores import is_many
from unless.evaluate.scores import LABEL_METRICS
from unless.explain.words.conditions import Conditions
from unless.explain.words.grade_words import grade_words
from unless.explain.words.language import language
from unless.explain.words.program_lines import program_lines
from unless.logic.forms.entries import ColumnTest, PointsTable
from unless.logic.forms.outline import ordered_helpers
from unless.logic.program import label_text
from unless.logic.text.printer import clause_text, spelling_of
from unless.logic.unseen_rows import wilson
from unless.web.explained_row import LANGUAGE
from unless.web.studio.locked_rules import locked_numbers
from unless.web.studio.value_forms import form_of_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.evaluate.figures import Coverage
    from unless.evaluate.view import View
    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.program import Program
    from unless.web.session import Session

    Rows = NDArray[np.bool_]

SPLITS = ("held_out", "training", "all")


def rules(session: Session, split: str) -> dict[str, Any]:
    """Give the rules with their figures on some rows, and the scores on all kinds of rows."""
    program = session.need_current()
    target = program.target
    answer: dict[str, Any] = {
        "target": target.column,
        "labels": [label_text(label) for label in (*target.labels, target.default)],
        "concluded": [label_text(label) for label in target.labels],
        "columns": [column.name for column in program.columns],
        "in_order": bool(ordered_helpers(program)),
        "text": str(program),
        "is_draft": session.draft is not None and program is not session.program,
        "splits": [],
        "findings": [],
        "covered_rows": None,
        "problem": None,
        "unseen": None if program.unseen is None else program.unseen.as_dict(),
        "grade": [asdict(card) for card in grade_words(program, language(LANGUAGE))],
        "old_grade": program.has_old_grade,
        "off": [{"text": off.text, "number": off.number} for off in session.timeline.now.off],
    }
    coverage = None
    if session.opened is not None:
        try:
            split = split if session.rows(split).any() else "all"
            on_table = session.on_table(program)
            coverage = on_table.coverage(split, session.rows(split))
            answer["splits"] = on_table.kept("splits", lambda: list(_splits(session, on_table.view)))
            answer["findings"] = [finding.as_dict() for finding in on_table.findings]
            answer["covered_rows"] = coverage.n_rows
        except DataError as error:
            answer["problem"] = str(error)
    answer["split"] = split
    locked = locked_numbers(program, session.timeline.now.locked)
    answer["lines"] = [
        line | {"locked": str(line["number"]).split(".", maxsplit=1)[0] in locked} for line in _lines(program, coverage)
    ]
    return answer


def _lines(program: Program, coverage: Coverage | None) -> Iterator[dict[str, Any]]:
    """Yield the lines of the program in plain language, each with its clause, its parts and its figures."""
    spelling, words = spelling_of(program), language(LANGUAGE)
    figures = {} if coverage is None else coverage.by_number
    for line in program_lines(program, words):
        entry = line.entry
        found = None if entry is None else figures.get(entry.number)
        if line.kind == "award":
            continue  # a part of the line before
        yield {
            "depth": line.depth,
            "english": line.numbered(words),
            "text": line.text,
            "clause": None if entry is None else clause_text(entry.clause, spelling),
            "number": line.number,
            "kind": line.kind,
            "label": None if entry is None else words.label(entry.label),
            "supports": None if entry is None else entry.supports,
            "parts": [] if entry is None else _parts(entry),
            "figures": None if found is None else found.as_dict(),
        }
    if coverage is not None:
        rest, text = coverage["else"], f"Else: {label_text(program.target.default)}"
        named = {"depth": 0, "clause": None, "number": "else", "kind": "default", "label": None, "supports": None}
        yield {**named, "english": text, "text": text, "parts": [], "figures": rest.as_dict()}


def _parts(entry: Entry) -> list[dict[str, Any]]:
    """Return the conditions of an entry: tests with their forms, points with their cases."""
    return [_part(i, condition) for i, condition in enumerate(entry.conditions)]


def _part(index: int, condition: EntryCondition) -> dict[str, Any]:
    said = Conditions(language(LANGUAGE), is_short=True)
    if isinstance(condition, ColumnTest):
        return {"kind": "test", "index": index, "text": said.test(condition), **_form(condition)}
    if isinstance(condition, PointsTable):
        cases = [_case(points, case) for points, case in condition.awards]
        needed = {"needed": condition.goal.threshold, "needed_text": said.needed(condition)}
        return {"kind": "points", "index": index, **needed, "text": said.needed(condition), "cases": cases}
    return {"kind": "other", "index": index, "text": said.condition(condition)}


def _case(points: int, case: Entry) -> dict[str, Any]:
    text = Conditions(language(LANGUAGE), is_short=True).body(case)
    first = case.conditions[0] if len(case.conditions) == 1 and not case.entries else None
    return {"points": points, "text": text, **(_form(first) if isinstance(first, ColumnTest) else {"column": None})}


def _form(test: ColumnTest) -> dict[str, Any]:
    return {"column": test.column.name, "values": form_of_values(test.values, test.column)}


def _splits(session: Session, view: View) -> Iterator[dict[str, Any]]:
    """Yield, for the rows held out, those learned from and all of them, the scores and the confusion matrix."""
    for split in SPLITS:
        rows = session.rows(split)
        if not rows.any() or (split == "training" and session.apart is None):
            continue
        answer: dict[str, Any] = {"split": split, "n_rows": int(rows.sum())}
        if view.actual is not None:
            answer |= {"metrics": _metrics(view, rows), "matrix": _matrix(view, rows), **_baseline(view, rows)}
        yield answer


def _baseline(view: View, rows: Rows) -> dict[str, Any]:
    """Give the interval of the accuracy, and how often the commonest label is right."""
    assert view.actual is not None
    actual = view.actual[rows]
    known = np.bincount(actual[actual >= 0], minlength=len(view.labels))
    n_rows, n_right = len(actual), int((view.predicted[rows] == actual).sum())
    commonest = int(known.argmax())
    low, high = wilson(n_right, n_rows)
    baseline = {"label": label_text(view.labels[commonest]), "accuracy": int(known[commonest]) / n_rows}
    return {"interval": [low, high], "baseline": baseline}


def _metrics(view: View, rows: Rows) -> list[dict[str, Any]]:
    """Give what is right among some rows, first of all labels, then of each label that rules conclude."""
    found: list[dict[str, Any]] = [{"name": "accuracy", "label": None, "value": view.accuracy(rows)}]
    many = is_many(view)
    found += [] if many else _auc(view, rows, None)
    for label in map(label_text, view.program.target.labels):
        scores = view.scores(label, rows)
        # Of no row no share can be right; a 0 would read as if all were wrong.
        unknown = {"precision"} if not scores.tp + scores.fp else set()
        unknown |= {"recall"} if not scores.tp + scores.fn else set()
        values = {name: None if name in unknown else scores[name] for name in LABEL_METRICS}
        found += [{"name": name, "label": label, "value": value} for name, value in values.items()]
        found += _auc(view, rows, label) if many else []
    return found


def _auc(view: View, rows: Rows, label: str | None) -> list[dict[str, Any]]:
    """Give the AUC of a label, None being the first of two; nothing where there is none."""
    reliability = view.reliability(rows, label)
    if reliability is None or reliability.auc is None:
        return []
    return [{"name": "auc", "label": label, "value": reliability.auc}]


def _matrix(view: View, rows: Rows) -> list[list[int]]:
    """Count the rows by actual label (a row each, labels that the program does not know last) and predicted label."""
    assert view.actual is not None
    n = len(view.labels)
    actual = np.where(view.actual < 0, n, view.actual)[rows]
    counted: list[list[int]] = (
        np.bincount(actual * n + view.predicted[rows], minlength=(n + 1) * n).reshape(-1, n).tolist()
    )
    return counted if any(counted[-1]) else counted[:-1]
