"""What workers hold and do: shards of the table in codes, sets of rows on them, and the tasks that make new ones.

Codes and rows stay where they are; what travels to the driver are counts (`Tally`, `Detail`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.rows.codes import Columns, code_cells, empty_columns
from unless.learn.rows.counts import Detail, join_details
from unless.learn.rows.row_set import LocalRows, all_rows
from unless.learn.rows.survey import look_at_columns, survey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Codebook, CodedLiteral
    from unless.learn.rows.counts import Ask
    from unless.learn.rows.survey import Part, Survey
    from unless.learn.rows.tally import Tally
    from unless.learn.rows.testable import Testable
    from unless.logic.rules import Column, Label
    from unless.table.column_look import Look
    from unless.table.kinds import KindRule


@dataclass(frozen=True, eq=False)
class Shard:
    """A worker's share of the table, in codes."""

    columns: Columns
    is_positive: NDArray[np.bool_]

    def __sizeof__(self) -> int:
        """Return the bytes, so that Dask knows what moving it would cost."""
        return sum(block.codes.nbytes for block in self.columns.blocks) + self.is_positive.nbytes


class Held:
    """Rows of a shard as its worker holds them; should they travel, they do without the codes."""

    def __init__(self, rows: LocalRows) -> None:
        self._rows = rows

    def on(self, shard: Shard) -> LocalRows:
        """Return the rows on the shard they belong to."""
        self._rows.columns = shard.columns
        return self._rows

    def __sizeof__(self) -> int:
        return self._rows.pos.nbytes + self._rows.neg.nbytes

    def __getstate__(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return self._rows.pos, self._rows.neg

    def __setstate__(self, state: tuple[NDArray[np.int32], NDArray[np.int32]]) -> None:
        self._rows = LocalRows(Columns((), (), 0), *state)


def look(read: Callable[..., Part], args: list[Any], rule: KindRule) -> tuple[int, tuple[str, ...], dict[str, Look]]:
    """Look at the columns of a part of the table."""
    table = read(*args).table
    return table.n_rows, table.names, look_at_columns(table, rule)


def survey_part(
    read: Callable[..., Part], args: list[Any], columns: dict[str, Column], rule: KindRule, missing: Sequence[str]
) -> Survey:
    """Survey a part of the table."""
    return survey(read(*args), columns, rule, missing)


def join_books_of(surveys: Sequence[Survey], testable: Testable) -> dict[str, Codebook]:
    """Return the codebooks of what rules may test."""
    return testable.books(all_books(surveys))


def all_books(surveys: Sequence[Survey]) -> dict[str, Codebook]:
    """Return the codebooks; those of columns whose kind was guessed wrong come from a later survey."""
    books: dict[str, Codebook] = {}
    for found in surveys:
        books |= found.books
    return books


def encode_part(
    read: Callable[..., Part],
    args: list[Any],
    books: dict[str, Codebook],
    how: dict[str, Column],
    missing: Sequence[str],
    positive: Label,
    testable: Testable,
) -> Shard:
    """Code a part of the table."""
    part = read(*args)
    cells = testable.cells(part.cells(how, missing), part.table.n_rows)
    columns = empty_columns(books.values(), part.table.n_rows)
    columns.fill(0, [code_cells(book, cells[name]) for name, book in books.items()])
    return Shard(columns, part.has(positive))


@dataclass(frozen=True, eq=False)
class CodedPart:
    """A part of the table in codes, as it travels: those of each column, of each column set aside, and labels."""

    codes: list[NDArray[Any]]
    aside: list[NDArray[Any]]
    labels: NDArray[np.int32]


def code_part(
    read: Callable[..., Part],
    args: list[Any],
    every: dict[str, Codebook],
    how: dict[str, Column],
    missing: Sequence[str],
    classes: NDArray[Any],
    testable: Testable,
) -> CodedPart:
    """Code a part of the table for a machine that puts all parts together."""
    part = read(*args)
    found = part.cells(how, missing)
    shown = testable.cells(found, part.table.n_rows)
    return CodedPart(
        [code_cells(book, shown[name]) for name, book in testable.books(every).items()],
        [code_cells(every[name], found[name]) for name in testable.hidden],
        _label_codes(part, classes),
    )


def label_part(read: Callable[..., Part], args: list[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the index of each row's label among all labels, for a part of the table."""
    return _label_codes(read(*args), classes)


def _label_codes(part: Part, classes: NDArray[Any]) -> NDArray[np.int32]:
    return np.searchsorted(classes, part.labels.classes).astype(np.int32)[part.labels.codes]


def together(shards: Sequence[Shard]) -> Shard:
    """Put the shards of partitions together."""
    if len(shards) == 1:
        return shards[0]
    columns = empty_columns(shards[0].columns.books, sum(shard.columns.n_rows for shard in shards))
    start = 0
    for shard in shards:
        stop = start + shard.columns.n_rows
        for mine, block in zip(columns.blocks, shard.columns.blocks, strict=True):
            mine.codes[start:stop] = block.codes
        start = stop
    return Shard(columns, np.concatenate([shard.is_positive for shard in shards]))


def root(shard: Shard) -> Held:
    """Return all rows of a shard."""
    return Held(all_rows(shard.columns, shard.is_positive))


def sizes(shard: Shard, held: Held) -> tuple[int, int]:
    """Count rows by class."""
    rows = held.on(shard)
    return rows.n_pos, rows.n_neg


def tally(shard: Shard, held: Held) -> Tally:
    """Count rows by class, column and code."""
    return held.on(shard).tally().packed()


def add_tallies(tallies: Sequence[Tally]) -> Tally:
    """Add tallies."""
    return reduce(add, tallies)


def detail(shard: Shard, held: Held, asks: Sequence[Ask]) -> list[Detail]:
    """Count code by code in the buckets asked about."""
    return held.on(shard).detail(asks)


def join_all_details(answers: Sequence[Sequence[Detail]]) -> list[Detail]:
    """Add details."""
    return [join_details(details) for details in zip(*answers, strict=True)]


def keep(shard: Shard, held: Held, choice: CodedLiteral) -> Held:
    """Return the rows for which the literal holds."""
    return Held(held.on(shard).keep(choice))


def without(shard: Shard, held: Held, others: Held, flip: bool) -> Held:
    """Return the rows that are not among the others."""
    gone = others.on(shard)
    return Held(held.on(shard).without(gone.swap() if flip else gone))


def positives(shard: Shard, held: Held, is_swapped: bool) -> Held:
    """Return the positive rows only."""
    rows = held.on(shard)
    return Held(rows.swap().positives().swap() if is_swapped else rows.positives())
