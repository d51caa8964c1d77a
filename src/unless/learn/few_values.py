"""The last stage of learning: columns that a program tests learn which numbers they had, where those are few and whole.

In: a learned program and the training table in codes. Out: the same program, with `Column.values`, by which
`chest pain > 3` among 1, 2, 3, 4 can be said as "chest pain is 4". What it predicts does not change. Rows that weigh
nothing are not there: numbers that only they have were not learned from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.logic.program import Program

MAX_VALUES = 12
"""A column with more distinct numbers is a measurement: an equality would say less than a threshold."""


def with_values(program: Program, table: Columns, weights: NDArray[np.float64] | None = None) -> Program:
    """Note the distinct numbers of the columns that are tested, by clauses or by lines of points."""
    used = {*program.used_columns, *(() if program.grade is None else program.grade.columns)}
    rows = None if weights is None or weights.all() else np.flatnonzero(weights)
    few = {
        book.name: _whole_numbers(_numbers(table, j, rows)) for j, book in enumerate(table.books) if book.name in used
    }
    columns = (replace(column, values=few.get(column.name, ())) for column in program.columns)
    return replace(program, columns=tuple(columns))


def _numbers(table: Columns, column: int, rows: NDArray[np.intp] | None) -> NDArray[np.float64]:
    """Return the numbers of a column, or those that some of the rows have."""
    book = table.books[column]
    if rows is None:
        return book.numbers
    n_rows = np.bincount(table.codes_of(column)[rows], minlength=book.n_numbers)
    return book.numbers[np.flatnonzero(n_rows[: book.n_numbers])]


def _whole_numbers(numbers: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the numbers of a column, if they are few and whole."""
    if len(numbers) > MAX_VALUES or not all(number.is_integer() for number in numbers):
        return ()
    return tuple(map(int, numbers))
