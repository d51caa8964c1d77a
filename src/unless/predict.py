"""A program and a table give labels: the fast, column-wise twin of `logic.holds`.

Each distinct literal is tested once over its whole column, each helper predicate once, those called first. Only the
columns that the program tests are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError, unknown_column
from unless.logic.program import label_text, unnamed_default
from unless.rules import Literal
from unless.table.cells import MISSING
from unless.table.frames import RawTable, raw_table
from unless.table.raw import RawColumn, cells
from unless.values import number_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.logic.program import Clause, Goal, Program
    from unless.rules import Kind, Label, Value
    from unless.table.cells import Cells

COMPARE = {"=<": np.less_equal, "<": np.less, ">": np.greater, ">=": np.greater_equal}


Reader = Callable[[RawColumn, "Kind", tuple[str, ...]], "Cells"]
"""How a column is read: `table.raw.cells`, or one that remembers what it read."""


def read_cells(program: Program, data: Any, more: Sequence[str] = (), read: Reader = cells) -> dict[str, Cells]:
    """Read the columns of a table that a program tests, and `more` of its columns."""
    table = raw_table(data)
    wanted = tuple(dict.fromkeys((*program.used_columns, *more)))
    absent = [name for name in wanted if name not in table.columns]
    if absent:
        msg = "the program tests a column that is absent: " + unknown_column(absent[0], table.names)
        raise DataError(msg)
    columns = {column.name: column for column in program.columns}
    return {name: read(table.columns[name], columns[name].kind, program.missing) for name in wanted}


def predict(program: Program, data: Any) -> list[Label]:
    """Predict the label of each row of any table."""
    table = raw_table(data)
    labels = [*program.target.labels, program.target.default]
    return [labels[i] for i in decided(program, read_cells(program, table), table.n_rows).tolist()]


def decided(program: Program, columns: Mapping[str, Cells], n_rows: int) -> NDArray[np.intp]:
    """Return for each row the place of its label among the target's labels; the default comes after them."""
    return Truth(program, columns, n_rows).decided


def label_places(program: Program, column: RawColumn) -> NDArray[np.intp]:
    """Return for each row the place of its own label among the target's labels (see `first_places`), or -1.

    A program without a header names no default; there, every other label counts as it.
    """
    words = cells(column, "categorical").words
    assert words is not None
    if (words.codes == MISSING).any():
        missing = np.flatnonzero(words.codes == MISSING)
        msg = f"column {column.name!r} has no label in {len(missing)} row(s), the first is row {missing[0]}; "
        raise DataError(msg + "every row needs one.")
    target = program.target
    labels = (*target.labels, target.default)
    places = {_label_word(label): int(place) for label, place in zip(labels, first_places(program), strict=True)}
    other = len(target.labels) if target.default == unnamed_default(target.labels) else -1
    by_code = np.array([places.get(word, other) for word in words.lexicon], dtype=np.intp)
    return by_code[words.codes]


def first_places(program: Program) -> NDArray[np.intp]:
    """Map the place of each label, the default last, to the first with that label: clauses may conclude the default."""
    texts = [label_text(label) for label in (*program.target.labels, program.target.default)]
    return np.array([texts.index(text) for text in texts], dtype=np.intp)


def _label_word(label: Label) -> str:
    """Spell a label as the cells of a table do: 1.0 is 1 there."""
    return number_word(label) if isinstance(label, float) else label_text(label)


class RowValues(Mapping[str, "Value | None"]):
    """One row of some columns, read when it is asked for: of many rows few are looked at."""

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Mapping[str, Cells], row: int) -> None:
        self._columns = columns
        self._row = row

    def __getitem__(self, name: str) -> Value | None:
        return self._columns[name].value(self._row)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def row_values(columns: Mapping[str, Cells], row: int) -> dict[str, Value | None]:
    """Return one row as plain values."""
    return {name: column.value(row) for name, column in columns.items()}


def rows_of(table: RawTable, program: Program, rows: Sequence[int]) -> list[dict[str, Value | None]]:
    """Return some rows of a table as the program's columns see them; columns the table lacks are missing."""
    read = present_cells(table, program)
    return [row_values(read, row) for row in rows]


def present_cells(table: RawTable, program: Program, read: Reader = cells) -> dict[str, Cells]:
    """Read all of the program's columns that a table has."""
    present = [column for column in program.columns if column.name in table.columns]
    return {c.name: read(table.columns[c.name], c.kind, program.missing) for c in present}


@dataclass(frozen=True)
class Truth:
    """The truth of literals, clauses and helper predicates over the rows of a table."""

    program: Program
    columns: Mapping[str, Cells]
    n_rows: int

    @cached_property
    def decided(self) -> NDArray[np.intp]:
        """Return for each row the place of its label among the target's labels; the default comes after them."""
        labels = self.program.target.labels
        result = np.full(self.n_rows, len(labels), dtype=np.intp)
        for place in reversed(range(len(labels))):
            for clause in self.program.clauses_for(labels[place]):
                result[self.clause(clause)] = place
        return result

    @cached_property
    def helpers(self) -> dict[str, NDArray[np.bool_]]:
        """Return the rows for which each helper predicate holds."""
        known: dict[str, NDArray[np.bool_]] = {}
        for name in self.program.order:
            holds = np.zeros(self.n_rows, dtype=bool)
            for clause in self.program.helpers[name]:
                holds |= self._clause(clause, known)
            known[name] = holds
        return known

    @cached_property
    def _literals(self) -> dict[Literal, NDArray[np.bool_]]:
        return {}

    def clause(self, clause: Clause) -> NDArray[np.bool_]:
        """Return the rows for which a clause's body holds."""
        return self._clause(clause, self.helpers)

    def goal(self, goal: Goal) -> NDArray[np.bool_]:
        """Return the rows for which a goal holds."""
        return self._goal(goal, self.helpers)

    def literal(self, literal: Literal) -> NDArray[np.bool_]:
        """Return the rows for which a literal holds."""
        if literal not in self._literals:
            self._literals[literal] = test(literal, self.columns[literal.column])
        return self._literals[literal]

    def _clause(self, clause: Clause, known: Mapping[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
        holds = np.ones(self.n_rows, dtype=bool)
        for goal in clause.body:
            holds &= self._goal(goal, known)
        return holds

    def _goal(self, goal: Goal, known: Mapping[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
        if isinstance(goal, Literal):
            return self.literal(goal)
        return ~known[goal.name] if goal.negated else known[goal.name]


def test(literal: Literal, column: Cells) -> NDArray[np.bool_]:
    """Test one literal over a whole column."""
    if literal.op in COMPARE:
        if column.numbers is None:
            return np.zeros(column.n_rows, dtype=bool)
        result: NDArray[np.bool_] = COMPARE[literal.op](column.numbers, literal.value)  # NaN compares as false
        return result
    words = column.words
    code = MISSING - 1
    if words is not None and literal.value in words.lexicon:
        code = words.lexicon.index(str(literal.value))
    holds = np.zeros(column.n_rows, dtype=bool) if words is None else words.codes == code
    return ~holds if literal.op == "!=" else holds
