"""The points literal: what it means, its threshold, its short form, and that polishing never costs."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coded_tables import every_test, learnable, problem_of, problems, random_table, said, table_of_values
from naive_optimise import body_value, gain_of, rows_of
from stepwise_bodies import draft, polish_parts, search_scores, simplify
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS, MAX_POINTS, N_DRAFTS
from unless.learn.optimise.body.scorecard_draft import FEW, FEW_DRAFTS, n_polished
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import GT
from unless.logic.holds import condition_holds

CORNERS = list(product((1.0, 2.0), repeat=3))


@st.composite
def problems_with_parts(draw):
    """Draw a problem and tests with points."""
    table, gains, problem = draw(problems(max_rows=25))
    tests = list(every_test(problem.bins))
    assume(tests)
    some = draw(st.lists(st.sampled_from(tests), min_size=1, max_size=4, unique=True))
    return table, gains, problem, tuple((draw(st.integers(1, MAX_POINTS)), test) for test in some)


def majority(n_each, price, points=True):
    """Return a problem whose class is two of three."""
    rows = CORNERS * n_each
    table = table_of_values(**{name: [row[j] for row in rows] for j, name in enumerate("abc")})
    return table, problem_of(table, [1 if row.count(2.0) >= 2 else -1 for row in rows], price, points=points)


def test_a_score_holds_where_its_points_reach_the_threshold():
    table, problem = majority(1, 1.0)
    a, b, c = (make_test(problem.bins, j, GT, 0) for j in range(3))
    score = Score(((2, a), (1, b), (1, c)), 2)
    assert score.truth(problem.bins, problem.rows).tolist() == [a == 2 or b + c == 4 for a, b, c in CORNERS]
    assert (score.size, score.columns) == (4, {0, 1, 2})
    (words,) = said(problem.bins, [score])
    assert [condition_holds(words, row) for row in rows_of(table)] == score.truth(problem.bins, problem.rows).tolist()


@pytest.mark.parametrize(
    ("points", "threshold", "short", "reached"),
    [
        ((2, 4, 6), 4, (1, 2, 2), 2),
        ((1, 5, 1), 3, (1, 3, 1), 3),
        ((2, 2, 2), 3, (1, 1, 1), 2),
        ((1, 2, 3), 2, (1, 2, 2), 2),
    ],
)
def test_a_score_is_written_shortly(points, threshold, short, reached):
    _, problem = majority(1, 1.0)
    tests = [make_test(problem.bins, j, GT, 0) for j in range(3)]
    score = Score(tuple(zip(points, tests, strict=True)), threshold)
    assert simplify(score) == Score(tuple(zip(short, tests, strict=True)), reached)


def test_a_score_of_one_test_is_the_test():
    _, problem = majority(1, 1.0)
    test = make_test(problem.bins, 0, GT, 0)
    assert simplify(Score(((3, test),), 2)) is test


def test_two_of_three_is_found():
    table, problem = majority(5, 1.0)
    best, value = search_scores(problem)[0]
    assert best.size == 4
    assert value == pytest.approx(20 - 5 * problem.price)
    assert gain_of(said(problem.bins, [best]), rows_of(table), problem.nets.tolist()) == 20


def test_few_rows_or_columns_kept_apart_have_no_scorecard():
    assert search_scores(majority(2, 1.0)[1]) == []
    table, problem = majority(5, 1.0)
    apart = problem_of(table, problem.nets.astype(int), 1.0, points=True, rivals={0: frozenset({1})})
    assert search_scores(apart) == []


@given(problems_with_parts())
def test_the_threshold_is_the_best_of_those_that_rows_reach(drawn):
    table, gains, problem, parts = drawn
    score, value = polish_parts(problem, parts, 0)
    reached = int(sum(points * test.truth(problem.bins, problem.rows) for points, test in parts).max())
    scores = [Score(parts, threshold) for threshold in range(1, reached + 1)]
    values = [body_value(said(problem.bins, [one]), rows_of(table), gains, problem.price) for one in scores]
    assert value == pytest.approx(max(values, default=-math.inf))
    assert not scores or values[score.threshold - 1] == pytest.approx(value)


@given(problems_with_parts())
def test_polishing_and_writing_shortly_never_cost(drawn):
    _, _, problem, parts = drawn
    score, value = polish_parts(problem, parts, 0)
    polished, _ = polish_parts(problem, score.parts, 2)
    better = polish_parts(problem, polished.parts, 0)[1]
    assert len(polished.parts) <= MAX_CONDITIONS
    if max(value, better) > 0:  # a sum that only loses may end as one that no row reaches
        short = simplify(polished)
        assert better >= value - problem.tolerance
        assert np.array_equal(short.truth(problem.bins, problem.rows), polished.truth(problem.bins, problem.rows))
        assert short.size <= polished.size


@pytest.mark.parametrize("seed", range(4))
def test_drafts_are_ranked_by_what_they_save(seed):
    rng, table = random_table(seed, 200, ((4, 0), (0, 3), (3, 2)))
    leaning = (table.codes_of(0) > 1).astype(int) + (table.codes_of(1) == 2) + rng.random(200) > 1.2
    problem = problem_of(table, np.where(leaning, 1, -1), 1.0, points=True)
    drafts = draft(problem, problem.rows)
    values = [polish_parts(problem, score.parts, 0) for score in drafts]
    assert [score.threshold for score, _ in values] == [score.threshold for score in drafts]
    assert [value for _, value in values] == sorted((value for _, value in values), reverse=True)
    assert len(set(drafts)) == len(drafts) == 2


@pytest.mark.parametrize("seed", range(3))
def test_of_many_rows_only_the_best_draft_is_polished(seed):
    def drafts(n):
        table, right = learnable(seed, n)
        problem = problem_of(table, np.where(right, 1, -1), 1.0, points=True)
        return draft(problem, problem.rows)

    assert len(drafts(FEW)) == FEW_DRAFTS
    assert len(drafts(FEW + 1)) == 1


def test_more_drafts_are_polished_the_more_the_rows_of_one_label_weigh():
    counts = [n_polished(FEW + 1, skew) for skew in (0.0, 0.5, 0.75, 1.0)]
    assert counts == sorted(counts)
    assert counts[:2] == [1, 1]
    assert counts[1] < counts[2] < counts[3] == N_DRAFTS
    assert n_polished(FEW, 0.1) == FEW_DRAFTS


@pytest.mark.parametrize("seed", range(6))
def test_more_drafts_never_end_in_less(seed):
    table, right = learnable(seed, FEW + 200)
    one, many = (problem_of(table, np.where(right, 5, -1), 4.0, points=True, skew=skew) for skew in (0.0, 1.0))
    first, drafts = draft(one, one.rows), draft(many, many.rows)
    assert drafts[: len(first)] == first
    assert len(drafts) > len(first)
    assert search_scores(many)[0][1] >= search_scores(one)[0][1]
