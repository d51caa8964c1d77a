"""Rows to hold out: as many as asked for, of each label alike, and the same ones every time."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless.errors import DataError
from unless.evaluate.hold_out import hold_out

CODES = st.lists(st.integers(-1, 6), min_size=1, max_size=200).map(np.array)


@given(CODES, st.floats(0.0, 1.0))
def test_sizes_are_exact_and_shares_of_labels_are_kept_within_one_row(codes, share):
    n_rows = round(len(codes) * share)
    drawn = hold_out(codes, n_rows)
    assert len(drawn) == len(set(drawn.tolist())) == n_rows
    assert drawn.tolist() == sorted(drawn.tolist())
    for label in set(codes.tolist()):
        fair = n_rows * (codes == label).sum() / len(codes)
        assert abs((codes[drawn] == label).sum() - fair) < 1


@given(CODES)
def test_names_of_labels_do_not_matter(codes):
    """Codes may be any integers of any width, as long as their order stays."""
    n_rows = len(codes) // 3
    assert hold_out(codes, n_rows).tolist() == hold_out((codes * 7 + 3).astype(np.int8), n_rows).tolist()


def test_labels_that_are_all_different_are_dealt_out_as_they_come():
    drawn = hold_out(np.arange(100), 25)
    assert np.diff(drawn).tolist() == [4] * 24


def test_rows_of_a_label_are_drawn_from_everywhere():
    drawn = hold_out(np.zeros(10_000, dtype=int), 2_500)
    quarters = np.bincount(drawn // 2_500, minlength=4)
    assert quarters.min() > 500


def test_another_seed_draws_other_rows():
    codes = np.tile([0, 1], 50)
    assert hold_out(codes, 25).tolist() != hold_out(codes, 25, seed=1).tolist()


SCRIPT = """
import numpy as np
from unless.evaluate.hold_out import hold_out
codes = np.arange(40) % 3
print(hold_out(codes, 10).tolist())
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_the_same_rows_are_drawn_in_every_process(hash_seed):
    """They are kept with a session, so they are pinned: neither the hash seed nor NumPy's version may change them."""
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert said.stdout == "[6, 7, 13, 15, 19, 23, 32, 33, 37, 38]\n"


@pytest.mark.parametrize("n_rows", [-1, 5])
def test_more_rows_than_there_are_cannot_be_held_out(n_rows):
    with pytest.raises(DataError, match="cannot be held out; the table has 4"):
        hold_out(np.zeros(4, dtype=int), n_rows)


def test_all_rows_or_none_can_be_held_out():
    assert hold_out(np.array([1, 0, 1]), 3).tolist() == [0, 1, 2]
    assert hold_out(np.array([1, 0, 1]), 0).tolist() == []
    assert hold_out(np.array([], dtype=int), 0).tolist() == []
