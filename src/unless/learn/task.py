"""What is learned from, as asked (`Task`) and as read (`TrainingData`), and what comes out (`Learned`).

A task says where the rows are and which label the rules should conclude; reading it surveys and codes the rows where
they are, and makes the program before learning: its target, its columns, its background. Every learner starts from the
same `TrainingData`, whether the rows come from memory, files or a cluster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError, MisfitError, listing
from unless.learn.constraints import called_as
from unless.learn.rows.codes import Columns
from unless.learn.rows.source import LocalSource, LocalTable
from unless.learn.rows.testable import Testable
from unless.learn.screening import mentioned, remark_columns, remark_copies, remark_labels, without_others
from unless.learn.weights import label_factors, row_weights
from unless.logic.clause import Clause
from unless.logic.names import name_predicates
from unless.logic.program import Program, Target
from unless.logic.relations import helper_name, related_literal, relations_of
from unless.table.labels import index_of, plain_label, refuse_measurements

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.optimise.training import TrainingRows
    from unless.learn.rows.source import CodedTable, Source
    from unless.learn.rows.survey import Survey
    from unless.learn.screening import Screening
    from unless.learn.settings import LearnerSettings
    from unless.logic.relations import RelatedName
    from unless.logic.rules import Column, Label, Rule


@dataclass(frozen=True, eq=False)
class Task:
    """What to learn from: rows wherever they are, and what is known of them beforehand.

    `background` is the text of background knowledge or the path of a file with it; `background_columns` are columns
    that only the background may test. `weights` are of rows on this machine, one each. `screening` says what is done
    about columns that name their rows. `related` are columns that are conjunctions over relations, for the background;
    `beside` are tables that columns come from. Directions are of the label that the rules conclude where
    `directs_rules`, or where somebody asked for a label; else of the last one, as in scikit-learn.
    """

    source: Source
    names: Sequence[str]
    positive: Label | None = None
    missing: Sequence[str] = ()
    background: str | os.PathLike[str] | None = None
    background_columns: Sequence[str] = ()
    weights: NDArray[np.float64] | None = None
    screening: Screening | None = None
    related: Sequence[Column] = ()
    beside: tuple[RelatedName, ...] = ()
    directs_rules: bool = False


@dataclass(frozen=True, eq=False)
class TrainingData:
    """A task once its rows are surveyed and coded.

    `theory` is the program before learning. `positive` is the index, among the labels, of the one that the rules
    conclude; None when there are more than two labels. `columns` has the codebooks, and the codes only where the rows
    are here. `weights` are what rows weigh in all: what they weigh by themselves (`own_weights`), times what their
    label makes of it (`label_factors`, by index). `directs_rules` if directions are of that label. `n_threads` may
    learn side by side.
    """

    theory: Program
    classes: NDArray[Any]
    counts: NDArray[np.intp]
    positive: int | None
    columns: Columns
    table: CodedTable
    weights: NDArray[np.float64] | None = None
    own_weights: NDArray[np.float64] | None = None
    label_factors: NDArray[np.float64] | None = None
    directs_rules: bool = False
    n_threads: int = 1

    @property
    def labels(self) -> list[Label]:
        """Return the labels as plain values, sorted."""
        return [plain_label(label) for label in self.classes]

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return int(self.counts.sum())

    @property
    def direction(self) -> int:
        """Turn directions that are of the last label to the label that rules conclude."""
        return 1 if self.directs_rules or self.positive == len(self.classes) - 1 else -1

    def take(self, rows: NDArray[np.intp]) -> TrainingData:
        """Return some rows of a table on this machine, in the same codes."""
        table = self.local
        columns, aside, labels = table.columns.take(rows), table.aside.take(rows), table.labels[rows]
        return replace(
            self,
            counts=np.bincount(labels, minlength=len(self.classes)),
            columns=columns,
            table=LocalTable(columns, labels, aside),
            weights=None if self.weights is None else self.weights[rows],
            own_weights=None if self.own_weights is None else self.own_weights[rows],
        )

    @property
    def local(self) -> LocalTable:
        """Return the table in this machine's memory."""
        assert isinstance(self.table, LocalTable)
        return self.table


@dataclass(frozen=True, eq=False)
class Learned:
    """What a learner gives: the program, and its rules nested.

    `trace` and `stopped` are of learners that can be cut short. `held_out` is for each row the label, as an index among
    the classes, that a program learned without it gives to it, where inner folds were made: what grading trusts.
    `rows` are the rows in bins, where the learner had them so; `decided` the index of the label that the program gives
    to each row, where the learner knows.
    `covered` are the rows that the rules of two labels cover, of the label and of the other, and those they do not.
    `label_counts` are the rows that each of the classes had in training.
    """

    program: Program
    rules: tuple[Rule, ...]
    classes: NDArray[Any]
    trace: tuple[Any, ...] = ()
    stopped: bool = False
    held_out: NDArray[np.intp] | None = None
    rows: TrainingRows | None = None
    decided: NDArray[np.intp] | None = None
    covered: tuple[tuple[int, int], tuple[int, int]] | None = None
    label_counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Watch:
    """Who hears of progress and when grading begins, and the file that finished rules are kept in."""

    on_progress: Callable[[Any], None] | None = None
    checkpoint: str | os.PathLike[str] | None = None
    on_grading: Callable[[], None] | None = None


def read_task(task: Task, settings: LearnerSettings, watch: Watch) -> TrainingData:
    """Survey and code the rows of a task."""
    survey, how = task.source.survey()
    _refuse_nothing(survey, task.names)
    refuse_measurements(survey.classes)
    weights, factors = _weights(task, settings, survey)
    positive = _positive(task, settings, survey, watch)
    if task.screening is not None:
        remark_labels(survey.label, survey.classes, survey.n_rows)
        spoken = mentioned(task.background, task.background_columns, vars(called_as(settings, task.names)))
        names = task.screening.columns(task.names, survey, how, spoken)
        survey, how = without_others(survey, names), {name: how[name] for name in names}
    theory = _theory(task, survey, {name: how[name] for name in task.names if name in how}, positive)
    testable = Testable.of(theory, task.background_columns)
    if not testable.books(survey.books):
        msg = (
            f"rules may test nothing: {listing(task.background_columns)} is for the background alone, "
            "and that says nothing of several rows which rules could test."
        )
        raise DataError(msg)
    # Only two labels can be learned by counting where the rows are; for all else their codes come here.
    needs_rows = settings.needs_rows_here or positive is None
    code = task.source.gather if needs_rows else task.source.code
    table: CodedTable = code(survey, how, testable)
    if isinstance(table, LocalTable):
        columns = table.columns
        if task.screening is not None and task.screening.leaves_out and task.screening.remarks:
            remark_columns(table, task.missing)
            remark_copies(table)
    else:
        columns = Columns(tuple(testable.books(survey.books).values()), (), survey.n_rows)
    return TrainingData(
        theory, survey.classes, survey.counts, positive, columns, table, weights, task.weights, factors,
        task.directs_rules or task.positive is not None, getattr(task.source, "n_threads", 1),
    )  # fmt: skip


def _refuse_nothing(survey: Survey, names: Sequence[str]) -> None:
    if survey.n_rows == 0:
        msg = f"the table names its columns ({listing(names)} and the label) and has no rows to learn from."
        raise DataError(msg)
    if not names:
        msg = "no column is left to learn from: beside the label a table needs at least one that is used."
        raise DataError(msg)


def no_cells(n_rows: int, n_columns: int) -> str:
    """Say that a table has no rows or no columns, with the words that scikit-learn's users know."""
    return (
        f"Found array with {n_rows} sample(s) and {n_columns} feature(s) (shape=({n_rows}, {n_columns})) "
        "while a minimum of 1 is required."
    )


def _weights(
    task: Task, settings: LearnerSettings, survey: Survey
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return what rows weigh, and what their labels make of it."""
    by_label, costs = getattr(settings, "class_weight", None), getattr(settings, "costs", None)
    if task.weights is None and by_label is None and costs is None:
        return None, None
    if not (settings.needs_rows_here or isinstance(task.source, LocalSource)):
        msg = f"weights of rows or labels are for a table on one machine; on a cluster, {settings.title} counts rows."
        raise DataError(msg)
    labels = task.source.labels(survey)
    weights = row_weights(survey.classes, labels, task.weights, by_label, costs)
    factors = label_factors(survey.classes, labels, by_label, costs, task.weights)
    if factors is not None and task.weights is not None:
        row_weights(survey.classes, labels, task.weights, None)  # what rows weigh by themselves must bear a grade too
    return weights, None if factors is None or (factors == 1).all() else factors


def _positive(task: Task, settings: LearnerSettings, survey: Survey, watch: Watch) -> int | None:
    """Return the index of the label that the rules conclude, None for more than two labels."""
    shown = listing(repr(plain_label(label)) for label in survey.classes)
    n_labels = len(survey.classes)
    if n_labels < 2:
        msg = f"Classifier can't train when only one class is present: all labels are {shown}."
        raise DataError(msg)
    if n_labels > 2 and settings.takes_many_labels:
        given = {"positive": task.positive, "checkpoint": watch.checkpoint}
        given |= {name: getattr(settings, name) for name in settings.for_two_labels}
        for name, value in given.items():
            if value is not None:
                problem = f"is for two labels, not for {n_labels}: {shown}. Leave it out."
                raise MisfitError(name=name, problem=problem, value=value)
        return None
    if n_labels > 2:
        msg = (
            f"Only binary classification is supported. The type of the target is multiclass: "
            f"{n_labels} labels, {shown}. "
            f"Hint: UnlessClassifier and FOLD-R++ (--algorithm unless, fold-r++) learn several labels; or compare one "
            f"with the rest, y == {plain_label(survey.classes[0])!r}."
        )
        raise DataError(msg)
    if task.positive is None:
        return _preferred(task, settings, survey)
    index = index_of(survey.classes, task.positive)
    if index < 0:
        raise MisfitError(name="positive", problem=f"is not a label; labels: {shown}.", value=task.positive)
    return index


def _preferred(task: Task, settings: LearnerSettings, survey: Survey) -> int:
    """Choose the label that the rules conclude: that of the rules to keep, else the rarer one.

    A row counts as often as its weight and its label's say; 'balanced' and costs make no label rarer or commoner.
    """
    locked = getattr(settings, "locked", None)
    if locked is not None:
        from unless.learn.locked import locked_label

        index = locked_label(locked, survey.classes)
        if index is not None:
            return index
    by_label = getattr(settings, "class_weight", None)
    counted = None if isinstance(by_label, str) else by_label
    if task.weights is None and counted is None:
        return int(np.argmin(survey.counts))
    labels = task.source.labels(survey)
    weights = row_weights(survey.classes, labels, task.weights, counted)
    assert weights is not None
    # Exact sums: rounding must not decide, or the order of the rows would.
    return int(np.argmin([math.fsum(weights[labels == k]) for k in range(len(survey.classes))]))


def _theory(task: Task, survey: Survey, columns: Mapping[str, Column], positive: int | None) -> Program:
    """Return the program before learning: the target, the columns, and the clauses of the background."""
    name = survey.label if survey.label not in columns else f"{survey.label} (target)"
    first = positive or 0
    concluded, other = plain_label(survey.classes[first]), plain_label(survey.classes[1 - first])
    related = {column.name: column for column in task.related}
    described = tuple(related.get(name, column) for name, column in columns.items())
    clauses = _background(task, name, [column for column in described if not column.atoms])
    clauses += _conjunctions(name, described, clauses)
    target = Target(name, (concluded,), other)
    return Program(target, described, clauses, tuple(task.missing), related=task.beside)


def _conjunctions(target: str, columns: Sequence[Column], background: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return a helper for each conjunction over relations."""
    names = name_predicates(target, columns)
    taken = {names.target, *names.numbers_or_words.values(), *names.words_among_numbers.values()}
    taken |= {clause.name for clause in background if clause.name is not None} | {*relations_of(columns)}
    related = [column for column in columns if column.atoms]
    return tuple(Clause(helper_name(each.atoms, taken), None, (related_literal(each),)) for each in related)


def _background(task: Task, target: str, columns: Sequence[Column]) -> tuple[Clause, ...]:
    if task.background is None:
        return ()
    from unless.logic.background.predicates import read_background
    from unless.logic.text.files import read_text

    text = task.background if isinstance(task.background, str) else read_text(task.background)
    return read_background(text, target, columns)
