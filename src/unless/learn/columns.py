"""Stage 1: cells become codes.

In: the `Cells` of each column. Out: `Columns`, a table of small integers. The codes of a column are its numbers in
ascending order, then its words in code-point order, then one last code for missing:

    code      0 .. n_numbers-1      n_numbers .. n_numbers+n_words-1      n_numbers+n_words
    means     numbers ascending     words ascending                       missing

so every literal is a range of codes or its complement, and the order of codes is the order in which the law of
learning tries candidates. Codes are exact: one per distinct value, no binning.

Columns of one width (8, 16, 32 bits) lie side by side in a row-major matrix, a `Block`: rows at hand are scattered
over the table, and reading one row then touches one cache line instead of one per column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.compiled import kernel
from unless.rules import Literal
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unless.rules import Op
    from unless.table.cells import Cells

SMALL = 1 << 11
"""Up to this many distinct numbers a binary search for each cell beats sorting the rows."""

WIDE = 1 << 16
"""A column with more codes than this is wide: too many to sweep for a handful of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Codebook:
    """What the codes of one column mean."""

    name: str
    numbers: NDArray[np.float64]
    words: tuple[str, ...]

    @property
    def n_numbers(self) -> int:
        """Count the codes that are numbers; they come first."""
        return len(self.numbers)

    @property
    def missing(self) -> int:
        """Return the last code, that of missing."""
        return len(self.numbers) + len(self.words)

    def literal(self, op: Op, code: int) -> Literal:
        """Return the literal that compares with the value of a code."""
        if code < self.n_numbers:
            return Literal(self.name, op, float(self.numbers[code]))
        return Literal(self.name, op, self.words[code - self.n_numbers])

    def span(self, op: Op, code: int) -> tuple[int, int, bool]:
        """Return the range of codes `low <= c < high` for which the literal holds; True: its complement."""
        if op == "=<":
            return 0, code + 1, False
        if op in (">", ">="):
            return code + (op == ">"), self.n_numbers, False
        return code, code + 1, op == "!="


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The codes of the columns of one width: `codes[row, k]` belongs to column `members[k]`."""

    members: tuple[int, ...]
    codes: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Columns:
    """A whole table in codes."""

    books: tuple[Codebook, ...]
    blocks: tuple[Block, ...]
    n_rows: int

    @cached_property
    def narrow(self) -> tuple[int, ...]:
        """List the columns, in order, whose counts stand in one line; the others are wide."""
        return tuple(c for c, book in enumerate(self.books) if book.missing < WIDE)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where in the line the counts of each narrow column begin; at the end, its length."""
        sizes = [self.books[c].missing + 1 for c in self.narrow]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def places(self) -> dict[int, tuple[Block, int]]:
        """Find the block and the position in it of each column."""
        return {c: (block, k) for block in self.blocks for k, c in enumerate(block.members)}

    def codes_of(self, column: int) -> NDArray[Any]:
        """Return the codes of one column, a strided view."""
        block, k = self.places[column]
        view: NDArray[Any] = block.codes[:, k]
        return view


def encode(cells: Mapping[str, Cells], n_threads: int = 1) -> Columns:
    """Code every column of a table."""
    items = list(cells.items())
    n_rows = items[0][1].n_rows if items else 0
    encoded = map_columns(lambda item: encode_column(*item), items, n_rows, n_threads)
    books = tuple(book for book, _ in encoded)
    return Columns(books, _blocks([codes for _, codes in encoded], n_rows), n_rows)


def encode_column(name: str, cells: Cells) -> tuple[Codebook, NDArray[Any]]:
    """Code one column."""
    numbers, ranks = _rank_numbers(cells.numbers)
    words = cells.words.lexicon if cells.words is not None else ()
    missing = len(numbers) + len(words)
    codes = np.full(cells.n_rows, missing, dtype=_width(missing + 1)) if ranks is None else ranks
    if ranks is not None:
        codes = _narrow(codes, missing + 1)
        if cells.numbers is not None:
            codes[np.isnan(cells.numbers)] = missing
    if cells.words is not None:
        _add_words(codes, cells.words.codes, len(numbers))
    return Codebook(name, numbers, words), codes


def _rank_numbers(values: NDArray[np.float64] | None) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Return the distinct numbers ascending, and each row's rank among them (any rank where there is no number)."""
    if values is None:
        return np.empty(0), None
    ascending = np.sort(values)  # NaN last
    n_present = int(np.searchsorted(ascending, np.inf, side="right"))
    ascending = ascending[:n_present]
    first = np.ones(n_present, dtype=bool)
    first[1:] = ascending[1:] != ascending[:-1]
    distinct = ascending[first]
    if len(distinct) <= SMALL:
        ranks = np.empty(len(values), dtype=np.uint16)
        _search_ranks(values, distinct, ranks)
        return distinct, ranks
    order = np.argsort(values)[:n_present]
    wide = np.empty(len(values), dtype=np.uint32)
    wide[order] = np.cumsum(first, dtype=np.uint32) - np.uint32(1)
    return distinct, wide


@kernel
def _search_ranks(values: NDArray[np.float64], distinct: NDArray[np.float64], ranks: NDArray[np.uint16]) -> None:
    """Write into ranks (out) the place of each value in the ascending distinct ones, by a branch-free binary search."""
    n = len(distinct)
    for i in range(len(values)):
        value = values[i]
        low = 0
        size = n
        while size > 1:
            half = size >> 1
            low += half if distinct[low + half] <= value else 0
            size -= half
        ranks[i] = low


@kernel
def _add_words(codes: NDArray[Any], word_codes: NDArray[np.int32], n_numbers: int) -> None:
    """Overwrite codes (out) where a row has a word."""
    for i in range(len(codes)):
        if word_codes[i] >= 0:
            codes[i] = n_numbers + word_codes[i]


def _width(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Choose the narrowest unsigned integer that holds that many codes."""
    if n_codes <= 1 << 8:
        return np.uint8
    return np.uint16 if n_codes <= 1 << 16 else np.uint32


def _narrow(codes: NDArray[Any], n_codes: int) -> NDArray[Any]:
    return codes.astype(_width(n_codes), copy=False)


def _blocks(codes: Sequence[NDArray[Any]], n_rows: int) -> tuple[Block, ...]:
    """Lay columns of one width side by side, row-major."""
    blocks = []
    for width in (np.uint8, np.uint16, np.uint32):
        members = tuple(c for c, column in enumerate(codes) if column.dtype == width)
        if members:
            matrix = np.empty((n_rows, len(members)), dtype=width)
            for k, c in enumerate(members):
                matrix[:, k] = codes[c]
            blocks.append(Block(members, matrix))
    return tuple(blocks)
