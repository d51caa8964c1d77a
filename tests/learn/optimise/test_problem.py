"""A subproblem: packed gains, totals, and which tests may stand beside a body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import problem_of, problems, table_of_values
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import LE
from unless.learn.optimise.problem import net, nets_of, unpack

TABLE = table_of_values(a=[1.0, 2.0] * 3, b=[1.0, 2.0] * 3, c=[1.0, 2.0] * 3)


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_packed_gains_are_unpacked(right, wrong):
    packed = right << 32 | wrong
    assert unpack(packed) == (right, wrong)
    assert net(packed) == right - wrong
    assert nets_of(np.array([packed])).tolist() == [right - wrong]


@given(problems(), st.data())
def test_totals_are_sums(drawn, data):
    table, gains, problem = drawn
    rows = np.array(data.draw(st.lists(st.integers(0, table.n_rows - 1), unique=True)), dtype=np.int64)
    some = [gains[row] for row in rows]
    assert problem.totals(rows) == (sum(g for g in some if g > 0), -sum(g for g in some if g < 0))
    assert problem.nets.tolist() == gains


@pytest.mark.parametrize(
    ("body_columns", "outside", "allowed"),
    [((), (), "abc"), ((0,), (), "ac"), ((1,), (), "bc"), ((2,), (), "abc"), ((), (0,), "ac"), ((2,), (1,), "bc")],
)
def test_rivals_do_not_stand_side_by_side(body_columns, outside, allowed):
    rivals = {0: frozenset({1}), 1: frozenset({0})}
    problem = problem_of(TABLE, [1, -1] * 3, 1.0, rivals=rivals, outside=frozenset(outside))
    body = [make_test(problem.bins, j, LE, 0) for j in body_columns]
    assert "".join(name for name, kinds in zip("abc", problem.kinds_beside(body), strict=True) if kinds) == allowed


def test_without_rivals_everything_may_stand_beside_a_body():
    problem = problem_of(TABLE, [1, -1] * 3, 1.0)
    assert problem.kinds_beside([make_test(problem.bins, 0, LE, 0)]) is problem.kinds
    assert 0 < problem.tolerance < 0.001
