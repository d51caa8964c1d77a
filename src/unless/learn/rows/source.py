"""Where the rows to learn from come from: one table in memory, or parts that are read one after the other, twice.

The first pass surveys (`survey`), the second codes: only the narrow codes are kept, never the cells. A table in memory
is a source of one part, whose cells are read once. A `Source` on a cluster is in `unless.distributed`; learners see no
difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from unless.learn.rows.codes import Columns, code_cells, empty_columns
from unless.learn.rows.row_set import LocalRows, Rows, all_rows
from unless.learn.rows.survey import Part, join_in_turn, join_surveys, look_at_columns, settle, survey_cells
from unless.table.labels import read_labelled
from unless.table.parts import add_parts
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Codebook
    from unless.learn.rows.survey import Survey
    from unless.learn.rows.testable import Testable
    from unless.logic.date_parts import DatePart
    from unless.logic.rules import Column
    from unless.table.cells import Cells
    from unless.table.column_look import Look
    from unless.table.formats import Piece
    from unless.table.kinds import KindRule
    from unless.table.labels import Labels


def read_part(
    piece: Piece, target: str, drop: Sequence[str], dated: Mapping[str, DatePart], missing: Sequence[str]
) -> Part:
    """Read a piece of a file as rows with labels, and the parts of dates that are asked for as columns.

    Rows without a label (totals, cases that are not decided yet) are left out.
    """
    table = piece.read()
    labels, labelled = read_labelled(table.column(target), missing)
    rows = table if labelled is None else table.take(labelled)
    features = add_parts(rows, dated, missing).without([target, *drop])
    return Part(features, labels, piece.called, table.n_rows - rows.n_rows)


class CodedTable(Protocol):
    """A table in codes, wherever its rows are."""

    def rows(self, label: int) -> Rows:
        """Return all rows, divided into those of one label, by its index among the labels, and the others."""


class Source(Protocol):
    """Rows with labels, wherever they are."""

    def survey(self) -> tuple[Survey, dict[str, Column]]:
        """Return what the whole table holds, and how its columns are read."""

    def code(self, survey: Survey, how: Mapping[str, Column], testable: Testable) -> CodedTable:
        """Code the table where its rows are."""

    def gather(self, survey: Survey, how: Mapping[str, Column], testable: Testable) -> LocalTable:
        """Code the table where its rows are, and bring the codes here."""

    def labels(self, survey: Survey) -> NDArray[np.intp]:
        """Return the index of each row's label among all labels; known once the table is surveyed."""


@dataclass(frozen=True, eq=False)
class LocalTable:
    """A table in codes in this machine's memory, with the index of each row's label.

    `aside` are the columns that rules may not test, but that background knowledge and locked rules do.
    """

    columns: Columns
    labels: NDArray[np.intp]
    aside: Columns

    def rows(self, label: int) -> LocalRows:
        """Return all rows, divided into those of one label and the others."""
        return all_rows(self.columns, self.labels == label)


class LocalSource:
    """Parts of a table, read when asked for; a table of one part is read once and its cells kept."""

    def __init__(
        self, parts: Sequence[Callable[[], Part]], rule: KindRule, missing: Sequence[str], n_threads: int
    ) -> None:
        self._parts, self._rule, self._missing, self._n_threads = parts, rule, missing, n_threads
        self._kept: tuple[Part, dict[str, Cells]] | None = None
        self._looks: dict[str, Look] | None = None
        self._labels: list[Labels] = []
        self._ranks: dict[str, NDArray[np.int32] | None] = {}

    @property
    def n_parts(self) -> int:
        """Count the parts."""
        return len(self._parts)

    @property
    def n_threads(self) -> int:
        """Return how many threads may work side by side."""
        return self._n_threads

    def survey(self) -> tuple[Survey, dict[str, Column]]:
        """Survey part after part."""
        first = self._parts[0]()
        looks = look_at_columns(first.table, self._rule)
        if len(self._parts) == 1:
            self._kept, self._looks = (first, {}), looks
        return settle(first.table.names, looks, self._rule, self._sweep)

    def labels(self, survey: Survey) -> NDArray[np.intp]:
        """Return the index of each row's label among all labels; known once the table is surveyed."""
        found = [np.searchsorted(survey.classes, part.classes)[part.codes] for part in self._labels if len(part)]
        return np.concatenate(found) if len(found) > 1 else found[0]

    def _sweep(self, columns: Mapping[str, Column]) -> Survey:
        is_first = not self._labels

        def surveys() -> Iterator[Survey]:
            for part, found in self._cells(columns):
                if is_first:
                    self._labels.append(part.labels)
                looks = self._looks or look_at_columns(part.table, self._rule)
                ranks = None if self._kept is None else self._ranks
                yield survey_cells(part, found, looks, self._n_threads, ranks)

        return join_in_turn(surveys(), join_surveys)

    def _cells(self, columns: Mapping[str, Column]) -> Iterator[tuple[Part, dict[str, Cells]]]:
        """Yield each part with its cells."""
        if self._kept is not None:
            part, kept = self._kept
            unread = {name: column for name, column in columns.items() if name not in kept}
            kept.update(part.cells(unread, self._missing, self._n_threads))
            yield self._kept
            return
        for read in self._parts:
            part = read()
            yield part, part.cells(columns, self._missing, self._n_threads)

    def code(self, survey: Survey, how: Mapping[str, Column], testable: Testable) -> LocalTable:
        """Code part after part."""
        books = testable.books(survey.books)
        others = {name: survey.books[name] for name in testable.hidden}
        columns, aside = (empty_columns(some.values(), survey.n_rows) for some in (books, others))
        start = 0
        for part, read in self._cells(how):
            n_rows = part.table.n_rows
            columns.fill(start, self._coded(books, testable.cells(read, n_rows), n_rows))
            aside.fill(start, self._coded(others, read, n_rows))
            start += n_rows
        self._kept, self._ranks = None, {}
        return LocalTable(columns, self.labels(survey), aside)

    def gather(self, survey: Survey, how: Mapping[str, Column], testable: Testable) -> LocalTable:
        """Code part after part: the rows are here already."""
        return self.code(survey, how, testable)

    def _coded(self, books: Mapping[str, Codebook], cells: Mapping[str, Cells], n_rows: int) -> list[NDArray[np.uint8]]:
        items = [(book, cells[name], self._ranks.get(name)) for name, book in books.items()]
        return map_columns(lambda item: code_cells(*item), items, n_rows, self._n_threads)
