"""A program applied to the rows of a table: what it reads, what holds, what it predicts, and what is actually there.

In: a program, a table, perhaps the column of its labels. Out: `View`, whose parts are worked out when they are first
asked for and then kept, so that coverage, comparison and the studio share them. Whoever asks about many programs on
one table gives a `read` that remembers columns.
"""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import DataError
from unless.evaluate.predict import actual_labels, first_indices, present_cells, read_cells, row_values
from unless.evaluate.probabilities import as_they_are, cell_probabilities
from unless.evaluate.reliability import measured
from unless.evaluate.scores import Scores
from unless.evaluate.truth import Truth
from unless.logic.column_names import sought_names
from unless.logic.graded import grade_of, graded_labels, graded_texts
from unless.logic.program import label_text
from unless.table.cells import MISSING
from unless.table.columns import cells
from unless.table.unlike_cells import remark_unlike

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.evaluate.predict import Reader
    from unless.evaluate.reliability import Reliability
    from unless.logic.program import Program
    from unless.logic.rules import Kind, Label, Value
    from unless.table.cells import Cells
    from unless.table.columns import RawColumn
    from unless.table.frames import RawTable

    Rows = NDArray[np.bool_]

log = logging.getLogger("unless")

NO_PROBABILITIES = "no probabilities are shown: %s."


class View:
    """One program's view of some rows; labels are indices in its own order, the default last."""

    def __init__(self, program: Program, table: RawTable, target: str | None = None, read: Reader = cells) -> None:
        """Look at a table; `target` is the column of labels, else the program's own where the table has it."""
        self.program = program
        self.table = table.called_as(sought_names(program))
        self.labels: tuple[Label, ...] = (*program.target.labels, program.target.default)
        self.read = read
        self._once: dict[str, Cells] = {}
        own = program.target.column if program.target.column in self.table.columns else None
        self.target = own if target is None else self.table.name_of(target)

    @cached_property
    def truth(self) -> Truth:
        """Return what holds at which rows."""
        read = read_cells(self.program, self.table, read=self._read_once)
        remark_unlike(self.program, read)
        return Truth(self.program, read, self.table.n_rows)

    @cached_property
    def predicted(self) -> NDArray[np.intp]:
        """Return the index of the predicted label for each row, the first one with that label."""
        return first_indices(self.program)[self.truth.decided]

    @cached_property
    def actual(self) -> NDArray[np.intp] | None:
        """Return the index of each row's own label, -1 where the program does not know it; None without labels."""
        return None if self.target is None else actual_labels(self.program, self.table.column(self.target))

    @cached_property
    def probabilities(self) -> dict[str, NDArray[np.float64]]:
        """Return how probable each label is, row by row; nothing without a grade, or without its columns."""
        return self._by_label(lambda: self._probabilities)

    @cached_property
    def probabilities_as_they_are(self) -> dict[str, NDArray[np.float64]]:
        """Return the same among rows as they are, if rows weighed differently in learning and that is known."""
        return self._by_label(lambda: self._as_they_are)

    def _by_label(self, find: Callable[[], NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
        if self.program.grade is None:
            return {}
        try:
            found = find()
        except DataError as error:  # a column that only the grade tests is absent: rules can do without
            log.warning(NO_PROBABILITIES, str(error).rstrip("."))
            return {}
        return {label_text(label): found[:, i] for i, label in enumerate(graded_labels(self.program))}

    @cached_property
    def _graded(self) -> dict[str, Cells]:
        read = read_cells(self.program, self.table, grade_of(self.program).columns, self._read_once)
        remark_unlike(self.program, read, said=self.program.used_columns)
        return read

    @cached_property
    def _probabilities(self) -> NDArray[np.float64]:
        return cell_probabilities(self.program, self._graded, self.truth.decided)

    @cached_property
    def _as_they_are(self) -> NDArray[np.float64]:
        return as_they_are(self.program, self._graded, self.truth.decided)

    def _read_once(self, column: RawColumn, kind: Kind, missing: tuple[str, ...], reading: str) -> Cells:
        """Read a column of the program, or return it as it was read before."""
        if column.name not in self._once:
            self._once[column.name] = self.read(column, kind, missing, reading)
        return self._once[column.name]

    @cached_property
    def cells(self) -> dict[str, Cells]:
        """Return all of the program's columns that the table has."""
        return present_cells(self.table, self.program, self._read_once)

    @cached_property
    def _words(self) -> Cells | None:
        return None if self.target is None else self.read(self.table.column(self.target), "categorical", (), "")

    @property
    def label_codes(self) -> NDArray[np.int32] | None:
        """Return each row's own label as a code, whatever the program calls it; None without labels."""
        return None if self._words is None or self._words.words is None else self._words.words.codes

    def row(self, row: int) -> dict[str, Value | None]:
        """Return the values of one row."""
        return row_values(self.cells, row)

    def predicted_text(self, row: int) -> str:
        """Return the predicted label for a row as text."""
        return label_text(self.labels[int(self.predicted[row])])

    def actual_text(self, row: int) -> str | None:
        """Return the actual label of a row as the program writes it, or as the table does."""
        if self.actual is None or self._words is None:
            return None
        index = int(self.actual[row])
        return str(self._words.value(row)) if index < 0 else label_text(self.labels[index])

    def predicted_texts(self) -> NDArray[np.str_]:
        """Return the predicted label for each row as text."""
        return np.array([label_text(label) for label in self.labels])[self.predicted]

    def accuracy(self, rows: Rows | None = None) -> float:
        """Return the share of rows predicted right, among all or some."""
        right = self.predicted == self.actual
        right = right if rows is None else right[rows]
        return float(np.mean(right)) if len(right) else 0.0

    @cached_property
    def label_texts(self) -> tuple[str, ...]:
        """Return the labels as text: those of the program, then those that only the table has."""
        own = dict.fromkeys(label_text(label) for label in self.labels)
        if self.actual is None or self._words is None or self._words.words is None:
            return tuple(own)
        # Not np.unique, which loads numpy.ma: as much time as scoring a table takes.
        codes = self._words.words.codes[self.actual < 0]
        unknown = np.bincount(codes[codes != MISSING]).nonzero()[0].tolist()
        return tuple(dict.fromkeys((*own, *(self._words.words.lexicon[code] for code in unknown))))

    def _is_actual(self, text: str) -> Rows:
        """Tell which rows have a label, one that the program does not know too."""
        assert self.actual is not None
        texts = [label_text(label) for label in self.labels]
        if text in texts:
            return np.equal(self.actual, texts.index(text))
        assert self._words is not None
        assert self._words.words is not None
        lexicon = self._words.words.lexicon
        code = lexicon.index(text) if text in lexicon else len(lexicon)
        return np.equal(self._words.words.codes, code) & np.less(self.actual, 0)

    def reliability(self, rows: Rows | None = None, label: str | None = None) -> Reliability | None:
        """Measure the probabilities of a label, the first unless one is named, against all others.

        Those of rows as they are, wherever they are known, since that is what a table has. Among all or some rows; None
        without a grade that has the label, without labels or without rows.
        """
        if self.program.grade is None or self.actual is None:
            return None
        graded, text = graded_texts(self.program), label_text(self.labels[0]) if label is None else label
        if text not in graded:
            return None
        chances, is_label = self._as_they_are[:, graded.index(text)], self._is_actual(text)
        if rows is not None:
            chances, is_label = chances[rows], is_label[rows]
        return measured(chances, is_label) if len(chances) else None

    def scores(self, text: str, rows: Rows | None = None) -> Scores:
        """Count right and wrong for one label, among all or some rows; a label that is never predicted counts too."""
        texts = [label_text(label) for label in self.labels]
        index = texts.index(text) if text in texts else len(texts)
        predicted, actual, is_right = self.predicted == index, self._is_actual(text), self.predicted == self.actual
        if rows is not None:
            predicted, actual, is_right = predicted[rows], actual[rows], is_right[rows]
        both, neither = int((predicted & actual).sum()), ~(predicted | actual)
        wrong, missed = int((predicted & ~actual).sum()), int((actual & ~predicted).sum())
        return Scores(text, both, wrong, missed, int(neither.sum()), int((neither & ~is_right).sum()))

    def confusion(self) -> dict[str, dict[str, int]]:
        """Count the rows of each actual label, as the table writes it, by the predicted one."""
        assert self._words is not None
        assert self._words.words is not None
        actual, predicted = self._words.words, [label_text(label) for label in self.labels]
        width = len(predicted)
        n_rows = np.bincount(actual.codes.astype(np.int64) * width + self.predicted)
        pairs = np.flatnonzero(n_rows)
        cells = [(actual.lexicon[pair // width], predicted[pair % width]) for pair in pairs.tolist()]
        texts = sorted({text for cell in cells for text in cell})
        counts = {text: dict.fromkeys(texts, 0) for text in texts}
        for (row, column), n in zip(cells, n_rows[pairs].tolist(), strict=True):
            counts[row][column] += n
        return counts
