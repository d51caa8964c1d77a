"""Stage 2: counting. How many of the rows at hand, positive and negative, have each code.

Counting needs rows; choosing (`chooser`) needs only these counts, a `Tally`. A wide column has too many codes for the
line of a tally: the line has its counts by buckets (`Grid`), and `detail` counts code by code in the few buckets that
choosing asks about.

Many rows are swept, one step for each cell; few rows in a table of many codes are sorted, because a sweep would cost a
step for each code as well. Both give the same counts.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, reduce
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.rows.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns

T = TypeVar("T")

SPARSE = 8
"""Codes are counted by sorting when there are more than this many of them for each row at hand."""

SHORT = 1 << 16
"""A line of this length is swept in less time than sorting takes to begin."""

PORTION = 1 << 19
"""More rows than this are counted and parted in portions, side by side."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Some buckets of a wide column, ascending."""

    column: int
    buckets: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Detail:
    """The counts of the codes in the buckets asked about: codes ascending, with positives and negatives."""

    codes: NDArray[np.int32]
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]

    def swap(self) -> Detail:
        """Return the same counts with the classes exchanged."""
        return Detail(self.codes, self.neg, self.pos)


def tally(columns: Columns, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count rows of both classes, column by column."""
    n_cells = (len(pos) + len(neg)) * len(columns.books)
    if columns.starts[-1] > max(SHORT, SPARSE * n_cells):
        return _sorted_tally(columns, pos, neg)
    return Tally(len(pos), len(neg), _line(columns, pos), _line(columns, neg))


def _sorted_tally(columns: Columns, pos: NDArray[np.int32], neg: NDArray[np.int32]) -> Tally:
    """Count by sorting: the class is the last bit of each index, so equal indices come in runs, negatives last."""
    rows = np.concatenate([pos, neg])
    width = np.int32 if columns.starts[-1] < 1 << 30 else np.int64  # narrow ones sort faster
    table = np.empty((len(rows), len(columns.books)), dtype=width)
    _write_indices(columns, rows, table)
    table <<= 1
    table[len(pos) :] |= 1
    ordered = np.sort(table, axis=None)
    indices = ordered >> 1
    is_first = np.ones(len(indices), dtype=np.bool_)
    np.not_equal(indices[1:], indices[:-1], out=is_first[1:])
    edges = np.append(np.flatnonzero(is_first), len(indices))
    negatives = np.append(0, np.cumsum(ordered & 1))[edges]
    n_neg = (negatives[1:] - negatives[:-1]).astype(np.int32)
    n_pos = (edges[1:] - edges[:-1]).astype(np.int32) - n_neg
    return Tally(len(pos), len(neg), n_pos, n_neg, indices[edges[:-1]].astype(np.int64))


def _write_indices(columns: Columns, rows: NDArray[np.int32], indices: NDArray[Any]) -> None:
    """Write where in the line the cells of some rows count into indices (out), block by block."""
    first = 0
    for block, starts, wide in zip(columns.blocks, columns.block_starts, columns.block_wide, strict=True):
        mine = indices[:, first : first + len(block.members)]
        mine[:] = block.codes[rows]
        for k in wide:
            mine[:, k] = columns.grids[block.members[k]].bucket(mine[:, k])
        mine += starts.astype(indices.dtype)
        first += len(block.members)


def _line(columns: Columns, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    def count(portion: NDArray[np.int32]) -> NDArray[np.int32]:
        line = np.zeros(int(columns.starts[-1]), dtype=np.int32)
        for block, starts, wide in zip(columns.blocks, columns.block_starts, columns.block_wide, strict=True):
            if wide:
                count_buckets(block.codes, portion, starts, _grids(columns, block.members), line)
            else:
                count_block(block.codes, portion, starts, line)
        return line

    return reduce(np.add, by_portions(count, rows))


def by_portions(work: Callable[[NDArray[np.int32]], T], rows: NDArray[np.int32]) -> list[T]:
    """Apply work to portions of the rows, in threads where there are several."""
    if len(rows) <= PORTION:
        return [work(rows)]
    portions = [rows[start : start + PORTION] for start in range(0, len(rows), PORTION)]
    return list(_pool().map(work, portions))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="unless")


def _grids(columns: Columns, members: Sequence[int]) -> NDArray[np.int64]:
    """Return the buckets of some columns as kernels take them."""
    grids = [columns.grids[c] for c in members]
    return np.array([(g.shift, g.n_numbers, g.missing, g.first_word, g.last) for g in grids], dtype=np.int64)


def detail(columns: Columns, pos: NDArray[np.int32], neg: NDArray[np.int32], ask: Ask) -> Detail:
    """Count code by code in some buckets of a wide column: by sweeping when rows are many, by sorting when few."""
    lows, highs = columns.grids[ask.column].spans(np.array(ask.buckets, dtype=np.int64))
    if (highs - lows).sum() <= SPARSE * (len(pos) + len(neg)):
        codes = np.concatenate([np.arange(*span, dtype=np.int32) for span in zip(lows, highs, strict=True)])
        return Detail(codes, *(_sweep(columns, ask, rows, codes) for rows in (pos, neg)))
    found = [_codes_in(columns, ask, rows) for rows in (pos, neg)]
    codes, at = np.unique(np.concatenate(found), return_inverse=True)
    counted = [np.bincount(part, minlength=len(codes)) for part in np.split(at, [len(found[0])])]
    return Detail(codes.astype(np.int32), *(counts.astype(np.int32) for counts in counted))


def _sweep(columns: Columns, ask: Ask, rows: NDArray[np.int32], codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Count the rows of each of the codes, which are those of the buckets asked about."""
    grid, grids, (block, k) = columns.grids[ask.column], _grids(columns, [ask.column]), columns.members[ask.column]
    lows, _ = grid.spans(np.array(ask.buckets, dtype=np.int64))
    offsets = np.full(grid.last + 1, -1, dtype=np.int64)
    offsets[list(ask.buckets)] = np.searchsorted(codes, lows)

    def count(portion: NDArray[np.int32]) -> NDArray[np.int32]:
        line = np.zeros(len(codes), dtype=np.int32)
        count_chosen(block.codes, k, portion, grids, offsets, line)
        return line

    return reduce(np.add, by_portions(count, rows))


def _codes_in(columns: Columns, ask: Ask, rows: NDArray[np.int32]) -> NDArray[np.uint32]:
    """Return the codes of the rows at hand that fall in the buckets asked about."""
    grid, codes = columns.grids[ask.column], columns.codes_of(ask.column)[rows]
    chosen = np.zeros(grid.last + 1, dtype=np.bool_)
    chosen[list(ask.buckets)] = True
    found: NDArray[np.uint32] = codes[chosen[grid.bucket(codes.astype(np.int64))]]
    return found


def join_details(details: Sequence[Detail]) -> Detail:
    """Add the counts of parts of a table."""
    if all(np.array_equal(one.codes, details[0].codes) for one in details):
        pos, neg = (reduce(np.add, (getattr(one, side) for one in details)) for side in ("pos", "neg"))
        return Detail(details[0].codes, pos, neg)
    codes = np.unique(np.concatenate([one.codes for one in details]))
    lines = np.zeros((2, len(codes)), dtype=np.int32)
    for one in details:
        at = np.searchsorted(codes, one.codes)
        lines[0, at] += one.pos
        lines[1, at] += one.neg
    return Detail(codes, lines[0], lines[1])


@kernel
def count_block(
    codes: NDArray[Any], rows: NDArray[np.int32], starts: NDArray[np.int64], line: NDArray[np.int32]
) -> None:
    """Add one to line[starts[k] + codes[row, k]] (out) for each row at hand and each column k of the block."""
    for i in range(len(rows)):
        for k in range(codes.shape[1]):
            line[starts[k] + codes[rows[i], k]] += 1


@helper
def _bucket(code: np.int64, k: int, grids: NDArray[np.int64]) -> Any:
    """Return the bucket of a code of column k, as `Grid.bucket` does."""
    shift, n_numbers = grids[k, 0], grids[k, 1]
    if code < n_numbers:
        return code >> shift
    return grids[k, 3] + ((code - n_numbers) >> shift) if code < grids[k, 2] else grids[k, 4]


@kernel
def count_buckets(
    codes: NDArray[Any],
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    grids: NDArray[np.int64],
    line: NDArray[np.int32],
) -> None:
    """Add one to line (out) in the bucket of codes[row, k] for each row at hand and each column k of the block."""
    for i in range(len(rows)):
        for k in range(codes.shape[1]):
            line[starts[k] + _bucket(np.int64(codes[rows[i], k]), k, grids)] += 1


@kernel
def count_chosen(
    codes: NDArray[Any],
    k: int,
    rows: NDArray[np.int32],
    grids: NDArray[np.int64],
    offsets: NDArray[np.int64],
    line: NDArray[np.int32],
) -> None:
    """Add one to line (out) at a bucket's offset and the rank of codes[row, k] in it, if the bucket has an offset."""
    shift, n_numbers = grids[0, 0], grids[0, 1]
    within = (1 << shift) - 1
    for i in range(len(rows)):
        code = np.int64(codes[rows[i], k])
        offset = offsets[_bucket(code, 0, grids)]
        if offset >= 0:
            line[offset + ((code if code < n_numbers else code - n_numbers) & within)] += 1
