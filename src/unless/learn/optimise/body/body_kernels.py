"""One subproblem in one kernel: a body of tests searched from nothing, or any body improved by single moves.

In: rows with packed gains, allowed kinds. Out: lines of tests on a `BodyBoard`, and their value. A search polishes the
best prefix of every greedy descent. Polishing drops, replaces and adds literals while that pays: one pass over the rows
gives, for every literal at once, the histogram of the rows that hang on it, so each move is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.body.boards import TOLERANCE
from unless.learn.optimise.body.descents import allow, descend
from unless.learn.optimise.layout import COLUMN, FACTS, KIND, MAX_BINS, RIGHT_BITS, SIZE, WRONG_MASK
from unless.learn.optimise.scans import ADD, Window, best_test, write_test

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import BodyBoard, Descents, Subproblem
    from unless.learn.optimise.layout import Bytes, Floats, Ints

FAR = 255
"""The mark of a row that more than one literal refuses: it belongs to no histogram."""
MAX_MOVES = 60
PRIME = 1099511628211
ENDED, SEEN = 0, 1


@kernel
def improve_body(  # noqa: C901
    problem: Subproblem, views: Floats, n: int, board: BodyBoard, down: Descents
) -> tuple[int, float]:  # fmt: skip
    """Improve the body of n literals on the board or, where there is none, search one; returns its length and value.

    In one kernel, because each would compile the polishing again. The lines of the body are out. A length of 0 says
    that none pays.
    """
    limit, price = problem.limit, problem.price
    n_drafts = 1
    if n == 0:
        descend(problem, views, board, down)
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
                copy_line(down.facts, down.tables, down.paths[v, i], board.facts, board.tables, i)
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
        if end == ENDED and value > best + TOLERANCE * price:
            n_best, best = length, value
            for i in range(length):
                copy_line(board.facts, board.tables, i, board.facts, board.tables, limit + 1 + i)
    for i in range(n_best):
        copy_line(board.facts, board.tables, limit + 1 + i, board.facts, board.tables, i)
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
def copy_line(facts: Ints, tables: Bytes, i: int, to_facts: Ints, to_tables: Bytes, k: int) -> None:
    """Copy line i of tests to line k of others."""
    for f in range(FACTS):
        to_facts[k, f] = facts[i, f]
    for b in range(MAX_BINS):
        to_tables[k, b] = tables[i, b]


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
    for i in range(n):
        if board.facts[i, KIND] >= 0:  # where a score holds is written already
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
    hists, totals, bin_index, marks = board.hists, board.totals, problem.bin_index, board.marks
    new, changed = board.new_marks, board.changed
    for r in range(len(problem.rows)):
        new[r] = 0
    for i in range(n):  # literal by literal: these loops are run for many rows at once
        for r in range(len(problem.rows)):
            new[r] = new[r] if board.truths[i, r] else i + 1 if new[r] == 0 else FAR
    n_changed = 0
    for r in range(len(problem.rows)):
        changed[n_changed] = r  # written always: a branch would cost more
        n_changed += marks[r] != new[r]
    for k in range(n_changed):
        r = changed[k]
        old, now, row = marks[r], new[r], problem.rows[r]
        gain = problem.gains[row]
        marks[r] = now
        if old != FAR:
            totals[old] -= gain
            for j in range(bin_index.shape[1]):
                hists[old, bin_index[row, j]] -= gain
        if now != FAR:
            totals[now] += gain
            for j in range(bin_index.shape[1]):
                hists[now, bin_index[row, j]] += gain


@helper
def _polish(problem: Subproblem, n: int, board: BodyBoard) -> tuple[int, int]:
    """Take the best move while it pays; returns the length of the body, and whether it was met before."""
    price, limit, spans = problem.price, problem.limit, problem.spans
    tolerance, empty = TOLERANCE * problem.price, len(board.hists) - 1
    for _ in range(MAX_MOVES):
        best, at_literal, column, kind, at = 0.0, -1, -1, -1, -1
        kept = (board.totals[0] >> RIGHT_BITS) - (board.totals[0] & WRONG_MASK)
        for i in range(min(n + 1, limit)):
            held = kept
            if i < n:
                held -= price * board.facts[i, SIZE]
                both = board.totals[0] + board.totals[i + 1]
                gain = (both >> RIGHT_BITS) - (both & WRONG_MASK) - held
                if n > 1 and gain > best + tolerance:
                    best, at_literal, column = gain, i, -1
            allow(problem, board.facts, n, i, board.kinds)
            window = Window(board.hists, 0, i + 1 if i < n else empty, ADD)
            score, c, k, b = best_test(window, spans, board.kinds, 1.0, price, board.value)
            if score - held > best + tolerance:
                best, at_literal, column, kind, at = score - held, i, c, k, b
        if best <= tolerance:
            return n, ENDED
        if column < 0:
            _drop(len(problem.rows), at_literal, n, board)
            n -= 1
        else:
            window = Window(board.hists, 0, at_literal + 1 if at_literal < n else empty, ADD)
            write_test(window, spans, 1.0, price, column, kind, at, board.facts, board.tables, at_literal)
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
            copy_line(board.facts, board.tables, k + 1, board.facts, board.tables, k)
            board.signatures[k] = board.signatures[k + 1]
            for r in range(n_rows):
                board.truths[k, r] = board.truths[k + 1, r]
    for r in range(n_rows):
        mark = board.marks[r]
        if mark == i + 1:
            board.marks[r] = 0
        elif mark != FAR and mark > i + 1:
            board.marks[r] = mark - 1
