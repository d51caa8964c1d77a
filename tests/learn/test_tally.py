"""A sparse tally and a dense one say the same, however they are made and added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from unless.learn.fold.chooser import Chooser
from unless.learn.rows import counts, numbering
from unless.learn.rows.codes import encode
from unless.learn.rows.counts import tally
from unless.learn.rows.numbering import MANY, distinct, ranks
from unless.learn.rows.row_set import all_rows
from unless.table.cells import Cells, Words

N_ROWS = 40


@pytest.fixture
def table():
    """Return a table of numbers, words and missing cells, some of them in a wide column, and its classes."""
    rng = np.random.default_rng(3)
    numbers = np.where(rng.random(N_ROWS) < 0.2, np.nan, rng.integers(0, 9, N_ROWS))
    words = Words(rng.integers(-1, 5, N_ROWS).astype(np.int32), ("a", "b", "c", "d", "e"))
    cells = {
        "n": Cells(N_ROWS, numbers=numbers),
        "w": Cells(N_ROWS, words=words),
        "wide": Cells(N_ROWS, numbers=rng.permutation(N_ROWS) / 7),
    }
    return cells, rng.random(N_ROWS) < 0.4


@pytest.fixture(params=[False, True], ids=["narrow", "wide"])
def columns(table, request, monkeypatch):
    if request.param:
        monkeypatch.setattr("unless.learn.rows.codes.WIDE", 30)
        monkeypatch.setattr("unless.learn.rows.codes.BUCKETS", 8)
    columns = encode(table[0])
    assert columns.books[2].is_wide == request.param
    return columns


def sparse(columns, rows):
    return counts._sorted_tally(columns, rows.pos, rows.neg)


def same(one, other, columns):
    assert (one.n_pos, one.n_neg) == (other.n_pos, other.n_neg)
    np.testing.assert_array_equal(one.line(0, columns.starts[-1]), other.line(0, columns.starts[-1]))


def test_sorting_counts_as_sweeping_does(columns, table):
    rows = all_rows(columns, table[1])
    found = sparse(columns, rows)
    assert found.indices is not None
    dense = tally(columns, rows.pos, rows.neg)
    assert dense.indices is None
    same(found, dense, columns)
    same(found.swap(), dense.swap(), columns)
    for low, high in zip(columns.starts, columns.starts[1:], strict=False):
        np.testing.assert_array_equal(found.line(low, high), dense.line(low, high))


def test_tallies_add_and_subtract_in_every_form(columns, table):
    whole = all_rows(columns, table[1])
    part, rest = np.arange(N_ROWS) < 11, np.arange(N_ROWS) >= 11
    halves = [all_rows(columns, table[1] & half) for half in (part, rest)]
    for half, mine in zip(halves, (part, rest), strict=True):
        half.neg = half.neg[mine[half.neg]]
    dense = [tally(columns, half.pos, half.neg) for half in halves]
    few = [sparse(columns, half) for half in halves]
    expected = tally(columns, whole.pos, whole.neg)
    for one in (dense[0], few[0], dense[0].packed()):
        for other in (dense[1], few[1]):
            same(one + other, expected, columns)
        same(expected - one, dense[1], columns)


def test_no_rows_are_counted_by_sorting_too(columns, table):
    nothing = all_rows(columns, table[1]).positives().swap().positives()
    found = sparse(columns, nothing)
    assert len(found.indices) == 0
    same(found, tally(columns, nothing.pos, nothing.neg), columns)


def test_the_choice_does_not_depend_on_how_rows_are_counted(columns, table, monkeypatch):
    rows = all_rows(columns, table[1])
    expected = Chooser(columns).best(rows, [(0, 2)])
    monkeypatch.setattr(counts, "SHORT", 0)
    monkeypatch.setattr(counts, "SPARSE", 0)
    again = all_rows(columns, table[1])
    assert Chooser(columns).best(again, [(0, 2)]) == expected
    assert again.tally().indices is not None


@given(arrays(np.float64, st.integers(0, 60), elements=st.floats(-4, 4, width=16) | st.just(np.nan) | st.just(-0.0)))
def test_numbering_finds_the_distinct_numbers_and_their_ranks(values):
    for few in (0, len(values)):  # by hashing, then by sorting
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(numbering, "FEW", few)
            check_numbering(values)


def check_numbering(values):
    present = values[~np.isnan(values)]
    found = distinct(values)
    np.testing.assert_array_equal(found, np.unique(present))
    assert not np.signbit(found[found == 0]).any()
    where = ranks(values, found)
    assert (where[np.isnan(values)] == -1).all()
    np.testing.assert_array_equal(found[where[~np.isnan(values)]], present)


def test_a_few_values_are_found_among_very_many_numbers():
    numbers = np.arange(3 * MANY) * 0.5
    values = np.array([np.nan, 7.5, 0.0, -0.0, numbers[-1], 7.5])
    assert ranks(values, numbers).tolist() == [-1, 15, 0, 0, 3 * MANY - 1, 15]


def test_many_distinct_numbers_are_found_by_sorting():
    values = np.random.default_rng(0).permutation(2 * MANY) * 1e-3
    values[::5] = np.nan
    values[1] = -0.0
    np.testing.assert_array_equal(distinct(values), np.unique(values[~np.isnan(values)]))
    found = distinct(values)
    np.testing.assert_array_equal(found[ranks(values, found)][~np.isnan(values)], values[~np.isnan(values)])
