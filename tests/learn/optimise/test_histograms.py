"""Counting rows into histograms: equal to loops in Python, whatever rows are asked for."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import problem_of, problems, table_of_values
from unless.learn.optimise.problem import unpack


def counted(problem, rows):
    """Count by column and bin in plain Python: the weights of right and of wrong rows."""
    right, wrong = Counter(), Counter()
    for row in rows:
        for j, b in enumerate(problem.bins.cells[row].tolist()):
            gain_right, gain_wrong = unpack(problem.gains[row])
            right[j, b] += gain_right
            wrong[j, b] += gain_wrong
    return right, wrong


def check(problem, rows):
    hist = problem.count(np.array(rows, dtype=np.int64))
    right, wrong = counted(problem, rows)
    offsets = problem.bins.layout.offsets.tolist()
    for j, (low, high) in enumerate(pairwise(offsets)):
        for b in range(high - low):
            assert unpack(hist[low + b]) == (right[j, b], wrong[j, b])


def test_each_column_counts_every_row():
    table = table_of_values(x=[1.0, 2.0, 2.0, None], w=["a", "a", "a", None])
    problem = problem_of(table, [1, -2, 3, -1], 1.0)
    counts = [unpack(h) for h in problem.count(problem.rows)]
    #                 x: 1       2       rare    missing  w: a       rare    missing
    assert counts == [(1, 0), (3, 2), (0, 0), (0, 1), (4, 2), (0, 0), (0, 1)]


@given(problems(), st.data())
def test_counts_are_those_of_a_loop(drawn, data):
    table, _, problem = drawn
    check(problem, range(table.n_rows))
    check(problem, sorted(data.draw(st.sets(st.integers(0, table.n_rows - 1)))))


@given(problems())
def test_halves_add_up_to_the_whole(drawn):
    problem = drawn[2]
    half = problem.rows % 2 == 0
    parts = problem.count(problem.rows[half]) + problem.count(problem.rows[~half])
    assert np.array_equal(parts, problem.count(problem.rows))


def test_the_largest_weights_do_not_run_into_each_other():
    most = 2**31 - 1
    table = table_of_values(x=[1.0, 1.0])
    problem = problem_of(table, [most, -most], 1.0)
    assert unpack(problem.count(problem.rows)[0]) == (most, most)
    assert problem.totals(problem.rows) == (most, most)
