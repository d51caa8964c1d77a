"""What is learned in the studio, from which rows, by which learner.

In: the open table and the settings. Out: a program, by the library's own classifiers.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.hold_out import hold_out
from unless.learn.front import learn, table_task
from unless.learn.learners import LEARNERS, FoldRPPSettings, UnlessSettings
from unless.learn.settings import LearnerSettings, descriptions
from unless.logic.program import unnamed_default
from unless.logic.values import read_number
from unless.table.kinds import KindRule
from unless.table.labels import one_against_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Kind, Label
    from unless.table.columns import RawColumn
    from unless.web.open_table import OpenTable
    from unless.web.schemas import Learner

N_THREADS = os.cpu_count() or 1

PLAIN = ("target", "positive", "learner", "ratio", "size_penalty", "held_out")
"""The settings that are single values."""


@dataclass(frozen=True)
class StudioSettings:
    """How the table is read, and what is to be learned from it.

    `ratio` is for FOLD-R++, `size_penalty` for the learner of whole programs.
    """

    kinds: Mapping[str, Kind]
    left_out: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    target: str | None = None
    positive: str | None = None
    learner: Learner = "unless"
    ratio: float = FoldRPPSettings.ratio
    size_penalty: float = UnlessSettings.size_penalty
    held_out: float = 0.25

    @property
    def of_learner(self) -> LearnerSettings:
        """Return the settings of the learner that was chosen."""
        chosen = LEARNERS[self.learner]
        known = {name: getattr(self, name) for name in descriptions(chosen) if hasattr(self, name)}
        return chosen(**known)


@dataclass(frozen=True)
class HeldOut:
    """Which share of the rows was held out, by the labels of which column."""

    target: str
    share: float


def learn_program(
    opened: OpenTable, settings: StudioSettings, training: NDArray[np.bool_], watch: Callable[[Any], None]
) -> Program:
    """Learn from the rows that are not held out; `watch` hears of each step."""
    if settings.target is None:
        msg = "choose the column to predict first."
        raise DataError(msg)
    labels, positive = _labels(opened, settings.target, settings.positive)
    rows = opened.table.without({settings.target, *settings.left_out} & set(opened.table.names))
    train = np.flatnonzero(training)
    kinds = {name: settings.kinds[name] for name in rows.names}
    readings = {n: r for n, r in opened.readings.items() if kinds.get(n) == "numerical"}
    rule = KindRule("dtype", kinds, readings=readings)
    task = table_task(
        rows.take(train),
        labels.take(train),
        kinds=rule,
        positive=positive,
        missing=settings.missing,
        n_threads=N_THREADS,
    )
    return learn(task, settings.of_learner, on_progress=watch).program


def draw_rows(opened: OpenTable, target: str, n_rows: int) -> NDArray[np.intp]:
    """Draw rows to hold out, of each label alike, the same ones every time."""
    words = opened.read(opened.table.column(target), "categorical").words
    assert words is not None
    return hold_out(words.codes, n_rows)


def _labels(opened: OpenTable, target: str, positive: str | None) -> tuple[RawColumn, Label | None]:
    """Return the labels to learn from, and the positive one; of more than two, one against the rest."""
    column = opened.table.column(target)
    if positive is None:
        return column, None
    words = opened.read(column, "categorical").words
    assert words is not None
    if len(words.lexicon) > 2 and positive in words.lexicon:
        return one_against_rest(column, positive, unnamed_default([positive])), positive
    return column, positive if column.numbers is None else read_number(positive)
