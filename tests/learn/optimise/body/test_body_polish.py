"""One body, improved by single moves: never worse, and at the end no move pays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import every_test, problem_of, problems, said, table_of_values
from naive_optimise import best_move_value, body_value, rows_of
from subproblems import polish_body
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.body_kernels import MAX_MOVES
from unless.learn.optimise.layout import LE
from unless.logic.rules import Literal


@st.composite
def problems_with_bodies(draw):
    table, gains, problem = draw(problems(limit=3).filter(lambda drawn: drawn[2].kinds.any()))
    tests = list(every_test(problem.bins))
    return table, gains, problem, tuple(draw(st.lists(st.sampled_from(tests), min_size=1, max_size=3, unique=True)))


TABLE = table_of_values(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 1.0, 2.0, 2.0])


def test_a_condition_is_moved_dropped_or_added():
    problem = problem_of(TABLE, [-3, 3, 3, -3], 0.5)
    wrong_place = (make_test(problem.bins, 0, LE, 0),)
    body, value = polish_body(problem, wrong_place)
    assert set(said(problem.bins, body)) == {Literal("x", ">", 1.0), Literal("x", "=<", 3.0)}
    assert value == 6 - 0.5 * 3
    idle = (make_test(problem.bins, 1, LE, 0), *body)
    assert set(polish_body(problem, idle)[0]) == set(body)


@given(problems_with_bodies())
def test_polish_never_lowers_the_value(drawn):
    table, gains, problem, body = drawn
    rows = rows_of(table)
    better, value = polish_body(problem, body)
    assert len(better) <= problem.limit
    assert value == pytest.approx(body_value(said(problem.bins, better), rows, gains, problem.price))
    assert value >= body_value(said(problem.bins, body), rows, gains, problem.price) - problem.tolerance


@given(problems_with_bodies())
def test_at_the_end_no_single_move_pays(drawn):
    table, gains, problem, body = drawn
    better, value = polish_body(problem, body)
    best = best_move_value(said(problem.bins, better), rows_of(table), gains, problem.price, problem.limit)
    assert best <= value + MAX_MOVES * problem.tolerance
