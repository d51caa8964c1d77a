"""From bins to text: exact thresholds, shortest numbers, frozen rules.

In: a finished state. Out: rules whose tests speak of values. Every numeric test in a column with more numbers than bins
is refitted on the exact codes of the rows that hang on it; the training error never rises. A threshold is then written
as the shortest decimal between its two neighbouring training values, and of those the nearest to the middle.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.learn.compiled import kernel
from unless.learn.optimise.bins import Test
from unless.learn.optimise.body.bodies import nets_of
from unless.learn.optimise.body.body_kernels import FAR
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF
from unless.learn.optimise.state import rows_where
from unless.logic.rules import Literal, Negated, OneOf, Rule, Scorecard

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.body.bodies import BinLiteral, Body
    from unless.learn.optimise.layout import Bytes, Floats, Ints
    from unless.learn.optimise.state import Node, State
    from unless.logic.rules import Condition, Label, Simple

ROUNDS = 2


def write_rules(state: State, head: Label) -> tuple[Rule, ...]:
    """Freeze the learned rules; locked ones are known only by where they fire."""
    return tuple(_write_rule(state.bins, node, head) for node in state.tops if not node.is_locked)


def refit(state: State, price: float) -> None:
    """Move every threshold to the exact optimum, the rest of the program fixed; then drop what no longer pays."""
    _move_thresholds(state)
    for node in reversed(list(state.nodes())):  # exceptions first
        if not node.is_locked:
            _prune(state, node, price)


def mark_near(truths: list[Bytes]) -> Bytes:
    """Mark each row: 0 if every literal holds, i + 1 if only literal i refuses, FAR if more than one does."""
    n = len(truths)
    n_true, held = truths[0].copy(), truths[0].copy()
    for i, truth in enumerate(truths[1:], start=2):
        n_true += truth
        held += truth * np.uint8(i)
    which: Bytes = np.uint8(n * (n + 1) // 2 % 256) - held  # what is missing in 1 + 2 + ... + n
    which |= np.negative((n_true < n - 1).view(np.uint8))  # 255 is FAR
    return which


def _prune(state: State, node: Node, price: float) -> None:
    """Drop the literals of a rule, or the rule, that only mended what a bin cut wrongly."""
    rows, body = rows_where(state.where_rule_decides(node)), node.body
    nets = nets_of(state.gains[node.sign][rows])
    while True:
        marks = mark_near([literal.truth(state.bins, rows) for literal in body])
        by_mark = np.bincount(marks, nets, FAR + 1)
        saved = [by_mark[i + 1] + price * literal.size for i, literal in enumerate(body)]
        if len(body) == 1 or max(saved) < 0:
            break
        i = int(np.argmax(saved))
        body = body[:i] + body[i + 1 :]
    below = sum(child.size for child in node.children)
    if by_mark[0] <= price * (1 + sum(literal.size for literal in body) + below):
        state.remove(node)
    elif body != node.body:
        state.change(node, body)


def _move_thresholds(state: State) -> None:
    for _ in range(ROUNDS):
        changed = False
        for node in state.nodes():
            body = _refit_body(state, node)
            if body != node.body:
                state.change(node, body)
                changed = True
        if not changed:
            return


def _refit_body(state: State, node: Node) -> Body:
    bins, body = state.bins, node.body
    if not any(is_numeric(test) for literal in body for test in _tests_of(literal)):
        return body
    rows = rows_where(state.where_rule_decides(node))  # they do not hang on the body itself
    nets = nets_of(state.gains[node.sign][rows])
    held = [literal.truth(bins, rows) for literal in body]
    for i, literal in enumerate(body):
        if any(is_numeric(test) for test in _tests_of(literal)):
            others = np.ones(len(rows), dtype=np.uint8)
            for k, holds in enumerate(held):
                if k != i:
                    others &= holds
            better = _refit_literal(bins, literal, rows, nets, others)
            if better != literal:
                body = (*body[:i], better, *body[i + 1 :])
                held[i] = better.truth(bins, rows)
    return body


def _refit_literal(bins: Bins, literal: BinLiteral, rows: Ints, nets: Floats, others: Bytes) -> BinLiteral:
    """Refit the tests of a literal on the rows that hang on it: those where the others hold.

    A test alone is a sum of one point, to be reached.
    """
    if isinstance(literal, Score):
        parts, threshold = list(literal.parts), literal.threshold
    else:
        assert isinstance(literal, Test)
        parts, threshold = [(1, literal)], 1
    truths, scores = [test.truth(bins, rows) for _, test in parts], np.zeros(len(rows), dtype=np.uint8)
    for (points, _), truth in zip(parts, truths, strict=True):
        scores += truth * np.uint8(points)
    for k, (points, test) in enumerate(parts):
        if is_numeric(test):
            hanging = Hanging(rows, nets, others, scores - truths[k] * np.uint8(points), points, threshold)
            better = refit_test(bins, test, hanging)
            if better is not test:
                parts[k], truths[k] = (points, better), better.truth(bins, rows)
                scores = hanging.base + truths[k] * np.uint8(points)
    return Score(tuple(parts), threshold) if isinstance(literal, Score) else parts[0][1]


class Hanging(NamedTuple):
    """Rows with their nets, some of which hang on a test: where other literals hold, and its points decide.

    `base` are the points without it.
    """

    rows: Ints
    nets: Floats
    others: Bytes
    base: Bytes
    points: int
    threshold: int


def _tests_of(literal: BinLiteral) -> tuple[Test, ...]:
    if isinstance(literal, Score):
        return tuple(test for _, test in literal.parts)
    return (literal,) if isinstance(literal, Test) else ()


def is_numeric(test: Test) -> bool:
    """Tell whether a test has a threshold."""
    return test.kind in (LE, GT, NOT_LE, NOT_GT)


def refit_test(bins: Bins, test: Test, hanging: Hanging) -> Test:
    """Return the best cut on exact codes; of equally good ones that in the widest gap, and there the middle.

    A gap lies between two numbers of the rows that hang on this test: any cut in it decides the same.
    """
    book = bins.books[test.column]
    sums, present = np.zeros(book.n_numbers), np.zeros(book.n_numbers, dtype=np.uint8)
    sign, cut = -1.0 if test.kind in (GT, NOT_LE) else 1.0, cut_of(bins, test)
    low, high = widest_gap(bins.wide_codes(test.column), hanging, sign, cut, book.numbers, sums, present)
    if low < 0:
        return test
    middle = float(book.numbers[low] / 2 + book.numbers[high] / 2)
    best = int(np.searchsorted(book.numbers, middle, side="right")) - 1
    best = min(best, high - 1)  # between two neighbours there is no middle
    return test if best == cut else replace(test, cut=best)


@kernel
def widest_gap(
    codes: Ints, hanging: Hanging, sign: float, cut: int, numbers: Floats, sums: Floats, present: Bytes
) -> tuple[int, int]:
    """Return the numbers around the best cut, of equally good ones that in the widest gap; -1 if the old one is better.

    Sums and present are scratch, empty: the net of each number, and which have rows.
    """
    rows, nets, threshold = hanging.rows, hanging.nets, hanging.threshold
    for i in range(len(rows)):
        base = hanging.base[i]
        if hanging.others[i] and base < threshold and base + hanging.points >= threshold:
            code = codes[rows[i]]
            if code < len(sums):
                sums[code] += sign * nets[i]
                present[code] = 1
    below, at_cut, before = 0.0, 0.0, -1
    most, widest, low, high = -math.inf, 0.0, -1, -1
    for code in range(len(sums)):
        if present[code] and before >= 0:  # a gap ends here, below which the net is what it was before
            gap = numbers[code] / 2 - numbers[before] / 2  # halves: no overflow
            if below > most or (below == most and gap > widest):
                most, widest, low, high = below, gap, before, code
        if present[code]:
            before = code
            below += sums[code]
        if code == cut:
            at_cut = below
    if at_cut > most:
        return -1, -1
    return low, high


def cut_of(bins: Bins, test: Test) -> int:
    """Return the exact code that ends the low side of a numeric test."""
    return test.cut if test.cut >= 0 else int(bins.code_of[test.column][test.at])


def _write_rule(bins: Bins, node: Node, head: Label | None) -> Rule:
    exceptions = tuple(_write_rule(bins, child, None) for child in node.children)
    return Rule(head, tuple(write_literal(bins, literal) for literal in node.body), exceptions)


def write_literal(bins: Bins, literal: BinLiteral) -> Condition:
    """Say a literal of the search in values."""
    if isinstance(literal, Score):
        return Scorecard(tuple((p, write_test(bins, test)) for p, test in literal.parts), literal.threshold)
    assert isinstance(literal, Test)
    return write_test(bins, literal)


def write_test(bins: Bins, test: Test) -> Simple:
    """Say a test in values."""
    book = bins.books[test.column]
    if test.kind in (ONE_OF, NONE_OF):
        words = tuple(book.words[int(bins.code_of[test.column][b]) - book.n_numbers] for b in test.words)
        if len(words) == 1:
            return Literal(book.name, "=" if test.kind == ONE_OF else "!=", words[0])
        return OneOf(book.name, words, test.kind == NONE_OF)
    code, present = cut_of(bins, test), bins.present[test.column]
    i = int(np.searchsorted(present, code, side="right"))
    value = float(book.numbers[code])
    if 0 < i < len(present):  # otherwise all rows at hand are on one side
        value = shortest_between(float(book.numbers[present[i - 1]]), float(book.numbers[present[i]]))
    literal = Literal(book.name, "=<" if test.kind in (LE, NOT_LE) else ">", value)
    return Negated(literal) if test.kind in (NOT_LE, NOT_GT) else literal


def shortest_between(low: float, high: float) -> float:
    """Return the number t of fewest digits, low <= t < high; of equally short ones the nearest to the middle.

    >>> shortest_between(95.0, 103.0), shortest_between(-10.0, -3.0), shortest_between(2.25, 2.5)
    (100.0, -6.0, 2.4)
    """
    if low <= 0 < high:
        return 0.0
    middle = low / 2 + high / 2
    for digits in range(17):
        for near in (middle, low):  # low, because the middle may be rounded to high
            if low <= (t := float(f"{near:.{digits}e}")) < high:
                return t
    return low
