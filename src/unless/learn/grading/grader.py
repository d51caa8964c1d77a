"""A learned program and the rows it was learned from become a graded program.

In: `TrainingData`, a program, the learner's settings (for constraints), and perhaps what programs learned without a
row say of it. Out: the program with its `Grade`: one card for two labels, else one of each. Where no such second
opinion is there, the program's own decisions count, at ten times the ridge: on the rows it was learned from they
flatter. Large tables choose conditions on some of their rows, and weigh them on all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.truth import Truth
from unless.learn.constraints import read_constraints
from unless.learn.grading.best_condition import BLANK, GT, LE, MOST_WORDS, WORDS
from unless.learn.grading.select_lines import (
    DECISION,
    BinCondition,
    GradingLimits,
    LabelRows,
    Selection,
    select,
)
from unless.learn.grading.whole_points import whole_points
from unless.learn.optimise import layout
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.thresholds import write_test
from unless.learn.optimise.training import make_training_rows
from unless.learn.rows.decoded import DecodedCells, known_helpers
from unless.logic.grade import Award, Band, Blank, Card, Decided, Grade
from unless.logic.program import label_text
from unless.logic.rules import Literal, OneOf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Ints
    from unless.learn.optimise.training import TrainingRows
    from unless.learn.task import TrainingData
    from unless.logic.grade import GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Label

MANY = 60_000
"""Of more rows than this, conditions are chosen on about as many."""
IN_SAMPLE = 10.0
"""How many times the ridge the program's decisions have on the rows it was learned from."""
N_BANDS = 10
KINDS = {LE: layout.LE, GT: layout.GT, WORDS: layout.ONE_OF}


@dataclass(frozen=True, eq=False)
class Ground:
    """What the cards of all labels share: rows in bins, the index of each row's label and of the one decided for."""

    rows: TrainingRows
    actual: NDArray[np.intp]
    decided: NDArray[np.intp]
    is_held_out: bool
    limits: GradingLimits
    unit: float


def grade_program(
    program: Program,
    data: TrainingData,
    settings: Any,
    held_out: NDArray[np.intp] | None = None,
    rows: TrainingRows | None = None,
) -> Program:
    """Return the program with its grade.

    `held_out` are labels, as indices among the classes, one for each row; `rows` are the rows in bins, if they are.
    """
    labels = {label_text(label): label for label in (*data.labels, *program.target.labels, program.target.default)}
    if rows is None:
        rows = make_training_rows(data.columns, data.local.labels == 0, data.weights)
    ground = _ground(program, data, rows, _limits(rows.bins, data, settings), held_out)
    graded = [label_text(program.target.labels[0])] if len(labels) == 2 else list(labels)
    cards = [_card(ground, list(labels).index(text), labels[text]) for text in graded]
    weights = ground.rows.weights
    return replace(program, grade=Grade(program.mark, tuple(cards), bool(weights.min() < weights.max())))


def grade_decisions(program: Program, covered: tuple[int, int], others: tuple[int, int]) -> Program:
    """Grade a program of two labels by its decisions alone: rows of the label and others, as it decides."""
    counts = [(n_label, n_label + n_other) for n_label, n_other in (others, covered)]
    odds = [math.log((n_label + 1.0) / (n_rows - n_label + 1.0)) for n_label, n_rows in counts]
    bands = tuple(Band(i, i, n_rows, n_label) for i, (n_label, n_rows) in enumerate(counts))
    card = Card(program.target.labels[0], (Award(1, Decided()),), odds[1] - odds[0], odds[0], bands)
    return replace(program, grade=Grade(program.mark, (card,)))


def _ground(
    program: Program,
    data: TrainingData,
    rows: TrainingRows,
    limits: GradingLimits,
    held_out: NDArray[np.intp] | None,
) -> Ground:
    decided = held_out
    if decided is None:
        helpers = known_helpers(data.local, data.theory.helpers)
        truth = Truth(program, DecodedCells(data.local), data.n_rows, helpers)
        concluded = (*program.target.labels, program.target.default)
        texts = list(dict.fromkeys(map(label_text, (*data.labels, *concluded))))
        decided = np.array([texts.index(label_text(label)) for label in concluded])[truth.decided]
    actual = data.local.labels[rows.rows]
    return Ground(rows, actual, decided[rows.rows], held_out is not None, limits, _unit(rows, data.weights))


def _unit(rows: TrainingRows, given: NDArray[np.float64] | None) -> float:
    """Return the weight of one row: whole weights count rows, so that a row of weight 2 is the same as two rows."""
    are_counts = given is None or bool(np.array_equal(given[rows.rows], rows.weights))
    return 1.0 if are_counts else rows.unit


def _limits(bins: Bins, data: TrainingData, settings: Any) -> GradingLimits:
    """Turn what a user asks of rules into what conditions may be."""
    constraints = read_constraints(
        getattr(settings, "forbidden", ()),
        getattr(settings, "apart", ()),
        getattr(settings, "monotonic_cst", None),
        bins.books,
        data.theory,
    )
    names = {book.name: j for j, book in enumerate(bins.books)}
    allowed = np.array([_kinds(bins, j) for j in range(len(bins.books))], dtype=np.int64)
    allowed[[names[name] for name in (*constraints.forbidden, *data.theory.helpers)]] = 0
    directions = np.zeros(len(bins.books), dtype=np.int64)
    for name, direction in constraints.directions.items():
        directions[names[name]] = data.direction * direction
    rivals: dict[int, frozenset[int]] = {}
    for a, b in constraints.apart:
        rivals[names[a]] = rivals.get(names[a], frozenset()) | {names[b]}
        rivals[names[b]] = rivals.get(names[b], frozenset()) | {names[a]}
    return GradingLimits(allowed, directions, rivals)


def _kinds(bins: Bins, column: int) -> int:
    """Return the kinds of condition that make sense for a column, as bits."""
    start, end = bins.layout.offsets[column : column + 2].tolist()
    n_numbers, n_words = int(bins.layout.n_numbers[column]), int(bins.layout.n_words[column])
    cells = bins.by_column[column]
    is_blank = bool((cells == end - start - 1).any())
    kinds = 1 << LE if n_numbers > 1 else 0
    if n_numbers > 1 and bool((cells >= n_numbers).any()):
        kinds |= 1 << GT
    return kinds | (1 << WORDS if n_words else 0) | (1 << BLANK if is_blank else 0)


def _card(ground: Ground, index: int, label: Label) -> Card:
    """Learn the card of one label."""
    rows, is_label, decided = ground.rows, ground.actual == index, ground.decided == index
    if is_label.all() or not is_label.any():
        return _constant_card(label, int(is_label.sum()), len(is_label))
    says = bool(decided.any() and not decided.all())
    ridge = ground.limits.ridge * (1.0 if ground.is_held_out else IN_SAMPLE)
    limits = replace(ground.limits, decision_ridge=ridge)
    whole = LabelRows(rows.bins, rows.weights, ground.unit, is_label, decided if says else None)
    chosen = select(_some(whole), limits)
    if chosen.rows is not whole:
        chosen = _on_all(chosen, whole)
    points, slope, offset = whole_points(chosen.patterns(), chosen.fitted, chosen.ridges, _signs(chosen, limits))
    written = [(int(p), c) for p, c in zip(points, chosen.conditions, strict=True) if p]
    totals = _totals(chosen, points)
    awards, shift = _awards(rows.bins, written)
    bands = _bands(totals + shift, is_label)
    return Card(label, tuple(awards), slope, offset - slope * shift, bands)


def _constant_card(label: Label, n_label: int, n_rows: int) -> Card:
    """Grade a label that all rows have, or none has: there is nothing to tell them apart by."""
    odds = math.log((n_label + 0.5) / (n_rows - n_label + 0.5))
    return Card(label, (), 0.0, odds, (Band(0, 0, n_rows, n_label),))


def _some(rows: LabelRows) -> LabelRows:
    """Return about `MANY` of the rows, chosen by their contents."""
    bins = rows.bins
    if bins.n_rows <= MANY:
        return rows
    hashes = bins.hashes
    some = np.flatnonzero(hashes <= np.partition(hashes, MANY)[MANY])
    if not 0 < np.count_nonzero(rows.is_label[some]) < len(some):
        return rows
    decided = None if rows.decided is None else rows.decided[some]
    return LabelRows(bins.take(some), rows.weights[some], rows.unit, rows.is_label[some], decided)


def _on_all(chosen: Selection, rows: LabelRows) -> Selection:
    """Weigh the chosen conditions on all rows."""
    whole = Selection(rows, chosen.limits)
    whole.beta = chosen.beta[-1:].copy()
    for at, condition in enumerate(chosen.conditions):
        whole.put(condition, at, float(chosen.beta[at]))
    whole.fit(20)
    return whole


def _signs(chosen: Selection, limits: GradingLimits) -> Ints:
    """Return +1 or -1 where points must not be of the other sign: the decision's, and those with a direction."""
    signs = np.zeros(len(chosen.conditions), dtype=np.int64)
    for i, condition in enumerate(chosen.conditions):
        if condition is DECISION:
            signs[i] = 1
        elif condition.kind in (LE, GT):
            signs[i] = limits.directions[condition.column] * (1 if condition.kind == GT else -1)
    return signs


def _totals(chosen: Selection, points: Ints) -> Ints:
    totals = np.zeros(len(chosen.codes), dtype=np.int64)
    for i, mine in enumerate(points.tolist()):
        totals += mine * (chosen.codes >> i & 1)
    return totals


def _awards(bins: Bins, written: list[tuple[int, BinCondition]]) -> tuple[list[Award], int]:
    """Write the conditions in values, by column, the decision last; return also what turning them adds to totals."""
    awards, shift = [], 0
    for points, condition in sorted(written, key=lambda item: (item[1] is DECISION, item[1].column, item[1].at)):
        turned = _turned(bins, condition) if points < 0 else None
        if turned is None:
            awards.append(Award(points, _written(bins, condition)))
        else:
            awards.append(Award(-points, _written(bins, turned)))
            shift -= points
    return awards, shift


def _turned(bins: Bins, condition: BinCondition) -> BinCondition | None:
    """Return the condition that holds where this one does not, if one can be said: in a column without other cells."""
    if condition.kind not in (LE, WORDS):
        return None
    cells, n_numbers = bins.by_column[condition.column], bins.layout.n_numbers[condition.column]
    if condition.kind == LE:
        return BinCondition(condition.column, GT, condition.at) if (cells < n_numbers).all() else None
    n_words = int(bins.layout.n_words[condition.column])
    others = tuple(word for word in range(n_words) if word not in condition.words)
    if n_numbers or not 0 < len(others) <= MOST_WORDS or (cells >= n_words).any():
        return None
    return BinCondition(condition.column, WORDS, words=others)


def _written(bins: Bins, condition: BinCondition) -> GradeCondition:
    if condition is DECISION:
        return Decided()
    if condition.kind == BLANK:
        return Blank(bins.books[condition.column].name)
    first = int(bins.layout.n_numbers[condition.column])
    words = tuple(first + word for word in condition.words)
    simple = write_test(bins, make_test(bins, condition.column, KINDS[condition.kind], condition.at, words))
    assert isinstance(simple, Literal | OneOf)
    return simple


def _bands(totals: Ints, is_label: NDArray[np.bool_]) -> tuple[Band, ...]:
    """Part the rows by their points into about ten bands of like size."""
    low = int(totals.min())
    rows = np.bincount(totals - low)
    label = np.bincount(totals - low, is_label).astype(np.int64)
    bands: list[Band] = []
    start, share = 0, len(totals) / N_BANDS
    for end in range(len(rows)):
        n_rows, left = int(rows[start : end + 1].sum()), int(rows[end + 1 :].sum())
        if not left or (n_rows and (n_rows >= share or n_rows + rows[end + 1] > 1.5 * share) and left >= share / 2):
            bands.append(Band(low + start, low + end, n_rows, int(label[start : end + 1].sum())))
            start = end + 1
        if not left:
            break
    return tuple(bands)
