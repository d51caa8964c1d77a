"""What is learned in the studio, from which rows, by which learner.

In: the open table and the settings. Out: a program, by the library's own classifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.hold_out import hold_out
from unless.logic.program import unnamed_default
from unless.logic.values import read_number
from unless.table.labels import one_against_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Kind, Label
    from unless.table.columns import RawColumn
    from unless.web.open_table import OpenTable
    from unless.web.schemas import Learner

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
    learner: Learner = "fold-r++"
    ratio: float = 0.5
    size_penalty: float = 1.0
    held_out: float = 0.25


@dataclass(frozen=True)
class HeldOut:
    """Which share of the rows was held out, by the labels of which column."""

    target: str
    share: float


def learn_program(
    opened: OpenTable, settings: StudioSettings, training: NDArray[np.bool_], watch: Callable[[Any], None]
) -> Program:
    """Learn from the rows that are not held out; `watch` hears of each step."""
    from unless.estimators.foldrpp_classifier import FoldRPPClassifier
    from unless.estimators.unless_classifier import UnlessClassifier

    if settings.target is None:
        msg = "choose the column to predict first."
        raise DataError(msg)
    labels, positive = _labels(opened, settings.target, settings.positive)
    rows = opened.table.without({settings.target, *settings.left_out} & set(opened.table.names))
    train = np.flatnonzero(training)
    shared: dict[str, Any] = {
        "positive": positive,
        "categorical_features": [name for name in rows.names if settings.kinds[name] == "categorical"],
        "missing_values": settings.missing,
    }
    table, told = rows.take(train), labels.take(train)
    learned: Program
    if settings.learner == "unless":
        learned = UnlessClassifier(settings.size_penalty, **shared).fit(table, told, on_progress=watch).program_
    else:
        learned = FoldRPPClassifier(settings.ratio, **shared).fit(table, told, on_rule=watch).program_
    return learned


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
