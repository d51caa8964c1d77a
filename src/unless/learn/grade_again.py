"""A program graded again from a table with labels: its rules stay, its points and probabilities are learned anew.

In: a program, perhaps edited by hand, and a table. Out: the program with a new grade, which keeps to its constraints.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import Count, DataError, listing
from unless.learn.constraints import called_as, kept_constraints, with_kept
from unless.learn.front import table_task
from unless.learn.task import Watch, read_task
from unless.logic.graded import graded_labels
from unless.logic.program import label_text
from unless.table.frames import raw_table
from unless.table.kinds import KindRule
from unless.table.labels import labelled, unlabelled_note
from unless.table.parts import seen_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.logic.rules import Label
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

ONE_LEFT_OUT = "1 row is left out, whose label the program does not know: %s."
LEFT_OUT = "%s rows are left out, whose labels the program does not know: %s."


def grade(program: Program, table: Any, target: str | None = None, **constraints: Any) -> Program:
    """Grade a program by a table with labels, whatever grade it had.

    Rows without a label, or with one that it does not know, are left out, which is logged.

    A label that no rule concludes is known where the grade before had it. `constraints` are those of `UnlessSettings`:
    forbidden, apart, monotonic_cst. They add to those of the program. What an error on a label costs is kept where the
    grade before says it. How well the points before ranked rows that they had not seen is not: these are others.
    """
    from unless.learn.grading.grader import grade_program
    from unless.learn.learners import UnlessSettings

    rows, labels = _known_rows(program, table, target)
    task = _task(program, rows, labels)
    asked = called_as(UnlessSettings(**constraints, costs=_costs(program)), task.names)
    settings = with_kept(asked, program.constraints, task.names)
    graded = grade_program(program, read_task(task, settings, Watch()), settings)
    more = program.constraints.with_more(kept_constraints(asked, program, 1))
    unseen = None if program.unseen is None else replace(program.unseen, auc=None)
    return replace(graded, constraints=more, unseen=unseen)


def _costs(program: Program) -> dict[Label, float] | None:
    """Return what an error on the label of the grade costs, the other's costing 1; None if that is not known."""
    grade = program.grade
    return None if grade is None or grade.cost_ratio is None else {grade.cards[0].label: grade.cost_ratio}


def _known_rows(program: Program, table: Any, target: str | None) -> tuple[RawTable, NDArray[Any]]:
    """Return the rows of the labels that a program knows, and these labels."""
    from unless.evaluate.predict import actual_labels, known_labels, unknown_labels
    from unless.table.unlike_cells import remark_labels_alike

    rows = seen_by(program, raw_table(table))
    column = rows.name_of(target or program.target.column)
    has_label = labelled(rows.column(column), program.missing)
    if not has_label.all():
        log.warning(*unlabelled_note(column, int((~has_label).sum())))
    rows = rows.take(np.flatnonzero(has_label))
    knowing = _with_graded_labels(program)
    actual = actual_labels(knowing, rows.column(column))
    known = np.flatnonzero(actual >= 0)
    if len(known) < rows.n_rows:
        n_rows, unknown = unknown_labels(knowing, rows.column(column))
        counted = (ONE_LEFT_OUT,) if n_rows == 1 else (LEFT_OUT, Count(n_rows))
        log.warning(*counted, listing(map(repr, unknown)))
        remark_labels_alike(known_labels(knowing), unknown)
    labels = np.array([*knowing.target.labels, knowing.target.default], dtype=object)[actual[known]]
    n_labels = len({*labels.tolist()})
    if n_labels < 2:
        msg = f"column {column!r} has {n_labels or 'none'} of the program's labels; grading needs rows of two."
        raise DataError(msg)
    return rows.take(known), labels


def _with_graded_labels(program: Program) -> Program:
    """Return the program with labels that only its grade knows among those of its target."""
    if program.grade is None:
        return program
    own = {label_text(label) for label in (*program.target.labels, program.target.default)}
    more = (label for label in graded_labels(program) if label_text(label) not in own)
    return replace(program, target=replace(program.target, labels=(*program.target.labels, *more)))


def _task(program: Program, rows: RawTable, labels: NDArray[Any]) -> Task:
    """Return rows to learn from, with columns as the program reads them.

    A forbidden column that no rule tests has no say, so a table without it is as good.
    """
    spare = {*program.constraints.forbidden} - {*program.used_columns, *rows.names}
    columns = [each for each in program.columns if each.name not in spare]
    names = {each.name for each in columns}
    readings = {each.name: each.reading for each in columns if each.reading}
    fixed = {each.name: each.kind for each in columns if not each.reading}
    return table_task(
        rows.without(name for name in rows.names if name not in names),
        labels,
        kinds=KindRule("dtype", fixed, program.missing, readings),
        missing=program.missing,
        positive=program.target.labels[0] if len({*labels.tolist()}) == 2 else None,
    )
