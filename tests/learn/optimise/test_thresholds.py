"""From bins to text: exact thresholds that never cost errors, written with the fewest digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import naive_optimise
from coded_tables import every_test, fit, grower_of, labelled, random_table, state_of, table_of, table_of_values
from naive_optimise import errors, objective, predicts, rows_of
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF
from unless.learn.optimise.thresholds import (
    Hanging,
    refit,
    shortest_between,
    widest_gap,
    write_literal,
    write_rules,
    write_test,
)
from unless.learn.rows.codes import Codebook
from unless.logic.rules import Literal, Negated, OneOf, Scorecard


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, 1.0), (0.1234, 0.1299, 0.127), (-3.0, 5.0, 0.0), (17.0, 23.0, 20.0), (1050.0, 1249.0, 1100.0),
        (0.30000000000000004, 0.3000000000000001, 0.30000000000000004), (-0.02, -0.01, -0.02), (99.5, 100.5, 100.0),
        (-10.0, -3.0, -6.0), (0.5, 12.0, 6.0), (1.23e-20, 3e-20, 2e-20), (-1.7e308, 1.7e308, 0.0),
        (1e308, 1.79e308, 1e308), (5e-324, 1e-323, 5e-324),
    ],
)  # fmt: skip
def test_the_shortest_number_keeps_both_sides(low, high, expected):
    assert shortest_between(low, high) == expected


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite)
@example(1.0, float(np.nextafter(1.0, 2.0)))
def test_the_shortest_number_is_between(one, other):
    low, high = sorted((one, other))
    assume(low < high)
    assert low <= shortest_between(low, high) < high


def test_tests_are_written_in_values():
    state = state_of(table_of_values(x=[1.0, 2.0, 4.0, None], w=["a", "b", "b", "b"] ), [True] * 4)  # fmt: skip
    again = state_of(table_of_values(w=["a", "b"] * 3), [True] * 6)
    assert write_test(state.bins, make_test(state.bins, 0, LE, 1)) == Literal("x", "=<", 3.0)
    assert write_test(state.bins, make_test(state.bins, 0, GT, 0)) == Literal("x", ">", 1.0)
    assert write_test(state.bins, make_test(state.bins, 0, NOT_LE, 1)) == Negated(Literal("x", "=<", 3.0))
    assert write_test(state.bins, make_test(state.bins, 0, NOT_GT, 1)) == Negated(Literal("x", ">", 3.0))
    assert write_test(state.bins, make_test(state.bins, 1, NONE_OF, 0, (0,))) == Literal("w", "!=", "b")  # "a" is rare
    assert write_test(again.bins, make_test(again.bins, 0, ONE_OF, 0, (0, 1))) == OneOf("w", ("a", "b"), False)
    low = make_test(state.bins, 0, LE, 1)
    assert write_literal(state.bins, Score(((2, low), (1, low)), 2)) == Scorecard(
        ((2, Literal("x", "=<", 3.0)), (1, Literal("x", "=<", 3.0))), 2
    )


@pytest.mark.parametrize("order", [1, -1])
def test_equally_good_thresholds_give_way_to_the_widest_gap(order):
    # One row in six is wrong whether the cut is after 1 or after 3; beyond 3 there is nothing for long.
    numbers = order * np.array([0.0, 1.0, 2.0, 3.0, 10.0, 11.0])
    codes = np.tile(np.argsort(np.argsort(numbers)), 30)
    y = np.tile([False, False, True, False, True, True], 30)
    rules = fit(table_of([Codebook("x", np.sort(numbers), ())], [codes]), y, points=False, max_rules=1, max_literals=1)
    (literal,) = rules.rules[0].body
    assert literal.op == (">" if order == 1 else "=<")
    assert 3 < abs(literal.value) < 10


def many_numbers(seed, n=400):
    """Return a table with far more numbers than bins, whose class follows two of its columns."""
    rng, table = random_table(seed, n, ((350, 0), (300, 2), (0, 3)))
    edges = rng.integers(50, 250, 2)
    return table, ((table.codes_of(0) <= edges[0]) & (table.codes_of(1) > edges[1])) ^ (rng.random(n) < 0.1)


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_refitting_never_raises_errors_or_the_objective(seed, points):
    table, y = many_numbers(seed)
    rows, grower = rows_of(table), grower_of(state_of(table, y), 1.5, points=points)
    grower.run()
    before = write_rules(grower.state, "yes")
    refit(grower.state, grower.price)
    after = write_rules(grower.state, "yes")
    assert objective(after, rows, y, 1.5) <= objective(before, rows, y, 1.5)
    assert grower.state.errors() == errors(after, rows, y)
    if len(after) == len(before):
        assert errors(after, rows, y) <= errors(before, rows, y)
    assert grower.state.predicted().astype(bool).tolist() == [predicts(after, row) for row in rows]


def test_refitting_finds_the_edge_inside_a_bin():
    n = 4000
    table = table_of([Codebook("x", np.arange(n, dtype=float), ())], [np.arange(n)])
    state = state_of(table, np.arange(n) <= 2013)
    state.add(None, (make_test(state.bins, 0, LE, 32),))
    assert 0 < state.errors() < n / 32
    refit(state, 1.0)
    assert state.errors() == 0
    assert write_rules(state, "yes")[0].body == (Literal("x", "=<", 2013.0),)


@given(labelled(30), st.sampled_from((0.01, 1.0)), st.data())
def test_refitting_any_program_never_raises_the_objective(drawn, price, data):
    table, right, weights = drawn
    state, rows = state_of(table, right, weights), rows_of(table)
    tests = list(every_test(state.bins))
    assume(tests)
    for _ in range(data.draw(st.integers(1, 4))):
        body = tuple(data.draw(st.lists(st.sampled_from(tests), min_size=1, max_size=2, unique=True)))
        state.add(data.draw(st.sampled_from([None, *state.nodes()])), body)
    before = objective(write_rules(state, "yes"), rows, right, price, weights)
    refit(state, price)
    after = write_rules(state, "yes")
    assert objective(after, rows, right, price, weights) <= before + 1e-9
    assert state.predicted().astype(bool).tolist() == [predicts(after, row) for row in rows]


@pytest.mark.parametrize("seed", range(40))
def test_the_widest_gap_equals_brute_force(seed):
    rng = np.random.default_rng(seed)
    n_numbers, n = int(rng.integers(1, 9)), int(rng.integers(0, 25))
    numbers = np.sort(rng.choice(np.arange(20), n_numbers, replace=False)).astype(float)
    codes, nets = rng.integers(0, n_numbers + 2, n), rng.choice([-2.0, -1.0, 1.0], n)
    cut, sign = int(rng.integers(n_numbers)), float(rng.choice([-1, 1]))
    others, base = rng.integers(0, 2, n, dtype=np.uint8), rng.integers(0, 6, n, dtype=np.uint8)
    hanging = Hanging(np.arange(n), nets, others, base, 2, 4)
    found = widest_gap(codes, hanging, sign, cut, numbers, np.zeros(n_numbers), np.zeros(n_numbers, dtype=np.uint8))
    near = (others == 1) & ((base == 2) | (base == 3))  # where two points more reach four
    expected = naive_optimise.widest_gap(codes[near].tolist(), (sign * nets[near]).tolist(), cut, numbers.tolist())
    assert found == expected
