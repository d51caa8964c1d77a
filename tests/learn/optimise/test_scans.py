"""The best test of all columns: equal to trying every test on every row, and ties in the documented order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kernels
from coded_tables import counted_bins, problem_of, problems, random_table, table_of_values
from naive_optimise import best_value, plain_tests, rows_of, size
from unless.learn.optimise.body.bodies import read_test
from unless.learn.optimise.layout import FACTS, MAX_BINS
from unless.learn.optimise.thresholds import write_test
from unless.logic.holds import condition_holds
from unless.logic.rules import Literal, OneOf


def best(problem, beta=1.0):
    """Return the score of the best test, and the test if there is one."""
    hists, spans = counted_bins(problem)[None], problem.bins.spans
    score, *choice = kernels.best_test(hists, spans, problem.kinds, beta, problem.price, np.empty(MAX_BINS))
    if choice[0] < 0:
        return score, None
    facts, tables = np.zeros((1, FACTS), dtype=np.int64), np.zeros((1, MAX_BINS), dtype=np.uint8)
    kernels.write_test(hists, spans, beta, problem.price, *choice, facts, tables)
    test = read_test(problem.bins, facts[0], tables[0])
    assert np.array_equal(test.table, tables[0])
    assert facts[0].tolist() == [test.column, test.kind, test.at, test.size]
    return score, test


def best_grade(problem, foil):
    return kernels.best_grade(counted_bins(problem)[None], problem.bins.spans, problem.kinds, foil)


def chosen(problem, beta=1.0):
    """Return the best test in words, and its score."""
    score, test = best(problem, beta)
    return write_test(problem.bins, test), score


def graded(foil, tp, fp, pos, neg):
    """FOIL's gain or the information gain, as textbooks write them."""
    if tp == 0 or tp * neg <= fp * pos:
        return -math.inf
    if foil:
        return tp * (math.log(tp / (tp + fp)) - math.log(pos / (pos + neg)))
    return -sum(branch(a, b) for a, b in ((tp, fp), (pos - tp, neg - fp)))


def branch(a, b):
    return -sum(x * math.log(x / (a + b)) for x in (a, b) if x)


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        ([2, 2, -1, -1, -1, -1, -1], Literal("x", "=<", 1.0)),
        ([-1, -1, 2, 2, 2, -1, -1], Literal("x", ">", 1.0)),
        ([-1, -1, -1, -1, -1, -1, 9], Literal("w", "!=", "a")),
    ],
)
def test_the_best_test_of_a_small_table(gains, expected):
    table = table_of_values(x=[1.0, 1.0, 2.0, 3.0, 3.0, None, None], w=["a"] * 6 + [None])
    assert chosen(problem_of(table, gains, 0.5))[0] == expected


def test_a_set_of_words_pays_for_each_word():
    table = table_of_values(w=["a", "b", "c", "d"] * 3)
    gains = [2, 2, -2, -2] * 3
    assert chosen(problem_of(table, gains, 1.0)) == (OneOf("w", ("a", "b"), False), 12 - 2.0)
    assert chosen(problem_of(table, [1, 1, -9, -9] * 3, 4.0))[0] == Literal("w", "=", "a")  # 3 < 4: no second word


def test_ties_go_to_the_first_column_the_first_value_the_first_kind():
    table = table_of_values(x=[1.0, 2.0, 3.0], y=[1.0, 2.0, 3.0])
    assert chosen(problem_of(table, [1, -2, 1], 0.5))[0] == Literal("x", "=<", 1.0)


def test_without_allowed_tests_nothing_is_chosen():
    problem = problem_of(table_of_values(x=[1.0, 1.0]), [1, -1], 1.0)
    assert best(problem)[1] is None
    assert best_grade(problem, foil=True)[1] == -1


@given(problems())
def test_the_best_test_equals_brute_force(drawn):
    table, gains, problem = drawn
    check_best(table, gains, problem)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_test_of_larger_tables_equals_brute_force(seed):
    rng, table = random_table(seed)
    gains = rng.choice([-3, -2, -1, 1, 2], 120).tolist()
    check_best(table, gains, problem_of(table, gains, float(rng.choice([0.3, 1.7, 4.0]))))


def check_best(table, gains, problem):
    rows = rows_of(table)
    score, test = best(problem)
    expected = best_value(rows, gains, problem.price)
    assert score == pytest.approx(expected)
    if math.isfinite(expected):
        truth = [condition_holds(write_test(problem.bins, test), row) for row in rows]
        assert truth == test.truth(problem.bins, problem.rows).astype(bool).tolist()
        assert np.array(gains)[truth].sum() - problem.price * test.size == pytest.approx(expected)


@given(problems(), st.sampled_from((0.2, 0.7, 1.5)))
def test_wrong_rows_may_count_less_or_more(drawn, beta):
    table, gains, problem = drawn
    weighed = [g if g > 0 else beta * g for g in gains]
    expected = best_value(rows_of(table), weighed, problem.price)
    assert best(problem, beta)[0] == pytest.approx(expected)
    if math.isfinite(expected):
        said, score = chosen(problem, beta)
        held = [g for g, row in zip(weighed, rows_of(table), strict=True) if condition_holds(said, row)]
        assert sum(held) - problem.price * size(said) == pytest.approx(score)


@given(problems(), st.booleans())
def test_graded_tests_equal_brute_force(drawn, foil):
    table, gains, problem = drawn
    rows = rows_of(table)
    pos, neg = problem.totals(problem.rows)
    if not pos:
        return  # of nothing there is no share
    grades = []
    for test in (test for name in rows[0] for test in plain_tests(name, rows, rows)):
        held = [g for g, row in zip(gains, rows, strict=True) if condition_holds(test, row)]
        grades.append(graded(foil, sum(g for g in held if g > 0), -sum(g for g in held if g < 0), pos, neg))
    score = best_grade(problem, foil)[0]
    assert score == pytest.approx(max(grades, default=-math.inf))
