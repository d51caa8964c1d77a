"""What passes between a classifier and its learner: a table read for learning, and the shares of classes by leaf.

In: cells, codes, labels, weights. Out: the program of learned rules, and for each way to a label (a leaf, see
`predict`) the smoothed shares of the classes, in which the label told is always the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.inputs import agreeing, agreeing_shares, place_of
from unless.logic.flatten import flatten
from unless.predict import leaf_places, leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.columns import Columns
    from unless.logic.program import Clause, Program
    from unless.rules import Label, Rule
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


def leaf_shares(program: Program, classes: NDArray[Any], lesson: Lesson | None = None) -> NDArray[np.float64]:
    """Return for each leaf the smoothed shares of the classes among the training rows it decides."""
    every = leaves(program)
    counts = np.zeros((len(every), len(classes)))
    if lesson is not None:
        places = leaf_places(program, lesson.cells, len(lesson.labels))
        np.add.at(counts, (places, lesson.labels.codes), 1.0 if lesson.weights is None else lesson.weights)
    told = told_places(program, classes)
    return np.array([agreeing_shares(row, told[leaf.place]) for row, leaf in zip(counts, every, strict=True)])


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
    others = shares * ((1.0 - new) / (1.0 - old))[:, None]
    others[np.arange(len(shares)), told] = new
    return np.array([agreeing(row, place) for row, place in zip(others, told, strict=True)])


def told_places(program: Program, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place among the classes of each label of the target, the default last."""
    return np.array([place_of(classes, label) for label in (*program.target.labels, program.target.default)])
