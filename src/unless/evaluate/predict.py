"""A program and a table give labels: reading the columns that a program tests, and its rows' labels.

Only the columns that the program tests are read; what holds in them is worked out by `evaluate.truth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.truth import Truth
from unless.logic.column_names import no_column
from unless.logic.program import label_text, unnamed_default
from unless.logic.values import BLANKS, number_word
from unless.table.columns import RawColumn, cells
from unless.table.frames import RawTable, raw_table
from unless.table.labels import read_label_words
from unless.table.parts import seen_by
from unless.table.unlike_cells import remark_unlike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Kind, Label, Value
    from unless.table.cells import Cells

Reader = Callable[[RawColumn, "Kind", tuple[str, ...], str], "Cells"]
"""How a column is read: `table.columns.cells`, or one that remembers what it read."""


def read_cells(program: Program, data: Any, more: Sequence[str] = (), read: Reader = cells) -> dict[str, Cells]:
    """Read the columns of a table that a program tests, and `more` of its columns."""
    table = seen_by(program, raw_table(data))
    wanted = tuple(dict.fromkeys((*program.used_columns, *more)))
    absent = [name for name in wanted if name not in table.columns]
    columns = {column.name: column for column in program.columns}
    from_beside = {name for name, column in columns.items() if program.related or column.atoms}
    if from_beside.intersection(absent):
        msg = (
            f"the program tests {absent[0]!r}, which comes from facts or tables beside this table. "
            "Hint: give --background or --related, which predict, score, explain, ask, rules, report, compare and "
            "grade take; in Python, RelatedRows."
        )
        raise DataError(msg)
    if absent:
        asks = "program tests" if absent[0] in program.used_columns else "grade, which gives probabilities, tests"
        msg = f"the {asks} a column that is absent: " + no_column(absent[0], table.names)
        raise DataError(msg)
    missing = program.missing
    return {n: read(table.columns[n], columns[n].kind, missing, columns[n].reading) for n in wanted}


def predict(program: Program, data: Any) -> list[Label]:
    """Predict the label of each row of any table."""
    table = raw_table(data)
    labels = [*program.target.labels, program.target.default]
    read = read_cells(program, table)
    remark_unlike(program, read)
    return [labels[i] for i in decided(program, read, table.n_rows).tolist()]


def decided(program: Program, columns: Mapping[str, Cells], n_rows: int) -> NDArray[np.intp]:
    """Return for each row the index of its label among the target's labels; the default comes after them."""
    return Truth(program, columns, n_rows).decided


def actual_labels(program: Program, column: RawColumn) -> NDArray[np.intp]:
    """Return for each row the index of its own label among the target's labels (see `first_indices`), or -1.

    A program without a header names no default; there, every other label counts as it.
    """
    words = read_label_words(column)
    return word_indices(program, words.lexicon)[words.codes]


def word_indices(program: Program, words: Sequence[str]) -> NDArray[np.intp]:
    """Return for labels as words the index of each among the target's labels, or -1."""
    target = program.target
    labels = (*target.labels, target.default)
    indices = {label_word(label): int(index) for label, index in zip(labels, first_indices(program), strict=True)}
    other = len(target.labels) if target.default == unnamed_default(target.labels) else -1
    return np.array([indices.get(word, indices.get(word.strip(BLANKS), other)) for word in words], dtype=np.intp)


def known_labels(program: Program) -> frozenset[str]:
    """Return the labels that a program or its grade knows, as the cells of a table spell them."""
    graded = () if program.grade is None else (card.label for card in program.grade.cards)
    return frozenset(map(label_word, (*program.target.labels, program.target.default, *graded)))


def unknown_labels(program: Program, column: RawColumn) -> tuple[int, list[str]]:
    """Count the rows whose label neither the program nor its grade knows, and return these labels."""
    target, words = program.target, read_label_words(column)
    if target.default == unnamed_default(target.labels):  # it stands for every other label
        return 0, []
    known = known_labels(program)
    is_unknown = np.array([word not in known for word in words.lexicon], dtype=np.bool_)
    n_rows = np.bincount(words.codes, minlength=len(is_unknown))
    return int(n_rows[is_unknown].sum()), [words.lexicon[code] for code in np.flatnonzero(is_unknown & (n_rows > 0))]


def first_indices(program: Program) -> NDArray[np.intp]:
    """Map the index of each label, the default last, to the first with that label: clauses may conclude the default."""
    texts = [label_text(label) for label in (*program.target.labels, program.target.default)]
    return np.array([texts.index(text) for text in texts], dtype=np.intp)


def label_word(label: Label) -> str:
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


def present_cells(table: RawTable, program: Program, read: Reader = cells) -> dict[str, Cells]:
    """Read all of the program's columns that a table has."""
    table = seen_by(program, table)
    present = [column for column in program.columns if column.name in table.columns]
    return {c.name: read(table.columns[c.name], c.kind, program.missing, c.reading) for c in present}
