"""A graded program and a table give probabilities: of each label, for each row.

In: a program with a grade, any table. Out: points, and probabilities that add up to 1. The probability of a row is a
function of whole points, worked out by `Card.probability`, so one row alone and a row among millions have the same, to
the last digit. The label that the program decides for always has the largest: where the points speak against it, it is
moved to one half, or with more than two labels to the likeliest other one, and by `JUST` beyond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.predict import read_cells
from unless.evaluate.truth import Truth, test
from unless.logic.grade import Blank, Both, Decided, unweighed
from unless.logic.graded import JUST, grade_of, graded_texts
from unless.logic.program import label_text
from unless.logic.rules import Literal
from unless.table.columns import cells
from unless.table.frames import raw_table
from unless.table.unlike_cells import remark_unlike

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.evaluate.predict import Reader
    from unless.logic.grade import Card, CellCondition, GradeCondition
    from unless.logic.program import Program
    from unless.table.cells import Cells


def probabilities(program: Program, data: Any, read: Reader = cells) -> NDArray[np.float64]:
    """Return a line of probabilities for each row of any table, in the order of `graded_labels`."""
    columns, decided = _read(program, data, read)
    return cell_probabilities(program, columns, decided)


def both_probabilities(program: Program, data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the same, and those among rows as they are where rows weighed differently by a known ratio, else None.

    What only the grade tests and is written otherwise than it reads is said; of other columns `predict` says it.
    """
    columns, decided = _read(program, data, cells)
    remark_unlike(program, columns, said=program.used_columns)
    plain = None if grade_of(program).cost_ratio is None else as_they_are(program, columns, decided)
    return cell_probabilities(program, columns, decided), plain


def _read(program: Program, data: Any, read: Reader) -> tuple[Mapping[str, Cells], NDArray[np.intp]]:
    """Read the cells that the program and its grade test, and decide each row."""
    table = raw_table(data)
    columns = read_cells(program, table, grade_of(program).columns, read)
    return columns, Truth(program, columns, table.n_rows).decided


def cell_probabilities(
    program: Program, columns: Mapping[str, Cells], decided: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the probabilities of rows whose cells are read; `decided` is the index of each row's label."""
    mine = _graded_indices(program)[decided]
    return agreeing(_by_points(program, columns, mine), mine)


def as_they_are(program: Program, columns: Mapping[str, Cells], decided: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the same among rows as they are; what points say of them where rows weighed differently by a known ratio.

    These are not moved to agree with the program: it decides by the probabilities of rows as weighed.
    """
    grade = grade_of(program)
    if grade.cost_ratio is None:
        return cell_probabilities(program, columns, decided)
    lines = _by_points(program, columns, _graded_indices(program)[decided])
    mine = graded_texts(program).index(label_text(grade.cards[0].label))
    lines[:, mine] = unweighed(lines[:, mine], grade.cost_ratio)
    lines[:, 1 - mine] = 1.0 - lines[:, mine]
    return lines


def _graded_indices(program: Program) -> NDArray[np.intp]:
    """Return where the labels that a program decides for stand among those of its grade."""
    texts = graded_texts(program)
    return np.array([texts.index(label_text(label)) for label in (*program.target.labels, program.target.default)])


def _by_points(program: Program, columns: Mapping[str, Cells], mine: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return what the points alone say of each label; `mine` is the label that the program decides for."""
    texts = graded_texts(program)
    raw = np.empty((len(mine), len(texts)))
    cards = grade_of(program).cards
    for card in cards:
        index = texts.index(label_text(card.label))
        raw[:, index] = curve(card, card_points(card, columns, mine == index))
        if len(cards) == 1:
            raw[:, 1 - index] = 1.0 - raw[:, index]
    return raw


def card_points(card: Card, columns: Mapping[str, Cells], decided: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Add up the points of each row; `decided` are the rows for which the program decides for the label."""
    total = np.zeros(len(decided), dtype=np.int64)
    for award in card.awards:
        total += award.points * (condition_truth(award.condition, columns, decided) ^ award.unless)
    return total


def condition_truth(
    condition: GradeCondition, columns: Mapping[str, Cells], decided: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the rows for which a condition of a grade holds."""
    if isinstance(condition, Decided):
        return decided
    if isinstance(condition, Both):
        return _cell_truth(condition.first, columns) & _cell_truth(condition.second, columns)
    return _cell_truth(condition, columns)


def _cell_truth(condition: CellCondition, columns: Mapping[str, Cells]) -> NDArray[np.bool_]:
    column = columns[condition.column]
    if isinstance(condition, Blank):
        return column.blank()
    if isinstance(condition, Literal):
        return test(condition, column)
    holds = np.zeros(column.n_rows, dtype=bool)
    for word in condition.words:
        holds |= test(Literal(condition.column, "=", word), column)
    return holds ^ condition.negated


def curve(card: Card, points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability at each number of points, each worked out once."""
    ordered = np.sort(points)  # `np.unique` would sort twice as long, or load masked arrays
    different = ordered[np.diff(ordered, append=ordered[-1:] + 1) != 0]
    return np.array([card.probability(n) for n in different.tolist()])[np.searchsorted(different, points)]


def agreeing(raw: NDArray[np.float64], decided: NDArray[np.intp]) -> NDArray[np.float64]:
    """Make each line add up to 1, the decided label having the largest."""
    rows = np.arange(len(raw))
    if raw.shape[1] == 2:
        mine = np.maximum(raw[rows, decided], 0.5 + JUST)
        other = np.minimum(raw[rows, 1 - decided], 0.5 - JUST)
        lines = np.empty_like(raw)
        lines[rows, decided], lines[rows, 1 - decided] = mine, other
        return lines
    sums = _sums(raw)
    lines = np.divide(raw, sums, out=np.full_like(raw, 1.0 / raw.shape[1]), where=sums > 0)
    others = lines.copy()
    others[rows, decided] = 0.0
    lines[rows, decided] = np.maximum(lines[rows, decided], others.max(axis=1) + JUST)
    return np.asarray(lines / _sums(lines))


def _sums(lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up each line from left to right, as `logic.graded.in_order` does; arrays add up in another order."""
    total = np.zeros(len(lines))
    for column in lines.T:
        total += column
    return total[:, None]
