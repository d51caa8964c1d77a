"""Accuracy against size: a path from one literal upwards, and where it bends."""

from __future__ import annotations

import numpy as np
import pytest

from coded_tables import learnable, table_of_values
from naive_optimise import errors, program_size, rows_of
from unless.learn.optimise.fit import Options, prepare
from unless.learn.optimise.path import FrontierPoint, elbow, frontier


def path_of(table, y, n_folds=5, **options):
    return frontier(prepare(table, y, options=Options(points=False, **options)), "yes", n_folds)


def point(literals, accuracy, spread):
    return FrontierPoint((), 1.0, 1, literals, accuracy, accuracy, spread)


@pytest.mark.parametrize(
    ("accuracies", "expected"), [((0.7, 0.85, 0.9), 1), ((0.7, 0.8, 0.9), 2), ((0.9, 0.8, 0.7), 0), ((0.8,), 0)]
)
def test_the_elbow_is_the_smallest_within_one_standard_error(accuracies, expected):
    assert elbow([point(i + 1, accuracy, 0.06) for i, accuracy in enumerate(accuracies)]) == expected


@pytest.fixture(scope="module")
def table_and_path():
    table, y = learnable(8)
    return table, y, path_of(table, y)


def test_the_path_runs_from_short_to_long(table_and_path):
    path = table_and_path[2]
    sizes = [point.n_literals for point in path]
    assert sizes == sorted(set(sizes))
    assert sizes[0] == 1
    assert all(0 <= point.accuracy <= 1 for point in path)
    penalties = [point.size_penalty for point in path]
    assert penalties == sorted(penalties, reverse=True)
    best = max(point.accuracy for point in path)
    assert path[elbow(path)].accuracy >= best - max(point.spread for point in path)


def test_a_point_says_what_its_rules_do(table_and_path):
    table, y, path = table_and_path
    for stop in path:
        assert stop.training_accuracy == pytest.approx(1 - errors(stop.rules, rows_of(table), y) / len(y))
        assert stop.n_literals + stop.n_rules == program_size(stop.rules)


def test_limits_hold_along_the_path():
    path = path_of(*learnable(8, 300), max_rules=2, max_literals=1, max_depth=0, n_folds=2)
    assert 0 < max(point.n_rules for point in path) <= 2
    assert all(len(rule.body) == 1 and not rule.exceptions for point in path for rule in point.rules)


def test_a_table_that_says_nothing_has_an_empty_path():
    assert path_of(table_of_values(x=[1.0] * 20), np.arange(20) < 10, n_folds=2) == ()
