"""The boards of scorecards, drafted, polished and kept: what their kernels write into, made once for many problems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper
from unless.learn.optimise.layout import FACTS, MAX_BINS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

MAX_CONDITIONS = 12
MAX_POINTS = 5
N_DRAFTS = 8
"""So many are kept; how many are polished is for who reads them to say."""
MAX_SCORES = MAX_CONDITIONS * MAX_POINTS + 2
MAX_WINDOWS = (MAX_SCORES + MAX_POINTS) * MAX_POINTS


class DraftLines(NamedTuple):
    """Tests with their truth by bin, drafts, and scratch.

    A draft is the points of each test, below 0 for its opposite, and the threshold last; `values` has what it saves.
    `weights` are those of the fit, the intercept first.
    """

    tests: Ints
    tables: Bytes
    drafts: Ints
    values: Floats
    weights: Floats
    patterns: Ints
    gathered: Ints
    distinct: Ints
    chances: Floats
    fixed: Ints
    sums: Ints
    order: Ints
    system: Floats
    by_score: Floats


class DraftBoard(DraftLines):
    """What the kernel writes into; its arrays may have more rows than there are."""


def make_board(n_rows: int, n_bins: int) -> DraftBoard:
    """Return an empty board for so many rows and bins."""
    n = MAX_CONDITIONS
    return DraftBoard(
        np.zeros((n + 1, FACTS), dtype=np.int64),
        np.zeros((n + 1, MAX_BINS), dtype=np.uint8),
        np.zeros((N_DRAFTS + 1, n + 1), dtype=np.int64),
        np.full(N_DRAFTS + 1, -math.inf),
        np.zeros(n + 1),
        np.zeros(n_rows, dtype=np.int64),
        np.zeros((3, 1 << n), dtype=np.int64),
        np.empty(1 << n, dtype=np.int64),
        np.empty(1 << n),
        np.empty((1 << n, 4), dtype=np.int64),
        np.empty((n_bins, 2), dtype=np.int64),
        np.empty(MAX_BINS, dtype=np.int64),
        np.empty((n + 1, n + 2)),
        np.empty(n * MAX_POINTS + 1),
    )


@helper
def best_threshold(by_score: Floats, most: int) -> tuple[int, float]:
    """Return the threshold at which the rows with as many points or more are worth most, the lowest of equals.

    It is 0, and nothing good, where no row has points.
    """
    best, threshold, tail = -math.inf, 0, 0.0
    for back in range(most):
        tail += by_score[most - back]
        if tail >= best:
            best, threshold = tail, most - back
    return threshold, best


class PointLines(NamedTuple):
    """Points and tests with their truth by bin, for how many rows each holds, the points of each row, and scratch.

    Bit i of `held` says that part i holds. `whole` are histograms of the rows of so many points; `moved` of the rows,
    listed in `moved_rows`, that leaving a condition out moves, by the points that they have then; `by_score` are both
    without bins, and `wanted` marks of points (scorecard_counts.py).

    Total s has the rows of fewer base points than s. A window is a threshold and points: the rows that a condition of
    so many points would bring there; no test of it is worth more than it `reaches`. Those `slots[s]` and `slots[s + 1]`
    of a histogram differ by the rows of s points, if any window reads them. `nets` are right less wrong rows of the
    histograms.
    """

    points: Ints
    tests: Ints
    tables: Bytes
    n_held: Ints
    scores: Bytes
    base: Bytes
    held: NDArray[np.uint16]
    moved_rows: NDArray[np.int32]
    by_score: Ints
    whole: Ints
    moved: Ints
    wanted: Bytes
    hists: Ints
    nets: Ints
    totals: Ints
    slots: Ints
    windows: Ints
    reaches: Ints
    bounds: Floats
    value: Floats


class PolishBoard(PointLines):
    """What the kernel writes into; its arrays may have more rows than there are."""


def make_polish_board(n_rows: int, n_bins: int) -> PolishBoard:
    """Return an empty board for so many rows and bins."""
    return PolishBoard(
        np.zeros(MAX_CONDITIONS + 1, dtype=np.int64),
        np.zeros((MAX_CONDITIONS + 1, FACTS), dtype=np.int64),
        np.zeros((MAX_CONDITIONS + 1, MAX_BINS), dtype=np.uint8),
        np.zeros(MAX_CONDITIONS + 1, dtype=np.int64),
        np.zeros(n_rows, dtype=np.uint8),
        np.zeros(n_rows, dtype=np.uint8),
        np.zeros(n_rows, dtype=np.uint16),
        np.zeros(n_rows + 1, dtype=np.int32),
        np.zeros((2, MAX_SCORES + 1), dtype=np.int64),
        np.empty((MAX_SCORES, n_bins), dtype=np.int64),
        np.zeros((MAX_SCORES + 1, n_bins), dtype=np.int64),
        np.zeros((3, MAX_SCORES + 1), dtype=np.uint8),
        np.empty((MAX_SCORES, n_bins), dtype=np.int64),
        np.empty((MAX_SCORES, n_bins), dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.int64),
        np.empty(MAX_SCORES, dtype=np.int64),
        np.empty(MAX_WINDOWS, dtype=np.int64),
        np.empty(MAX_WINDOWS, dtype=np.int64),
        np.empty(MAX_WINDOWS),
        np.empty(MAX_BINS),
    )


BODY, BEST, TRIED, FIRST = range(4)
"""The scorecards of a search: of the body at hand, of the best body, one on trial, and the first of those drafted."""
N_CARDS = FIRST + N_DRAFTS
N_PARTS, THRESHOLD = range(2)
"""What a scorecard is besides its parts."""


class CardLines(NamedTuple):
    """Scorecards, each with its parts, how many there are, its threshold and its value; and rows to polish one on."""

    points: Ints
    tests: Ints
    tables: Bytes
    facts: Ints
    values: Floats
    rows: Ints


class Cards(CardLines):
    """What the kernel of a body keeps scorecards in."""


def make_cards(n_rows: int) -> Cards:
    """Return room for scorecards of a table of so many rows."""
    n = MAX_CONDITIONS + 1
    return Cards(
        np.zeros((N_CARDS, n), dtype=np.int64),
        np.zeros((N_CARDS, n, FACTS), dtype=np.int64),
        np.zeros((N_CARDS, n, MAX_BINS), dtype=np.uint8),
        np.zeros((N_CARDS, 2), dtype=np.int64),
        np.zeros(N_CARDS),
        np.zeros(n_rows, dtype=np.int64),
    )
