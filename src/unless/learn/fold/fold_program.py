"""FOLD-R++, FOLD-R and FOLD-RM on training data: rules are learned, kept on the way, and written as a program.

In: `TrainingData`, the learner's settings, who watches. Out: `Learned`. Knows nothing of where the rows are.
"""

from __future__ import annotations

import logging
import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import Count, NotePart
from unless.learn.checkpoint import Checkpoint, fingerprint
from unless.learn.fold.chooser import Chooser
from unless.learn.fold.copies import counted_out
from unless.learn.fold.foil import GainChooser, PositiveChooser
from unless.learn.fold.foldr import FoldR
from unless.learn.fold.foldrm import FoldRM
from unless.learn.fold.foldrpp import FoldRPP
from unless.learn.rows.row_set import LocalRows
from unless.learn.task import Learned
from unless.logic.forms.flatten import flatten, flatten_ordered

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.learn.fold.foldrpp import Progress
    from unless.learn.learners import FoldRPPSettings, FoldRSettings
    from unless.learn.settings import LearnerSettings
    from unless.learn.task import TrainingData, Watch
    from unless.logic.program import Target
    from unless.logic.rules import Rule

    OnRule = Callable[[Progress], None] | None

log = logging.getLogger("unless")

NO_RULE = "no rule is found: of %s rows %s are %r, and every row gets the other label; %s."
NO_RULE_OF_MANY = "no rule is found for any of the %s labels, so every row gets %r; %s."
LET_FEWER = "let rules cover fewer rows (tail=0, --tail 0)"
WEIGH_ALIKE = "weigh the labels alike (class_weight='balanced', --balanced)"
ANOTHER = "another learner may find one (UnlessClassifier, --algorithm unless)"


def learn_foldrpp(data: TrainingData, settings: FoldRPPSettings, watch: Watch) -> Learned:
    """Learn by FOLD-R++; more than two labels by FOLD-RM."""
    given, data = data, counted_out(data)

    def fold(on_rule: OnRule) -> FoldRPP[Any]:
        chooser = Chooser(data.columns, mgi=settings.heuristic == "mgi")
        return FoldRPP(chooser, settings.ratio, on_rule, max(1, math.floor(settings.tail * data.n_rows)))

    if data.positive is None:
        learned = _ordered(data, fold(watch.on_progress))
    else:
        learned = _two_labels(data, data.positive, settings, watch, fold)
    if not learned.rules:
        _say_nothing_found(given, learned.program.target, tail=settings.tail)
    return learned


def _say_nothing_found(data: TrainingData, target: Target, *, tail: float = 0.0) -> None:
    """Say that every row gets one label, and what to do about it."""
    hint = NotePart(LET_FEWER if tail else WEIGH_ALIKE if data.weights is None else ANOTHER)
    if data.positive is None:
        log.warning(NO_RULE_OF_MANY, Count(len(data.labels)), str(target.default), hint)
    else:
        label = str(target.labels[0])
        log.warning(NO_RULE, Count(data.n_rows), Count(data.counts[data.positive]), label, hint)


def learn_foldr(data: TrainingData, settings: FoldRSettings, watch: Watch) -> Learned:
    """Learn by FOLD-R."""
    given, data = data, counted_out(data)
    assert data.positive is not None

    def fold(on_rule: OnRule) -> FoldR | FoldRPP[Any]:
        if settings.heuristic == "information":
            return FoldRPP(PositiveChooser(data.columns), 0.0, on_rule)
        return FoldR(GainChooser(data.columns), on_rule)

    learned = _two_labels(data, data.positive, settings, watch, fold)
    if not learned.rules and settings.heuristic == "information":  # else FOLD-R says which rows it leaves
        _say_nothing_found(given, learned.program.target)
    return learned


def _two_labels(
    data: TrainingData, positive: int, settings: LearnerSettings, watch: Watch, make: Callable[[OnRule], Any]
) -> Learned:
    """Learn rules for one label against the other, after those that a checkpoint has."""
    rows, theory = data.table.rows(positive), data.theory
    on_rule: OnRule = watch.on_progress
    finished: tuple[Rule, ...] = ()
    if watch.checkpoint is not None:
        described = {"learner": settings.name, **{name: repr(value) for name, value in asdict(settings).items()}}
        keeper = Checkpoint.open(watch.checkpoint, fingerprint(data.columns, rows, theory, described), on_rule)
        on_rule, finished = keeper.add, keeper.rules
    rules, rest = make(on_rule).learn(rows, theory.target.labels[0], finished)
    program = flatten(rules, theory.target, theory.columns, theory.missing, theory.clauses)
    covered = ((rows.n_pos - rest.n_pos, rows.n_neg - rest.n_neg), (rest.n_pos, rest.n_neg))
    return Learned(program, rules, data.classes, covered=covered, decided=_decided(data, positive, rest))


def _decided(data: TrainingData, positive: int, rest: Any) -> NDArray[np.intp] | None:
    """Return the label given to each row, as an index, by those that no rule covers; None where they are elsewhere."""
    if not isinstance(rest, LocalRows):
        return None
    decided = np.full(data.n_rows, positive, dtype=np.intp)
    decided[rest.pos] = decided[rest.neg] = 1 - positive
    return decided


def _ordered(data: TrainingData, fold: FoldRPP[Any]) -> Learned:
    """Learn rules in an order; the default is the commonest label of the rows that no rule covers."""
    theory, labels = data.theory, data.labels
    rules, counts = FoldRM(fold).learn([data.table.rows(index) for index in range(len(labels))], labels)
    rest = counts[-1] if counts[-1].any() else counts.sum(axis=0)
    target = replace(theory.target, default=labels[int(np.argmax(rest))])
    program = flatten_ordered(rules, target, theory.columns, theory.missing, theory.clauses)
    return Learned(program, rules, data.classes)
