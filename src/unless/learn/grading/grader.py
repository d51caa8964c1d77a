"""A learned program and the rows it was learned from become a graded program.

In: `TrainingData`, a program, the learner's settings (for constraints), and perhaps what programs learned without a
row say of it. Out: the program with its `Grade`: one card for two labels, else one of each. The less that second
opinion is the program's own, the larger is the ridge of the decision's points; where there is none, the program's own
decisions count, at ten times the ridge: on the rows it was learned from they flatter. Large tables choose conditions on
some of their rows, and weigh them on all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.truth import Truth
from unless.learn.grading.card_text import complement, part_in_bands, truth_of_codes, write_condition
from unless.learn.grading.evidence import Evidence
from unless.learn.grading.from_zero import lines_to_turn
from unless.learn.grading.limits import in_sample, limits_of, out_of_fold
from unless.learn.grading.some_rows import nested_rows
from unless.learn.logistic.best_condition import GT, LE
from unless.learn.logistic.bin_condition import DECISION
from unless.learn.logistic.pattern_fit import Patterns
from unless.learn.logistic.select_conditions import LabelRows, select
from unless.learn.logistic.weigh_conditions import weigh_conditions
from unless.learn.logistic.whole_points import sigmoid
from unless.learn.optimise.training import make_training_rows
from unless.learn.rows.decoded import DecodedCells, known_helpers
from unless.logic.grade import Award, Band, Both, Card, Decided, Grade
from unless.logic.program import label_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.logistic.condition_limits import ConditionLimits
    from unless.learn.logistic.select_conditions import Selection
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.training import TrainingRows
    from unless.learn.rows.codes import Columns
    from unless.learn.task import TrainingData
    from unless.logic.grade import CellCondition, GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Label

MANY = 20_000
"""Of more rows than this, conditions are chosen on about as many, at first on a quarter of them."""
SORTED = 8
"""To sort a row takes as long as to look through so many patterns."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What the cards of all labels share.

    All rows that weigh anything: their codes, what they weigh, the index of each row's label, of the one decided for,
    and of the one that the program itself decides for, which is another where decisions are of programs learned without
    the row. Conditions are chosen on `some` rows, in bins; None are all. A `few` of these are enough at first.
    """

    columns: Columns
    evidence: Evidence
    actual: NDArray[np.intp]
    decided: NDArray[np.intp]
    own: NDArray[np.intp] | None
    bins: Bins
    some: NDArray[np.intp] | None
    few: NDArray[np.intp] | None = None

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Return the number of each column."""
        return {book.name: j for j, book in enumerate(self.columns.books)}

    @property
    def weights(self) -> Ints:
        """Return the whole weights of the rows."""
        return self.evidence.weights

    def label_rows(self, is_label: NDArray[np.bool_], decided: NDArray[np.bool_] | None) -> LabelRows:
        """Return the rows to choose the conditions of a label on."""
        unit = self.evidence.unit(is_label)
        if self.some is None:
            return LabelRows(self.bins, self.weights, unit, is_label, decided)
        mine = None if decided is None else decided[self.some]
        return LabelRows(self.bins, self.weights[self.some], unit, is_label[self.some], mine)


def grade_program(
    program: Program,
    data: TrainingData,
    settings: Any,
    held_out: NDArray[np.intp] | None = None,
    rows: TrainingRows | None = None,
    decided: NDArray[np.intp] | None = None,
) -> Program:
    """Return the program with its grade.

    `held_out` are labels, as indices among the classes, one for each row, and so is what the program has `decided`,
    where that is known; `rows` are the rows in bins, if they are.
    """
    labels = {label_text(label): label for label in (*data.labels, *program.target.labels, program.target.default)}
    if decided is None:
        decided = _decided(program, data)
    ground = _ground(data, held_out, decided, rows)
    limits = limits_of(ground.bins, data, settings)
    graded = [label_text(program.target.labels[0])] if len(labels) == 2 else list(labels)
    cards = [_card(ground, limits, list(labels).index(text), labels[text]) for text in graded]
    evidence = ground.evidence
    ratio = evidence.cost_ratio(list(labels).index(graded[0])) if evidence.moves_curve_alone else None
    return replace(program, grade=Grade(program.mark, tuple(cards), evidence.is_weighed, ratio))


def grade_decisions(program: Program, covered: tuple[int, int], others: tuple[int, int]) -> Program:
    """Grade a program of two labels by its decisions alone: rows of the label and others, as it decides."""
    counts = [(n_label, n_label + n_other) for n_label, n_other in (others, covered)]
    odds = [math.log((n_label + 1.0) / (n_rows - n_label + 1.0)) for n_label, n_rows in counts]
    bands = tuple(Band(i, i, n_rows, n_label) for i, (n_label, n_rows) in enumerate(counts))
    card = Card(program.target.labels[0], (Award(1, Decided()),), odds[1] - odds[0], odds[0], bands)
    return replace(program, grade=Grade(program.mark, (card,)))


def _ground(
    data: TrainingData,
    held_out: NDArray[np.intp] | None,
    own: NDArray[np.intp],
    rows: TrainingRows | None,
) -> Ground:
    """Put together what is graded; rows that weigh nothing are left out."""
    says = own if held_out is None else held_out
    actual, columns = data.local.labels, data.columns
    if rows is None and data.weights is not None:
        rows = make_training_rows(columns, actual == 0, data.weights)
    if rows is not None and len(rows.rows) < columns.n_rows:
        columns, actual, says, own = columns.take(rows.rows), *(each[rows.rows] for each in (actual, says, own))
    numbers = np.arange(columns.n_rows) if rows is None else rows.rows
    other = None if held_out is None else own
    some, few = nested_rows(columns, MANY)
    if rows is None or data.label_factors is not None:  # where labels cost, the rules' bins are finer than rows bear
        bins = _bins(data, columns, numbers, some)
    else:
        bins = rows.bins if some is None else rows.bins.take(some)
    return Ground(columns, Evidence(data, numbers), actual, says, other, bins, some, few)


def _bins(data: TrainingData, columns: Columns, numbers: Ints, some: NDArray[np.intp] | None) -> Bins:
    """Bin the rows of these numbers, or some of them, by what they weigh whatever their labels cost."""
    if some is not None:
        columns, numbers = columns.take(some), numbers[some]
    own = None if data.own_weights is None else data.own_weights[numbers]
    return make_training_rows(columns, data.local.labels[numbers] == 0, own).bins


def _decided(program: Program, data: TrainingData) -> NDArray[np.intp]:
    """Return the index of the label that the program decides for, row by row."""
    truth = Truth(program, DecodedCells(data.local), data.n_rows, known_helpers(data.local, data.theory.helpers))
    concluded = (*program.target.labels, program.target.default)
    texts = list(dict.fromkeys(map(label_text, (*data.labels, *concluded))))
    return np.array([texts.index(label_text(label)) for label in concluded])[truth.decided]


def _card(ground: Ground, limits: ConditionLimits, index: int, label: Label) -> Card:
    """Learn the card of one label."""
    is_label, decided = ground.actual == index, ground.decided == index
    if is_label.all() or not is_label.any():
        return _constant_card(label, int(is_label.sum()), len(is_label))
    says = bool(decided.any() and not decided.all())
    limits = (
        in_sample(limits) if ground.own is None else out_of_fold(limits, ground.weights, decided, ground.own == index)
    )
    rows = ground.label_rows(is_label, decided if says else None)
    if rows.is_label.all() or not rows.is_label.any():  # too rare for some rows to have it
        return _card(replace(ground, some=None, few=None, bins=_all_bins(ground)), limits, index, label)
    chosen = select(rows, limits, ground.few)
    written = [write_condition(ground.bins, condition) for condition in chosen.conditions]
    held = [_held(ground, condition, decided) for condition in written]
    codes = np.zeros(len(is_label), dtype=np.int64)
    for i, holds in enumerate(held):
        codes |= holds.astype(np.int64) << i
    patterns = _patterns(codes, len(held), ground, is_label, rows.unit)
    points, slope, offset = weigh_conditions(chosen, patterns, _signs(chosen, limits))
    totals = np.zeros(len(is_label), dtype=np.int64)
    for mine, holds in zip(points.tolist(), held, strict=True):
        totals += mine * holds
    turned = lines_to_turn(chosen.conditions, points.tolist(), patterns.codes)
    awards, shift = _awards(ground, chosen.conditions, written, points.tolist(), turned)
    offset += math.log(ground.evidence.cost_ratio(index)) - slope * shift
    bands = part_in_bands(totals + shift, is_label, lambda points: sigmoid(slope * points + offset))
    return Card(label, tuple(awards), slope, offset, bands)


def _all_bins(ground: Ground) -> Bins:
    return make_training_rows(
        ground.columns, ground.actual == 0, ground.weights, have_costs=not ground.evidence.are_counts
    ).bins


def _held(ground: Ground, condition: GradeCondition, decided: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows for which a condition holds, of all rows."""
    if isinstance(condition, Decided):
        return decided
    if isinstance(condition, Both):
        return _held_alone(ground, condition.first) & _held_alone(ground, condition.second)
    return _held_alone(ground, condition)


def _held_alone(ground: Ground, condition: CellCondition) -> NDArray[np.bool_]:
    column = ground.numbers[condition.column]
    return truth_of_codes(ground.columns.books[column], condition, ground.columns.codes_of(column))


def _patterns(codes: Ints, n: int, ground: Ground, is_label: NDArray[np.bool_], unit: float) -> Patterns:
    """Return the patterns of n conditions, with their rows and those with the label, each in units of weight."""
    weights = ground.weights.astype(np.float64)
    if SORTED * len(codes) < 1 << n:  # few rows: sorting them is less work than looking through all patterns
        present, codes = np.unique(codes, return_inverse=True)
        rows, label = np.bincount(codes, weights), np.bincount(codes, weights * is_label)
        return Patterns(present, rows / unit, label / unit)
    rows, label = np.bincount(codes, weights, 1 << n), np.bincount(codes, weights * is_label, 1 << n)
    present = np.flatnonzero(rows)
    return Patterns(present, rows[present] / unit, label[present] / unit)


def _awards(
    ground: Ground,
    chosen: list[BinCondition],
    written: list[GradeCondition],
    points: list[int],
    turned: frozenset[int],
) -> tuple[list[Award], int]:
    """Return the lines by column, two conditions after one, the decision last.

    Return also what turning some of them adds to totals. A condition and its opposite, turned, are one line.
    """
    worth: dict[tuple[GradeCondition, bool], int] = {}
    for i in sorted(range(len(chosen)), key=lambda i: _rank(chosen[i])):
        other = _opposite(ground, chosen[i], written[i]) if i in turned else None
        line = (written[i], i in turned) if other is None else (other, False)
        worth[line] = worth.get(line, 0) + (-points[i] if i in turned else points[i])
    awards = [Award(gives, condition, is_turned) for (condition, is_turned), gives in worth.items() if gives]
    return awards, -sum(points[i] for i in turned)


def _rank(condition: BinCondition) -> tuple[bool, int, int, int, int]:
    within = condition.within
    beside = (-1, 0) if within is None else (within.column, within.at)
    return condition is DECISION, *beside, condition.column, condition.at


def _opposite(ground: Ground, condition: BinCondition, said: GradeCondition) -> GradeCondition | None:
    """Return what holds for all rows for which a condition of one column does not, if that is one condition too."""
    if isinstance(said, Both | Decided):
        return None
    other = complement(ground.bins, condition)
    if other is None:
        return None
    book, codes = ground.columns.books[condition.column], ground.columns.codes_of(condition.column)
    is_other = truth_of_codes(book, said, codes) != truth_of_codes(book, other, codes)
    return other if is_other.all() else None


def _constant_card(label: Label, n_label: int, n_rows: int) -> Card:
    """Grade a label that all rows have, or none has: there is nothing to tell them apart by."""
    odds = math.log((n_label + 0.5) / (n_rows - n_label + 0.5))
    return Card(label, (), 0.0, odds, (Band(0, 0, n_rows, n_label),))


def _signs(chosen: Selection, limits: ConditionLimits) -> Ints:
    """Return +1 or -1 where points must not be of the other sign: the decision's, and those with a direction."""
    signs = np.zeros(len(chosen.conditions), dtype=np.int64)
    for i, condition in enumerate(chosen.conditions):
        if condition is DECISION:
            signs[i] = 1
        elif condition.kind in (LE, GT):
            signs[i] = limits.directions[condition.column] * (1 if condition.kind == GT else -1)
    return signs
