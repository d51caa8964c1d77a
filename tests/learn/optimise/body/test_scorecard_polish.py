"""The exact joint step of a scorecard equals brute force."""

from __future__ import annotations

import numpy as np
import pytest

import kernels
from coded_tables import every_test, problem_of, random_table
from naive_optimise import best_part_value, rows_of
from unless.learn.optimise.body.bodies import line_of
from unless.learn.optimise.body.scorecard_board import MAX_POINTS, MAX_SCORES, make_polish_board
from unless.learn.optimise.body.scorecard_counts import COUNTED, WHOLE

N_ROWS, N_PARTS = 60, 3


def scorecard(seed):
    """A problem, and some tests with points on a board."""
    rng, table = random_table(seed, N_ROWS, ((4, 0), (0, 3), (3, 2)))
    gains = rng.choice([-2, -1, 1, 2], N_ROWS)
    problem = problem_of(table, gains, 0.7)
    board = make_polish_board(N_ROWS, problem.bins.n_bins)
    tests = list(every_test(problem.bins))
    for i in range(N_PARTS + 1):
        put(board, i, tests[rng.integers(len(tests))], rng.integers(1, MAX_POINTS + 1))
    return table, gains, problem, board


def put(board, i, test, points):
    board.points[i], board.tests[i], board.tables[i] = points, line_of(test), test.table


def scores_of(problem, board, parts):
    """The points of each row by some parts, added up one by one."""
    cells = problem.bins.by_column
    return [sum(int(board.points[i]) for i in parts if board.tables[i, cells[board.tests[i, 0], row]])
            for row in problem.rows]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("left_out", range(-1, N_PARTS))
def test_the_joint_step_equals_brute_force(seed, left_out):
    table, gains, problem, board = scorecard(seed)
    value, _, _, column, _, _ = kernels.best_part(problem.packed, -1e9, N_PARTS, left_out, board)
    base = scores_of(problem, board, [i for i in range(N_PARTS) if i != left_out])
    expected = best_part_value(rows_of(table), gains.tolist(), base, 0.7, MAX_POINTS)
    assert column >= 0
    assert value == pytest.approx(expected)
    assert kernels.best_part(problem.packed, value, N_PARTS, left_out, board)[3] == -1  # nothing is above the best


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("taken", "new"), [(-1, N_PARTS), (0, -1), (0, N_PARTS - 1), (2, N_PARTS - 1)])
def test_counts_that_are_carried_on_equal_new_ones(seed, taken, new):
    """A condition taken out, put in, or both: each row is counted where its points of now are."""
    _, _, problem, board = scorecard(seed)
    known = problem.packed
    kernels.best_part(problem.packed, -1e9, N_PARTS, -1, board)  # counts rows by all their points
    points, kept = board.points[max(taken, 0)], [i for i in range(N_PARTS) if i != taken]
    parts = [*kept, N_PARTS] if new >= 0 else kept
    expected = np.array(scores_of(problem, board, parts))
    for lines in (board.points, board.tests, board.tables):
        lines[: len(parts)] = lines[parts]
    kernels.change_scores(known, taken, points, new, board)
    assert board.scores.tolist() == expected.tolist()
    for i in range(len(parts)):
        holds = [int(board.tables[i, known.by_column[board.tests[i, 0], row]]) for row in known.rows]
        assert (board.held >> i & 1).tolist() == holds
    for s in range(MAX_SCORES):
        here = known.rows[expected == s]
        assert board.by_score[WHOLE, s] == known.gains[here].sum()
        if board.wanted[COUNTED, s]:
            counted = np.zeros_like(board.whole[s])
            for row in here:
                counted[known.bin_index[row]] += known.gains[row]
            assert board.whole[s].tolist() == counted.tolist()
