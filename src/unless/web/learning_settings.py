"""What is learned in the studio, from which rows, by which learner, under which constraints.

In: the open table and the settings. Out: a program, by the library's own learners; with folds, also how good programs
learned alike are on rows that they have not seen.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np

from unless.errors import DataError
from unless.evaluate.predict import label_word
from unless.learn.front import frontier, learn_data, read_data, table_task
from unless.learn.learners import LEARNERS, FoldRPPSettings, UnlessSettings
from unless.learn.settings import LearnerSettings, descriptions
from unless.learn.task import Watch
from unless.logic.program import label_text, unnamed_default
from unless.logic.values import read_number
from unless.table.kind_choice import override
from unless.table.kinds import KindRule
from unless.table.labels import one_against_rest, plain_label, read_labels
from unless.web.studio.kept_apart import How, KeptApart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from unless.learn.size_path import Frontier
    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.logic.rules import Kind, Label
    from unless.table.columns import RawColumn
    from unless.web.open_table import OpenTable
    from unless.web.schemas import Learner

N_THREADS = os.cpu_count() or 1

PLAIN = (
    "target", "positive", "learner", "ratio", "size_penalty", "max_rules", "held_out", "how_apart", "apart_column",
    "keep_locked", "directions", "costs",
)  # fmt: skip
"""The settings that are taken as they come."""
LISTS = ("left_out", "missing", "forbidden", "never_together")
UNSET = ("target", "positive", "max_rules", "apart_column")
"""The settings that may have no value."""


@dataclass(frozen=True)
class StudioSettings:
    """How the table is read, and what is to be learned from it.

    `ratio` is for FOLD-R++; what follows it up to `costs` is for the learner of whole programs: directions are +1 or -1
    by column, `never_together` pairs of columns that no rule combines, costs by label what an error on its rows costs.
    `forbidden` columns are part of the program, whose file says that no rule tests them; those left out are not.
    """

    kinds: Mapping[str, Kind]
    left_out: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    target: str | None = None
    positive: str | None = None
    learner: Learner = "unless"
    ratio: float = FoldRPPSettings.ratio
    size_penalty: float = UnlessSettings.size_penalty
    max_rules: int | None = None
    forbidden: tuple[str, ...] = ()
    directions: Mapping[str, int] = field(default_factory=dict)
    never_together: tuple[tuple[str, str], ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)
    keep_locked: bool = True
    held_out: float = 0.25
    how_apart: How = "share"
    apart_column: str | None = None

    def of_learner(self, labels: RawColumn, columns: tuple[str, ...], locked: Program | None) -> LearnerSettings:
        """Return the settings of the learner that was chosen; constraints on columns that are left out are dropped."""
        chosen = LEARNERS[self.learner]
        known = {name: getattr(self, name) for name in descriptions(chosen) if hasattr(self, name)}
        known.pop("costs", None)
        if self.learner == "unless":
            directions = {name: way for name, way in self.directions.items() if name in columns}
            pairs = tuple((a, b) for a, b in self.never_together if a in columns and b in columns)
            classes = [plain_label(label) for label in read_labels(labels).classes]
            costs = {label: self.costs[label_text(label)] for label in classes if label_text(label) in self.costs}
            forbidden = tuple(name for name in self.forbidden if name in columns)
            known |= {"forbidden": forbidden, "apart": pairs, "monotonic_cst": directions or None}
            known |= {"costs": costs or None}
            known |= {"locked": locked if self.keep_locked else None}
        return chosen(**known)

    @property
    def not_learned_from(self) -> set[str]:
        """Name the columns that the learner does not see; FOLD-R++ would test forbidden ones."""
        return {*self.left_out, *(() if self.learner == "unless" else self.forbidden)}

    def constrained_by(self, program: Program, opened: OpenTable) -> StudioSettings:
        """Return the settings by which learning again keeps to what a program keeps to, where the table has it.

        Directions are of the label of its rules, so that is to be learned for, and of columns that are read as numbers.
        """
        asked, target = program.constraints.among(opened.table.names), program.target
        changed = replace(
            self, forbidden=asked.forbidden, never_together=asked.apart, directions=dict(asked.directions)
        )
        if not asked or target.column not in opened.table.names:
            return changed
        if target.column != self.target:
            changed = replace(changed, target=target.column, positive=None, costs={})
        if not asked.directions:
            return changed
        kinds = override(self.kinds, [], [name for name, _ in asked.directions])
        return replace(changed, kinds=kinds, positive=label_word(target.labels[0]))

    def kept_apart(self, opened: OpenTable) -> KeptApart | None:
        """Return how rows of a table are kept apart, where it is known what is predicted."""
        if self.target is None:
            return None
        return KeptApart(self.target, self.held_out, self.how_apart, self.apart_column, opened.digest)


@dataclass(frozen=True)
class LearningOrder:
    """What is to be learned from: a table, settings, rows to learn from, how others are kept apart, rules to keep."""

    opened: OpenTable
    settings: StudioSettings
    training: NDArray[np.bool_]
    apart: KeptApart | None = None
    locked: Program | None = None

    def task(self) -> tuple[Task, LearnerSettings]:
        """Return the task and the learner's settings."""
        opened, settings = self.opened, self.settings
        if settings.target is None:
            msg = "choose the column to predict first."
            raise DataError(msg)
        labels, positive = _labels(opened, settings.target, settings.positive)
        rows = opened.table.without({settings.target, *settings.not_learned_from} & set(opened.table.names))
        train = np.flatnonzero(self.training)
        kinds = {name: settings.kinds[name] for name in rows.names}
        readings = {n: r for n, r in opened.readings.items() if kinds.get(n) == "numerical"}
        rule = KindRule("dtype", kinds, readings=readings)
        options: dict[str, Any] = {"positive": positive, "missing": settings.missing, "n_threads": N_THREADS}
        options |= {"directs_rules": True}  # "more speaks for it", says the page, of the label that rules conclude
        task = table_task(rows.take(train), labels.take(train), kinds=rule, **options)
        return task, settings.of_learner(labels.take(train), tuple(rows.names), self.locked)


def learn_program(order: LearningOrder, watch: Callable[[Any], None]) -> Program:
    """Learn from the rows that are not held out; `watch` hears of each stage and step, of folds too.

    Stopped while folds are grown, the program that is learned already stays, without their figures.
    """
    task, settings = order.task()
    watch(WorkStage("reading"))
    rows = read_data(task, settings, Watch(watch))
    watch(WorkStage("learning"))
    learned = learn_data(rows, settings, Watch(watch, on_grading=lambda: watch(WorkStage("grading", is_last=True))))
    program = learned.program
    if order.settings.how_apart != "folds" or learned.stopped:
        return program
    from unless.learn.unseen import check_unseen

    try:
        unseen = check_unseen(rows, settings, on_fold=lambda n, n_all: watch(Fold(n, n_all)), watch=Watch(watch))
    except KeyboardInterrupt:
        return program
    return program if unseen is None else replace(program, unseen=replace(unseen, mark=program.mark))


@dataclass(frozen=True, slots=True)
class WorkStage:
    """What a watcher hears when another kind of work begins; the last kind is not worth stopping."""

    name: OneOf["reading", "learning", "grading"]
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """What a watcher hears when a fold begins."""

    number: int
    n_folds: int


def learn_sizes(order: LearningOrder, watch: Callable[[Any], None]) -> Frontier:
    """Learn programs of all sizes, each with its accuracy on rows that it has not seen; `watch` hears of each step."""
    task, settings = order.task()
    if not isinstance(settings, UnlessSettings):
        msg = "programs of all sizes are for the learner of few rules; choose it under How."
        raise DataError(msg)
    watch(WorkStage("reading"))
    return frontier(task, settings, Watch(watch))


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
