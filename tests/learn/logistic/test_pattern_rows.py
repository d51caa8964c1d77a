"""Rows as patterns of conditions: every condition has a bit of its own, compiled or not."""

import numpy as np
import pytest

from coded_tables import table_of_values
from unless.learn.logistic.pattern_fit import Patterns, fit_patterns
from unless.learn.logistic.pattern_rows import PatternRows, put_condition
from unless.learn.optimise.training import make_training_rows


@pytest.mark.parametrize("put", [put_condition, put_condition.function], ids=["compiled", "plain"])
def test_rows_are_counted_by_the_conditions_that_hold(put):
    """As plain Python, conditions from the ninth on were lost: a byte of NumPy has no ninth bit."""
    rng, n_rows, most = np.random.default_rng(0), 60, 12
    truth = rng.integers(0, 2, (most, n_rows)).astype(np.uint8)
    is_label, weights = rng.integers(0, 2, n_rows).astype(np.uint8), rng.integers(1, 4, n_rows).astype(np.float64)
    codes, totals, blocks = np.zeros(n_rows, dtype=np.int64), np.zeros((1 << most, 2)), np.zeros(65, dtype=np.uint8)
    found = Patterns(np.empty(n_rows, dtype=np.int64), np.empty(n_rows), np.empty(n_rows))
    table = np.array([0, 1], dtype=np.uint8)
    for at in range(most):
        n_found = put(truth[at], table, at, at + 1, codes, is_label, weights, totals, blocks, found)
    expected = sum(truth[at].astype(np.int64) << at for at in range(most))
    assert codes.tolist() == expected.tolist()
    assert found.codes[:n_found].tolist() == sorted(set(expected.tolist()))
    assert found.rows[:n_found].tolist() == [weights[expected == code].sum() for code in found.codes[:n_found]]
    assert found.label[:n_found].tolist() == [
        weights[(expected == code) & (is_label == 1)].sum() for code in found.codes[:n_found]
    ]


@pytest.mark.parametrize("seed", range(5))
def test_put_and_fitted_at_once_is_as_put_and_then_fitted(seed):
    rng, n_rows = np.random.default_rng(seed), 200
    columns = table_of_values(**{name: rng.integers(0, 6, n_rows).astype(float).tolist() for name in "abc"})
    is_label, weights = rng.random(n_rows) < 0.4, rng.integers(1, 5, n_rows)
    rows = make_training_rows(columns, is_label, weights)
    one, other = (PatternRows(rows.bins, rows.weights, 2.5, is_label, 3) for _ in range(2))
    beta, table = np.zeros(1), np.arange(256, dtype=np.uint8) > 2
    for n, cells in enumerate(rows.bins.by_column, start=1):
        start, ridges = np.concatenate((beta[:-1], (0.0, beta[-1]))), np.array([1.0] * n + [0.0])
        at_once = one.put_and_fit(cells, table.view(np.uint8), n - 1, n, ridges, start, 2)
        other.put(cells, table.view(np.uint8), n - 1, n)
        after = fit_patterns(other.patterns, ridges, start, 2)
        assert all(map(np.array_equal, one.patterns, other.patterns))
        assert all(map(np.array_equal, at_once[:3], after[:3]))
        assert np.array_equal(np.tril(at_once.root), np.tril(after.root))  # above it is scratch
        beta = at_once.beta
