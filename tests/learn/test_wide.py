"""Wide columns: counting by buckets first never changes the literal that is chosen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from strategies import ratios, tables
from unless import FoldRPPClassifier
from unless.learn.rows import codes as columns_module
from unless.learn.rows import counts
from unless.learn.rows.codes import Codebook, encode, join_books
from unless.learn.rows.counts import Ask, detail, join_details, tally
from unless.learn.rows.row_set import all_rows
from unless.table.cells import Cells


def learned(table, ratio):
    model = FoldRPPClassifier(
        ratio, positive=True, categorical_features=[n for n, kind in table.kinds.items() if kind == "categorical"]
    )
    return model.fit(table.rows, np.array(table.positive)).rules_


@given(tables(), ratios)
@settings(max_examples=40)
def test_rules_are_the_same_when_every_column_is_wide(table, ratio):
    if len(set(table.positive)) < 2:
        return
    narrow = learned(table, ratio)
    for n_buckets in (1, 2, 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(columns_module, "WIDE", 0)
            patch.setattr(columns_module, "BUCKETS", n_buckets)
            assert learned(table, ratio) == narrow


@pytest.mark.parametrize(("n_numbers", "n_words", "shift"), [(10, 0, 2), (0, 9, 1), (7, 5, 2), (8, 8, 3), (1, 1, 0)])
def test_every_code_is_in_the_span_of_its_bucket(n_numbers, n_words, shift):
    grid = columns_module.Grid(shift, n_numbers, n_numbers + n_words)
    lows, highs = grid.spans(np.arange(grid.last))
    inside = [code for low, high in zip(lows, highs, strict=True) for code in range(low, high)]
    assert inside == list(range(grid.missing))
    for code in range(grid.missing):
        bucket = grid.bucket(code)
        assert lows[bucket] <= code < highs[bucket]
    assert grid.bucket(grid.missing) == grid.last


def wide_table(n=80_000):
    chance = np.random.default_rng(0)
    values = chance.permutation(n) * 1.0
    values[chance.random(n) < 0.1] = np.nan
    columns = encode({"wide": Cells(n, values), "narrow": Cells(n, chance.integers(0, 9, n) * 1.0)})
    return columns, chance.random(n) < 0.4


def test_line_has_the_counts_of_buckets_and_detail_those_of_codes():
    columns, positive = wide_table()
    rows = all_rows(columns, positive)
    grid, codes = columns.grids[0], columns.codes_of(0)
    assert grid.shift > 0
    found = rows.tally()
    in_buckets = np.bincount([grid.bucket(code) for code in codes[rows.pos].tolist()], minlength=grid.last + 1)
    np.testing.assert_array_equal(found.pos[: grid.last + 1], in_buckets)
    ask = Ask(0, (1, 2, grid.first_word - 1))
    for share in (1.0, 0.001):  # many rows are swept, few are sorted
        pos, neg = (part[: int(share * len(part))] for part in (rows.pos, rows.neg))
        one = detail(columns, pos, neg, ask)
        for part, counted in ((pos, one.pos), (neg, one.neg)):
            expected = np.bincount(codes[part], minlength=grid.missing + 1)[one.codes]
            np.testing.assert_array_equal(counted, expected)


def test_counts_of_parts_add_up_however_they_are_counted(monkeypatch):
    columns, positive = wide_table()
    rows = all_rows(columns, positive)
    whole, ask = rows.tally(), Ask(0, (0, 5))
    monkeypatch.setattr(counts, "PORTION", 1000)
    in_portions = tally(columns, rows.pos, rows.neg)
    np.testing.assert_array_equal(whole.pos, in_portions.pos)
    np.testing.assert_array_equal(whole.neg, in_portions.neg)
    few, many = (rows.pos[:50], rows.neg[:5]), (rows.pos[50:], rows.neg[5:])
    joined = join_details([detail(columns, *few, ask), detail(columns, *many, ask)])
    expected = detail(columns, rows.pos, rows.neg, ask)
    np.testing.assert_array_equal(joined.pos[np.searchsorted(joined.codes, expected.codes)], expected.pos)
    assert joined.pos.sum() == expected.pos.sum()
    np.testing.assert_array_equal((tally(columns, *few) + tally(columns, *many)).neg, whole.neg)


def test_codebooks_of_parts_join():
    one = Codebook("c", np.array([1.0, 3.0]), ("a", "c"))
    other = Codebook("c", np.array([2.0, 3.0]), ("b",))
    joined = join_books([one, other, Codebook("c", np.empty(0), ())])
    assert joined.numbers.tolist() == [1.0, 2.0, 3.0]
    assert joined.words == ("a", "b", "c")
    assert [joined.code(value) for value in (1.0, 3.0, "a", "c")] == [0, 2, 3, 5]
