"""Two programs and a table give a comparison: what an edit of the rules changes.

In: the program before and after, any table, perhaps the labels of its rows. Out: `Comparison`. Each program reads the
table in its own way (its kinds of columns, its words for missing). Labels are compared by their text, as a model file
writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from unless.errors import DataError
from unless.evaluate.comparison import Comparison, Flip, Measure
from unless.evaluate.label_scores import is_many
from unless.evaluate.predict import RowValues
from unless.evaluate.scores import LABEL_METRICS
from unless.evaluate.view import View
from unless.logic.program import label_text
from unless.logic.renamed_columns import called_like
from unless.logic.text.printer import clause_lines
from unless.table.frames import raw_table
from unless.table.row_names import NamedRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Label, Value

    Prove = Callable[[Program, Mapping[str, Value | None]], object]


def compare(
    old: Program,
    new: Program,
    data: Any,
    target: str | None = None,
    prove: Prove | None = None,
    id_column: str | None = None,
) -> Comparison:
    """Compare what two programs predict for the rows of a table.

    `target` is the column of labels; without it the programs' own target is taken where the table has it. `prove`
    gives the proof of a row under a program; its text is shown beside each flip. `id_column` names rows.
    """
    table = raw_table(data)
    before, after = (View(program, table, target) for program in (called_like(old, new), new))
    return compare_views(before, after, prove, id_column)


def compare_views(before: View, after: View, prove: Prove | None = None, id_column: str | None = None) -> Comparison:
    """Compare what two programs predict for the same rows."""
    old, new = before.program, after.program
    if old.target.column != new.target.column:
        msg = f"the programs predict different columns, {old.target.column!r} and {new.target.column!r}."
        raise DataError(msg)
    lines = list(clause_lines(old)), list(clause_lines(new))
    flips = Flips(before, after, id_column)
    return Comparison(
        new.target.column,
        after.table.n_rows,
        removed=tuple(line for line in lines[0] if line not in lines[1]),
        added=tuple(line for line in lines[1] if line not in lines[0]),
        measures=tuple(_measures(before, after)) if after.target is not None else (),
        flips=flips,
        verdicts=flips.verdicts(),
        columns=new.columns,
        programs=(old, new),
        why=None if prove is None else lambda flip: (_why(before, flip, prove), _why(after, flip, prove)),
    )


def _why(view: View, flip: Flip, prove: Prove) -> str:
    """Return the proof of one row as text."""
    return str(prove(view.program, view.row(*view.table.find([flip.row]))))


def _measures(old: View, new: View) -> Iterator[Measure]:
    yield Measure("accuracy", None, old.accuracy(), new.accuracy())
    many = is_many(old) or is_many(new)
    if not many:
        yield from _graded(old, new, None)
    for text, label in {label_text(label): label for label in _labels(new, old, many=many)}.items():
        was, now = old.scores(text), new.scores(text)
        yield from (Measure(name, label, was[name], now[name]) for name in LABEL_METRICS)
        if many:  # of two labels the probabilities of one say those of the other, of more they do not
            yield from _graded(old, new, label)


def _labels(new: View, old: View, *, many: bool) -> Iterator[Label]:
    """Yield the labels that rules conclude; of more than two also the default, and those that only a grade knows."""
    for program in (new.program, old.program):
        yield from program.target.labels
        if many:
            yield program.target.default
    for program in (new.program, old.program) if many else ():
        yield from (card.label for card in program.grade.cards) if program.grade is not None else ()


def _graded(old: View, new: View, label: Label | None) -> Iterator[Measure]:
    """Compare the probabilities of a label, where both programs have them; None is the first label of two."""
    grades = [view.reliability(label=None if label is None else label_text(label)) for view in (old, new)]
    if grades[0] is not None and grades[1] is not None:
        before, after = grades[0].measures(), grades[1].measures()
        yield from (Measure(name, label, before[name], after[name]) for name in before if name in after)


class Flips(Sequence[Flip]):
    """The rows that flip; each is looked at when it is asked for, because there may be very many.

    `rows` are where they stand in the views; a flip says the number that its row has in the file.
    """

    def __init__(self, old: View, new: View, id_column: str | None = None) -> None:
        self._old, self._new = old, new
        self._names = None if id_column is None else NamedRows(new.table, id_column)
        if id_column is not None:
            new.table.column(id_column)  # refused now, and not at the first flip
        self.rows = np.flatnonzero(old.predicted_texts() != new.predicted_texts())
        self._columns = {**old.truth.columns, **new.truth.columns}

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Flip: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Flip, ...]: ...
    def __getitem__(self, index: int | slice) -> Flip | tuple[Flip, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(len(self))[index])
        old, new, row = self._old, self._new, int(self.rows[index])
        before, after = old.labels[old.predicted[row]], new.labels[new.predicted[row]]
        name = None if self._names is None else self._names.name(row)
        return Flip(new.table.number(row), before, after, new.actual_text(row), RowValues(self._columns, row), name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def verdicts(self) -> Counter[str]:
        """Count the flips by verdict; flips with the same three labels have the same, so one of each is asked."""
        labels: list[NDArray[Any]] = [self._old.predicted, self._new.predicted]
        if self._new.label_codes is not None:
            labels.append(self._new.label_codes)
        alike = np.zeros(len(self), dtype=np.intp)
        for codes in labels:
            alike = alike * (int(codes.max(initial=0)) + 1) + codes[self.rows]
        _, firsts, counts = np.unique(alike, return_index=True, return_counts=True)
        found: Counter[str] = Counter()
        for first, n in zip(firsts.tolist(), counts.tolist(), strict=True):
            found[self[first].verdict] += n
        return found
