"""Stage 3: the best literal is the best by exact scores of all candidates, the first of equals."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from kernels import exact_score
from strategies import tables
from unless.learn.fold.chooser import Chooser
from unless.learn.rows.codes import encode
from unless.learn.rows.counts import Tally
from unless.learn.rows.row_set import all_rows
from unless.table.cells import Cells, Words
from unless.table.columns import cells
from unless.table.frames import raw_table


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        ((0, 5, 4, 1), -math.inf),
        ((1, 0, 0, 0), 0.0),
        ((3, 0, 3, 0), 0.0),
        ((1, 1, 1, 1), -1.0),
        ((0, 0, 5, 5), 0.0),
    ],
)
def test_scores_by_hand(counts, score):
    assert exact_score(*counts) == score


def test_score_is_the_definition_for_all_small_counts():
    small = range(7)
    for tp in small:
        for fn in small:
            for tn in small:
                for fp in small:
                    if tp + fn + tn + fp:
                        assert exact_score(tp, fn, tn, fp) == naive.gain(tp, fn, tn, fp)


@given(*[st.integers(0, 10**6)] * 4)
def test_score_is_the_definition_for_large_counts(tp, fn, tn, fp):
    if tp + fn + tn + fp:
        # The compiled logarithm may differ from Python's in the last bit.
        assert exact_score(tp, fn, tn, fp) == pytest.approx(naive.gain(tp, fn, tn, fp), rel=1e-13, abs=1e-13)


def exact_best(pos, neg, n_numbers, used):
    """Choose among all candidates of one column by exact scores, in the order of the law."""
    best, winner = -math.inf, None
    n_pos, n_neg = sum(pos), sum(neg)
    numeric = (sum(pos[:n_numbers]), sum(neg[:n_numbers]))
    for code in range(len(pos) - 1):
        if pos[code] + neg[code] == 0 or code in used:
            continue
        if code < n_numbers:
            below = (sum(pos[: code + 1]), sum(neg[: code + 1]))
            inside = [("=<", *below), (">", numeric[0] - below[0], numeric[1] - below[1])]
        else:
            inside = [("=", pos[code], neg[code]), ("!=", n_pos - pos[code], n_neg - neg[code])]
        for op, tp, fp in inside:
            score = exact_score(tp, n_pos - tp, n_neg - fp, fp)
            if score > best:
                best, winner = score, (op, code)
    return winner


@cache
def columns_with(n_numbers, n_words):
    """Return a column with these many numbers and words, and missing."""
    numbers = np.array([*range(n_numbers), *[np.nan] * (n_words + 1)], dtype=np.float64)
    codes = np.array([*[-1] * n_numbers, *range(n_words), -1], dtype=np.int32)
    words = Words(codes, tuple("abcdefghijklm"[:n_words]))
    return encode({"c": Cells(len(numbers), numbers, words)})


@dataclass
class Counted:
    """Rows of which only the counts are known."""

    counts: Tally

    def tally(self):
        return self.counts


def chosen(pos, neg, n_numbers, used=()):
    """Ask the chooser about one column with these counts; the last code is missing."""
    n_pos, n_neg = sum(pos), sum(neg)
    columns = replace(columns_with(n_numbers, len(pos) - 1 - n_numbers), n_rows=n_pos + n_neg)
    counts = [np.array(part, dtype=np.int32) for part in (pos, neg)]
    choice = Chooser(columns).best(Counted(Tally(n_pos, n_neg, *counts)), [(0, code) for code in used])
    return None if choice is None else (choice.op, choice.code)


def test_rough_filter_never_changes_the_winner_for_all_small_counts():
    """Three codes and missing, each with up to two positives and negatives: every column there is."""
    chance = random.Random(0)
    for n in range(3**8):
        digits = [n // 3**k % 3 for k in range(8)]
        pos, neg = digits[:4], digits[4:]
        if sum(pos) + sum(neg) == 0:
            continue
        n_numbers = chance.randrange(4)
        assert chosen(pos, neg, n_numbers) == exact_best(pos, neg, n_numbers, ())


counted = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=11)


@given(counted, st.integers(0, 10), st.sets(st.integers(0, 9), max_size=3))
def test_rough_filter_never_changes_the_winner(pairs, n_numbers, used):
    pos, neg = [p for p, _ in pairs], [n for _, n in pairs]
    n_numbers = min(n_numbers, len(pairs) - 1)
    used = {code for code in used if code < len(pairs) - 1}
    if sum(pos) + sum(neg):
        assert chosen(pos, neg, n_numbers, used) == exact_best(pos, neg, n_numbers, used)


@given(st.integers(2, 12), st.integers(0, 3), st.integers(0, 10**4), st.integers(1, 10**5))
def test_rough_filter_survives_near_ties_of_large_counts(n_codes, spread, base, seed):
    """Neighbouring candidates whose scores differ only far behind the point."""
    chance = random.Random(seed)
    pos = [base + chance.randint(0, spread) for _ in range(n_codes)] + [0]
    neg = [base + chance.randint(0, spread) for _ in range(n_codes)] + [0]
    if sum(pos) + sum(neg):
        n_numbers = chance.randint(0, min(n_codes, 10))
        n_numbers = max(n_numbers, n_codes - 10)
        assert chosen(pos, neg, n_numbers) == exact_best(pos, neg, n_numbers, ())


@given(st.integers(30, 140), st.sampled_from([1, 3, 50]), st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 0.9]))
def test_skipped_stretches_never_hold_the_winner(n_numbers, most, seed, empty):
    """Many numbers go by stretches; most are skipped, at every strength of the signal."""
    chance = random.Random(seed)
    lean = chance.random()
    pos, neg = [], []
    for place in range(n_numbers + 1):
        share = lean * place / n_numbers
        there = chance.random() >= empty
        pos.append(chance.randint(0, most) if there and chance.random() < share else 0)
        neg.append(chance.randint(0, most) if there and chance.random() < 1 - share else 0)
    used = {chance.randrange(n_numbers) for _ in range(2)}
    if sum(pos) + sum(neg):
        assert chosen(pos, neg, n_numbers, used) == exact_best(pos, neg, n_numbers, used)


@given(tables())
def test_best_literal_of_all_columns_is_the_naive_one(table):
    raw = raw_table(table.rows)
    columns = encode({name: cells(raw.columns[name], table.kinds[name]) for name in raw.names})
    rows = all_rows(columns, np.array(table.positive))
    choice = Chooser(columns).best(rows, ())
    pos = [row for row, p in zip(table.rows, table.positive, strict=True) if p]
    neg = [row for row, p in zip(table.rows, table.positive, strict=True) if not p]
    expected = naive.best_literal(raw.names, pos, neg, frozenset())
    if choice is None:
        assert expected is None
    else:
        literal = columns.books[choice.column].literal(choice.op, choice.code)
        assert (literal.column, "==" if literal.op == "=" else literal.op, literal.value) == expected


def test_missing_is_never_a_candidate():
    assert chosen([0, 5], [5, 0], 1) == (">", 0)  # the one number there is, though missing tells the classes apart
    columns = encode({"c": Cells(4, np.full(4, np.nan))})
    rows = all_rows(columns, np.array([True, True, False, True]))
    assert Chooser(columns).best(rows, ()) is None


def test_used_pair_is_used_neither_way():
    assert chosen([5, 0, 0], [0, 5, 0], 0) == ("=", 0)
    assert chosen([5, 0, 0], [0, 5, 0], 0, {0}) == ("!=", 1)
    assert chosen([5, 0, 0], [0, 5, 0], 0, {0, 1}) is None
