"""How good a learner is on rows that it has not seen: learning again, without some of the rows.

In: training data and the settings that a program was learned with. Out: `Unseen`, counts of rows right, or None where
rows cannot be kept apart (a cluster, too few rows). Up to `SMALL` rows each row is held out once, in five folds; a
larger table keeps one fifth apart and learns once more. Up to `LARGE` rows there are five folds too where a fifth would
have one of two labels in fewer than `FEW` rows: no figure about so few could be trusted. Which rows those are depends
on the table alone. How columns are read and which are left out was decided on all rows, as for the program itself;
values that only rows kept apart have are never tested. Where labels weigh differently, rows right are counted label by
label too.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.hold_out import folds
from unless.evaluate.probabilities import as_they_are
from unless.evaluate.reliability import auc
from unless.evaluate.truth import Truth
from unless.learn.front import learn_data
from unless.learn.rows.decoded import DecodedCells, known_helpers
from unless.learn.rows.source import LocalSource, LocalTable
from unless.learn.weights import label_weights
from unless.logic.program import label_text
from unless.logic.unseen_rows import Unseen, UnseenLabels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import Task, TrainingData, Watch

SMALL, LARGE = 2000, 20_000
FEW = 50
N_FOLDS = 5
FEWEST = 10
"""With fewer rows, an interval says nothing."""


def check_unseen(
    data: TrainingData,
    settings: LearnerSettings,
    *,
    on_fold: Callable[[int, int], None] | None = None,
    watch: Watch | None = None,
) -> Unseen | None:
    """Learn without some rows, predict them, and count; `on_fold` hears which fold of how many begins.

    `watch` hears of each step inside the folds, and ends them by raising what Ctrl-C raises: then None, or that.
    """
    if not isinstance(data.table, LocalTable) or _too_little(data):
        return None
    groups = folds(data.table.labels, N_FOLDS)[: _n_folds(data)]
    found = []
    for number, rows in enumerate(groups, 1):
        if on_fold is not None:
            on_fold(number, len(groups))
        fold = _fold(data, settings, rows, watch)
        if fold is None:
            return None
        found.append(fold)
    aucs = [fold.auc for fold in found if fold.auc is not None]
    labels = [fold.by_label for fold in found if fold.by_label is not None]
    return Unseen(
        sum(fold.n_rows for fold in found), sum(fold.n_right for fold in found), len(groups),
        found[0].commonest, sum(fold.n_commonest for fold in found), sum(aucs) / len(aucs) if aucs else None,
        by_label=reduce(UnseenLabels.plus, labels) if labels else None, gained=sum(fold.gained or 0 for fold in found),
    )  # fmt: skip


def _n_folds(data: TrainingData) -> int:
    is_rare = data.n_rows <= LARGE and len(data.counts) == 2 and int(data.counts.min()) < N_FOLDS * FEW
    return N_FOLDS if data.n_rows <= SMALL or is_rare else 1


def why_unchecked(task: Task, data: TrainingData) -> str | None:
    """Say why no rows of a task can be kept apart; None where they can."""
    if not isinstance(task.source, LocalSource):
        return "the rows are on a cluster"
    return "the table is read in pieces" if task.source.n_parts > 1 else _too_little(data)


def _too_little(data: TrainingData) -> str | None:
    if data.n_rows < FEWEST:
        return f"there are fewer than {FEWEST} rows"
    return "some label has only one row" if data.counts.min() < 2 else None


def _fold(data: TrainingData, settings: LearnerSettings, rows: NDArray[np.intp], watch: Watch | None) -> Unseen | None:
    """Learn without some rows and predict them; None if learning was cut short."""
    is_kept = np.ones(data.n_rows, dtype=np.bool_)
    is_kept[rows] = False
    learned = learn_data(data.take(np.flatnonzero(is_kept)), settings, watch)
    if learned.stopped:
        return None
    held_out, program = data.take(rows), learned.program
    table, commonest = held_out.local, int(data.counts.argmax())
    cells = DecodedCells(table)
    decided = Truth(program, cells, len(rows), known_helpers(table, data.theory.helpers)).decided
    texts = [label_text(label) for label in data.labels]
    concluded = [texts.index(label_text(label)) for label in (*program.target.labels, program.target.default)]
    is_right = np.array(concluded)[decided] == table.labels
    area = None
    if len(texts) == 2:
        area = auc(as_they_are(program, cells, decided)[:, 0], table.labels == concluded[0])
    return Unseen(
        len(rows), int(is_right.sum()), 1, data.labels[commonest], int(held_out.counts[commonest]), area,
        by_label=_by_label(held_out, is_right, settings), gained=int(is_right[table.labels != commonest].sum()),
    )  # fmt: skip


def _by_label(data: TrainingData, is_right: NDArray[np.bool_], settings: LearnerSettings) -> UnseenLabels | None:
    """Count rows right label by label, where labels weigh differently: there accuracy is not what was asked for."""
    by_label, costs = getattr(settings, "class_weight", None), getattr(settings, "costs", None)
    if by_label is None and costs is None:
        return None
    labels = data.local.labels
    n_right = np.bincount(labels[is_right], minlength=len(data.classes))
    by_cost = None if costs is None else tuple(label_weights(data.classes, costs, "costs").tolist())
    return UnseenLabels(tuple(data.labels), tuple(data.counts.tolist()), tuple(n_right.tolist()), by_cost)
