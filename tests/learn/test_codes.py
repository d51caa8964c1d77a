"""Stage 1: codes are ranks, exact, whatever the width of the column."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapes import counts_of
from strategies import numbers, tables
from unless import FoldRPPClassifier, Literal
from unless.learn.rows.codes import CodedLiteral, encode, encode_column
from unless.learn.rows.counts import tally
from unless.learn.rows.numbering import numbered
from unless.learn.rows.row_set import all_rows
from unless.logic.holds import literal_holds
from unless.table.cells import Cells, Words
from unless.table.columns import cells
from unless.table.frames import raw_table


def decoded(book, codes):
    values = [*book.numbers.tolist(), *book.words, None]
    return [values[code] for code in codes]


def test_codes_are_numbers_then_words_then_missing():
    raw = raw_table([{"c": v} for v in ("b", 2.0, None, -1.0, "a", 2.0)]).columns["c"]
    book, codes = encode_column("c", cells(raw, "numerical"))
    assert book.numbers.tolist() == [-1.0, 2.0]
    assert book.words == ("a", "b")
    assert codes.tolist() == [3, 1, 4, 0, 2, 1]
    assert (book.n_numbers, book.missing) == (2, 4)


@pytest.mark.parametrize(
    ("n_distinct", "width"),
    [(1, 1), (255, 1), (256, 2), (65535, 2), (65536, 4), (65537, 4), (70000, 4)],
)
def test_width_is_the_narrowest(n_distinct, width):
    values = np.random.default_rng(0).permutation(np.arange(n_distinct) * 0.5)
    book, codes = encode_column("c", Cells(n_distinct, values))
    assert codes.dtype.itemsize == width
    np.testing.assert_array_equal(book.numbers, np.sort(values))
    np.testing.assert_array_equal(book.numbers[codes], values)


@pytest.mark.parametrize("n_distinct", [300, 65536, 80000])
def test_missing_and_words_in_wide_columns(n_distinct):
    """A last code that needs one bit more than the numbers must not wrap around to a number."""
    chance = np.random.default_rng(1)
    values = np.concatenate([np.arange(n_distinct) * 1.0, chance.integers(0, n_distinct, 1000) * 1.0, [np.nan] * 50])
    words = np.full(len(values), -1, dtype=np.int32)
    words[-20:] = chance.integers(0, 3, 20)
    order = chance.permutation(len(values))
    column = Cells(len(values), values[order], Words(words[order], ("a", "b", "c")))
    book, codes = encode_column("c", column)
    expected = [column.value(row) for row in range(len(values))]
    assert decoded(book, codes.tolist()) == expected


@given(st.lists(st.none() | numbers | st.sampled_from(["a", "b", "é", "B"]), min_size=1, max_size=60))
def test_fast_rank_is_the_naive_rank(values):
    raw = raw_table([{"c": value} for value in values]).columns["c"]
    book, codes = encode_column("c", cells(raw, "numerical"))
    ordered = sorted({v for v in values if isinstance(v, float)})
    ordered += sorted({v for v in values if isinstance(v, str)})
    assert [*book.numbers.tolist(), *book.words] == ordered
    assert codes.tolist() == [len(ordered) if v is None else ordered.index(v) for v in values]


@given(tables())
def test_encoding_loses_nothing(table):
    raw = raw_table(table.rows)
    columns = encode({name: cells(raw.columns[name], table.kinds[name]) for name in raw.names}, n_threads=2)
    for c, book in enumerate(columns.books):
        assert decoded(book, columns.codes_of(c).tolist()) == [row[book.name] for row in table.rows]


@given(tables())
def test_span_of_codes_is_the_truth_of_the_literal(table):
    raw = raw_table(table.rows)
    columns = encode({name: cells(raw.columns[name], table.kinds[name]) for name in raw.names})
    rows = all_rows(columns, np.array(table.positive))
    for c, book in enumerate(columns.books):
        for code in range(book.missing):
            for op in ("=<", ">") if code < book.n_numbers else ("=", "!="):
                literal = book.literal(op, code)
                low, high, inverted = book.span(op, code)
                held = [(low <= x < high) != inverted for x in columns.codes_of(c).tolist()]
                expected = [literal_holds(literal, row[book.name]) for row in table.rows]
                assert held == expected
                kept = rows.keep(CodedLiteral(c, op, code))
                assert sorted([*kept.pos, *kept.neg]) == [i for i, inside in enumerate(expected) if inside]


def test_subtracting_the_counts_of_a_wide_column_is_counting():
    n = 150_000
    chance = np.random.default_rng(2)
    columns = encode({"c": Cells(n, chance.permutation(n) * 1.0), "d": Cells(n, chance.integers(0, 9, n) * 1.0)})
    rows = all_rows(columns, chance.random(n) < 0.5)
    for share in (0.999, 0.5, 0.01, 0.0001):
        pos, neg = (part[chance.random(len(part)) < share] for part in (rows.pos, rows.neg))
        whole = tally(columns, pos, neg)
        gone = [part[chance.random(len(part)) < 0.3] for part in (pos, neg)]
        left = whole - tally(columns, *gone)
        counted = tally(columns, np.setdiff1d(pos, gone[0]), np.setdiff1d(neg, gone[1]))
        for one, other in zip(counts_of(columns, left), counts_of(columns, counted), strict=True):
            np.testing.assert_array_equal(one, other)


def test_wide_column_is_learned():
    """A threshold in the middle of 70,000 distinct numbers, with an exception found among few rows."""
    n = 70_000
    order = np.random.default_rng(3).permutation(n)
    table = pl.DataFrame({"id": order * 1.0, "kind": ["odd" if i % 1000 == 0 else "even" for i in order]})
    positive = (order < 40_000) & (order % 1000 != 0)
    model = FoldRPPClassifier(positive=True).fit(table, positive)
    assert model.score(table, positive) == 1.0
    assert Literal("id", "=<", 39999.0) in model.rules_[0].body


def test_the_largest_and_the_least_number_are_apart():
    """Their difference is beyond all numbers: NumPy warned of it."""
    with np.errstate(over="raise"):
        assert numbered(np.array([1.7e308, -1.7e308, np.nan, 1.7e308]))[0].tolist() == [-1.7e308, 1.7e308]
