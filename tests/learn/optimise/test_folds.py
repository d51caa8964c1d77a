"""Inner folds: each row is kept aside once, and what they say about scorecards and the price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from coded_tables import grower_of, learnable
from unless.learn.optimise import folds as inner
from unless.learn.optimise.folds import choose_points, choose_price, held_out_errors, make_folds
from unless.learn.optimise.training import fires_on, make_training_rows


def folds_of(seed=0, n=600, **more):
    task = make_training_rows(*learnable(seed, n), None)
    limits = replace(grower_of(task.state(), 1.0).limits, **more)
    return task, limits, make_folds(task, limits)


def test_each_row_is_kept_aside_once():
    task, _, folds = folds_of()
    assert len(folds) == 5
    assert sorted(np.concatenate([fold.test for fold in folds]).tolist()) == list(range(task.bins.n_rows))
    for fold in folds:
        assert sorted([*fold.test, *fold.train]) == list(range(task.bins.n_rows))


def test_held_out_errors_are_those_of_programs_grown_without_the_rows():
    task, _, folds = folds_of()
    expected = np.zeros(task.bins.n_rows)
    for fold in folds:
        grower = grower_of(task.take(fold.train).state(), 2.0)
        grower.run()
        expected[fold.test] = fires_on(grower.state.tops, task.bins, fold.test) != task.right[fold.test]
    wrong = held_out_errors(folds, 2.0)
    assert wrong.tolist() == expected.tolist()
    assert 0 < wrong.mean() < 0.2


def test_locked_rules_count_on_the_rows_kept_aside():
    table, y = learnable(0)
    task = make_training_rows(table, y, None, (y.astype(np.uint8),))
    assert held_out_errors(make_folds(task, grower_of(task.state(), 1.0).limits), 2.0).sum() == 0


def test_rows_not_reached_in_time_count_as_right():
    _, _, folds = folds_of(should_stop=lambda: True)
    assert held_out_errors(folds, 2.0).sum() == 0


def test_the_growing_of_folds_is_not_reported():
    steps = []
    _, _, folds = folds_of(on_progress=steps.append)
    held_out_errors(folds, 2.0)
    assert steps == []


@pytest.mark.parametrize(
    ("n_wins", "n_losses", "is_taken"), [(0, 0, True), (3, 4, True), (4, 16, False)], ids=["none", "few", "many"]
)
def test_on_few_rows_scorecards_must_only_not_lose_by_a_standard_error(monkeypatch, n_wins, n_losses, is_taken):
    task, limits, _ = folds_of(n=60)
    plain, scored = np.zeros(60), np.zeros(60)
    plain[:n_wins], scored[20 : 20 + n_losses] = 1, 1
    monkeypatch.setattr(
        inner, "held_out_errors", lambda folds, price: scored if folds[0].limits.points else plain
    )  # fmt: skip
    folds, wrong = choose_points(task, limits, 1.0, "auto")
    assert folds[0].limits.points is is_taken
    assert wrong is (scored if is_taken else plain)


@pytest.mark.parametrize("points", [False, True])
def test_without_auto_folds_keep_the_limits(points):
    task, limits, _ = folds_of(n=60, points=points)
    folds, _ = choose_points(task, limits, 1.0, points)
    assert folds[0].limits.points is points


@pytest.mark.parametrize(
    ("n", "wrong_at", "chosen"),
    [
        (60, {8.0: 60, 4.0: 0}, 8.0),
        (1200, {8.0: 60, 4.0: 0, 2.0: 0}, 4.0),
        (1200, {8.0: 60, 4.0: 58}, 8.0),
        (1200, {8.0: 60, 4.0: 20, 2.0: 0, 1.0: 0}, 2.0),
    ],
    ids=["few rows cannot show it", "halved once", "not by two standard errors", "not below the least"],
)
def test_the_price_is_halved_while_that_wins(monkeypatch, n, wrong_at, chosen):
    _, _, folds = folds_of(n=n)
    monkeypatch.setattr(inner, "held_out_errors", lambda folds, price: (np.arange(n) < wrong_at[price]).astype(float))
    assert choose_price(folds, 8.0, 2.0 if len(wrong_at) == 4 else 1.0) == chosen
