"""The figures on unseen rows: each row held out once, or a fifth of a large table, and counted rightly."""

from __future__ import annotations

import numpy as np
import pytest

from unless.evaluate.hold_out import folds
from unless.learn import unseen
from unless.learn.front import table_task
from unless.learn.learners import FoldRPPSettings, UnlessSettings
from unless.learn.unseen import area_under_curve, check_unseen
from unless.logic.unseen_rows import Unseen, wilson

ROWS = [{"a": i % 4, "b": "xyz"[i % 3]} for i in range(60)]
LABELS = ["yes" if row["a"] > 1 else "no" for row in ROWS]


def test_folds_deal_out_every_row_once_and_each_label_alike():
    codes = np.array([0] * 50 + [1] * 25)
    dealt = folds(codes, 5)
    assert sorted(np.concatenate(dealt).tolist()) == list(range(75))
    assert [np.bincount(codes[rows]).tolist() for rows in dealt] == [[10, 5]] * 5


@pytest.mark.parametrize("settings", [UnlessSettings(), FoldRPPSettings()], ids=lambda settings: settings.name)
def test_a_clear_rule_is_right_on_rows_it_has_not_seen(settings):
    heard = []
    found = check_unseen(table_task(ROWS, LABELS), settings, on_fold=lambda *fold: heard.append(fold))
    assert found == Unseen(60, 60, 5, "no", 30)
    assert heard == [(n, 5) for n in range(1, 6)]


def test_what_cannot_be_learned_is_not_right():
    """A label that is every row's own secret: rows of training would all be right."""
    rows = [{"word": f"w{i}"} for i in range(40)]
    found = check_unseen(table_task(rows, ["yes", "no"] * 20), FoldRPPSettings())
    assert found is not None
    assert found.accuracy <= 0.6


def test_a_large_table_keeps_a_fifth_apart(monkeypatch):
    monkeypatch.setattr(unseen, "SMALL", 50)
    found = check_unseen(table_task(ROWS, LABELS), UnlessSettings())
    assert (found.n_rows, found.n_folds, found.accuracy) == (12, 1, 1.0)


def test_too_few_rows_and_lone_labels_are_left_unsaid():
    assert check_unseen(table_task(ROWS[:8], LABELS[:8]), UnlessSettings()) is None
    assert check_unseen(table_task(ROWS, ["rare", *LABELS[1:]]), UnlessSettings()) is None


def test_weights_go_with_their_rows():
    task = table_task(ROWS, LABELS, weights=np.arange(1.0, 61.0))
    assert check_unseen(task, UnlessSettings()).accuracy == 1.0


def test_many_labels():
    labels = ["abcd"[row["a"]] for row in ROWS]
    assert check_unseen(table_task(ROWS, labels), UnlessSettings()).accuracy == 1.0


def test_grades_give_the_area_under_the_curve():
    def grades(program, table):
        sign = -1.0 if program.target.labels[0] == "no" else 1.0
        return sign * table.column("a").numbers.to_numpy()

    assert check_unseen(table_task(ROWS, LABELS), UnlessSettings(), grades=grades).auc == 1.0


def test_wilson_stays_between_0_and_1():
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert wilson(0, 10)[0] == pytest.approx(0.0)
    low, high = wilson(81, 263)
    assert (low, high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))  # Newcombe 1998


def test_area_by_counting_pairs():
    chance = np.random.default_rng(1)
    first, grades = chance.random(40) < 0.4, chance.integers(0, 6, 40) / 6
    pairs = [(a > b) + (a == b) / 2 for a in grades[first] for b in grades[~first]]
    assert area_under_curve(first, grades) == pytest.approx(sum(pairs) / len(pairs))
    assert area_under_curve(np.ones(3, dtype=bool), np.ones(3)) is None
