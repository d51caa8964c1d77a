"""Rows to replay an export with: every case that a program can tell apart, in pairs, and cells that engines misread.

In: a program. Out: `Vectors`, rows of raw cells. For each column there is a list of cells: one of every cell of
`logic.reason.column_cells`, both neighbours of each threshold, blanks, missing words, words nobody has seen, words that
look like numbers. The rows are an orthogonal array over these lists: any two cells of any two columns meet in a row.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from unless.export.from_program import can_be_read, literal_test
from unless.export.two_valued import Compared, walk
from unless.logic.date_parts import date_part
from unless.logic.grade import cell_conditions
from unless.logic.readings import read_text, say_number
from unless.logic.reason.column_cells import space_of
from unless.logic.rules import Column, Literal, OneOf
from unless.logic.values import missing_numbers, read_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unless.logic.program import Program

Cell = float | str | bool | None
LOOK_ALIKES = (
    "12abc", "1_000", "0x10", "1e3", "nan", "NaN", "1d", "5e", "e5", "+5", ".5", "5.", "1,5", "08", "8.0", "1e-400",
    "--5", "5 5", "\u0661\u0662", "\u00bd", ".", "-", "5e+", "1.2.3", "1e5e", "true", "NULL", "'", '"', "\\", "-0",
    "5f", "+-5", "1_0", "inf", "-inf", "-Infinity", "+infinity",
)  # fmt: skip
BLANK_CELLS = (None, "", "  ", "\t\u00a0\u3000", "\u200b")
OFFICE = ("1.234,56", "1,234.56", "1 234", "(12)", "12-", "-12", "12 \u20ac", "\u22125", "1234", "1.234.567", "0,5")
MOMENTS = (
    "28.11.2023", "2023-11-28", "2023-02-30", "31.12.99", "1.1.70", "29.02.2024", "29.02.2023", "11/28/2023", "12:30",
    "2023-11-28 12:30:15.25", "2023-11-28T23:30:00+02:00", "2023-11-28 12:30:15-05",
    "2023-11-28 12:30:15+0530", "28.11.2023 07:15", "Nov 28, 2023", "28. M\u00e4rz 2023",
    "3 days 04:00", "-0:30", "2023-11", "0001-01-01", "24:00",
)  # fmt: skip
INFINITE_CELLS = ("1e400", "-1e400")


@dataclass(frozen=True)
class Vectors:
    """Rows of raw cells under the names of their columns; `typed` columns hold numbers and nothing else."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    typed: frozenset[str] = frozenset()

    def as_dicts(self) -> Iterator[dict[str, Cell]]:
        """Yield the rows by name."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)


def text_vectors(program: Program, n_rows: int) -> Vectors:
    """Return rows of text and missing cells, as a table of text columns holds them."""
    return _vectors(program, {c.name: _texts(program, c) for c in tested_columns(program)}, n_rows)


def typed_vectors(program: Program, n_rows: int) -> Vectors:
    """Return rows as a database holds them that knows which columns are numbers."""
    columns = tested_columns(program)
    typed = [c for c in columns if c.kind == "numerical" or _is_coded(program, c)]
    lists = {c.name: _numbers(program, c) if c in typed else _texts(program, c) for c in columns}
    return _vectors(program, lists, n_rows, frozenset(c.name for c in typed))


def mixed_vectors(program: Program, n_rows: int) -> Vectors:
    """Return rows in which any cell may be of any type, as in a language without types."""
    lists = {c.name: [*_texts(program, c), *_numbers(program, c), True, False] for c in tested_columns(program)}
    return _vectors(program, lists, n_rows)


def tested_columns(program: Program) -> list[Column]:
    """Return the columns that a program or its grade tests; of a part of a date, the date."""
    graded = () if program.grade is None else program.grade.columns
    used = [c for c in program.columns if c.name in {*program.used_columns, *graded}]
    return list({c.name: c for c in map(_source, used)}.values())


def _source(column: Column) -> Column:
    part = date_part(column.reading) if column.reading else None
    return column if part is None else Column(part.source, "numerical", reading=part.form.text)


def _literals(program: Program) -> Iterator[Literal]:
    """Yield the tests of a program and of its grade."""
    yield from (literal for clause in program.clauses for literal in clause.literals)
    graded = () if program.grade is None else program.grade.conditions
    for condition in (part for each in graded for part in cell_conditions(each)):
        if isinstance(condition, Literal):
            yield condition
        elif isinstance(condition, OneOf):
            yield from (Literal(condition.column, "=", word) for word in condition.words)
        else:
            yield Literal(condition.column, "=", "any")


def _representatives(program: Program, column: Column) -> list[Cell]:
    further = [literal for literal in _literals(program) if literal.column == column.name]
    held: list[Cell] = [cell.value for cell in space_of([program], further).cells.get(column.name, ())]
    # Words that no cell is read as may stand in a table all the same: one that means missing, say.
    return [*held, *sorted({x.value for x in further if isinstance(x.value, str)}.difference(map(str, held)))]


def _thresholds(program: Program, column: Column) -> list[float]:
    found = {x.value for x in _literals(program) if x.column == column.name and isinstance(x.value, float)}
    return sorted(found)


def _near(thresholds: Sequence[float]) -> Iterator[float]:
    """Yield each threshold and the floats beside it."""
    for number in thresholds:
        for near in (number, math.nextafter(number, math.inf), math.nextafter(number, -math.inf)):
            if math.isfinite(near):
                yield near


def _texts(program: Program, column: Column) -> list[Cell]:
    found: list[Cell] = list(BLANK_CELLS)
    for value in (*_representatives(program, column), *_near(_thresholds(program, column))):
        found.append(value if not isinstance(value, float) else _written(column, value))
        if isinstance(value, str) and can_be_read(value):
            found += [f"\t{value}", f"{value} ", value.swapcase(), f"{value}x"]
        elif isinstance(value, float):
            found.append(f" {value!r} ")
    found += [text for word in program.missing for text in (word, f" {word} ", word.strip())]
    found += [
        _written(column, number) for number in missing_numbers(program.missing, partial(read_text, column.reading))
    ]
    found += LOOK_ALIKES
    if column.reading:
        found += (*OFFICE, *MOMENTS)
    if column.kind == "numerical":
        found += INFINITE_CELLS
    return [text for text in dict.fromkeys(found) if not isinstance(text, str) or "\0" not in text]


def _written(column: Column, number: float) -> str:
    return say_number(column, number) if column.reading else repr(number)


def _numbers(program: Program, column: Column) -> list[Cell]:
    numbers = [value for value in _representatives(program, column) if isinstance(value, float)]
    words = [value for value in _representatives(program, column) if isinstance(value, str)]
    read = [number for number in map(read_number, words) if number is not None and math.isfinite(number)]
    gone = sorted(missing_numbers(program.missing, partial(read_text, column.reading)))
    near = [0.0, 1.0, -1.0, 0.5, 2.0**53, 1e300, *numbers, *_near(_thresholds(program, column)), *_near([*read, *gone])]
    return [None, *dict.fromkeys(near), math.nan]


def _is_coded(program: Program, column: Column) -> bool:
    """Tell whether all words that are asked for in a column are numbers: then a database may hold it as numbers."""
    tests = (literal_test(x, column.kind) for x in _literals(program) if x.column == column.name)
    return all(any(isinstance(part, Compared) for part in walk(test)) for test in tests)


def _vectors(
    program: Program, lists: Mapping[str, Sequence[Cell]], n_rows: int, typed: frozenset[str] = frozenset()
) -> Vectors:
    names = tuple(lists)
    cells = list(lists.values())
    size = _prime(max([len(names), *map(len, cells)], default=2))
    draws = ((i + j * c for c in range(len(cells))) for j in range(size) for i in range(size))
    rows = [
        tuple(cell[k % size % len(cell)] for cell, k in zip(cells, draw, strict=True))
        for draw, _ in zip(draws, range(n_rows), strict=False)
    ]
    chance = random.Random(program.mark)
    while len(rows) < n_rows and names:
        rows.append(tuple(chance.choice(cell) for cell in cells))
    return Vectors(names, tuple(rows), typed)


def _prime(least: int) -> int:
    """Return the first prime from a number on: rows then meet in all pairs of cells."""
    return next(n for n in range(max(least, 2), 2 * least + 3) if all(n % k for k in range(2, math.isqrt(n) + 1)))
