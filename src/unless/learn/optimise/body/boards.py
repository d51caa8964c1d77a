"""What the kernels of a body read and write: a problem as arrays, the body on its board, and scratch.

Everything is made in Python, boards once for all problems of a program: a kernel makes no array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.optimise.layout import FACTS, MAX_BINS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

MAX_VIEWS = 6
MAX_SEEN = 512
TOLERANCE = 1e-6
"""By so much of the price of a literal a step must better a body."""
N_COUNTS = 512
"""Room for counts by a part of a hash."""


class Subproblem(NamedTuple):
    """What kernels know of a problem: the table by rows and by columns, the rows at hand, and what is allowed.

    `rivals[i, j]` says that columns i and j must not stand in one body; without any it has no lines. Of the drafts of a
    scorecard at most `n_drafts` are polished, those `behind` the best by no more.
    """

    bin_index: NDArray[Any]
    by_column: Bytes
    rows: Ints
    gains: Ints
    spans: Ints
    kinds: Ints
    rivals: Bytes
    price: float
    limit: int
    n_drafts: int
    behind: float


class BodyLines(NamedTuple):
    """The literals of a body, where each holds, and histograms around it.

    Histogram 0 has the rows where all literals hold, i + 1 those that only literal i refuses; the last stays empty.
    `marks` say in which of them a row is, `new_marks` where it belongs, and `changed` lists the rows to carry.
    `seen` are bodies met before, by their signatures; its first number says how many.
    """

    facts: Ints
    tables: Bytes
    signatures: Ints
    truths: Bytes
    points: Bytes
    marks: Bytes
    new_marks: Bytes
    changed: NDArray[np.int32]
    hists: Ints
    totals: Ints
    value: Floats
    kinds: Ints
    seen: Ints


class BodyBoard(BodyLines):
    """What the kernels of a body write into; one for many problems, so its arrays may have more rows than a problem."""


class DescentLevels(NamedTuple):
    """A level for each literal of a path, and all tests met, each on a line."""

    facts: Ints
    tables: Bytes
    rows: Ints
    hists: Ints
    levels: Ints
    choices: Ints
    best: Floats
    paths: Ints


class Descents(DescentLevels):
    """Scratch of the greedy descents."""


class ScratchArrays(NamedTuple):
    """Scratch: rows as marks and as numbers, some of them, where a body holds, counts, views, kinds allowed."""

    marks: Bytes
    rows: Ints
    some: Ints
    truth: Bytes
    points: Bytes
    counts: Ints
    views: Floats
    kinds: Ints


class Scratch(ScratchArrays):
    """What the steps of growing write into."""


def make_body_board(n_rows: int, n_bins: int, n_columns: int, limit: int) -> BodyBoard:
    """Return an empty board for bodies of at most so many literals."""
    return BodyBoard(
        np.zeros((2 * limit + 2, FACTS), dtype=np.int64),
        np.zeros((2 * limit + 2, MAX_BINS), dtype=np.uint8),
        np.zeros(2 * limit + 2, dtype=np.int64),
        np.empty((limit + 1, n_rows), dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows + 1, dtype=np.int32),
        np.empty((limit + 3, n_bins), dtype=np.int64),
        np.empty(limit + 3, dtype=np.int64),
        np.empty(MAX_BINS),
        np.empty(n_columns, dtype=np.int64),
        np.zeros(MAX_SEEN, dtype=np.int64),
    )


def make_descents(n_rows: int, n_bins: int, limit: int) -> Descents:
    """Return scratch for paths of at most so many literals."""
    return Descents(
        np.empty((MAX_VIEWS * limit + 2, FACTS), dtype=np.int64),
        np.empty((MAX_VIEWS * limit + 2, MAX_BINS), dtype=np.uint8),
        np.empty((limit + 1, n_rows), dtype=np.int64),
        np.empty((limit + 1, n_bins), dtype=np.int64),
        np.zeros((limit + 1, 6), dtype=np.int64),
        np.empty((limit + 1, MAX_VIEWS, 2), dtype=np.int64),
        np.empty(MAX_VIEWS),
        np.zeros((MAX_VIEWS + 1, limit + 1), dtype=np.int64),
    )


def make_scratch(n_rows: int, n_columns: int) -> Scratch:
    """Return scratch for so many rows and columns."""
    return Scratch(
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows + 1, dtype=np.int64),
        np.empty(n_rows + 1, dtype=np.int64),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(N_COUNTS, dtype=np.int64),
        np.empty(6),
        np.empty(n_columns, dtype=np.int64),
    )
