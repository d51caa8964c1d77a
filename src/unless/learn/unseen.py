"""How good a learner is on rows that it has not seen: the whole road again, without some of the rows.

In: a task and the settings that a program was learned with. Out: `Unseen`, counts of rows right, or None where rows
cannot be kept apart (pieces of a file, a cluster, too few rows). Up to `SMALL` rows each row is held out once, in five
folds; a larger table keeps one fifth apart and learns once more. Which rows those are depends on the table alone.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.hold_out import folds
from unless.evaluate.predict import predict
from unless.learn.front import learn
from unless.learn.rows.source import LocalSource
from unless.learn.rows.survey import Part
from unless.table.labels import Labels, plain_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.logic.rules import Label
    from unless.table.frames import RawTable

    Grades = Callable[[Program, RawTable], NDArray[np.float64]]
    """How strongly a program speaks for its first label, row by row."""

SMALL = 2000
N_FOLDS = 5
FEWEST = 10
"""With fewer rows, an interval says nothing."""

Z = 1.959963984540054
"""Of 95 % of all draws from a normal distribution, the most distant."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """How many held-out rows were right, by the learned programs and by always saying the commonest label."""

    n_rows: int
    n_right: int
    n_folds: int
    commonest: Label
    n_commonest: int
    auc: float | None = None

    @property
    def accuracy(self) -> float:
        """Return the share of held-out rows whose label was right."""
        return self.n_right / self.n_rows

    @property
    def interval(self) -> tuple[float, float]:
        """Return where the accuracy lies, with 95 % confidence."""
        return wilson(self.n_right, self.n_rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        low, high = self.interval
        return {
            "rows": self.n_rows,
            "folds": self.n_folds,
            "accuracy": self.accuracy,
            "accuracy_low": low,
            "accuracy_high": high,
            "commonest_label": self.commonest,
            "accuracy_of_commonest_label": self.n_commonest / self.n_rows,
            "auc": self.auc,
        }


def check_unseen(
    task: Task, settings: LearnerSettings, *, on_fold: Callable[[int, int], None] | None = None,
    grades: Grades | None = None,
) -> Unseen | None:  # fmt: skip
    """Learn without some rows, predict them, and count; `on_fold` hears which fold of how many begins."""
    part = task.source.only_part() if isinstance(task.source, LocalSource) else None
    if part is None or len(part.labels) < FEWEST or part.labels.counts().min() < 2:
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


def wilson(n_right: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, with 95 % confidence.

    >>> [round(end, 3) for end in wilson(90, 100)]
    [0.826, 0.945]
    """
    share, weight = n_right / n_rows, Z * Z / n_rows
    middle = share + weight / 2
    reach = sqrt(weight * (share * (1 - share) + weight / 4))
    return (middle - reach) / (1 + weight), (middle + reach) / (1 + weight)


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
