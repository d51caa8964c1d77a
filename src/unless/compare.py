"""Two programs and a table give a comparison: what an edit of the rules changes.

In: the program before and after, any table, perhaps the labels of its rows. Out: `Comparison`. Each program reads the
table in its own way (its kinds of columns, its words for missing). Labels are compared by their text, as a model file
writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.explain.comparison import Comparison, Flip, Measure
from unless.logic.printer import clause_lines
from unless.logic.program import label_text
from unless.predict import RowValues
from unless.table.frames import raw_table
from unless.views import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unless.logic.program import Program
    from unless.rules import Value

    Prove = Callable[[Program, Mapping[str, Value | None]], object]


def compare(old: Program, new: Program, data: Any, target: str | None = None, prove: Prove | None = None) -> Comparison:
    """Compare what two programs predict for the rows of a table.

    `target` is the column of labels; without it the programs' own target is taken where the table has it. `prove`
    gives the proof of a row under a program; its text is shown beside each flip.
    """
    table = raw_table(data)
    before, after = (View(program, table, target) for program in (old, new))
    return compare_views(before, after, prove)


def compare_views(before: View, after: View, prove: Prove | None = None) -> Comparison:
    """Compare what two programs predict for the same rows."""
    old, new = before.program, after.program
    if old.target.column != new.target.column:
        msg = f"the programs predict different columns, {old.target.column!r} and {new.target.column!r}."
        raise DataError(msg)
    lines = list(clause_lines(old)), list(clause_lines(new))
    return Comparison(
        new.target.column,
        after.table.n_rows,
        removed=tuple(line for line in lines[0] if line not in lines[1]),
        added=tuple(line for line in lines[1] if line not in lines[0]),
        measures=tuple(_measures(before, after)) if after.target is not None else (),
        flips=tuple(_flips(before, after)),
        why=None if prove is None else lambda flip: (_why(before, flip.row, prove), _why(after, flip.row, prove)),
    )


def _why(view: View, row: int, prove: Prove) -> str:
    """Return the proof of one row as text."""
    return str(prove(view.program, view.row(row)))


def _measures(old: View, new: View) -> Iterator[Measure]:
    yield Measure("accuracy", None, old.accuracy(), new.accuracy())
    concluded = {label_text(label): label for label in (*new.program.target.labels, *old.program.target.labels)}
    for text, label in concluded.items():
        before, after = old.scores(text), new.scores(text)
        yield Measure("precision", label, before.precision, after.precision)
        yield Measure("recall", label, before.recall, after.recall)
        yield Measure("f1", label, before.f1, after.f1)


def _flips(old: View, new: View) -> Iterator[Flip]:
    columns = {**old.truth.columns, **new.truth.columns}
    rows = np.flatnonzero(old.told_texts() != new.told_texts())
    told = zip(rows.tolist(), old.told[rows].tolist(), new.told[rows].tolist(), new.true_texts(rows), strict=True)
    for row, before, after, true in told:
        yield Flip(row, old.labels[before], new.labels[after], true, RowValues(columns, row))
