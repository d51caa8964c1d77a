"""Two programs and a table give a comparison: what an edit of the rules changes.

In: the program before and after, any table, perhaps the labels of its rows. Out: `Comparison`. Each program reads the
table in its own way (its kinds of columns, its words for missing). Labels are compared by their text, as a model file
writes them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.explain.comparison import Comparison, Flip, Measure
from unless.logic.printer import clause_lines
from unless.logic.program import label_text
from unless.predict import decided, first_places, label_places, present_cells, read_cells, row_values
from unless.scores import Scores
from unless.table.frames import RawTable, raw_table
from unless.table.raw import cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.rules import Label, Value
    from unless.table.cells import Cells

    Prove = Callable[[Program, Mapping[str, Value | None]], object]


def compare(old: Program, new: Program, data: Any, target: str | None = None, prove: Prove | None = None) -> Comparison:
    """Compare what two programs predict for the rows of a table.

    `target` is the column of labels; without it the programs' own target is taken where the table has it. `prove`
    gives the proof of a row under a program; its text is shown beside each flip.
    """
    if old.target.column != new.target.column:
        msg = f"the programs predict different columns, {old.target.column!r} and {new.target.column!r}."
        raise DataError(msg)
    table = raw_table(data)
    name = target if target is not None else new.target.column
    is_known = target is not None or name in table.columns
    before, after = (_Side(program, table, name if is_known else None) for program in (old, new))
    lines = list(clause_lines(old)), list(clause_lines(new))
    return Comparison(
        new.target.column,
        table.n_rows,
        removed=tuple(line for line in lines[0] if line not in lines[1]),
        added=tuple(line for line in lines[1] if line not in lines[0]),
        measures=tuple(_measures(before, after)) if is_known else (),
        flips=tuple(_flips(before, after)),
        why=None if prove is None else lambda flip: (before.why(flip.row, prove), after.why(flip.row, prove)),
    )


class _Side:
    """One program's view of the rows: what it tells, and what is true in its own order of labels."""

    def __init__(self, program: Program, table: RawTable, name: str | None) -> None:
        self.program = program
        self.labels: tuple[Label, ...] = (*program.target.labels, program.target.default)
        self.table = table
        self.told = first_places(program)[decided(program, read_cells(program, table), table.n_rows)]
        self.true = None if name is None else label_places(program, table.column(name))
        self.words = None if name is None else cells(table.column(name), "categorical").words

    @cached_property
    def cells(self) -> dict[str, Cells]:
        """Return the program's columns as it reads them."""
        return present_cells(self.table, self.program)

    def row(self, row: int) -> dict[str, Value | None]:
        """Return the values of one row."""
        return row_values(self.cells, row)

    def why(self, row: int, prove: Prove) -> str:
        """Return the proof of one row as text."""
        return str(prove(self.program, self.row(row)))

    def texts(self) -> NDArray[np.str_]:
        """Return the label told for each row as text."""
        return np.array([label_text(label) for label in self.labels])[self.told]

    def true_text(self, row: int) -> str | None:
        """Return the true label of a row as the program writes it, or as the table does."""
        if self.true is None or self.words is None:
            return None
        place = int(self.true[row])
        return self.words.lexicon[int(self.words.codes[row])] if place < 0 else label_text(self.labels[place])

    def accuracy(self) -> float:
        """Return the share of rows told right."""
        return float(np.mean(self.told == self.true)) if len(self.told) else 0.0

    def scores(self, text: str) -> Scores:
        """Count right and wrong for one label; a label that the program never tells is never told."""
        assert self.true is not None
        texts = [label_text(label) for label in self.labels]
        place = texts.index(text) if text in texts else len(texts)
        told, true = self.told == place, self.true == place
        both, either = int((told & true).sum()), int((told | true).sum())
        return Scores(text, both, int((told & ~true).sum()), int((true & ~told).sum()), len(told) - either)


def _measures(old: _Side, new: _Side) -> Iterator[Measure]:
    yield Measure("accuracy", None, old.accuracy(), new.accuracy())
    concluded = {label_text(label): label for label in (*new.program.target.labels, *old.program.target.labels)}
    for text, label in concluded.items():
        before, after = old.scores(text), new.scores(text)
        yield Measure("precision", label, before.precision, after.precision)
        yield Measure("recall", label, before.recall, after.recall)
        yield Measure("f1", label, before.f1, after.f1)


def _flips(old: _Side, new: _Side) -> Iterator[Flip]:
    used = {*old.program.used_columns, *new.program.used_columns}
    for row in np.flatnonzero(old.texts() != new.texts()).tolist():
        values = {**old.row(row), **new.row(row)}
        kept = {name: value for name, value in values.items() if name in used}
        before, after = old.labels[old.told[row]], new.labels[new.told[row]]
        yield Flip(row, before, after, new.true_text(row), kept)
