"""Cells: the finitely many cases that some programs can tell apart in a column.

In: programs, and perhaps further literals. Out: a `Space`, which divides each column that is tested into cells: the
intervals of numbers between thresholds, each word that is named, every other word, and missing. All literals are
constant on a cell, so whatever the programs say of one row of a cell they say of all. A cell has a value that stands
for it, which `holds` decides like any other. What no cell of a table is read as (a word that means missing, a number
among the words of a numerical column) is in no cell here: no row has it, whatever a program asks for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from unless.logic.holds import literal_holds
from unless.logic.readings import can_hold
from unless.logic.reason.regions import LARGEST, Region
from unless.logic.rules import OPERATORS, Column

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Literal, Value

UNNAMED = "another word"
NO_NUMBER = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class ColumnCell:
    """Values of a column that no literal tells apart, and one of them; None is missing."""

    region: Region
    value: Value | None


@dataclass(frozen=True)
class Space:
    """The cells of each column that is tested, in one order of columns."""

    cells: Mapping[str, tuple[ColumnCell, ...]]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Name the columns, in order."""
        return tuple(self.cells)

    @cached_property
    def level(self) -> dict[str, int]:
        """Number the columns."""
        return {column: i for i, column in enumerate(self.columns)}

    @property
    def size(self) -> int:
        """Count the combinations of cells."""
        return math.prod(map(len, self.cells.values()))

    @cached_property
    def _truths(self) -> dict[Literal, tuple[bool, ...]]:
        return {}

    def truth(self, literal: Literal) -> tuple[bool, ...]:
        """Tell of each cell of the literal's column whether the literal holds there."""
        found = self._truths.get(literal)
        if found is None:
            found = tuple([literal_holds(literal, cell.value) for cell in self.cells[literal.column]])
            self._truths[literal] = found
        return found

    def any_word(self, column: str, literals: Iterable[Literal]) -> tuple[bool, ...]:
        """Tell of each cell of a column whether it is one of the words that some literals ask for."""
        words = {literal.value for literal in literals}
        return tuple([cell.value in words and not cell.region.others for cell in self.cells[column]])

    def cell_of(self, column: str, value: Value | None) -> int:
        """Return which cell a value is in; -1 for one outside the space."""
        return next((i for i, cell in enumerate(self.cells[column]) if value in cell.region), -1)

    def indices(self, row: Mapping[str, Value | None]) -> tuple[int, ...]:
        """Return which cell a row is in, column by column."""
        return tuple(self.cell_of(column, row.get(column)) for column in self.columns)

    def row(self, indices: Sequence[int]) -> dict[str, Value | None]:
        """Return a row that is in some cells."""
        return {c: self.cells[c][i].value for c, i in zip(self.columns, indices, strict=True)}

    def within(self, regions: Mapping[str, Region]) -> Space:
        """Return the part of the space in which some columns are in a region that is made of whole cells."""
        kept = {
            c: tuple(cell for cell in cells if cell.value in regions[c])
            for c, cells in self.cells.items()
            if c in regions
        }
        return Space({**self.cells, **kept})

    def ordered(self, columns: Sequence[str]) -> Space:
        """Return the same space with its columns in another order."""
        return Space({column: self.cells[column] for column in columns})


def space_of(programs: Iterable[Program], further: Iterable[Literal] = ()) -> Space:
    """Divide the columns that programs and further literals test."""
    programs = tuple(programs)
    columns = {column.name: column for program in programs for column in program.columns}
    missing = {word for program in programs for word in program.missing}
    tests: dict[str, dict[Literal, None]] = {}
    for literal in (*(x for p in programs for clause in p.clauses for x in clause.literals), *further):
        tests.setdefault(literal.column, {})[literal] = None
    return Space({c: _cells(tests[c], missing, columns.get(c) or Column(c, "numerical")) for c in tests})


def _cells(literals: Iterable[Literal], missing: Collection[str], column: Column) -> tuple[ColumnCell, ...]:
    words = sorted({x.value for x in literals if isinstance(x.value, str)})
    held = [word for word in words if can_hold(column, word, missing)]
    found = [ColumnCell(Region(*NO_NUMBER, frozenset({w}), others=False, missing=False), w) for w in held]
    if column.kind == "numerical":
        found = [*_intervals(literals, lambda number: can_hold(column, number, missing)), *found]
    other = _unnamed({*words, *missing})
    found.append(ColumnCell(Region(*NO_NUMBER, frozenset(words), others=True, missing=False), other))
    found.append(ColumnCell(Region(*NO_NUMBER, others=False, missing=True), None))
    return tuple(found)


def _intervals(literals: Iterable[Literal], held: Callable[[float], bool]) -> Iterator[ColumnCell]:
    starts = {-LARGEST}
    for literal in literals:
        if isinstance(literal.value, float):
            starts.add(_start_above(literal))
    edges = [*sorted(start for start in starts if start <= LARGEST), math.inf]
    for low, after in pairwise(edges):
        high = math.nextafter(after, -math.inf)
        value = _held_number(low, high, held)
        if value is not None:
            yield ColumnCell(Region(low, high, others=False, missing=False), value)


def _held_number(low: float, high: float, held: Callable[[float], bool]) -> float | None:
    """Return a number from `low` to `high` that does not mean missing, if there is one."""
    found = typical(low, high)
    while not held(found):
        if low == high:
            return None
        low, high = (math.nextafter(found, math.inf), high) if found < high else (low, math.nextafter(found, -math.inf))
        found = typical(low, high)
    return found


def _start_above(literal: Literal) -> float:
    """Return the least number of the upper of the two halves that a bound makes."""
    test, value = OPERATORS[literal.op], float(literal.value)
    belongs_above = (test.bound == "lower") != test.is_strict
    return value if belongs_above else math.nextafter(value, math.inf)


def typical(low: float, high: float) -> float:
    """Return a number from `low` to `high` that is short to write, near the finite end if there is but one.

    >>> typical(30.000000000000004, 40.0), typical(-LARGEST, 7.5), typical(1.5, LARGEST)
    (35.0, 7.0, 2.0)
    """
    if low <= 0.0 <= high and (low == -LARGEST) == (high == LARGEST):
        return 0.0
    if low == -LARGEST:
        return _short(math.floor(high), low, high) if abs(high) < 1e15 else high
    if high == LARGEST:
        return _short(math.ceil(low), low, high) if abs(low) < 1e15 else low
    middle = low / 2 + high / 2
    rounded = (round(middle, digits) for digits in range(18))
    return next((float(x) for x in rounded if low <= x <= high), low) + 0.0


def _short(guess: float, low: float, high: float) -> float:
    return float(guess) if low <= guess <= high else (low if high == LARGEST else high)


def _unnamed(taken: Collection[str]) -> str:
    """Return a word that is none of those taken."""
    word, n = UNNAMED, 1
    while word in taken:
        n += 1
        word = f"{UNNAMED} {n}"
    return word
