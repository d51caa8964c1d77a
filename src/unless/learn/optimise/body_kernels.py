"""One subproblem in two kernels: bodies of tests searched from nothing, and any body polished by single moves.

In: rows with packed gains, histograms' layout, allowed kinds. Out: lines of tests on a `BodyBoard`, and their value.
`search_tests` descends greedily under several views of "good", which share rows and histograms while they agree, and
polishes the best prefix of each. `polish_tests` drops, replaces and adds literals while that pays: one pass over the
rows gives, for every literal at once, the histogram of the rows that hang on it, so each move is exact.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.layout import COLUMN, FACTS, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import ADD, ALONE, best_grade, best_test, write_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

FAR = 255
"""The mark of a row that more than one literal refuses: it belongs to no histogram."""
MAX_MOVES = 60
MAX_VIEWS = 6
FOIL, INFORMATION = -1.0, -2.0
"""Views that are no exchange rate of right and wrong rows."""
MAX_SEEN = 512
PRIME = 1099511628211
ENDED, SEEN = 0, 1


class Subproblem(NamedTuple):
    """What kernels know of a problem: the table by rows and by columns, the rows at hand, and what is allowed.

    `rivals[i, j]` says that columns i and j must not stand in one body; without any it has no lines.
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


class BodyBoard(NamedTuple):
    """What the kernels write into: the literals of a body, where each holds, and histograms around it.

    Histogram 0 has the rows where all literals hold, i + 1 those that only literal i refuses; the last stays empty.
    `seen` are bodies met before, by their signatures; its first number says how many.
    """

    facts: Ints
    tables: Bytes
    signatures: Ints
    truths: Bytes
    marks: Bytes
    hists: Ints
    totals: Ints
    value: Floats
    kinds: Ints
    seen: Ints


class Descents(NamedTuple):
    """Scratch of the greedy descents: a level for each literal of a path, and all tests met, each on a line."""

    facts: Ints
    tables: Bytes
    rows: Ints
    hists: Ints
    levels: Ints
    choices: Ints
    best: Floats
    paths: Ints


def make_body_board(n_rows: int, n_bins: int, n_columns: int, limit: int) -> BodyBoard:
    """Return an empty board for bodies of at most so many literals."""
    return BodyBoard(
        np.zeros((2 * limit + 2, FACTS), dtype=np.int64),
        np.zeros((2 * limit + 2, MAX_BINS), dtype=np.uint8),
        np.zeros(2 * limit + 2, dtype=np.int64),
        np.empty((limit + 1, n_rows), dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty((limit + 3, n_bins), dtype=np.int64),
        np.empty(limit + 3, dtype=np.int64),
        np.empty(MAX_BINS),
        np.empty((1, n_columns), dtype=np.int64),
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


N_ROWS, N_CHOICES, NEXT, LENGTH = range(4)
"""What is known of a level: its rows, its choices, how many of them are done, and the size of the body so far."""
TEST, VIEWS = range(2)
"""What a choice is: the line of a test, and the views that made it, as bits."""


@kernel
def improve_body(
    problem: Subproblem, views: Floats, n: int, board: BodyBoard, down: Descents
) -> tuple[int, float]:  # fmt: skip
    """Improve the body of n literals on the board or, where there is none, search one; returns its length and value.

    In one kernel, because each would compile the polishing again. The lines of the body are out. A length of 0 says
    that none pays.
    """
    limit, price = problem.limit, problem.price
    n_drafts = 1
    if n == 0:
        _descend(problem, views, board, down)
        n_drafts = len(views)
    n_best, best = 0, 0.0
    for _draft in range(n_drafts):
        length = n
        if n == 0:
            v = _next_draft(views, limit, down)
            if v < 0:
                break
            length = down.paths[v, limit]
            down.paths[v, limit] = 0
            for i in range(length):
                _copy_line(down.facts, down.tables, down.paths[v, i], board.facts, board.tables, i)
                _sign(i, board.facts, board.tables, board.signatures)
            _note_seen(length, board.signatures, board.seen)
        _begin(problem, length, board, down, n == 0)
        length, end = _polish(problem, length, board)
        held, size = board.totals[0], 1
        for i in range(length):
            size += board.facts[i, SIZE]
        value = (held >> RIGHT_BITS) - (held & WRONG_MASK) - price * size
        if n > 0:
            return length, value
        if end == ENDED and value > best + 1e-6 * price:
            n_best, best = length, value
            for i in range(length):
                _copy_line(board.facts, board.tables, i, board.facts, board.tables, limit + 1 + i)
    for i in range(n_best):
        _copy_line(board.facts, board.tables, limit + 1 + i, board.facts, board.tables, i)
    return n_best, best


@helper
def _next_draft(views: Floats, limit: int, down: Descents) -> int:
    """Return the view whose best prefix is the best of those left, -1 if there is none; the same one comes once."""
    v = -1
    for other in range(len(views)):
        if down.paths[other, limit] and (v < 0 or down.best[other] > down.best[v]):
            v = other
    for other in range(len(views)):
        is_same = v >= 0 and other != v and down.paths[other, limit] == down.paths[v, limit]
        for i in range(down.paths[v, limit] if is_same else 0):
            is_same &= down.paths[other, i] == down.paths[v, i]
        if is_same:
            down.paths[other, limit] = 0
    return v


@helper
def _copy_line(facts: Ints, tables: Bytes, i: int, to_facts: Ints, to_tables: Bytes, k: int) -> None:
    for f in range(FACTS):
        to_facts[k, f] = facts[i, f]
    for b in range(MAX_BINS):
        to_tables[k, b] = tables[i, b]


@helper
def _allow(problem: Subproblem, facts: Ints, n: int, but: int, kinds: Ints) -> None:
    """Write the kinds of test allowed beside the literals of a body, one left out, into kinds (out)."""
    for j in range(len(problem.kinds)):
        kinds[0, j] = problem.kinds[j]
        if len(problem.rivals):
            for i in range(n):
                if i != but and problem.rivals[facts[i, COLUMN], j]:
                    kinds[0, j] = 0


@helper
def _descend(problem: Subproblem, views: Floats, board: BodyBoard, down: Descents) -> None:
    """Add one literal per view; go on below each distinct choice with the views that made it."""
    rows, _gains, price, limit = problem.rows, problem.gains, problem.price, problem.limit
    levels, hists, top = down.levels, down.hists, np.int64(0)  # a plain 0 would be a type of its own: compiled apart
    for v in range(len(views)):
        down.best[v] = -math.inf
        down.paths[v, limit] = 0
    for i in range(len(rows)):
        down.rows[0, i] = rows[i]
    levels[0, N_ROWS], levels[0, LENGTH] = len(rows), 0
    _count_level(problem, top, top, len(rows), down)
    n_tests, d, group, is_new = top, top, (1 << len(views)) - 1, True
    while d >= 0:
        if is_new:
            n_tests = _choose_all(problem, views, group, d, n_tests, board, down)
            is_new = False
        if levels[d, NEXT] == levels[d, N_CHOICES]:
            d -= 1
            continue
        choice = levels[d, NEXT]
        levels[d, NEXT] += 1
        test, group = down.choices[d, choice, TEST], down.choices[d, choice, VIEWS]
        n_rows, n_inside = levels[d, N_ROWS], _part(problem, d, test, down)
        if n_inside == n_rows:
            continue
        down.paths[MAX_VIEWS, d] = test
        length = levels[d, LENGTH] + down.facts[test, SIZE]
        right, wrong = _inside(problem, d, test, down)
        cost, hopeful = price * (length + 1), 0
        for v in range(len(views)):
            if group >> v & 1:
                if right - wrong - cost > down.best[v]:
                    down.best[v] = right - wrong - cost
                    for i in range(d + 1):
                        down.paths[v, i] = down.paths[MAX_VIEWS, i]
                    down.paths[v, limit] = d + 1
                # The best that any extension could reach: all that is right stays, one more literal to pay.
                if right - cost - price > down.best[v]:
                    hopeful |= 1 << v
        if wrong and hopeful and d + 1 < limit:
            if 2 * n_inside > n_rows:  # the histogram is the parent's minus its complement's
                _count_level(problem, d + 1, n_inside, n_rows, down)
                for b in range(hists.shape[1]):
                    hists[d + 1, b] = hists[d, b] - hists[d + 1, b]
            else:
                _count_level(problem, d + 1, top, n_inside, down)
            d += 1
            levels[d, N_ROWS], levels[d, LENGTH] = n_inside, length
            group, is_new = hopeful, True


@helper
def _count_level(problem: Subproblem, d: int, first: int, last: int, down: Descents) -> None:
    """Count some rows of level d into its histogram."""
    hists, bin_index = down.hists, problem.bin_index
    for b in range(hists.shape[1]):
        hists[d, b] = 0
    for i in range(first, last):
        row = down.rows[d, i]
        gain = problem.gains[row]
        for j in range(bin_index.shape[1]):
            hists[d, bin_index[row, j]] += gain


@helper
def _choose_all(
    problem: Subproblem, views: Floats, group: int, d: int, n_tests: int, board: BodyBoard, down: Descents
) -> int:
    """Write the choice of each view of the group on level d; returns how many tests there are now."""
    spans, price, alone = problem.spans, problem.price, np.int64(ALONE)
    for i in range(d):
        for f in range(FACTS):
            board.facts[i, f] = down.facts[down.paths[MAX_VIEWS, i], f]
    _allow(problem, board.facts, d, d, board.kinds)
    n_choices = 0
    for v in range(len(views)):
        if not group >> v & 1:
            continue
        if views[v] < 0:
            _, column, kind, at = best_grade(down.hists, d, spans, board.kinds, views[v] == FOIL)
        else:
            _, column, kind, at = best_test(down.hists, d, d, alone, spans, board.kinds, views[v], price, board.value)
        if column < 0:
            continue
        write_test(down.hists, d, d, alone, spans, views[v], price, column, kind, at, down.facts, down.tables, n_tests)
        known = -1
        for c in range(n_choices):
            test = down.choices[d, c, TEST]
            is_same = down.facts[test, COLUMN] == column
            for b in range(MAX_BINS):
                is_same &= down.tables[test, b] == down.tables[n_tests, b]
            if is_same and known < 0:
                known = c
        if known >= 0:
            down.choices[d, known, VIEWS] |= 1 << v
        else:
            down.choices[d, n_choices, TEST], down.choices[d, n_choices, VIEWS] = n_tests, 1 << v
            n_choices += 1
            n_tests += 1
    down.levels[d, N_CHOICES], down.levels[d, NEXT] = n_choices, 0
    return n_tests


@helper
def _part(problem: Subproblem, d: int, test: int, down: Descents) -> int:
    """Write the rows of level d for which a test holds into the next level from the front, the others behind them."""
    n_rows, column = down.levels[d, N_ROWS], down.facts[test, COLUMN]
    inside, outside = 0, n_rows
    for i in range(n_rows):
        row = down.rows[d, i]
        if down.tables[test, problem.by_column[column, row]]:
            down.rows[d + 1, inside] = row
            inside += 1
        else:
            outside -= 1
            down.rows[d + 1, outside] = row
    return inside


@helper
def _inside(problem: Subproblem, d: int, test: int, down: Descents) -> tuple[int, int]:
    """Return the weight of right and of wrong rows of level d for which a test holds."""
    column = down.facts[test, COLUMN]
    start, held = problem.spans[column, 0], problem.gains[0] - problem.gains[0]
    for b in range(problem.spans[column, 1] + problem.spans[column, 2] + 2):
        held += down.hists[d, start + b] * down.tables[test, b]
    return held >> RIGHT_BITS, held & WRONG_MASK


@helper
def _sign(i: int, facts: Ints, tables: Bytes, signatures: Ints) -> None:
    """Write the signature of a test: a number that depends on its column and its truth."""
    signature = facts[i, COLUMN] + 1
    for b in range(MAX_BINS):
        signature = (signature ^ tables[i, b]) * PRIME
    signatures[i] = signature ^ (signature >> 29)


@helper
def _note_seen(n: int, signatures: Ints, seen: Ints) -> bool:
    """Tell whether the body on the board was met before, and note it; the order of its literals does not matter."""
    signature = 0
    for i in range(n):
        signature += signatures[i] * PRIME
    for k in range(1, seen[0] + 1):
        if seen[k] == signature:
            return True
    if seen[0] + 1 < len(seen):
        seen[0] += 1
        seen[seen[0]] = signature
    return False


@helper
def _begin(problem: Subproblem, n: int, board: BodyBoard, down: Descents, is_searched: bool) -> None:
    """Count the rows around the body on the board; where a search was before, its first histogram has all rows."""
    for r in range(len(problem.rows)):
        board.marks[r] = FAR
    for h in range(len(board.hists)):
        board.totals[h] = 0
        for b in range(board.hists.shape[1]):
            board.hists[h, b] = 0
    for i in range(n if is_searched else 0):
        _hold(problem, i, board)
    if n == 1 and is_searched:
        # All rows are near a single literal: count the smaller part, and the rest is what is left.
        board.totals[1] = 0
        for b in range(board.hists.shape[1]):
            board.hists[1, b] = down.hists[0, b]
        for b in range(problem.spans[0, 1] + problem.spans[0, 2] + 2):
            board.totals[1] += down.hists[0, b]
        for r in range(len(problem.rows)):
            board.marks[r] = 1
    _recount(problem, n, board)


@helper
def _hold(problem: Subproblem, i: int, board: BodyBoard) -> None:
    """Write where test i holds."""
    column = board.facts[i, COLUMN]
    for r in range(len(problem.rows)):
        board.truths[i, r] = board.tables[i, problem.by_column[column, problem.rows[r]]]


@helper
def _recount(problem: Subproblem, n: int, board: BodyBoard) -> None:
    """Mark the rows anew, and carry those whose mark changed from one histogram to the other."""
    hists, totals, bin_index = board.hists, board.totals, problem.bin_index
    for r in range(len(problem.rows)):
        n_refused, new = 0, 0
        for i in range(n):
            if not board.truths[i, r]:
                n_refused += 1
                new = i + 1
        if n_refused > 1:
            new = FAR
        old = board.marks[r]
        if old != new:
            row = problem.rows[r]
            gain = problem.gains[row]
            board.marks[r] = new
            if old != FAR:
                totals[old] -= gain
                for j in range(bin_index.shape[1]):
                    hists[old, bin_index[row, j]] -= gain
            if new != FAR:
                totals[new] += gain
                for j in range(bin_index.shape[1]):
                    hists[new, bin_index[row, j]] += gain


@helper
def _polish(problem: Subproblem, n: int, board: BodyBoard) -> tuple[int, int]:
    """Take the best move while it pays; returns the length of the body, and whether it was met before."""
    price, limit, spans = problem.price, problem.limit, problem.spans
    tolerance, empty = 1e-6 * problem.price, len(board.hists) - 1
    whole, add = np.int64(0), np.int64(ADD)
    for _ in range(MAX_MOVES):
        best, at_literal, column, kind, at = 0.0, -1, -1, -1, -1
        kept = (board.totals[0] >> RIGHT_BITS) - (board.totals[0] & WRONG_MASK)
        for i in range(min(n + 1, limit)):
            held = kept * 1.0
            if i < n:
                held -= price * board.facts[i, SIZE]
                both = board.totals[0] + board.totals[i + 1]
                gain = (both >> RIGHT_BITS) - (both & WRONG_MASK) - held
                if n > 1 and gain > best + tolerance:
                    best, at_literal, column = gain, i, -1
            _allow(problem, board.facts, n, i, board.kinds)
            second = i + 1 if i < n else empty
            score, c, k, b = best_test(board.hists, whole, second, add, spans, board.kinds, 1.0, price, board.value)
            if score - held > best + tolerance:
                best, at_literal, column, kind, at = score - held, i, c, k, b
        if best <= tolerance:
            return n, ENDED
        if column < 0:
            _drop(len(problem.rows), at_literal, n, board)
            n -= 1
        else:
            second = at_literal + 1 if at_literal < n else empty
            write_test(
                board.hists,
                whole,
                second,
                add,
                spans,
                1.0,
                price,
                column,
                kind,
                at,
                board.facts,
                board.tables,
                at_literal,
            )
            _sign(at_literal, board.facts, board.tables, board.signatures)
            _hold(problem, at_literal, board)
            n = max(n, at_literal + 1)
        _recount(problem, n, board)
        if _note_seen(n, board.signatures, board.seen):
            return n, SEEN
    return n, ENDED


@helper
def _drop(n_rows: int, i: int, n: int, board: BodyBoard) -> None:
    """Take literal i out: rows that only it refused now pass, and those beside it move up by one."""
    hists, totals = board.hists, board.totals
    totals[0] += totals[i + 1]
    for b in range(hists.shape[1]):
        hists[0, b] += hists[i + 1, b]
    for k in range(i, n):
        totals[k + 1] = totals[k + 2] if k + 1 < n else 0
        for b in range(hists.shape[1]):
            hists[k + 1, b] = hists[k + 2, b] if k + 1 < n else 0
        if k + 1 < n:
            _copy_line(board.facts, board.tables, k + 1, board.facts, board.tables, k)
            board.signatures[k] = board.signatures[k + 1]
            for r in range(n_rows):
                board.truths[k, r] = board.truths[k + 1, r]
    for r in range(n_rows):
        mark = board.marks[r]
        if mark == i + 1:
            board.marks[r] = 0
        elif mark != FAR and mark > i + 1:
            board.marks[r] = mark - 1
