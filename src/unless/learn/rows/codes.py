"""Stage 1: cells become codes.

In: the `Cells` of each column. Out: `Columns`, a table of small integers. The codes of a column are its numbers in
ascending order, then its words in code-point order, then one last code for missing:

    code      0 .. n_numbers-1      n_numbers .. n_numbers+n_words-1      n_numbers+n_words
    means     numbers ascending     words ascending                       missing

so every literal is a range of codes or its complement, and the order of codes is the order in which the law of
learning tries candidates. Codes are exact: one per distinct value, no binning. What they mean stands in a `Codebook`;
the codebooks of parts of a table join to that of the whole, so a table may come in parts.

Columns of one width (8, 16, 32 bits) lie side by side in a row-major matrix, a `Block`: rows at hand are scattered
over the table, and reading one row then touches one cache line instead of one per column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.rows.numbering import distinct, numbered, ranks
from unless.logic.rules import Literal
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.logic.rules import Op, Value
    from unless.table.cells import Cells

WIDE = 1 << 16
"""A column with more codes than this is wide: too many to sweep at every search, so it is counted by buckets first."""

BUCKETS = 1 << 12
"""Into how many buckets, at most, the numbers of a wide column fall, and its words."""


Pair = tuple[int, int]
"""A (column, code) pair."""


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

    @property
    def is_wide(self) -> bool:
        """Tell whether the column is counted by buckets first."""
        return self.missing >= WIDE

    @property
    def grid(self) -> Grid:
        """Return the buckets of the codes: one code each, unless the column is wide."""
        shift = 0
        while self.is_wide and max(self.n_numbers, len(self.words)) > BUCKETS << shift:
            shift += 1
        return Grid(shift, self.n_numbers, self.missing)

    def literal(self, op: Op, code: int) -> Literal:
        """Return the literal that compares with the value of a code."""
        if code < self.n_numbers:
            return Literal(self.name, op, float(self.numbers[code]))
        return Literal(self.name, op, self.words[code - self.n_numbers])

    def code(self, value: Value) -> int:
        """Return the code of a value that the column has."""
        if isinstance(value, str):
            return self.n_numbers + self.words.index(value)
        return int(np.searchsorted(self.numbers, value))

    def span(self, op: Op, code: int) -> tuple[int, int, bool]:
        """Return the range of codes `low <= c < high` for which the literal holds; True: its complement."""
        if op == "=<":
            return 0, code + 1, False
        if op in (">", ">="):
            return code + (op == ">"), self.n_numbers, False
        return code, code + 1, op == "!="


@dataclass(frozen=True, slots=True)
class CodedLiteral:
    """A literal in codes: a column, an operator, and the code of the value it compares with."""

    column: int
    op: Op
    code: int

    @property
    def pair(self) -> Pair:
        """Return what no further literal on the way down may use again."""
        return self.column, self.code


@dataclass(frozen=True, slots=True)
class Grid:
    """The buckets of a column: `1 << shift` numbers each, then `1 << shift` words each, then missing alone."""

    shift: int
    n_numbers: int
    missing: int

    @property
    def first_word(self) -> int:
        """Return the first bucket of words."""
        return -(-self.n_numbers >> self.shift)

    @property
    def last(self) -> int:
        """Return the last bucket, that of missing."""
        return self.first_word + -(-(self.missing - self.n_numbers) >> self.shift)

    def bucket(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the buckets of codes."""
        words = self.first_word + ((codes - self.n_numbers) >> self.shift)
        return np.where(codes < self.n_numbers, codes >> self.shift, np.where(codes < self.missing, words, self.last))

    def spans(self, buckets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the codes `low <= c < high` of some buckets of values: the lows, then the highs."""
        is_number = buckets < self.first_word
        lows = np.where(is_number, buckets, buckets - self.first_word) << self.shift
        lows = np.where(is_number, lows, lows + self.n_numbers)
        ends = np.where(is_number, self.n_numbers, self.missing)
        return np.stack([lows, np.minimum(lows + (1 << self.shift), ends)])


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
    def grids(self) -> tuple[Grid, ...]:
        """Return the buckets of each column."""
        return tuple(book.grid for book in self.books)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where in the line of counts the buckets of each column begin; at the end, its length."""
        return np.cumsum([0, *(grid.last + 1 for grid in self.grids)], dtype=np.int64)

    @cached_property
    def block_starts(self) -> tuple[NDArray[np.int64], ...]:
        """Where in the line of counts the columns of each block begin."""
        return tuple(self.starts[list(block.members)] for block in self.blocks)

    @cached_property
    def block_wide(self) -> tuple[tuple[int, ...], ...]:
        """Which columns of each block, by position in it, are counted by buckets."""
        return tuple(tuple(k for k, c in enumerate(block.members) if self.grids[c].shift) for block in self.blocks)

    @cached_property
    def members(self) -> dict[int, tuple[Block, int]]:
        """Find the block and the position in it of each column."""
        return {c: (block, k) for block in self.blocks for k, c in enumerate(block.members)}

    def codes_of(self, column: int) -> NDArray[Any]:
        """Return the codes of one column, a strided view."""
        block, k = self.members[column]
        view: NDArray[Any] = block.codes[:, k]
        return view

    def take(self, rows: NDArray[np.intp]) -> Columns:
        """Return some rows, in the same codes."""
        blocks = tuple(Block(block.members, block.codes[rows]) for block in self.blocks)
        return Columns(self.books, blocks, len(rows))

    def fill(self, start: int, codes: Sequence[NDArray[Any]]) -> None:
        """Write the codes of all columns for the rows from start on."""
        for block in self.blocks:
            for k, c in enumerate(block.members):
                block.codes[start : start + len(codes[c]), k] = codes[c]


def encode(cells: Mapping[str, Cells], n_threads: int = 1) -> Columns:
    """Code every column of a table."""
    n_rows = next((column.n_rows for column in cells.values()), 0)
    encoded = map_columns(lambda item: encode_column(*item), list(cells.items()), n_rows, n_threads)
    columns = empty_columns([book for book, _ in encoded], n_rows)
    columns.fill(0, [codes for _, codes in encoded])
    return columns


def encode_column(name: str, cells: Cells) -> tuple[Codebook, NDArray[Any]]:
    """Code one column."""
    book, found = book_and_ranks(name, cells)
    return book, code_cells(book, cells, found)


def empty_columns(books: Iterable[Codebook], n_rows: int) -> Columns:
    """Make room for the codes of a table: columns of one width side by side, row-major."""
    books = tuple(books)
    widths = [_width(book.missing + 1) for book in books]
    blocks = []
    for width in (np.uint8, np.uint16, np.uint32):
        members = tuple(c for c, mine in enumerate(widths) if mine is width)
        if members:
            blocks.append(Block(members, np.empty((n_rows, len(members)), dtype=width)))
    return Columns(books, tuple(blocks), n_rows)


def book_of(name: str, cells: Cells) -> Codebook:
    """Return the values that occur in a column."""
    return book_and_ranks(name, cells)[0]


def book_and_ranks(name: str, cells: Cells) -> tuple[Codebook, NDArray[np.int32] | None]:
    """Return the values that occur in a column, and the ranks of its numbers where finding them gave these too."""
    numbers, found = (np.empty(0), None) if cells.numbers is None else numbered(cells.numbers)
    return Codebook(name, numbers, () if cells.words is None else cells.words.lexicon), found


def join_books(books: Sequence[Codebook]) -> Codebook:
    """Return the values that occur in a column's parts."""
    numbers = distinct(np.concatenate([book.numbers for book in books]))
    words = {book.words for book in books}
    return Codebook(books[0].name, numbers, words.pop() if len(words) == 1 else tuple(sorted(set().union(*words))))


def code_cells(book: Codebook, cells: Cells, known: NDArray[np.int32] | None = None) -> NDArray[Any]:
    """Code cells by a codebook that has all their values; `known` are the ranks of their numbers, if they are known."""
    codes = np.full(cells.n_rows, book.missing, dtype=_width(book.missing + 1))
    if cells.numbers is not None and book.n_numbers:
        found = ranks(cells.numbers, book.numbers) if known is None else known
        np.copyto(codes, found, where=found >= 0, casting="unsafe")
    if cells.words is not None:
        found = _word_codes(book, cells.words.lexicon)[cells.words.codes]
        np.copyto(codes, found, where=found >= 0, casting="unsafe")
    return codes


def _word_codes(book: Codebook, lexicon: tuple[str, ...]) -> NDArray[np.int32]:
    """Return the code of each word of a part's lexicon; then -1, which is last for those without a word."""
    if lexicon == book.words:
        known = list(range(book.n_numbers, book.missing))
    else:
        code_of = {word: book.n_numbers + rank for rank, word in enumerate(book.words)}
        known = [code_of[word] for word in lexicon]
    return np.array([*known, -1], dtype=np.int32)


def _width(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Choose the narrowest unsigned integer that holds that many codes."""
    if n_codes <= 1 << 8:
        return np.uint8
    return np.uint16 if n_codes <= 1 << 16 else np.uint32
