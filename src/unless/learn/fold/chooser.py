"""Stage 3: choosing. The best literal, from counts alone (the paper's Algorithms 3 and 4).

The law, made deterministic: columns in order; in a column the numbers ascending, `=<` before `>`, then the words
ascending, `=` before `!=`; the first of the best wins. A candidate's value must occur among the rows at hand and its
(column, value) pair must be unused.

Numbers go by stretches, and a stretch that can hold nothing better (`may_split_better`) is skipped. The buckets of a
wide column are such stretches too: only those that may hold the best literal are counted code by code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.fold.heuristic import SLACK, Totals, exact_score, may_split_better, rough_score, table_of_xlogx
from unless.learn.rows.codes import CodedLiteral
from unless.learn.rows.counts import Ask

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns, Pair
    from unless.learn.rows.counts import Detail
    from unless.learn.rows.row_set import Rows
    from unless.learn.rows.tally import Counts, Tally
    from unless.logic.rules import Op

OPS: tuple[Op, ...] = ("=<", ">", "=", "!=")
STRETCH = 128


Line = tuple["Counts", "Counts"]
"""Positives and negatives, bucket by bucket."""

Found = tuple[float, int, int, int]
"""Score, column, operator (index in OPS) and code of a literal; the column is -1 when there is none."""

RUN = 8
"""What says a run: first and last (not in it) of its counts, column, whether they are words, and of a column's numbers
the positives and negatives below the run, then above it."""

NOTHING = (0, 0, 0, 0)
"""Below and above a run that has all numbers of its column."""


@dataclass(frozen=True, slots=True, eq=False)
class LineRuns:
    """The candidates of a line of counts: the code of each count, and the runs to try in order.

    A run is a row of `runs`: numbers of a column, ascending, or words of it (see `RUN`).
    """

    codes: NDArray[np.int32]
    runs: NDArray[np.int64]

    def at(self, indices: NDArray[np.int64]) -> LineRuns:
        """Return the candidates of a line that has only some of the counts."""
        runs = self.runs.copy()
        runs[:, :2] = np.searchsorted(indices, runs[:, :2])
        return LineRuns(self.codes[indices], runs)


def line_runs_of(columns: Columns) -> LineRuns:
    """Return the candidates of the lines of a table; wide columns have none, their line is of buckets."""
    codes = [np.arange(grid.last + 1, dtype=np.int32) for grid in columns.grids]
    runs = []
    for c, (grid, book, start) in enumerate(zip(columns.grids, columns.books, columns.starts.tolist(), strict=False)):
        if not book.is_wide:
            words, missing = start + grid.first_word, start + grid.last
            runs += [(start, words, c, False, *NOTHING), (words, missing, c, True, *NOTHING)]
    return LineRuns(np.concatenate([np.empty(0, dtype=np.int32), *codes]), runs_of(runs))


def runs_of(rows: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """Return runs as the kernel takes them."""
    return np.array(rows, dtype=np.int64).reshape(-1, RUN)


class Chooser:
    """Chooses literals for one table."""

    def __init__(self, columns: Columns, *, mgi: bool = False) -> None:
        self.mgi = mgi
        self.books, self._grids = columns.books, columns.grids
        self._wide = [c for c, book in enumerate(self.books) if book.is_wide]
        self._starts, self._candidates = columns.starts, line_runs_of(columns)
        self._xlogx = table_of_xlogx(columns.n_rows)

    def best(self, rows: Rows, used: Iterable[Pair]) -> CodedLiteral | None:
        """Return the best literal of all columns, or None when none is valid."""
        tally = rows.tally()
        totals = Totals(tally.n_pos, tally.n_neg, self._xlogx, self.mgi)
        barred = np.array(sorted(used), dtype=np.int32).reshape(-1, 2)
        candidates = self._candidates if tally.indices is None else self._candidates.at(tally.indices)
        found = best_of_runs(candidates.codes, tally.pos, tally.neg, candidates.runs, barred, totals, -math.inf)
        asks = self._asks(tally, barred, totals, found[0])
        for ask, detail in zip(asks, rows.detail(asks) if asks else (), strict=True):
            # An earlier column wins a tie, so a wide column must reach the best only when it comes first.
            floor = math.nextafter(found[0], -math.inf) if ask.column < found[1] else found[0]
            other = self._best_of_detail(ask, detail, self._line_of(tally, ask.column), barred, totals, floor)
            if other[1] >= 0:
                found = other
        return None if found[1] < 0 else CodedLiteral(int(found[1]), OPS[found[2]], int(found[3]))

    def _asks(self, tally: Tally, barred: NDArray[np.int32], totals: Totals, best: float) -> list[Ask]:
        """Return the buckets of wide columns that may hold the best literal."""
        lines = [(c, *self._line_of(tally, c)) for c in self._wide]
        for c, pos, neg in lines:
            best = self._best_edge(c, pos, neg, barred, totals, best)
        asks = []
        for c, pos, neg in lines:
            chosen = np.zeros(len(pos), dtype=np.bool_)
            mark_promising(pos, neg, self._grids[c].first_word, totals, best, chosen)
            if chosen.any():
                asks.append(Ask(c, tuple(np.flatnonzero(chosen).tolist())))
        return asks

    def _best_edge(
        self, column: int, pos: Counts, neg: Counts, barred: NDArray[np.int32], totals: Totals, best: float
    ) -> float:
        """Return the best score of the last numbers of the buckets of a wide column, or `best`.

        The last number that occurs in a bucket is a candidate whose counts are known, unless it may be barred: then the
        bucket is.
        """
        grid = self._grids[column]
        unsure = barred[barred[:, 0] == column]
        unsure[:, 1] = grid.bucket(unsure[:, 1].astype(np.int64))
        runs = runs_of([(0, grid.first_word, column, False, *NOTHING)])
        buckets = np.arange(grid.first_word, dtype=np.int32)
        return best_of_runs(buckets, pos, neg, runs, unsure, totals, best)[0]

    def _line_of(self, tally: Tally, column: int) -> Line:
        return tally.line(*self._starts[column : column + 2])

    def _best_of_detail(
        self, ask: Ask, detail: Detail, line: Line, barred: NDArray[np.int32], totals: Totals, best: float
    ) -> Found:
        """Return the best literal in the buckets asked about that beats `best`, if any."""
        grid, buckets = self._grids[ask.column], np.array(ask.buckets, dtype=np.int64)
        edges = np.searchsorted(detail.codes, grid.spans(buckets))
        runs = np.zeros((len(buckets), RUN), dtype=np.int64)
        runs[:, :2], runs[:, 2], runs[:, 3] = edges.T, ask.column, buckets >= grid.first_word
        for side, counts in enumerate(line):  # what the numbers of other buckets add below and above
            sums = np.append(0, np.cumsum(counts[: grid.first_word], dtype=np.int64))
            number = np.minimum(buckets, grid.first_word - 1)
            runs[:, 4 + side], runs[:, 6 + side] = sums[number], sums[-1] - sums[number + 1]
        return best_of_runs(detail.codes, detail.pos, detail.neg, runs, barred, totals, best)


@helper
def _is_barred(column: int, code: int, barred: NDArray[np.int32]) -> bool:
    """Tell whether a pair is used already; there are a handful at most."""
    for k in range(len(barred)):
        if barred[k, 0] == column and barred[k, 1] == code:
            return True
    return False


@kernel  # in one function: each further one takes its time to compile
def best_of_runs(  # noqa: C901, PLR0912
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    runs: NDArray[np.int64],
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best literal of the runs that beats `best`, if any."""
    column, op, best_code = -1, 0, -1
    for r in range(len(runs)):
        first, last, is_word = runs[r, 0], runs[r, 1], runs[r, 3]
        below_pos, below_neg, all_pos, all_neg = (
            runs[r, 4],
            runs[r, 5],
            runs[r, 4] + runs[r, 6],
            runs[r, 5] + runs[r, 7],
        )
        if is_word:
            all_pos, all_neg = totals.n_pos, totals.n_neg
        else:
            for i in range(first, last):
                all_pos += pos[i]
                all_neg += neg[i]
        for start in range(first, last, STRETCH):
            end = start + STRETCH if start + STRETCH < last else last
            if not is_word:
                next_pos, next_neg = below_pos, below_neg
                for i in range(start, end):
                    next_pos += pos[i]
                    next_neg += neg[i]
                if next_pos + next_neg == below_pos + below_neg:
                    continue  # no row has any of these numbers
                if not may_split_better(below_pos, below_neg, next_pos, next_neg, all_pos, all_neg, totals, best):
                    below_pos, below_neg = next_pos, next_neg
                    continue
            for i in range(start, end):
                if pos[i] + neg[i] == 0:
                    continue
                if is_word:
                    below_pos, below_neg = 0, 0
                below_pos += pos[i]
                below_neg += neg[i]
                for side in range(2):  # a loop, because each call that scores takes its time to compile
                    tp, fp = (all_pos - below_pos, all_neg - below_neg) if side else (below_pos, below_neg)
                    fn, tn = totals.n_pos - tp, totals.n_neg - fp
                    if fp + fn > tp + tn or rough_score(tp, fp, totals) < (best - SLACK) * (tp + fp + tn + fn):
                        continue
                    gain = exact_score(tp, fn, tn, fp, totals.mgi)
                    if gain > best and not _is_barred(runs[r, 2], codes[i], barred):
                        best, column, op, best_code = gain, runs[r, 2], 2 * is_word + side, codes[i]
    return best, column, op, best_code


@kernel
def mark_promising(
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    first_word: int,
    totals: Totals,
    best: float,
    chosen: NDArray[np.bool_],
) -> None:
    """Mark in chosen (out) the buckets of a wide column that may hold a literal as good as `best`."""
    all_pos, all_neg = 0, 0
    for b in range(first_word):
        all_pos += pos[b]
        all_neg += neg[b]
    low_pos, low_neg = 0, 0
    for b in range(len(pos) - 1):
        if b >= first_word:
            low_pos, low_neg, all_pos, all_neg = 0, 0, totals.n_pos, totals.n_neg
        high_pos, high_neg = low_pos + pos[b], low_neg + neg[b]
        if pos[b] + neg[b] > 0:
            chosen[b] = may_split_better(low_pos, low_neg, high_pos, high_neg, all_pos, all_neg, totals, best)
        low_pos, low_neg = high_pos, high_neg
