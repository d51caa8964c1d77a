"""The kernels behind scorecards: the exact joint step equals brute force, the regression is at its optimum."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coded_tables import every_test, problem_of, random_table
from naive_optimise import best_part_value, rows_of
from unless.learn.optimise.scorecards import MAX_POINTS, _boost, best_replacement


@pytest.mark.parametrize("seed", range(8))
def test_the_joint_step_equals_brute_force(seed):
    rng, table = random_table(seed, 60, ((4, 0), (0, 3), (3, 2)))
    gains = rng.choice([-2, -1, 1, 2], 60)
    base = rng.integers(0, 5, 60).astype(np.uint8)
    problem = problem_of(table, gains, 0.7)
    score, value = best_replacement(problem, (), base)
    best = best_part_value(rows_of(table), gains.tolist(), base.tolist(), 0.7, MAX_POINTS)
    assert value + 2 * 0.7 == pytest.approx(best)
    fired = base + score.parts[-1][0] * score.parts[-1][1].truth(problem.bins, problem.rows) >= score.threshold
    assert gains[fired].sum() - 0.7 * (1 + score.size) == pytest.approx(value)
    assert best_replacement(problem, (), base, value) == (None, -math.inf)  # nothing is above the best


def drafted(seed):
    """Return a problem whose class leans on the columns, and the sets of tests with weights drafted on it."""
    rng, table = random_table(seed, 200, ((4, 0), (0, 3), (3, 2)))
    leaning = (table.codes_of(0) > 1).astype(int) + (table.codes_of(1) == 2) + rng.random(200) > 1.2
    problem = problem_of(table, np.where(leaning, 1, -1), 1.0, points=True)
    return leaning, problem, _boost(problem)


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_at_the_optimum_of_the_penalised_fit(seed):
    leaning, problem, drafts = drafted(seed)
    for tests, beta in drafts:
        held = [test.truth(problem.bins, problem.rows).tolist() for test in tests] + [[1] * len(leaning)]
        slopes = [-weight for weight in beta[:-1]] + [0.0]
        for i, right in enumerate(leaning):
            p = 1 / (1 + math.exp(-sum(weight * truth[i] for weight, truth in zip(beta, held, strict=True))))
            for k, truth in enumerate(held):
                slopes[k] += truth[i] * (right - p)
        assert slopes == pytest.approx([0.0] * len(slopes), abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_test_helps_the_fit_most(seed):
    leaning, problem, drafts = drafted(seed)
    share = leaning.mean()
    slope, curve = leaning - share, np.full(len(leaning), share * (1 - share))

    def gain(test):
        truth = test.truth(problem.bins, problem.rows).astype(bool)
        return sum(slope[side].sum() ** 2 / (curve[side].sum() + 1) for side in (truth, ~truth))

    assert gain(drafts[0][0][0]) >= max(map(gain, every_test(problem.bins))) - 1e-3
