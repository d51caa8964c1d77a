"""One subproblem in one kernel equals its steps one by one, scorecards included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stepwise_bodies
from coded_tables import problem_of, problems, random_table
from subproblems import list_some, polish_body, search_body
from unless.learn.optimise.body.body_search import MAX_SAMPLE
from unless.learn.optimise.body.scorecard_draft import FEW
from unless.learn.optimise.body.scorecards import Score, lines_of


def leaning(seed, n_rows, price, skew=0.0):
    """Return a problem whose class leans on all columns, of numbers, words, and both with blanks."""
    rng, table = random_table(seed, n_rows, ((9, 0), (0, 4), (6, 3), (30, 0), (2, 0)))
    votes = sum((table.codes_of(j) > table.codes_of(j).mean()).astype(int) for j in range(5))
    right = votes + rng.random(n_rows) * 2 > 3
    return problem_of(table, np.where(right, 1, -1) * rng.integers(1, 3, n_rows), price, points=True, skew=skew)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("skew", [0.0, 0.7, 1.0])
@pytest.mark.parametrize(("n_rows", "price"), [(60, 0.4), (300, 1.0), (FEW + 200, 1.5), (FEW + 200, 12.0)])
def test_a_search_is_that_of_its_steps(seed, skew, n_rows, price):
    problem = leaning(seed, n_rows, price, skew)
    body, value = search_body(problem)
    assert (body, value) == stepwise_bodies.search(problem)
    assert search_body(problem) == (body, value)  # whatever is left on the boards
    for one in body:
        if isinstance(one, Score):
            assert all(map(np.array_equal, one.lines, lines_of(one.parts)))  # as known as made anew


def test_scorecards_are_among_what_is_found():
    found = [search_body(leaning(seed, 300, 1.0))[0] for seed in range(6)]
    assert any(isinstance(one, Score) for body in found for one in body)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("skew", [0.0, 1.0])
def test_of_many_rows_scorecards_are_drafted_on_some(seed, skew):
    problem = leaning(seed, MAX_SAMPLE + 400, 1.0, skew)
    assert search_body(problem) == stepwise_bodies.search(problem)


@given(problems(points=True), st.data())
def test_some_rows_are_those_of_lowest_hash(drawn, data):
    problem = drawn[2]
    if data.draw(st.booleans()):  # equal ones, and some that differ in their last bits only
        hashes = data.draw(st.lists(st.sampled_from([0, 1, 2, 1 << 20, 2**63 - 2]), min_size=len(problem.rows)))
        problem.bins.__dict__["hashes"] = np.array(hashes[: len(problem.rows)], dtype=np.uint64) * np.uint64(2)
    for most in (0, 1, len(problem.rows) // 2, len(problem.rows) - 1, len(problem.rows)):
        assert list_some(problem, most).tolist() == stepwise_bodies.lowest_hashes(problem, most).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_a_body_with_a_scorecard_is_polished_as_its_steps_are(seed):
    body, _ = search_body(leaning(seed, 300, 1.0))
    other = leaning(seed + 100, 300, 0.6)
    if body:
        again = tuple(one for one in body if isinstance(one, Score)) or body
        assert polish_body(other, again) == stepwise_bodies.polish(other, again)


@given(problems(points=True))
def test_small_problems_are_solved_as_their_steps_are(drawn):
    problem = drawn[2]
    found = search_body(problem)
    assert found == stepwise_bodies.search(problem)
    if found[0]:
        assert polish_body(problem, found[0]) == stepwise_bodies.polish(problem, found[0])
