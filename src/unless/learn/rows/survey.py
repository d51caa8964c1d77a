"""Stage 0: what must be known of all rows before any row can be coded: kinds, values, labels.

In: a part of a table, and the kinds its columns are guessed to have. Out: its `Survey`. Surveys of parts join to that
of the whole, whatever the parts and their order, so a table larger than memory is surveyed part by part, and a table
on many machines part beside part; what comes out never depends on that.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unless.errors import Count, DataError, unknown_column
from unless.learn.rows.codes import Codebook, book_and_ranks, join_books
from unless.table.columns import cells
from unless.table.kind_remarks import has_swapped_day, unlike, unread_words
from unless.table.labels import unlabelled_note
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.logic.rules import Column, Label
    from unless.table.cells import Cells
    from unless.table.column_look import Look
    from unless.table.frames import RawTable
    from unless.table.kinds import KindRule
    from unless.table.labels import Labels

log = logging.getLogger("unless")

T = TypeVar("T")
ONE_UNREAD = "column %r is read as %s, and %s of its %s values is not written so, such as %r: it is a word."
UNREAD = "column %r is read as %s, and %s of its %s values are not written so, such as %r: they are words."
UNREAD_SWAPPED = (
    "column %r is read as %s, and %s of its %s values are not written so, such as %r, where day and month are swapped: "
    "words here, and others of days up to 12 are perhaps read wrongly."
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some rows of a table with their labels; `origin` says where they come from, for messages.

    `n_unlabelled` rows that had no label are not among them.
    """

    table: RawTable
    labels: Labels
    origin: str = ""
    n_unlabelled: int = 0

    def cells(self, columns: Mapping[str, Column], missing: Sequence[str], n_threads: int = 1) -> dict[str, Cells]:
        """Read some columns, each as it is to be read."""

        def read(name: str) -> Cells:
            return cells(self.table.column(name), columns[name].kind, missing, columns[name].reading)

        try:
            found = map_columns(read, list(columns), self.table.n_rows, n_threads)
        except DataError as error:
            if not self.origin:
                raise
            msg = f"{self.origin}: {error}"
            raise DataError(msg) from None
        return dict(zip(columns, found, strict=True))

    def has(self, label: Label) -> NDArray[np.bool_]:
        """Tell which rows have a label."""
        return np.asarray(self.labels.classes == label, dtype=bool)[self.labels.codes]


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The looks, values and labels of some rows; `books` follow the order of the columns.

    Columns whose kind the user has fixed are not looked at.
    """

    n_rows: int
    names: tuple[str, ...]
    looks: dict[str, Look]
    books: dict[str, Codebook]
    label: str
    classes: NDArray[np.generic]
    counts: NDArray[np.intp]
    n_unlabelled: int = 0


def survey(part: Part, columns: Mapping[str, Column], rule: KindRule, missing: Sequence[str]) -> Survey:
    """Survey a part of a table."""
    return survey_cells(part, part.cells(columns, missing), look_at_columns(part.table, rule))


def survey_cells(
    part: Part,
    found: Mapping[str, Cells],
    looks: dict[str, Look],
    n_threads: int = 1,
    ranks: dict[str, NDArray[np.int32] | None] | None = None,
) -> Survey:
    """Survey a part of a table whose cells are read and looked at already; `ranks` (out) are those of its numbers."""
    pairs = map_columns(lambda item: book_and_ranks(*item), list(found.items()), part.table.n_rows, n_threads)
    named = {name: book for name, (book, _) in zip(found, pairs, strict=True)}
    if ranks is not None:
        ranks.update((book.name, known) for book, known in pairs)
    return Survey(
        part.table.n_rows,
        part.table.names,
        looks,
        named,
        part.labels.name,
        part.labels.classes,
        part.labels.counts(),
        part.n_unlabelled,
    )


def join_surveys(surveys: Sequence[Survey]) -> Survey:
    """Join the surveys of parts of a table."""
    first = surveys[0]
    for other in surveys[1:]:
        for name in (*first.names, *other.names):
            if name not in other.names or name not in first.names:
                where = "a part of the table" if name in first.names else "the first part of the table"
                raise DataError(unknown_column(name, other.names if name in first.names else first.names, where))
    classes, counts = _join_classes([s for s in surveys if len(s.classes)] or surveys[:1])
    return Survey(
        sum(s.n_rows for s in surveys),
        first.names,
        {name: reduce(add, (s.looks[name] for s in surveys)) for name in first.looks},
        {name: join_books([s.books[name] for s in surveys]) for name in first.books},
        first.label,
        classes,
        counts,
        sum(s.n_unlabelled for s in surveys),
    )


def _join_classes(surveys: Sequence[Survey]) -> tuple[NDArray[np.generic], NDArray[np.intp]]:
    classes, indices = np.unique(np.concatenate([s.classes for s in surveys]), return_inverse=True)
    counts = np.zeros(len(classes), dtype=np.intp)
    np.add.at(counts, indices, np.concatenate([s.counts for s in surveys]))
    return classes, counts


def join_in_turn(items: Iterable[T], join: Callable[[Sequence[T]], T]) -> T:
    """Join items as they come, equal numbers of them together: each is joined only log(n) times."""
    heap: list[tuple[int, T]] = []
    for item in items:
        heap.append((1, item))
        while len(heap) > 1 and heap[-2][0] == heap[-1][0]:
            (n, one), (m, other) = heap[-2:]
            heap[-2:] = [(n + m, join([one, other]))]
    return heap[0][1] if len(heap) == 1 else join([item for _, item in heap])


def look_at_columns(table: RawTable, rule: KindRule) -> dict[str, Look]:
    """Look at the columns whose kind is to be decided."""
    return {name: rule.look(table.columns[name]) for name in table.names if rule.needs_look(name)}


def settle(
    names: Sequence[str], first: Mapping[str, Look], rule: KindRule, sweep: Callable[[Mapping[str, Column]], Survey]
) -> tuple[Survey, dict[str, Column]]:
    """Survey a table whose kinds are not known yet: guess them by a first look, and look again where that was wrong."""
    guess = rule.columns(names, first)
    found = sweep(guess)
    if found.n_unlabelled:
        log.warning(*unlabelled_note(found.label, found.n_unlabelled))
    columns = rule.columns(names, found.looks)
    wrong = {name: column for name, column in columns.items() if guess[name] != column}
    if wrong:
        found = replace(found, books={**found.books, **sweep(wrong).books})
    rule.remark(found.looks, lambda name: found.books[name].words)
    _remark_unread(found, [columns[name] for name in rule.readings])
    return found, columns


def _remark_unread(found: Survey, columns: Sequence[Column]) -> None:
    """Say where cells are not written as the user said; words that perhaps mean missing are said elsewhere."""
    for column in columns:
        book = found.books[column.name]
        n_words = len(unread_words(column.reading, book.words)) if column.kind == "numerical" and book.words else 0
        if n_words:
            word, counts = unlike(column.reading, book.words), (n_words, len(book.numbers) + len(book.words))
            sentence = ONE_UNREAD if n_words == 1 else UNREAD
            sentence = UNREAD_SWAPPED if has_swapped_day(column.reading, word) else sentence
            log.warning(sentence, column.name, column.reading, *map(Count, counts), word)
