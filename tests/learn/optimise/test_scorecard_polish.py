"""The exact joint step of a scorecard equals brute force."""

from __future__ import annotations

import pytest

import kernels
from coded_tables import problem_of, random_table
from naive_optimise import best_part_value, rows_of
from unless.learn.optimise.scorecard_board import MAX_POINTS, make_polish_board


@pytest.mark.parametrize("seed", range(8))
def test_the_joint_step_equals_brute_force(seed):
    rng, table = random_table(seed, 60, ((4, 0), (0, 3), (3, 2)))
    gains = rng.choice([-2, -1, 1, 2], 60)
    problem = problem_of(table, gains, 0.7)
    bins, board = problem.bins, make_polish_board(60, problem.bins.n_bins)
    board.scores[:] = rng.integers(0, 5, 60)
    known = (bins.bin_index, bins.by_column, problem.rows, problem.gains, bins.spans, bins.kinds[None], 0.7)
    value, _, _, column, _, _ = kernels.best_part(*known, -1e9, board)
    expected = best_part_value(rows_of(table), gains.tolist(), board.scores.tolist(), 0.7, MAX_POINTS)
    assert column >= 0
    assert value == pytest.approx(expected)
    assert kernels.best_part(*known, value, board)[3] == -1  # nothing is above the best
