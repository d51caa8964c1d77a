"""Inner folds: each row is kept aside once, classes alike, and large tables are sampled by their contents."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import grower_of, labelled, learnable, take
from naive_optimise import predicts, rows_of
from unless.learn.optimise.folds import make_folds, n_inner_folds, twins
from unless.learn.optimise.thresholds import write_rules
from unless.learn.optimise.training import make_training_rows


def folds_of(seed=0, n=600, n_folds=5, most=None, **more):
    task = make_training_rows(*learnable(seed, n), None)
    limits = replace(grower_of(task.state(), 1.0).limits, **more)
    return task, make_folds(task, limits, n_folds, most)


def wrong_of(fold, price):
    """Return which of the rows kept aside the program of a price gets wrong."""
    return fold.predicted(price) != fold.task.right[fold.test]


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_each_row_is_kept_aside_once(n_folds):
    task, folds = folds_of(n_folds=n_folds)
    assert len(folds) == n_folds
    assert sorted(np.concatenate([fold.test for fold in folds]).tolist()) == list(range(task.bins.n_rows))
    for fold in folds:
        assert sorted([*fold.test, *fold.train]) == list(range(task.bins.n_rows))


@pytest.mark.parametrize("n_folds", [1, 2, 5])
def test_a_sample_is_of_the_other_rows_and_says_its_share(n_folds):
    task, folds = folds_of(n_folds=n_folds, most=100)
    for fold in folds:
        assert len(fold.train) == 100
        assert not set(fold.train) & set(fold.test)
        n_others = task.bins.n_rows - (len(fold.test) if n_folds > 1 else 0)
        assert fold.share == pytest.approx(100 / n_others)
        assert task.right[fold.train].mean() == pytest.approx(task.right.mean(), abs=0.02)


def test_the_sample_does_not_depend_on_the_order_of_rows():
    table, y = learnable(0)
    order = np.random.default_rng(0).permutation(len(y))
    found = []
    for rows in (np.arange(len(y)), order):
        task = make_training_rows(take(table, rows), y[rows], None)
        folds = make_folds(task, grower_of(task.state(), 1.0).limits, 3, 100)
        found.append([sorted(task.bins.hashes[fold.train].tolist()) for fold in folds])
    assert found[0] == found[1]


@given(labelled(), st.integers(2, 5))
def test_folds_hold_each_class_alike(drawn, n_folds):
    table, right, weights = drawn
    task = make_training_rows(table, np.array(right), np.array(weights))
    folds = make_folds(task, grower_of(task.state(), 1.0).limits, n_folds)
    for label in (0, 1):
        sizes = [int((task.right[fold.test] == label).sum()) for fold in folds]
        assert max(sizes) - min(sizes) <= 2


def test_what_is_said_is_of_programs_grown_without_the_rows():
    task, folds = folds_of()
    rows = rows_of(learnable(0)[0])
    wrong = np.zeros(task.bins.n_rows)
    for fold in folds:
        grower = grower_of(task.take(fold.train).state(), 2.0)
        for price in (4.0, 2.0, 0.5):  # it grows on, rule by rule
            grower.run(price)
            rules = write_rules(grower.state, "yes")
            assert fold.predicted(price).tolist() == [predicts(rules, rows[i]) for i in fold.test]
        wrong[fold.test] = wrong_of(fold, 2.0)
    assert 0 < wrong.mean() < 0.2


def test_locked_rules_count_on_the_rows_kept_aside():
    table, y = learnable(0)
    task = make_training_rows(table, y, None, (y.astype(np.uint8),))
    folds = make_folds(task, grower_of(task.state(), 1.0).limits)
    assert not any(wrong_of(fold, 2.0).any() for fold in folds)


def test_the_growing_of_folds_is_reported_as_tries():
    steps = []
    _, folds = folds_of(on_progress=steps.append)
    folds[0].predicted(2.0)
    twins(folds, replace(folds[0].limits, points=True))[1].predicted(2.0)
    assert {step.action for step in steps} == {"try"}


def test_twins_grow_on_the_same_rows():
    _, folds = folds_of()
    for fold, twin in zip(folds, twins(folds, replace(folds[0].limits, points=True)), strict=True):
        assert twin.rows is fold.rows
        assert twin.grower is not fold.grower
        assert twin.grower.limits.points


def test_a_program_that_is_not_hopeful_grows_no_further():
    _, folds = folds_of()
    folds[0].predicted(0.5, lambda said: False)
    assert len(folds[0].grower.trace) == 1
    folds[1].predicted(0.5, lambda said: True)
    assert len(folds[1].grower.trace) > 1


def test_folds_become_fewer_one_by_one():
    sizes = [n_inner_folds(n) for n in range(10, 20_000, 10)]
    assert sizes[0] == 4
    assert sizes[-1] == 1
    assert set(np.diff(sizes)) == {0, -1}


@given(labelled(), st.integers(2, 4), st.data())
def test_a_row_more_leaves_nearly_all_rows_in_their_folds(drawn, n_folds, data):
    table, right, _ = drawn
    gone = data.draw(st.integers(0, table.n_rows - 1))
    kept = np.delete(np.arange(table.n_rows), gone)
    found, contents = [], []
    for rows in (np.arange(table.n_rows), kept):
        # The bins of all rows: that these may change is another matter.
        task = make_training_rows(table, np.array(right), None).take(rows)
        folds = make_folds(task, grower_of(task.state(), 1.0).limits, n_folds)
        contents = contents or [*zip(task.bins.hashes.tolist(), right, strict=True)]
        # Of equal rows it does not matter which one moves, so contents are counted.
        found.append([Counter(contents[row] for row in rows[fold.test]) for fold in folds])
    moved = sum((one - other).total() for one, other in zip(*found, strict=True))
    assert moved <= 2 * n_folds


def test_a_row_more_leaves_nearly_all_rows_in_the_sample():
    table, y = learnable(0, 600)
    task = make_training_rows(table, y, None)
    limits = grower_of(task.state(), 1.0).limits
    for n_folds in (1, 2):
        whole, fewer = (make_folds(some, limits, n_folds, 100) for some in (task, task.take(np.arange(1, 600))))
        for one, other in zip(whole, fewer, strict=True):
            assert len({*one.train} ^ {*(other.train + 1)}) <= 8


def test_equal_rows_are_spread_over_the_folds():
    table, y = learnable(0, 4)
    again = np.repeat(np.arange(4), 50)
    task = make_training_rows(take(table, again), y[again], None)
    for fold in make_folds(task, grower_of(task.state(), 1.0).limits, 4):
        assert set(again[fold.test]) == {0, 1, 2, 3}
