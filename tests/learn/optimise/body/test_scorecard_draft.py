"""The regression that drafts a scorecard: its weights are at the optimum, and its first test helps most."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coded_tables import every_test, problem_of, random_table
from unless.learn.optimise.body.bodies import read_test
from unless.learn.optimise.body.scorecard_board import make_board
from unless.learn.optimise.body.scorecard_draft import draft_scores


def drafted(seed):
    """Return a problem whose class leans on the columns, and the tests with weights drafted on it."""
    rng, table = random_table(seed, 200, ((4, 0), (0, 3), (3, 2)))
    leaning = (table.codes_of(0) > 1).astype(int) + (table.codes_of(1) == 2) + rng.random(200) > 1.2
    problem = problem_of(table, np.where(leaning, 1, -1), 1.0, points=True)
    bins, board = problem.bins, make_board(200, problem.bins.n_bins)
    n = draft_scores(problem.packed, problem.rows, bins.kinds, board)
    tests = [read_test(bins, board.tests[i], board.tables[i]) for i in range(n)]
    return leaning, problem, tests, board.weights[: n + 1]


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_at_the_optimum_of_the_penalised_fit(seed):
    leaning, problem, tests, (intercept, *weights) = drafted(seed)
    beta = [*weights, intercept]
    held = [test.truth(problem.bins, problem.rows).tolist() for test in tests] + [[1] * len(leaning)]
    slopes = [-weight for weight in weights] + [0.0]
    for i, right in enumerate(leaning):
        p = 1 / (1 + math.exp(-sum(weight * truth[i] for weight, truth in zip(beta, held, strict=True))))
        for k, truth in enumerate(held):
            slopes[k] += truth[i] * (right - p)
    assert slopes == pytest.approx([0.0] * len(slopes), abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_test_helps_the_fit_most(seed):
    leaning, problem, tests, _ = drafted(seed)
    share = leaning.mean()
    slope, curve = leaning - share, np.full(len(leaning), share * (1 - share))

    def gain(test):
        truth = test.truth(problem.bins, problem.rows).astype(bool)
        return sum(slope[side].sum() ** 2 / (curve[side].sum() + 1) for side in (truth, ~truth))

    assert gain(tests[0]) >= max(map(gain, every_test(problem.bins))) - 1e-3


@pytest.mark.parametrize("draft", [draft_scores, draft_scores.function], ids=["compiled", "plain"])
def test_the_patterns_of_rows_have_a_bit_for_each_test(draft):
    """As plain Python, tests from the ninth on were lost: a byte of NumPy has no ninth bit."""
    rng, table = random_table(0, 300, ((5, 0),) * 6)
    height = sum(table.codes_of(column) * (1.0 + column / 3) for column in range(6)) + rng.normal(size=300)
    problem = problem_of(table, np.where(height > np.median(height), 1, -1), 1.0, points=True)
    bins, board = problem.bins, make_board(300, problem.bins.n_bins)
    n = draft(problem.packed, problem.rows, bins.kinds, board)
    assert n > 8
    held = [read_test(bins, board.tests[i], board.tables[i]).truth(bins, problem.rows).astype(int) for i in range(n)]
    assert board.patterns.tolist() == sum(truth << i for i, truth in enumerate(held)).tolist()
