"""Rows as patterns of conditions: every condition has a bit of its own, compiled or not."""

import numpy as np
import pytest

from unless.learn.logistic.pattern_fit import Patterns
from unless.learn.logistic.pattern_rows import put_condition


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
