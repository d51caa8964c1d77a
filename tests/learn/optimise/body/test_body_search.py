"""One body from nothing: what it says it is worth, and what it must at least find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import problem_of, problems, said, table_of_values
from naive_optimise import best_value, body_value, rows_of
from subproblems import search_body
from unless.logic.rules import Literal


def test_two_conditions_are_found_together():
    x, w = [1.0, 2.0] * 6, ["a", "a", "b", "b"] * 3
    right = [n == 1.0 and word == "a" for n, word in zip(x, w, strict=True)]
    problem = problem_of(table_of_values(x=x, w=w), [1 if r else -1 for r in right], 0.5)
    body, value = search_body(problem)
    assert set(said(problem.bins, body)) == {Literal("x", "=<", 1.0), Literal("w", "=", "a")}
    assert value == 3 - 0.5 * 3


@pytest.mark.parametrize(
    ("gains", "price"),
    [([-1, -1, -1, -1], 0.1), ([1, 1, 1, 1], 0.1), ([1, -1, -1, -1], 0.5), ([1, 1, -1, -1], 1.0)],
    ids=["nothing right", "nothing wrong", "a condition costs more", "all costs more"],
)
def test_an_empty_body_says_that_none_pays(gains, price):
    assert search_body(problem_of(table_of_values(x=[1.0, 2.0, 3.0, 4.0]), gains, price)) == ((), 0.0)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_body_is_no_longer_than_the_limit(limit):
    table = table_of_values(x=[1.0, 2.0] * 8, y=[1.0, 1.0, 2.0, 2.0] * 4, z=[1.0] * 8 + [2.0] * 8)
    gains = [6 if i in (0, 4) else -1 for i in range(16)]  # the rows where all three are 1
    assert len(search_body(problem_of(table, gains, 0.1, limit))[0]) == limit


@given(problems(), st.booleans())
def test_the_value_is_that_of_the_words(drawn, points):
    table, gains, problem = drawn
    problem = problem_of(table, gains, problem.price, problem.limit, points)
    body, value = search_body(problem)
    assert len(body) <= problem.limit
    if body:
        assert value == pytest.approx(body_value(said(problem.bins, body), rows_of(table), gains, problem.price))
        assert value > 0


@given(problems())
def test_no_single_test_is_better(drawn):
    table, gains, problem = drawn
    pos, neg = problem.totals(problem.rows)
    if neg and pos > 2 * problem.price:
        single = best_value(rows_of(table), gains, problem.price) - problem.price
        assert search_body(problem)[1] >= max(0.0, single) - problem.tolerance
