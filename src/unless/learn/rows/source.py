"""Where the rows to learn from come from: one table in memory, or parts that are read one after the other, twice.

The first pass surveys (`survey`), the second codes: only the narrow codes are kept, never the cells. A `Source` on a
cluster is in `unless.distributed`; the learner sees no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from unless.learn.rows.codes import code_cells, empty_columns
from unless.learn.rows.row_set import LocalRows, Rows, all_rows
from unless.learn.rows.survey import Part, join_in_turn, join_surveys, settle, survey_cells
from unless.table.kinds import look_at
from unless.table.labels import read_labels
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unless.learn.rows.codes import Codebook
    from unless.learn.rows.survey import Survey
    from unless.logic.rules import Kind, Label
    from unless.table.cells import Cells
    from unless.table.formats import Piece
    from unless.table.kinds import KindRule


def read_part(piece: Piece, target: str, drop: Sequence[str] = ()) -> Part:
    """Read a piece of a file as rows with labels."""
    table = piece.read()
    return Part(table.without([target, *drop]), read_labels(table.column(target)), piece.called)


class Candidates(Protocol):
    """What literals may test, from the cells of a part and from the codebooks of the whole."""

    def cells(self, read: Mapping[str, Cells], n_rows: int) -> dict[str, Cells]:
        """Return the cells of all candidates."""

    def books(self, books: Mapping[str, Codebook]) -> dict[str, Codebook]:
        """Return the codebooks of all candidates."""


class Source(Protocol):
    """Rows with labels, wherever they are."""

    def survey(self) -> tuple[Survey, dict[str, Kind]]:
        """Return what the whole table holds, and the kinds of its columns."""

    def rows(self, survey: Survey, kinds: Mapping[str, Kind], positive: Label, candidates: Candidates) -> Rows:
        """Code the table and return all its rows, divided into those with the positive label and the others."""


class LocalSource:
    """Parts of a table, read when asked for; a table of one part is read once and its cells kept."""

    def __init__(
        self, parts: Sequence[Callable[[], Part]], rule: KindRule, missing: Sequence[str], n_threads: int
    ) -> None:
        self._parts, self._rule, self._missing, self._n_threads = parts, rule, missing, n_threads
        self._kept: tuple[Part, dict[str, Cells]] | None = None

    def survey(self) -> tuple[Survey, dict[str, Kind]]:
        """Survey part after part."""
        first = self._parts[0]()
        if len(self._parts) == 1:
            self._kept = first, {}
        looks = {name: look_at(first.table.columns[name], self._rule) for name in first.table.names}
        return settle(looks, self._rule, self._sweep)

    def _sweep(self, kinds: Mapping[str, Kind]) -> Survey:
        surveys = (survey_cells(part, found, self._rule, self._n_threads) for part, found in self._cells(kinds))
        return join_in_turn(surveys, join_surveys)

    def _cells(self, kinds: Mapping[str, Kind]) -> Iterator[tuple[Part, dict[str, Cells]]]:
        """Yield each part with its cells."""
        if self._kept is not None:
            part, kept = self._kept
            unread = {name: kind for name, kind in kinds.items() if name not in kept}
            kept.update(part.cells(unread, self._missing, self._n_threads))
            yield self._kept
            return
        for read in self._parts:
            part = read()
            yield part, part.cells(kinds, self._missing, self._n_threads)

    def rows(self, survey: Survey, kinds: Mapping[str, Kind], positive: Label, candidates: Candidates) -> LocalRows:
        """Code part after part."""
        books = candidates.books(survey.books)
        columns = empty_columns(books.values(), survey.n_rows)
        is_positive = np.empty(survey.n_rows, dtype=bool)
        start = 0
        for part, read in self._cells(kinds):
            stop = start + part.table.n_rows
            found = candidates.cells(read, stop - start)
            pairs = [(book, found[name]) for name, book in books.items()]
            columns.fill(start, map_columns(lambda pair: code_cells(*pair), pairs, stop - start, self._n_threads))
            is_positive[start:stop] = part.has(positive)
            start = stop
        self._kept = None
        return all_rows(columns, is_positive)
