"""What passes between a classifier and its learner: a table, the rules to keep, and the shares of classes by leaf.

In: cells, codes, labels, weights. Out: the program of learned rules, and for each way to a label (a leaf, see
`predict`) the smoothed shares of the classes, in which the label told is always the largest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from unless.errors import DataError
from unless.evaluate.leaves import leaves
from unless.evaluate.shares import agreeing, leaf_counts, leaf_labels, smoothed_shares
from unless.evaluate.truth import Truth
from unless.logic.forms.flatten import flatten
from unless.logic.program import Program, label_text
from unless.logic.rules import Rule
from unless.logic.text.parser import parse
from unless.table.labels import index_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.logic.program import Clause
    from unless.logic.rules import Label
    from unless.table.cells import Cells
    from unless.table.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A table read for learning: the empty program with its background, cells, codes, labels, weights."""

    theory: Program
    cells: Mapping[str, Cells]
    columns: Columns
    labels: Labels
    positive: int
    weights: NDArray[np.float64] | None = None

    @property
    def label(self) -> Label:
        """Return the label that the rules conclude."""
        return self.theory.target.labels[0]

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Return which rows have it."""
        flags: NDArray[np.bool_] = self.labels.codes == self.positive
        return flags


def flatten_lesson(lesson: Lesson, rules: Sequence[Rule], kept: Sequence[Clause] = ()) -> Program:
    """Write learned rules as a program, after the kept clauses and with the background they use."""
    theory = lesson.theory
    return flatten(rules, theory.target, theory.columns, theory.missing, theory.clauses, kept)


# Locked rules: those to keep as they are.


def preference(
    locked: str | Program | Sequence[Rule] | None, labels: Labels, weights: NDArray[np.float64] | None
) -> NDArray[Any]:
    """Rank the labels as the positive one: that of the locked rules first, else the rarer one."""
    if isinstance(locked, str | Program):
        told = label_text(_program(locked).target.labels[0])
        found = [i for i, label in enumerate(labels.classes.tolist()) if label_text(label) == told]
        if found:
            return np.asarray(np.arange(len(labels.classes)) == found[0])
    return np.asarray(-np.bincount(labels.codes, weights))


def row_weights(labels: Labels, sample_weight: Any, class_weight: Any) -> NDArray[np.float64] | None:
    """Return the weight of each row, by itself and by its label; None if all weigh the same."""
    weights: NDArray[np.float64] | None = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, np.empty(len(labels)), ensure_non_negative=True)
    if class_weight is not None:
        told = labels.classes[labels.codes]
        by_class = compute_class_weight(class_weight, classes=labels.classes, y=told)[labels.codes]
        weights = by_class if weights is None else weights * by_class
    if weights is None:
        return None
    with np.errstate(over="ignore"):
        is_sound = (weights >= 0).all() and np.isfinite(weights.sum())
    if not is_sound:
        msg = "a weight is negative or not a number, or all together are too large to add up; "
        msg += "accepted for sample_weight and class_weight: numbers of at least 0."
        raise DataError(msg)
    if len({*labels.codes[weights > 0].tolist()}) < 2:
        msg = "the rows with a weight above 0 are of one class only; two are needed to learn anything."
        raise DataError(msg)
    return weights


def kept_clauses(lesson: Lesson, locked: str | Program | Sequence[Rule] | None) -> tuple[Clause, ...]:
    """Return the clauses of the locked rules."""
    theory = lesson.theory
    if locked is None:
        return ()
    if not isinstance(locked, str | Program):
        if wrong := [rule for rule in locked if not isinstance(rule, Rule)]:
            msg = f"locked holds {wrong[0]!r}; accepted: a program, its text (all clauses in one), or a list of rules."
            raise DataError(msg)
        return flatten(locked, theory.target, theory.columns, theory.missing).clauses
    clauses = _program(locked).clauses
    for clause in clauses:
        if clause.name is None and label_text(clause.label or "") != label_text(lesson.label):
            msg = f"a locked rule concludes {clause.label!r}; locked rules must conclude {lesson.label!r}, "
            msg += "the positive label. Hint: set positive."
            raise DataError(msg)
    return tuple(c if c.name is not None else replace(c, label=lesson.label) for c in clauses)


def where_kept_hold(lesson: Lesson, kept: Sequence[Clause]) -> list[NDArray[np.uint8]]:
    """Return where each locked rule holds."""
    theory = replace(lesson.theory, clauses=(*kept, *lesson.theory.clauses))
    truth = Truth(theory, lesson.cells, len(lesson.labels))
    return [truth.clause(clause).astype(np.uint8) for clause in kept if clause.name is None]


def _program(locked: str | Program) -> Program:
    return parse(locked) if isinstance(locked, str) else locked


# Shares of the classes.


def leaf_shares(program: Program, classes: NDArray[Any], lesson: Lesson | None = None) -> NDArray[np.float64]:
    """Return for each leaf the smoothed shares of the classes among the training rows it decides."""
    if lesson is None:
        counts = np.zeros((len(leaves(program)), len(classes)))
    else:
        counts = leaf_counts(program, lesson.cells, lesson.labels.codes, len(classes), lesson.weights)
    return smoothed_shares(counts, leaf_labels(program, told_places(program, classes)))


def calibrated(
    shares: NDArray[np.float64], told: NDArray[np.intp], seen: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Correct the share of the label told, leaf by leaf, by how often such a share was right on held-out rows.

    `seen` has for each held-out row the share that a program learned without it gave to its label, and whether the
    label was right. The correction never turns a larger share into a smaller one (isotonic regression).
    """
    from sklearn.isotonic import IsotonicRegression

    edge = 1.0 / (len(seen) + 2.0)  # no certainty from a sample
    curve = IsotonicRegression(y_min=edge, y_max=1.0 - edge, out_of_bounds="clip")
    curve.fit(seen[:, 0], seen[:, 1], weights)
    old = shares[np.arange(len(shares)), told]
    new = curve.predict(old)
    left = np.maximum(1.0 - old, np.finfo(np.float64).tiny)  # a share may be so near 1 that nothing is left
    others = shares * ((1.0 - new) / left)[:, None]
    others[np.arange(len(shares)), told] = new
    return np.array([agreeing(row, place) for row, place in zip(others, told, strict=True)])


def told_places(program: Program, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place among the classes of each label of the target, the default last."""
    return np.array([index_of(classes, label) for label in (*program.target.labels, program.target.default)])
