"""The points literal, drafted in one kernel: stumps added one by one, weights refitted each time, rounded to points.

In: rows to regress on, with their packed weights. Out: the tests found and the best roundings of their weights to
points with a threshold. Rows are gathered by the pattern of conditions that hold, so a fit or a rounding costs as much
as there are patterns. Sums are of integers in fixed point, or over patterns in order: the order of the rows cannot
change a choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS, MAX_POINTS, N_DRAFTS, best_threshold
from unless.learn.optimise.body.scorecard_weights import fit_weights
from unless.learn.optimise.layout import (
    AT,
    COLUMN,
    GT,
    KIND,
    LE,
    MAX_BINS,
    NEGATED_NUMBER,
    NONE_OF,
    NOT_GT,
    NOT_LE,
    NUMBERS,
    ONE_OF,
    RIGHT_BITS,
    SIZE,
    WORDS,
    WRONG_MASK,
)  # fmt: skip

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Subproblem
    from unless.learn.optimise.body.scorecard_board import DraftBoard
    from unless.learn.optimise.layout import Floats, Ints

KEPT = (1 << 3) | (1 << 5) | (1 << 8) | (1 << 12)
"""After so many conditions the weights are rounded, as bits."""

ONE = 1 << 20
"""Fixed point of derivatives."""
SET_MARGIN = 1.05
"""A set of words must beat the best single word by this much."""

FEW, FEW_DRAFTS = 1000, 2
"""Up to so many rows a second draft of a scorecard is polished: of more, the best one is seldom overtaken."""
SKEWED_NEAR = 4.0
"""Where the rows of one label weigh far more, all drafts are polished that are behind by no more literals than this:
there few heavy rows part the drafts, and the first one often ends where another would have saved more."""

THRESHOLDS, SINGLES, SETS = range(3)
"""The three looks at a column, in the order of ties."""


@helper
def n_polished(n_rows: int, skew: float) -> int:
    """Return how many drafts are polished at most: two of few rows, and more the more the rows of one label weigh."""
    return max(FEW_DRAFTS if n_rows <= FEW else 1, round(thoroughness(skew) * N_DRAFTS))


@helper
def near_drafts(skew: float) -> float:
    """Return by how many literals a draft that is polished may be behind the best: one further behind seldom wins."""
    return 1.0 + thoroughness(skew) * (SKEWED_NEAR - 1.0)


@helper
def thoroughness(skew: float) -> float:
    """Return from 0, where one label's rows weigh up to twice as much, to 1 at four times: below, it gained nothing."""
    return max(0.0, 2.0 * skew - 1.0)


@kernel
def draft_scores(problem: Subproblem, rows: Ints, known_kinds: Ints, board: DraftBoard) -> int:
    """Draft scorecards on some rows of a problem; returns the number of tests. See `DraftBoard` for what is out."""
    total = 0
    for i in range(len(rows)):
        gain = problem.gains[rows[i]]
        total += (gain >> RIGHT_BITS) + (gain & WRONG_MASK)
        board.patterns[i] = 0
    unit, n = total / len(rows), 0
    while True:
        n_distinct = _gather(problem, rows, n, board)
        fit_weights(n, n_distinct, unit, board)
        found = n < MAX_CONDITIONS and _next_stump(problem, rows, unit, n, n_distinct, board)
        if n > 0 and (KEPT >> n & 1 or not found):
            _round_weights(problem, rows, n, n_distinct, known_kinds, board)
        if not found:
            return n
        column = board.tests[n, COLUMN]
        for i in range(len(rows)):
            board.patterns[i] |= int(board.tables[n, problem.by_column[column, rows[i]]]) << n
        n += 1


@helper
def _gather(problem: Subproblem, rows: Ints, n: int, board: DraftBoard) -> int:
    """Add up the right and the wrong rows of each pattern; returns how many patterns there are, listed in order."""
    gathered, distinct = board.gathered, board.distinct
    for p in range(1 << n):
        gathered[0, p] = 0
        gathered[1, p] = 0
    for i in range(len(rows)):
        gain = problem.gains[rows[i]]
        gathered[0, board.patterns[i]] += gain >> RIGHT_BITS
        gathered[1, board.patterns[i]] += gain & WRONG_MASK
    n_distinct = 0
    for p in range(1 << n):
        if gathered[0, p] + gathered[1, p] > 0:
            gathered[2, p] = n_distinct
            distinct[n_distinct] = p
            n_distinct += 1
    return n_distinct


@helper
def _next_stump(
    problem: Subproblem, rows: Ints, unit: float, n: int, n_distinct: int, board: DraftBoard
) -> bool:  # fmt: skip
    """Write the test that helps the fit most into line n; False if there is none, or it is there already."""
    bin_index, sums, chances, fixed = problem.bin_index, board.sums, board.chances, board.fixed
    for u in range(n_distinct):
        p = chances[u]
        fixed[u, 0], fixed[u, 1], fixed[u, 2] = round((1 - p) * ONE), round(p * ONE), round(p * (1 - p) * ONE)
    for b in range(sums.shape[0]):
        sums[b, 0] = 0
        sums[b, 1] = 0
    for i in range(len(rows)):
        row = rows[i]
        gain = problem.gains[row]
        right, wrong = gain >> RIGHT_BITS, gain & WRONG_MASK
        u = board.gathered[2, board.patterns[i]]
        slope = right * fixed[u, 0] - wrong * fixed[u, 1]
        curve = (right + wrong) * fixed[u, 2]
        for j in range(bin_index.shape[1]):
            b = bin_index[row, j]
            sums[b, 0] += slope
            sums[b, 1] += curve
    column, kind, at, size = scan_stumps(sums, ONE * unit, board.order, problem.spans, problem.kinds)
    if column < 0:
        return False
    _write_test(problem.spans, ONE * unit, column, kind, at, size, n, board)
    for other in range(n):
        is_same = board.tests[other, COLUMN] == column
        for b in range(MAX_BINS):
            is_same &= board.tables[other, b] == board.tables[n, b]
        if is_same:
            return False
    return True


@helper
def scan_stumps(  # noqa: C901
    sums: Ints, scale: float, order: Ints, spans: Ints, kinds: Ints
) -> tuple[int, int, int, int]:  # fmt: skip
    """Return the test of largest Newton gain: of the thresholds of each column, its words, and its sets of words.

    Sets take the words in order of strength; order is scratch. A test is its column, kind, bin and size.
    """
    best, column, best_kind, at, size = 0.0, -1, -1, -1, 1
    all_slopes, all_curves = 0.0, 0.0
    for b in range(spans[0, 1] + spans[0, 2] + 2):
        all_slopes += sums[b, 0] / scale
        all_curves += sums[b, 1] / scale
    for j in range(len(spans)):
        start, n_num, n_word = spans[j, 0], spans[j, 1], spans[j, 2]
        number_slopes, number_curves, single = 0.0, 0.0, 0.0
        for b in range(start, start + n_num):
            number_slopes += sums[b, 0] / scale
            number_curves += sums[b, 1] / scale
        if kinds[j] & WORDS:
            _sort_words(sums, scale, start + n_num, n_word, order)
        for look in range(THRESHOLDS if kinds[j] & NUMBERS else SINGLES, SETS + 1 if kinds[j] & WORDS else SINGLES):
            g, h = 0.0, 0.0
            for k in range(n_word if look == SINGLES else n_num - 1 if look == THRESHOLDS else n_word - 1):
                b = start + k if look == THRESHOLDS else start + n_num + k if look == SINGLES else order[k]
                if look == SINGLES:
                    g, h = 0.0, 0.0
                g += sums[b, 0] / scale
                h += sums[b, 1] / scale
                for side in range(2 if look == THRESHOLDS and kinds[j] & NEGATED_NUMBER else 1):
                    # The high side differs from the complement of the low one where there are words too.
                    held_g, held_h = (number_slopes - g, number_curves - h) if side else (g, h)
                    other_g, other_h = all_slopes - held_g, all_curves - held_h
                    gain = held_g * held_g / (held_h + 1) + other_g * other_g / (other_h + 1)
                    if look == SINGLES and gain > single:
                        single = gain
                    if gain > best and (look != SETS or (k > 0 and gain > SET_MARGIN * single)):
                        best, column, at = gain, j, b - start
                        best_kind = side if look == THRESHOLDS else ONE_OF  # LE or GT
                        size = k + 1 if look == SETS else 1
    return column, best_kind, at, size


@helper
def _sort_words(sums: Ints, scale: float, first: int, n_word: int, order: Ints) -> None:
    """Put the word bins of a column in order of strength, the strongest for the class first; of equals the first."""
    for k in range(n_word):
        b = first + k
        strength = sums[b, 0] / (sums[b, 1] + scale)
        i = k
        while i > 0 and sums[order[i - 1], 0] / (sums[order[i - 1], 1] + scale) < strength:
            order[i] = order[i - 1]
            i -= 1
        order[i] = b


@helper
def _write_test(
    spans: Ints, scale: float, column: int, kind: int, at: int, size: int, n: int, board: DraftBoard
) -> None:
    """Write a test and its truth by bin into line n."""
    start, n_num, table = spans[column, 0], spans[column, 1], board.tables
    for b in range(MAX_BINS):
        table[n, b] = b <= at if kind == LE else at < b < n_num if kind == GT else b == at and size == 1
    if size > 1:
        _sort_words(board.sums, scale, start + n_num, spans[column, 2], board.order)
        for k in range(size):
            table[n, board.order[k] - start] = 1
    board.tests[n, COLUMN], board.tests[n, KIND] = column, kind
    board.tests[n, AT], board.tests[n, SIZE] = (at if kind != ONE_OF else 0), size


@helper
def _round_weights(
    problem: Subproblem, rows: Ints, n: int, n_distinct: int, known_kinds: Ints, board: DraftBoard
) -> None:
    """Round the weights to points on a few scales, each with its best threshold; the best drafts are kept."""
    drafts, values, last = board.drafts, board.values, MAX_CONDITIONS
    most, share = 1e-9, len(rows) / len(problem.rows)
    for i in range(n):
        most = max(most, abs(board.weights[i + 1]))
    for scale in range(1, MAX_POINTS + 1):
        size = 1
        for i in range(last):
            points, weight, column = 0, board.weights[i + 1] if i < n else 0.0, board.tests[i, COLUMN]
            if i < n and problem.kinds[column] >> spoken(column, board.tests[i, KIND], weight, known_kinds) & 1:
                points = round(abs(weight) * scale / most)
                size += board.tests[i, SIZE] if points else 0
            drafts[N_DRAFTS, i] = points if weight > 0 else -points
        if size > 1:
            threshold, value = _draft_threshold(n, n_distinct, board)
            drafts[N_DRAFTS, last], values[N_DRAFTS] = threshold, value / share - problem.price * (1 + size)
            if threshold > 0:
                _keep_draft(drafts, values)


@helper
def spoken(column: int, kind: int, weight: float, known_kinds: Ints) -> int:
    """Return the kind of a test, or of its opposite where the weight is against it."""
    if weight <= 0:
        has_more = known_kinds[column] >> NOT_LE & 1
        if kind == LE:
            kind = NOT_LE if has_more else GT
        elif kind == GT:
            kind = NOT_GT if has_more else LE
        else:
            kind = NONE_OF
    return kind


@helper
def _draft_threshold(n: int, n_distinct: int, board: DraftBoard) -> tuple[int, float]:
    """Return the threshold of highest value of the draft on trial, the lowest of equals; 0 if no row has points."""
    by_score, points = board.by_score, board.drafts
    for s in range(len(by_score)):
        by_score[s] = 0.0
    most = 0
    for u in range(n_distinct):
        bits, score = board.distinct[u], 0
        for i in range(n):
            p = points[N_DRAFTS, i]
            if p > 0 and bits >> i & 1:
                score += p
            elif p < 0 and not bits >> i & 1:
                score -= p
        by_score[score] += board.gathered[0, bits] - board.gathered[1, bits]
        most = max(most, score)
    return best_threshold(by_score, most)


@helper
def _keep_draft(drafts: Ints, values: Floats) -> None:
    """Put the draft on trial where it belongs among the best, once."""
    for d in range(N_DRAFTS):
        is_same = True
        for i in range(drafts.shape[1]):
            is_same &= drafts[d, i] == drafts[N_DRAFTS, i]
        if is_same:
            return
    d = N_DRAFTS
    while d > 0 and values[d] > values[d - 1]:
        values[d], values[d - 1] = values[d - 1], values[d]
        for i in range(drafts.shape[1]):
            drafts[d, i], drafts[d - 1, i] = drafts[d - 1, i], drafts[d, i]
        d -= 1
