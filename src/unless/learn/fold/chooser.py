"""Stage 3: choosing. The best literal, from counts alone (the paper's Algorithms 3 and 4).

The law, made deterministic: columns in order; in a column the numbers ascending, `=<` before `>`, then the words
ascending, `=` before `!=`; the first of the best wins. A candidate's value must occur among the rows at hand and its
(column, value) pair must be unused.

Numbers go by stretches, and a stretch that can hold nothing better (`score`) is skipped. The buckets of a wide column
are such stretches too: only those that may hold the best literal are counted code by code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.fold.heuristic import Totals, add_up, may_hold_better, may_split_better, score, table_of_xlogx
from unless.learn.rows.counts import Ask

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.learn.rows.counts import Detail
    from unless.learn.rows.row_set import Rows
    from unless.learn.rows.tally import Tally
    from unless.logic.rules import Op

OPS: tuple[Op, ...] = ("=<", ">", "=", "!=")
STRETCH = 128

Pair = tuple[int, int]
"""A (column, code) pair."""

Line = tuple["NDArray[np.int32]", "NDArray[np.int32]"]
"""Positives and negatives, bucket by bucket."""

Sums = tuple[int, int, int, int]
"""Positives and negatives below the first number of a stretch, then those of all numbers of the column."""

Found = tuple[float, int, int]
"""Score, operator (place in OPS) and code of a literal; the code is -1 when there is none."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A literal in codes: a column, an operator, and the code of the value it compares with."""

    column: int
    op: Op
    code: int

    @property
    def pair(self) -> Pair:
        """Return what no further literal on the way down may use again."""
        return self.column, self.code


class Layout(NamedTuple):
    """How a line of counts is laid out: the code of each place, and where a column's numbers, words, missing begin.

    The codes of a wide column are its buckets; they are not looked at code by code.
    """

    codes: NDArray[np.int32]
    bounds: NDArray[np.int64]
    is_wide: NDArray[np.bool_]

    def at(self, places: NDArray[np.int64]) -> Layout:
        """Return the layout of a line that has only some places."""
        return Layout(self.codes[places], np.searchsorted(places, self.bounds), self.is_wide)


def layout_of(columns: Columns) -> Layout:
    """Return the layout of the lines of a table."""
    ends = [(0, grid.first_word, grid.last) for grid in columns.grids]
    bounds = columns.starts[:-1, None] + np.array(ends, dtype=np.int64).reshape(-1, 3)
    codes = [np.arange(grid.last + 1, dtype=np.int32) for grid in columns.grids]
    is_wide = np.array([book.is_wide for book in columns.books], dtype=np.bool_)
    return Layout(np.concatenate([np.empty(0, dtype=np.int32), *codes]), bounds, is_wide)


class Chooser:
    """Chooses literals for one table."""

    def __init__(self, columns: Columns, *, mgi: bool = False) -> None:
        self.mgi = mgi
        self.books, self._grids = columns.books, columns.grids
        self._wide = [c for c, book in enumerate(self.books) if book.is_wide]
        self._starts, self._layout = columns.starts, layout_of(columns)
        self._xlogx = table_of_xlogx(columns.n_rows)

    def best(self, rows: Rows, used: Iterable[Pair]) -> Choice | None:
        """Return the best literal of all columns, or None when none is valid."""
        tally = rows.tally()
        totals = Totals(tally.n_pos, tally.n_neg, self._xlogx, self.mgi)
        barred = np.array(sorted(used), dtype=np.int32).reshape(-1, 2)
        layout = self._layout if tally.places is None else self._layout.at(tally.places)
        found, column = best_of_line(tally.pos, tally.neg, layout, barred, totals)
        asks = self._asks(tally, barred, totals, found[0])
        for ask, detail in zip(asks, rows.detail(asks) if asks else (), strict=True):
            # An earlier column wins a tie, so a wide column must reach the best only when it comes first.
            floor = math.nextafter(found[0], -math.inf) if ask.column < column else found[0]
            other = self._best_of_detail(ask, detail, self._line_of(tally, ask.column), barred, totals, floor)
            if other[2] >= 0:
                found, column = other, ask.column
        return None if found[2] < 0 else Choice(int(column), OPS[found[1]], int(found[2]))

    def _asks(self, tally: Tally, barred: NDArray[np.int32], totals: Totals, best: float) -> list[Ask]:
        """Return the buckets of wide columns that may hold the best literal."""
        lines = [(c, *self._line_of(tally, c)) for c in self._wide]
        for c, pos, neg in lines:
            grid = self._grids[c]
            unsure = grid.bucket(barred[barred[:, 0] == c, 1].astype(np.int64)).astype(np.int32)
            best = best_edge(pos[: grid.first_word], neg[: grid.first_word], unsure, totals, best)
        asks = []
        for c, pos, neg in lines:
            chosen = promising(pos, neg, self._grids[c].first_word, totals, best)
            if chosen.any():
                asks.append(Ask(c, tuple(np.flatnonzero(chosen).tolist())))
        return asks

    def _line_of(self, tally: Tally, column: int) -> Line:
        return tally.line(*self._starts[column : column + 2])

    def _best_of_detail(
        self, ask: Ask, detail: Detail, line: Line, barred: NDArray[np.int32], totals: Totals, best: float
    ) -> Found:
        """Return the best literal in the buckets asked about that beats `best`, if any."""
        grid, buckets = self._grids[ask.column], np.array(ask.buckets, dtype=np.int64)
        edges = np.searchsorted(detail.codes, grid.spans(buckets)).astype(np.int64)
        numbers = (line[0][: grid.first_word], line[1][: grid.first_word])
        mine = barred[barred[:, 0] == ask.column, 1]
        return best_of_buckets(detail.codes, detail.pos, detail.neg, buckets, edges, numbers, mine, totals, best)


@helper
def _is_barred(code: int, barred: NDArray[np.int32]) -> bool:
    """Tell whether a code is used already; there are a handful at most."""
    for other in barred:
        if other == code:
            return True
    return False


@helper
def best_number(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    sums: Sums,
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best `=<` or `>` that beats `best`, if any; the arrays hold numbers of one column, ascending."""
    best_op, best_code = 0, -1
    below_pos, below_neg, all_pos, all_neg = sums
    for start in range(0, len(codes), STRETCH):
        end = start + STRETCH  # a slice ends with its array
        next_pos, next_neg = below_pos + add_up(pos[start:end]), below_neg + add_up(neg[start:end])
        if next_pos + next_neg == below_pos + below_neg:
            continue  # no row has any of these numbers
        if not may_split_better(below_pos, below_neg, next_pos, next_neg, all_pos, all_neg, totals, best):
            below_pos, below_neg = next_pos, next_neg
            continue
        for i in range(start, start + len(pos[start:end])):
            if pos[i] + neg[i] == 0:
                continue
            below_pos += pos[i]
            below_neg += neg[i]
            if _is_barred(codes[i], barred):
                continue
            for op in range(2):  # a loop, because each place that scores takes its time to compile
                tp, fp = (all_pos - below_pos, all_neg - below_neg) if op else (below_pos, below_neg)
                gain = score(tp, fp, totals, best)
                if gain > best:
                    best, best_op, best_code = gain, op, codes[i]
    return best, best_op, best_code


@helper
def best_word(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best `=` or `!=` that beats `best`, if any; the arrays hold the words of one column."""
    best_op, best_code = 0, -1
    for i in range(len(codes)):
        if pos[i] + neg[i] == 0 or _is_barred(codes[i], barred):
            continue
        held_pos, held_neg = add_up(pos[i : i + 1]), add_up(neg[i : i + 1])  # widened, as totals are
        for op in range(2, 4):
            tp, fp = (totals.n_pos - held_pos, totals.n_neg - held_neg) if op == 3 else (held_pos, held_neg)
            gain = score(tp, fp, totals, best)
            if gain > best:
                best, best_op, best_code = gain, op, codes[i]
    return best, best_op, best_code


@kernel
def best_of_line(
    pos: NDArray[np.int32], neg: NDArray[np.int32], layout: Layout, barred: NDArray[np.int32], totals: Totals
) -> tuple[Found, int]:
    """Return the best literal of the columns that are not wide, and its column: in each, numbers, then words."""
    best: Found = (-math.inf, 0, -1)
    column = -1
    nothing = add_up(pos[:0])
    first = 0  # the barred pairs of a column stand together
    for c in range(len(layout.bounds)):
        while first < len(barred) and barred[first, 0] < c:
            first += 1
        last = first
        while last < len(barred) and barred[last, 0] == c:
            last += 1
        if layout.is_wide[c]:
            continue
        start, words, missing = layout.bounds[c, 0], layout.bounds[c, 1], layout.bounds[c, 2]
        mine = barred[first:last, 1]
        codes, tps, fps = layout.codes[start:words], pos[start:words], neg[start:words]
        sums = (nothing, nothing, add_up(tps), add_up(fps))
        found = best_number(codes, tps, fps, sums, mine, totals, best[0])
        if found[2] >= 0:
            best, column = found, c
        codes, tps, fps = layout.codes[words:missing], pos[words:missing], neg[words:missing]
        found = best_word(codes, tps, fps, mine, totals, best[0])
        if found[2] >= 0:
            best, column = found, c
    return best, column


@kernel
def best_edge(
    pos: NDArray[np.int32], neg: NDArray[np.int32], unsure: NDArray[np.int32], totals: Totals, best: float
) -> float:
    """Return the best score of the last numbers of the buckets of a wide column, or `best`.

    The last number that occurs in a bucket is a candidate whose counts are known, unless it may be barred: then the
    bucket is unsure.
    """
    all_pos, all_neg = add_up(pos), add_up(neg)
    below_pos, below_neg = add_up(pos[0:0]), add_up(neg[0:0])
    for bucket in range(len(pos)):
        below_pos += pos[bucket]
        below_neg += neg[bucket]
        if pos[bucket] + neg[bucket] > 0 and not _is_barred(bucket, unsure):
            best = max(best, score(below_pos, below_neg, totals, best))
            best = max(best, score(all_pos - below_pos, all_neg - below_neg, totals, best))
    return best


@kernel
def promising(
    pos: NDArray[np.int32], neg: NDArray[np.int32], first_word: int, totals: Totals, best: float
) -> NDArray[np.bool_]:
    """Tell which buckets of a wide column may hold a literal as good as `best`."""
    chosen = np.zeros(len(pos), dtype=np.bool_)
    all_pos, all_neg = add_up(pos[0:first_word]), add_up(neg[0:first_word])
    none = add_up(pos[0:0])
    below_pos, below_neg = none, none
    for b in range(len(pos) - 1):
        if pos[b] + neg[b] == 0:
            continue
        tp, fp = add_up(pos[b : b + 1]), add_up(neg[b : b + 1])
        if b < first_word:
            next_pos, next_neg = below_pos + tp, below_neg + fp
            chosen[b] = may_split_better(below_pos, below_neg, next_pos, next_neg, all_pos, all_neg, totals, best)
            below_pos, below_neg = next_pos, next_neg
        else:
            n_pos, n_neg = totals.n_pos, totals.n_neg
            chosen[b] = may_hold_better(none, none, tp, fp, totals, best) or may_hold_better(
                n_pos - tp, n_neg - fp, n_pos, n_neg, totals, best
            )
    return chosen


@kernel
def best_of_buckets(
    codes: NDArray[np.int32],
    pos: NDArray[np.int32],
    neg: NDArray[np.int32],
    buckets: NDArray[np.int64],
    edges: NDArray[np.int64],
    line: Line,
    barred: NDArray[np.int32],
    totals: Totals,
    best: float,
) -> Found:
    """Return the best literal that beats `best` among the codes of some buckets, if any: numbers, then words.

    Bucket k has the codes of the detail from edges[0, k] to edges[1, k]; the line has the numbers' buckets.
    """
    found: Found = (best, 0, -1)
    line_pos, line_neg = line
    all_pos, all_neg = add_up(line_pos), add_up(line_neg)
    below_pos, below_neg, bucket = add_up(line_pos[0:0]), add_up(line_neg[0:0]), 0
    for k in range(len(buckets)):
        low, high = edges[0, k], edges[1, k]
        mine = (codes[low:high], pos[low:high], neg[low:high])
        if buckets[k] < len(line_pos):
            while bucket < buckets[k]:
                below_pos += line_pos[bucket]
                below_neg += line_neg[bucket]
                bucket += 1
            sums = (below_pos, below_neg, all_pos, all_neg)
            other = best_number(mine[0], mine[1], mine[2], sums, barred, totals, found[0])
        else:
            other = best_word(mine[0], mine[1], mine[2], barred, totals, found[0])
        if other[2] >= 0:
            found = other
    return found
