"""A subproblem: packed gains, totals, and which tests may stand beside a body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import every_test, problem_of, problems, table_of_values
from subproblems import search_body, unpack
from unless.learn.optimise.body.bodies import line_of, nets_of, read_test

TABLE = table_of_values(a=[1.0, 2.0] * 3, b=[1.0, 2.0] * 3, c=[1.0, 2.0] * 3)


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_packed_gains_are_unpacked(right, wrong):
    packed = right << 32 | wrong
    assert unpack(packed) == (right, wrong)
    assert nets_of(np.array([packed])).tolist() == [right - wrong]


@given(problems(), st.data())
def test_totals_are_sums(drawn, data):
    table, gains, problem = drawn
    rows = np.array(data.draw(st.lists(st.integers(0, table.n_rows - 1), unique=True)), dtype=np.int64)
    some = [gains[row] for row in rows]
    assert problem.totals(rows) == (sum(g for g in some if g > 0), -sum(g for g in some if g < 0))
    assert problem.nets.tolist() == gains


@given(problems(), st.data())
def test_the_value_of_a_body_is_what_it_saves(drawn, data):
    table, gains, problem = drawn
    tests = list(every_test(problem.bins))
    body = tuple(data.draw(st.lists(st.sampled_from(tests), max_size=3))) if tests else ()
    holds = [all(test.truth(problem.bins, np.array([i]))[0] for test in body) for i in range(table.n_rows)]
    saved = sum(gain for gain, is_held in zip(gains, holds, strict=True) if is_held)
    paid = problem.price * (1 + sum(test.size for test in body))
    assert problem.value(body) == pytest.approx(saved - paid if body else 0.0)


@pytest.mark.parametrize(
    ("outside", "allowed"), [((), "abc"), ((0,), "ac"), ((1,), "bc"), ((2,), "abc")], ids=["none", "a", "b", "c"]
)
def test_rivals_of_columns_outside_are_not_allowed(outside, allowed):
    rivals = {0: frozenset({1}), 1: frozenset({0})}
    problem = problem_of(TABLE, [1, -1] * 3, 1.0, rivals=rivals, outside=frozenset(outside))
    assert "".join(name for name, kinds in zip("abc", problem.packed.kinds, strict=True) if kinds) == allowed
    assert problem.packed.rivals.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("rivals", "n_columns"), [({}, 2), ({0: frozenset({1}), 1: frozenset({0})}, 1)])
def test_rivals_do_not_stand_side_by_side(rivals, n_columns):
    table = table_of_values(a=[1.0, 2.0] * 8, b=[1.0, 1.0, 2.0, 2.0] * 4)
    gains = [6 if i % 4 == 0 else -1 for i in range(16)]  # where both are 1
    body, _ = search_body(problem_of(table, gains, 0.1, rivals=rivals))
    assert len(set().union(*(literal.columns for literal in body))) == n_columns


def test_without_rivals_everything_is_allowed():
    problem = problem_of(TABLE, [1, -1] * 3, 1.0)
    assert problem.packed.kinds is problem.kinds
    assert problem.packed.rivals.shape == (0, 3)
    assert 0 < problem.tolerance < 0.001


@given(problems())
def test_a_test_is_read_back_from_its_line(drawn):
    bins = drawn[2].bins
    for test in every_test(bins):
        assert read_test(bins, np.array(line_of(test)), test.table) == test
