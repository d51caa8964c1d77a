"""Points added to the rows of a test, and rows hashed: equal to loops in Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coded_tables import every_test, problems
from unless.learn.optimise.body.bodies import line_of
from unless.learn.optimise.histograms import add_points, hash_rows, look_up


@given(problems(), st.integers(1, 5))
def test_points_are_added_where_the_test_holds(drawn, points):
    bins = drawn[2].bins
    rows = np.arange(bins.n_rows)[::2].copy()
    for test in every_test(bins):
        truth = [int(test.table[bins.cells[row, test.column]]) for row in rows]
        assert look_up(bins.by_column, test.column, rows, test.table).tolist() == truth
        scores = np.full(len(rows), 7, dtype=np.uint8)
        add_points(bins.by_column, np.array([line_of(test)]), rows, test.table[None], np.array([points]), scores)
        assert scores.tolist() == [7 + points * held for held in truth]


@given(problems())
def test_rows_of_equal_cells_have_equal_hashes(drawn):
    cells = drawn[2].bins.cells
    hashes = hash_rows(cells)
    by_cells = {}
    for row, number in zip(cells.tolist(), hashes.tolist(), strict=True):
        assert by_cells.setdefault(tuple(row), number) == number
    assert len(set(by_cells.values())) == len(by_cells)
