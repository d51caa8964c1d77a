"""How good a learner is on rows that it has not seen: the whole road again, without some of the rows.

In: a task and the settings that a program was learned with. Out: `Unseen`, counts of rows right, or None where rows
cannot be kept apart (pieces of a file, a cluster, too few rows). Up to `SMALL` rows each row is held out once, in five
folds; a larger table keeps one fifth apart and learns once more. Which rows those are depends on the table alone.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.hold_out import folds
from unless.evaluate.predict import predict
from unless.learn.front import learn
from unless.learn.rows.source import LocalSource
from unless.learn.rows.survey import Part
from unless.logic.unseen_rows import Unseen
from unless.table.labels import Labels, plain_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.table.frames import RawTable

    Grades = Callable[[Program, RawTable], NDArray[np.float64]]
    """How strongly a program speaks for its first label, row by row."""

SMALL = 2000
N_FOLDS = 5
FEWEST = 10
"""With fewer rows, an interval says nothing."""


def check_unseen(
    task: Task, settings: LearnerSettings, *, on_fold: Callable[[int, int], None] | None = None,
    grades: Grades | None = None,
) -> Unseen | None:  # fmt: skip
    """Learn without some rows, predict them, and count; `on_fold` hears which fold of how many begins."""
    part = task.source.only_part() if isinstance(task.source, LocalSource) else None
    if part is None or _too_little(part):
        return None
    groups = folds(part.labels.codes, N_FOLDS)[: N_FOLDS if len(part.labels) <= SMALL else 1]
    found = []
    for number, rows in enumerate(groups, 1):
        if on_fold is not None:
            on_fold(number, len(groups))
        with _silently():
            fold = _fold(task, settings, part, rows, grades)
        if fold is None:
            return None
        found.append(fold)
    aucs = [fold.auc for fold in found if fold.auc is not None]
    return Unseen(
        sum(fold.n_rows for fold in found), sum(fold.n_right for fold in found), len(groups),
        found[0].commonest, sum(fold.n_commonest for fold in found), sum(aucs) / len(aucs) if aucs else None,
    )  # fmt: skip


def why_unchecked(task: Task) -> str | None:
    """Say why no rows of a task can be kept apart; None where they can."""
    if not isinstance(task.source, LocalSource):
        return "the rows are on a cluster"
    part = task.source.only_part()
    return "the table is read in pieces" if part is None else _too_little(part)


def _too_little(part: Part) -> str | None:
    if len(part.labels) < FEWEST:
        return f"there are fewer than {FEWEST} rows"
    return "some label has only one row" if part.labels.counts().min() < 2 else None


def area_under_curve(is_first: NDArray[np.bool_], grades: NDArray[np.float64]) -> float | None:
    """Return how often a row of the first label has the higher grade, of all pairs; equal grades count half.

    >>> area_under_curve(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))
    0.75
    """
    n_first = int(is_first.sum())
    n_others = len(is_first) - n_first
    if not n_first or not n_others:
        return None
    _, codes, counts = np.unique(grades, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[codes]
    return float((ranks[is_first].sum() - n_first * (n_first + 1) / 2) / (n_first * n_others))


@contextmanager
def _silently() -> Iterator[None]:
    """Say nothing about columns: it was said of the whole table."""
    logger = logging.getLogger("unless")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _fold(
    task: Task, settings: LearnerSettings, part: Part, rows: NDArray[np.intp], grades: Grades | None
) -> Unseen | None:
    """Learn without some rows and predict them; None if learning was cut short."""
    kept = np.setdiff1d(np.arange(len(part.labels)), rows)
    weights = None if task.weights is None else task.weights[kept]
    assert isinstance(task.source, LocalSource)
    screening = None if task.screening is None else replace(task.screening, remarks=False)
    source = task.source.of_part(_taken(part, kept))
    learned = learn(replace(task, source=source, weights=weights, screening=screening), settings)
    if learned.stopped:
        return None
    held_out = _taken(part, rows)
    actual = [plain_label(label) for label in held_out.labels.classes[held_out.labels.codes]]
    predicted = predict(learned.program, held_out.table)
    commonest = plain_label(part.labels.classes[int(part.labels.counts().argmax())])
    first = np.array([label == learned.program.target.labels[0] for label in actual])
    auc = None if grades is None else area_under_curve(first, grades(learned.program, held_out.table))
    n_right = sum(a == b for a, b in zip(actual, predicted, strict=True))
    return Unseen(len(rows), n_right, 1, commonest, actual.count(commonest), auc)


def _taken(part: Part, rows: NDArray[np.intp]) -> Part:
    """Return some rows of a part; labels that none of them has are gone."""
    used, codes = np.unique(part.labels.codes[rows], return_inverse=True)
    return Part(part.table.take(rows), Labels(part.labels.name, part.labels.classes[used], codes), part.origin)
