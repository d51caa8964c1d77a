"""The last stage of learning: columns that a program tests learn which numbers they had, where those are few and whole.

In: a learned program and the codebooks of the training table. Out: the same program, with `Column.values`, by which
`chest pain > 3` among 1, 2, 3, 4 can be said as "chest pain is 4". What it predicts does not change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.learn.rows.codes import Codebook
    from unless.logic.program import Program

MAX_VALUES = 12
"""A column with more distinct numbers is a measurement: an equality would say less than a threshold."""


def with_values(program: Program, books: Iterable[Codebook]) -> Program:
    """Note the distinct numbers of the columns that are tested, by clauses or by lines of points."""
    used = {*program.used_columns, *(() if program.grade is None else program.grade.columns)}
    few = {book.name: values for book in books if book.name in used and (values := _whole_numbers(book))}
    columns = (replace(column, values=few.get(column.name, ())) for column in program.columns)
    return replace(program, columns=tuple(columns))


def _whole_numbers(book: Codebook) -> tuple[int, ...]:
    """Return the numbers of a column, if they are few and whole."""
    if book.n_numbers > MAX_VALUES or not all(number.is_integer() for number in book.numbers):
        return ()
    return tuple(map(int, book.numbers))
