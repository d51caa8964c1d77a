"""What a fit needs: whole weights, the price of a literal, folds from the contents of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import table_of_values
from unless.learn.optimise.folds import first_of
from unless.learn.optimise.training import (
    MIXED_BY,
    deal_order,
    first_dealt,
    make_training_rows,
    mix,
    price_of,
    skew_of,
    typical_weight,
    unit_of,
    whole_weights,
)

TABLE = table_of_values(x=[1.0, 2.0, 3.0, 4.0])
RIGHT = np.array([True, True, False, False])


@pytest.mark.parametrize(
    ("weight", "expected", "unit"),
    [
        (None, [1, 1, 1, 1], 1.0),
        ([1, 2, 3, 4], [1, 2, 3, 4], 3.0),
        ([3, 0, 0, 1], [3, 1], 2.5),
        ([0.5, 0.25, 0.25, 0.0], [2**29, 2**28, 2**28], 0.75 * 2**29),
        ([0.3, 0.3, 0.3, 0.3], [1] * 4, 1.0),
        ([1e300, 1e300, 0.0, 1e300], [1] * 3, 1.0),
    ],
    ids=["none", "whole", "rows of no weight", "fractions", "alike", "huge"],
)
def test_weights_become_whole_numbers(weight, expected, unit):
    task = make_training_rows(TABLE, RIGHT, None if weight is None else np.array(weight))
    assert task.weights.tolist() == expected
    assert task.unit == pytest.approx(unit)
    assert task.heavier >= task.unit
    assert task.is_weighed == (len(set(expected)) > 1)
    assert task.bins.n_rows == len(expected) == len(task.rows)


def test_a_literal_is_paid_in_rows_of_the_class_that_weighs_more():
    n = len(RIGHT)
    weight = np.where(RIGHT, 8, 1)
    task, plain = make_training_rows(TABLE, RIGHT, weight), make_training_rows(TABLE, RIGHT, None)
    assert task.heavier == 8
    assert plain.heavier == 1
    assert task.price(0.3) == price_of(0.3, weight.sum() / 8, 8, 1.0)
    assert plain.price(0.3) == price_of(0.3, n, 1)


def test_bins_are_as_fine_as_the_rarest_label_by_what_it_weighs():
    n = 20_000
    table, right = table_of_values(x=np.arange(float(n)).tolist()), np.arange(n) >= n - 300
    labels = np.where(np.arange(n) < 60, 2, right.astype(np.intp))
    weight = np.where(np.arange(n) < 60, 0, 1)
    n_bins = [
        make_training_rows(table, right, weights, labels=given).bins.n_bins
        for weights, given in ((None, None), (None, labels), (weight, labels), (weight * 3, labels), (weight * 3, None))
    ]
    assert n_bins == [68, 72, 68, 68, 68]  # with rows of no label or missing


def test_what_a_label_costs_makes_no_rows():
    """At whole costs a word on a row or two had a bin of its own, as if it stood on many rows."""
    words = ["a"] * 30 + ["b"] * 29 + ["c"]
    table, right = table_of_values(x=words), np.arange(60) >= 50
    weight = np.where(right, 20, 1)
    n_words = [
        make_training_rows(table, right, given, have_costs=costs).bins.layout.n_words.tolist()
        for given, costs in ((None, False), (weight, True), (weight + 0.5, True), (weight, False))
    ]
    assert n_words == [[2], [2], [2], [3]]  # the last weights say that rows are there twenty times


def test_rows_keep_the_numbers_that_they_have_in_the_table():
    locked = np.array([1, 0, 1, 0], dtype=np.uint8)
    task = make_training_rows(TABLE, RIGHT, np.array([0, 1, 0, 1]), (locked,))
    assert task.rows.tolist() == [1, 3]
    assert [fires.tolist() for fires in task.locked] == [[0, 0]]
    assert task.take(np.array([1])).rows.tolist() == [3]
    assert task.right.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("error", "n_rows", "unit", "price"),
    [(0.0, 100, 1.0, 0.3), (0.5, 10_000, 1.0, 5.0), (0.5, 10_000, 2.0, 10.0), (0.1, 81, 1.0, 0.9)],
)
def test_the_price_grows_with_the_error_and_the_rows(error, n_rows, unit, price):
    assert price_of(error, n_rows, unit) == pytest.approx(price)
    assert price_of(error, n_rows, unit) <= price_of(error, 16 * n_rows, unit)


@pytest.mark.parametrize(
    ("n_rows", "skew", "price"), [(81, 1.0, 1.5), (16, 1.0, 1.0), (10_000, 0.0, 5.0), (10_000, 1.0, 50 / 3)]
)
def test_where_one_class_weighs_more_the_price_is_a_share_of_the_standard_deviation_of_errors(n_rows, skew, price):
    assert price_of(0.5, n_rows, 1.0, skew) == pytest.approx(price)
    assert price_of(0.5, n_rows, 1.0, 0.5) == pytest.approx(
        np.sqrt(price_of(0.5, n_rows, 1.0, 0.0) * price_of(0.5, n_rows, 1.0, 1.0))
    )


@pytest.mark.parametrize(("one", "other", "skew"), [(1, 1, 0.0), (3, 6, 0.5), (6, 3, 0.5), (1, 4, 1.0), (90, 1, 1.0)])
def test_classes_are_as_unlike_as_their_rows_weigh(one, other, skew):
    assert skew_of(one, other) == pytest.approx(skew)
    weight = np.where(RIGHT, one, other)
    task = make_training_rows(TABLE, RIGHT, weight)
    assert task.skew == task.take(np.array([0, 3])).skew == pytest.approx(skew)


def test_rows_that_weigh_differently_in_both_classes_alike_have_the_price_of_as_many_equal_rows():
    task = make_training_rows(TABLE, RIGHT, np.array([1, 3, 1, 3]))
    assert task.skew == 0.0
    assert task.price(0.3) == price_of(0.3, 8 / task.heavier, task.heavier)


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_units_and_whole_weights_do_not_depend_on_the_order_of_rows_nor_on_rows_of_no_weight(weights, random):
    """Sums of floats do: the last digits of a grade's curve changed with the order of the rows."""
    given = np.array(weights)
    other = np.array([*random.sample(weights, len(weights)), 0.0, 0.0])
    (whole, _), (again, _) = (whole_weights(each, len(each)) for each in (given, other))
    assert sorted(whole.tolist()) == sorted(again.tolist())[2:]
    assert unit_of(whole) == unit_of(again)


@pytest.mark.parametrize(
    ("weights", "typical"), [([3], 3), ([1, 1, 1, 1], 1), ([1, 1, 1, 3], 1), ([1, 1, 4], 4), ([2, 2, 2, 5, 1000], 1000)]
)
def test_a_typical_weight_is_that_of_the_row_at_two_fifths_of_the_weight(weights, typical):
    assert typical_weight(np.array(weights)) == typical


SOME_ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, 2), st.booleans()), min_size=2, max_size=40
)


def dealt(rows):
    """Make a task of numbers, classes, weights and where a locked rule fires."""
    values, right, weights, fires = (np.array(each) for each in zip(*rows, strict=True))
    table = table_of_values(x=values.astype(float).tolist())
    return make_training_rows(table, right, weights, (fires.astype(np.uint8),))


@given(SOME_ROWS)
def test_rows_are_dealt_by_their_contents_equal_ones_one_by_one(rows):
    """The naive twin: equal rows are counted in a dictionary."""
    task, met, keys = dealt(rows), {}, []
    for row, (_, right, weight, fires) in enumerate(rows):
        same = (int(task.bins.hashes[row]), right, weight, fires)
        copy = met[same] = met.get(same, -1) + 1
        with np.errstate(over="ignore"):
            drawn = mix(task.bins.hashes[row : row + 1] + np.uint64(copy) * MIXED_BY[0])
        keys.append((right, int(drawn[0]), fires, weight, row))
    assert deal_order(task).tolist() == [key[-1] for key in sorted(keys)]


@given(SOME_ROWS, st.integers(1, 45))
def test_the_first_rows_are_those_of_the_whole_order(rows, most):
    task = dealt(rows)
    assert first_dealt(task, most).tolist() == first_of(deal_order(task), task, most).tolist()


def test_rows_that_share_all_bins_are_dealt_by_their_exact_numbers():
    """They were numbered as they stood: out-of-fold decisions, and so a grade, hung on the order of the rows."""
    values, order = np.arange(500.0) % 433, np.random.default_rng(0).permutation(500)
    right = values % 3 == 0

    def dealt_values(rows):
        task = make_training_rows(table_of_values(x=values[rows].tolist()), right[rows], None)
        assert task.bins.layout.n_numbers.tolist() == [32]
        return values[rows][deal_order(task)].tolist()

    assert dealt_values(order) == dealt_values(np.arange(500))
