"""Codes to search bins: at most 256 bins per column, one byte per cell, rows kept together.

In: the exact codes of `learn.rows.codes`. Out: `Bins`, a row-major byte matrix and, per column, what each bin stands
for (see layout.py). Invariant: bins are made from weights alone, so the order of the rows does not matter; a bin never
splits a value. Bins only guide the search: thresholds.py refits every number on the exact codes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.optimise import histograms
from unless.learn.optimise.layout import (
    GT,
    LE,
    MAX_BINS,
    NEGATED_NUMBER,
    NONE_OF,
    NOT_GT,
    NOT_LE,
    ONE_OF,
    PLAIN_NUMBER,
    WORDS,
    BinLayout,
)  # fmt: skip
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.rows.codes import Codebook, Columns

MAX_NUMBER_BINS = 64
"""Finer bins fitted noise: same accuracy, more time; the text is refitted exactly."""
MIN_NUMBER_BINS = 32
ROWS_PER_BIN = 30
"""Bins of numbers: few of a small table, where finer ones took longer and were right no more often."""
HEAVY = 1.5
"""A bin closes rather than hold more than this many shares."""
NO_WORDS: Ints = np.zeros(0, dtype=np.int64)
RARE, ROWS_PER_RARE = 3, 3
"""A word on fewer rows than the first, or a share of the root of all, is pooled: what holds of so few is chance."""

SHARED = ("spans", "tests", "sets")
"""What some rows of a table have in common with all: it depends on the bins alone."""


@dataclass(frozen=True, eq=False)
class Bins:
    """The binned table. `code_of[j]` maps a bin of column j to its last exact code; `kinds[j]` are its tests."""

    books: tuple[Codebook, ...]
    codes: tuple[NDArray[Any], ...]
    cells: Bytes
    layout: BinLayout
    kinds: Ints
    code_of: tuple[Ints, ...]

    @cached_property
    def n_rows(self) -> int:
        """Count the rows."""
        return int(self.cells.shape[0])

    @cached_property
    def n_bins(self) -> int:
        """Count the bins of all columns."""
        return int(self.layout.offsets[-1])

    def take(self, rows: Ints) -> Bins:
        """Keep some rows under the same bins (inner folds: the bins do not see the label)."""
        kept = replace(self, codes=tuple(codes.take(rows) for codes in self.codes), cells=self.cells.take(rows, axis=0))
        kept.__dict__.update({name: getattr(self, name) for name in SHARED})
        return kept

    @cached_property
    def tests(self) -> dict[tuple[int, int, int, tuple[int, ...]], Test]:
        """Return the tests made so far: a search meets the same ones again and again."""
        return {}

    @cached_property
    def sets(self) -> dict[tuple[int, int, bytes], Test]:
        """Return the tests of words that kernels wrote so far, by their truth."""
        return {}

    @cached_property
    def bin_index(self) -> NDArray[Any]:
        """Return where in a histogram of all columns each cell counts."""
        width = np.uint16 if self.n_bins <= np.iinfo(np.uint16).max + 1 else np.uint32
        index: NDArray[Any] = self.cells + self.layout.offsets[:-1].astype(width)
        return index

    @cached_property
    def spans(self) -> Ints:
        """Return for each column where its bins begin, and how many of them are numbers and words."""
        layout = self.layout
        return np.column_stack((layout.offsets[:-1], layout.n_numbers, layout.n_words))

    @cached_property
    def present(self) -> tuple[Ints, ...]:
        """Return for each column the codes of the numbers that rows have, ascending."""
        return tuple(
            np.flatnonzero(np.bincount(codes, minlength=book.missing + 1)[: book.n_numbers])
            for codes, book in zip(self.codes, self.books, strict=True)
        )

    def wide_codes(self, column: int) -> Ints:
        """Return the exact codes of a column in one width for all: kernels are compiled for each that they meet."""
        if column not in self._wide_codes:
            self._wide_codes[column] = self.codes[column].astype(np.int64)
        return self._wide_codes[column]

    @cached_property
    def _wide_codes(self) -> dict[int, Ints]:
        return {}

    @cached_property
    def words(self) -> tuple[Ints, Ints]:
        """Return the bins of words of all columns, and the column of each."""
        start, n_numbers, n_words = self.spans.T
        columns = np.repeat(np.arange(len(self.spans)), n_words)
        gap = start + n_numbers - (np.cumsum(n_words) - n_words)  # between a bin and its number among the words
        return np.arange(len(columns)) + gap[columns], columns

    @cached_property
    def by_column(self) -> Bytes:
        """Return the cells column by column: testing one column then reads only that."""
        return np.ascontiguousarray(self.cells.T)

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """Return one number per row from its cells: a way to sample or fold rows that their order cannot change."""
        return histograms.hash_rows(self.cells)

    def exact_hashes(self, rows: Ints) -> NDArray[np.uint64]:
        """Return the same of exact codes, for some rows: it tells those apart whose bins are equal."""
        hashes = np.full(len(rows), histograms.HASH_START)
        for book, codes, last in zip(self.books, self.codes, self.code_of, strict=True):
            if len(last) < book.missing:  # else each code has a bin of its own
                histograms.join_hashes(hashes, codes.take(rows))
        return hashes


@dataclass(frozen=True)
class Test:
    """A condition on one column as a table over its bins.

    `at` is the last number bin on the low side; `cut` the exact code that ends it, once refitted.
    """

    __test__ = False  # not one of pytest's
    column: int
    kind: int
    at: int
    words: tuple[int, ...]
    table: Bytes = field(compare=False, repr=False)
    cut: int = -1

    @cached_property
    def size(self) -> int:
        """Count literals: a set counts its words."""
        return max(1, len(self.words))

    @property
    def columns(self) -> frozenset[int]:
        """Return the one column."""
        return frozenset((self.column,))

    def truth(self, bins: Bins, rows: Ints) -> Bytes:
        """Return the truth on the given rows."""
        if self.cut < 0:
            return histograms.look_up(bins.by_column, self.column, rows, self.table)
        codes = bins.codes[self.column].take(rows)
        truth = codes <= self.cut
        if self.kind in (GT, NOT_GT):
            truth = ~truth & (codes < bins.books[self.column].n_numbers)
        return (truth ^ (self.kind in (NOT_LE, NOT_GT))).view(np.uint8)


class BinnedColumn(NamedTuple):
    """The bin of each row, how many bins of numbers and of words there are, the kinds of test, and last exact codes."""

    cells: Bytes
    n_numbers: int
    n_words: int
    kinds: int
    code_of: Ints


def make_bins(
    columns: Columns, weights: Ints, for_words: Ints | None = None, rarest: int | None = None, n_threads: int = 1
) -> Bins:
    """Bin every column; a row counts by its weight, which may be another one for words.

    `rarest` is how much the rarest label weighs, if bins are to be fine enough at their ends to tell it.
    """
    books = columns.books
    codes = tuple(np.ascontiguousarray(columns.codes_of(j)) for j in range(len(books)))
    counted = None if (weights == 1).all() else weights
    binned = map_columns(
        lambda j: _bin_column(books[j], codes[j], counted, for_words, rarest),
        range(len(books)),
        columns.n_rows,
        n_threads,
    )
    by_column = np.array([one.cells for one in binned], dtype=np.uint8).reshape(len(books), columns.n_rows)
    table = np.array([one[1:4] for one in binned], dtype=np.int64).reshape(-1, 3)
    offsets = np.concatenate(([0], np.cumsum(table[:, 0] + table[:, 1] + 2))).astype(np.int64)
    n_numbers, n_words, kinds = (np.ascontiguousarray(table[:, i]) for i in range(3))
    layout, code_of = BinLayout(offsets, n_numbers, n_words), tuple(one.code_of for one in binned)
    return Bins(books, codes, np.ascontiguousarray(by_column.T), layout, kinds, code_of)


def _bin_column(
    book: Codebook, codes: NDArray[Any], counted: Ints | None, for_words: Ints | None, rarest: int | None
) -> BinnedColumn:
    """Bin one column; no weights count every row once."""
    counts = np.bincount(codes, counted, book.missing + 1).astype(np.int64)
    if for_words is not None and book.n_numbers < book.missing:
        counts[book.n_numbers :] = np.bincount(codes, for_words, book.missing + 1)[book.n_numbers :]
    bin_of, code_of, n_numbers, n_words = _bin_codes(book, counts, rarest)
    return BinnedColumn(bin_of.take(codes), n_numbers, n_words, _kinds_of(book, counts, n_numbers, n_words), code_of)


def _bin_codes(book: Codebook, counts: Ints, rarest: int | None) -> tuple[Bytes, Ints, int, int]:
    """Map codes to bins; also the last code of each number or word bin."""
    n = book.n_numbers
    number_bin = _bin_numbers(counts[:n], rarest)
    n_numbers = int(number_bin[-1]) + 1 if n else 0
    room = MAX_BINS - 2 - n_numbers
    kept = _words_apart(counts[n:-1], room, int(counts.sum())) if n < book.missing else NO_WORDS
    bin_of = np.full(book.missing + 1, n_numbers + len(kept), dtype=np.uint8)
    bin_of[:n] = number_bin
    if len(kept):
        bin_of[n + kept] = n_numbers + np.arange(len(kept))
    bin_of[-1] = n_numbers + len(kept) + 1
    last = np.append(np.flatnonzero(number_bin[1:] != number_bin[:-1]), n - 1) if n else NO_WORDS
    return bin_of, np.concatenate((last, n + kept)) if len(kept) else last, n_numbers, len(kept)


def _words_apart(counts: Ints, room: int, n_rows: int) -> Ints:
    """Return the words that get a bin of their own: the most frequent ones, in order."""
    order = np.lexsort((np.arange(len(counts)), -counts))[:room]
    return np.sort(order[counts[order] >= least_rows(n_rows)])


def least_rows(n_rows: int) -> int:
    """Return on how many rows a word must stand to be tested by itself."""
    return max(RARE, math.isqrt(n_rows) // ROWS_PER_RARE)


def _bin_numbers(counts: Ints, rarest: int | None = None) -> Ints:
    """Cut the ascending numbers into bins of about equal weight; few numbers get a bin each.

    Absent numbers (rows of weight zero) share the bin of the present number before them.
    """
    if len(counts) == 0:
        return np.zeros(0, dtype=np.int64)
    present = counts > 0
    n_bins = min(MAX_NUMBER_BINS, max(MIN_NUMBER_BINS, int(counts.sum()) // ROWS_PER_BIN))
    at = np.asarray(np.maximum(np.cumsum(present) - 1, 0), dtype=np.int64)
    few = np.count_nonzero(present) <= n_bins
    return at if few else cut_evenly(counts[present], n_bins, rarest)[at]


def cut_evenly(counts: Ints, n_bins: int, rarest: int | None = None) -> Ints:
    """Return the bin of each value; a bin closes once it holds its share of what is left.

    A heavy value starts its own bin, so that it is not glued to light neighbours. Where the rarest label has fewer rows
    than a bin, the bins at both ends are halved until they have no more, or hardly any: it may be all that is beyond a
    number.
    """
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    starts = np.zeros(len(counts), dtype=np.int64)
    histograms.start_bins(sums, n_bins, HEAVY, starts)
    begun = np.flatnonzero(starts)
    if rarest is not None and rarest * n_bins < sums[-1] and len(begun):
        starts[_halves(sums[: begun[0] + 1], rarest)] = 1
        starts[len(counts) - _halves(sums[-1] - sums[: begun[-1] - 1 : -1], rarest)] = 1
    return np.cumsum(starts)


def _halves(sums: Ints, rarest: int) -> Ints:
    """Return after how many values, from the end that `sums` begin at, a bin has half of its rows, a quarter and so on.

    A bin that has no more rows than the rarest label stays whole, and so does one of thirty.
    """
    n_halves = max(0, math.ceil(math.log2(sums[-1] / max(rarest, ROWS_PER_BIN))))
    after = np.searchsorted(sums, sums[-1] // 2 ** np.arange(1, n_halves + 1))
    return np.asarray(after[(after > 0) & (after < len(sums) - 1)], dtype=np.int64)


def _kinds_of(book: Codebook, counts: Ints, n_numbers: int, n_words: int) -> int:
    """Say which kinds of test make sense for the column."""
    kinds = PLAIN_NUMBER if n_numbers > 1 else 0
    if n_numbers > 1 and counts[book.n_numbers :].any():
        kinds |= NEGATED_NUMBER
    return kinds | (WORDS if n_words else 0)


def make_test(bins: Bins, column: int, kind: int, at: int, words: tuple[int, ...] = ()) -> Test:
    """Return a test, made once; `at` is the last number bin on the low side."""
    key = (column, kind, at, words)
    test = bins.tests.get(key)
    if test is None:
        test = bins.tests[key] = Test(*key, _truth_table(bins, *key))
    return test


def _truth_table(bins: Bins, column: int, kind: int, at: int, words: tuple[int, ...]) -> Bytes:
    """Return the truth of a test for each bin of its column."""
    table = np.zeros(MAX_BINS, dtype=np.uint8)
    if kind in (LE, NOT_LE):
        table[: at + 1] = 1
    elif kind in (GT, NOT_GT):
        table[at + 1 : bins.layout.n_numbers[column]] = 1
    elif kind in (ONE_OF, NONE_OF):
        table[list(words)] = 1
    if kind in (NOT_LE, NOT_GT, NONE_OF):
        table ^= 1
    return table
