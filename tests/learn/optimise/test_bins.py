"""Codes to bins: what a bin stands for, and tests that mean the same on bins, on codes and in words."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import coded_tables, every_test, table_of_values, take
from naive_optimise import rows_of
from unless.learn.optimise.bins import HEAVY, MAX_NUMBER_BINS, _bin_numbers, cut_evenly, make_bins, make_test
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF
from unless.learn.optimise.thresholds import write_test
from unless.logic.holds import condition_holds


def bins_of(table, weights=None):
    return make_bins(table, np.ones(table.n_rows, dtype=np.int64) if weights is None else np.asarray(weights))


def test_numbers_then_words_then_rare_words_then_missing():
    table = table_of_values(x=[3.0, 1.0, "b", "b", "b", "rare", "a", "a", "a", None])
    bins = bins_of(table)
    assert bins.cells[:, 0].tolist() == [1, 0, 3, 3, 3, 4, 2, 2, 2, 5]
    assert (bins.n_rows, bins.n_bins) == (10, 6)
    assert bins.code_of[0].tolist() == [0, 1, 2, 3]  # 1.0, 3.0, "a", "b"


def test_a_column_allows_only_tests_that_can_tell_rows_apart():
    table = table_of_values(
        one=[1.0] * 4, two=[1.0, 2.0] * 2, mixed=[1.0, 2.0, None, None], rare=["a", "b", "c", None], words=["a"] * 4
    )
    numbers, negated, words = 1 << LE | 1 << GT, 1 << NOT_LE | 1 << NOT_GT, 1 << ONE_OF | 1 << NONE_OF
    assert bins_of(table).kinds.tolist() == [0, numbers, numbers | negated, 0, words]


def test_many_numbers_share_bins_and_a_heavy_one_stands_alone():
    values = [float(i) for i in range(1000)] + [500.5] * 300
    bins = bins_of(table_of_values(x=values))
    cells = bins.cells[:, 0]
    assert MAX_NUMBER_BINS // 2 < len(set(cells.tolist())) <= MAX_NUMBER_BINS
    assert np.count_nonzero(cells == cells[-1]) == 300


def cut_by_searches(counts, n_bins):
    """The plain twin of `cut_evenly`."""
    sums = [0, *accumulate(counts)]
    starts, first = [0] * len(counts), 0
    for current in range(n_bins - 1):
        base = sums[first]
        share = (sums[-1] - base) / (n_bins - current)
        full = bisect_left(sums, base + math.ceil(share), first)
        too_full = bisect_right(sums, base + math.floor(HEAVY * share), first) - 1
        first = max(bisect_right(sums, base, first), min(full, too_full))
        if first >= len(counts):
            break
        starts[first] = 1
    return list(accumulate(starts))


@given(st.lists(st.integers(0, 9) | st.integers(0, 3000), min_size=1, max_size=200), st.integers(1, 64))
def test_bins_are_cut_as_by_searches(counts, n_bins):
    assert cut_evenly(np.array(counts, dtype=np.int64), n_bins).tolist() == cut_by_searches(counts, n_bins)


@pytest.mark.parametrize(
    ("rarest", "first", "n_bins"),
    [(None, 1000, 64), (2000, 1000, 64), (1000, 1000, 64), (999, 500, 66), (300, 250, 68), (1, 15, 76)],
)
def test_bins_at_both_ends_are_as_fine_as_the_rarest_label(rarest, first, n_bins):
    bins = np.bincount(cut_evenly(np.ones(64_000, dtype=np.int64), 64, rarest))
    assert (bins[0], bins[-1], len(bins)) == (first, first, n_bins)
    assert bins.sum() == 64_000
    assert bins[n_bins // 2] == 1000


def test_a_heavy_value_at_an_end_stays_whole():
    counts = np.array([9000, *[1] * 9000, 9000])
    assert cut_evenly(counts, 8, 40).tolist()[:2] == cut_evenly(counts, 8).tolist()[:2] == [0, 1]


def test_rows_of_no_weight_make_no_bins():
    table = table_of_values(x=[1.0, 2.0, 3.0, 4.0], w=["a", "a", "a", "b"])
    bins = bins_of(table, [1, 0, 1, 3])
    assert bins.cells[:, 0].tolist() == [0, 0, 1, 2]
    assert bins.layout.n_words.tolist() == [0, 1]  # only "b" weighs three


@given(coded_tables(), st.data())
def test_bins_keep_values_whole_and_in_order(table, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=table.n_rows, max_size=table.n_rows))
    bins = bins_of(table, weights)
    for j, book in enumerate(table.books):
        pairs = sorted(set(zip(table.codes_of(j).tolist(), bins.cells[:, j].tolist(), strict=True)))
        assert len({code for code, _ in pairs}) == len(pairs)
        numbers = [b for code, b in pairs if code < book.n_numbers]
        assert numbers == sorted(numbers)
        assert all(b < bins.layout.offsets[j + 1] - bins.layout.offsets[j] for _, b in pairs)
        assert all(code <= bins.code_of[j][b] for code, b in pairs if code < book.n_numbers)


@given(coded_tables(), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(table, random):
    order = np.array(random.sample(range(table.n_rows), table.n_rows))
    bins, other = bins_of(table), bins_of(take(table, order))
    assert np.array_equal(bins.cells[order], other.cells)
    assert np.array_equal(bins.hashes[order], other.hashes)
    assert np.array_equal(bins.take(order).cells, other.cells)


@given(coded_tables())
def test_hashes_tell_rows_apart(table):
    bins = bins_of(table)
    assert len(set(bins.hashes.tolist())) == len({tuple(row) for row in bins.cells.tolist()})


@given(coded_tables())
def test_a_test_means_what_it_says_in_words(table):
    bins, rows = bins_of(table), rows_of(table)
    for test in every_test(bins):
        said = write_test(bins, test)
        truth = test.truth(bins, np.arange(table.n_rows)).astype(bool).tolist()
        assert truth == [condition_holds(said, row) for row in rows], said
        assert test.size == max(1, len(test.words))


@given(coded_tables(), st.data())
def test_truth_on_some_rows_is_that_of_all(table, data):
    bins = bins_of(table)
    some = np.array(data.draw(st.lists(st.integers(0, table.n_rows - 1), max_size=8)), dtype=np.int64)
    for test in every_test(bins):
        assert test.truth(bins, some).tolist() == test.truth(bins, np.arange(table.n_rows))[some].tolist()


def test_a_test_is_made_once():
    bins = bins_of(table_of_values(x=[1.0, 2.0, 3.0]))
    assert make_test(bins, 0, LE, 1) is make_test(bins, 0, LE, 1)


def test_numbers_of_no_weight_change_no_cut():
    chance = np.random.default_rng(3)
    counts = chance.integers(0, 4, 400)
    bins = _bin_numbers(counts)
    assert bins[counts > 0].tolist() == _bin_numbers(counts[counts > 0]).tolist()
    assert (np.diff(bins) >= 0).all()
