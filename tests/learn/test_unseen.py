"""The figures on unseen rows: each row held out once, or a fifth of a large table, and counted rightly."""

from __future__ import annotations

import numpy as np
import pytest

from unless.evaluate.hold_out import folds
from unless.evaluate.predict import predict
from unless.evaluate.reliability import auc
from unless.evaluate.view import View
from unless.learn import unseen
from unless.learn.front import learn, table_task
from unless.learn.learners import FoldRPPSettings, UnlessSettings
from unless.learn.task import Watch, read_task
from unless.learn.unseen import check_unseen
from unless.logic.unseen_rows import Unseen, UnseenLabels, wilson
from unless.table.frames import raw_table

ROWS = [{"a": i % 4, "b": "xyz"[i % 3]} for i in range(60)]
LABELS = ["yes" if row["a"] > 1 else "no" for row in ROWS]


def checked(settings, rows=ROWS, labels=LABELS, on_fold=None, **options):
    data = read_task(table_task(rows, labels, **options), settings, Watch())
    return check_unseen(data, settings, on_fold=on_fold)


def test_folds_deal_out_every_row_once_and_each_label_alike():
    codes = np.array([0] * 50 + [1] * 25)
    dealt = folds(codes, 5)
    assert sorted(np.concatenate(dealt).tolist()) == list(range(75))
    assert [np.bincount(codes[rows]).tolist() for rows in dealt] == [[10, 5]] * 5


@pytest.mark.parametrize("settings", [UnlessSettings(), FoldRPPSettings()], ids=lambda settings: settings.name)
def test_a_clear_rule_is_right_on_rows_it_has_not_seen(settings):
    heard = []
    found = checked(settings, on_fold=lambda *fold: heard.append(fold))
    assert found == Unseen(60, 60, 5, "no", 30, auc=1.0)
    assert heard == [(n, 5) for n in range(1, 6)]


def test_what_cannot_be_learned_is_not_right():
    """A label that is every row's own secret: rows of training would all be right."""
    rows = [{"word": f"w{i}"} for i in range(40)]
    found = checked(FoldRPPSettings(), rows, ["yes", "no"] * 20)
    assert found is not None
    assert found.accuracy <= 0.6


def test_a_large_table_keeps_a_fifth_apart(monkeypatch):
    monkeypatch.setattr(unseen, "SMALL", 50)
    monkeypatch.setattr(unseen, "FEW", 6)
    found = checked(UnlessSettings())
    assert (found.n_rows, found.n_folds, found.accuracy) == (12, 1, 1.0)


def test_a_rare_label_is_held_out_row_by_row(monkeypatch):
    """Of 4,500 rows with 63 of a label, AUC was that of 12 of them: 0.62, where that of all 63 is 0.77."""
    monkeypatch.setattr(unseen, "SMALL", 50)
    monkeypatch.setattr(unseen, "FEW", 7)
    assert checked(UnlessSettings()).n_folds == 5
    monkeypatch.setattr(unseen, "LARGE", 59)
    assert checked(UnlessSettings()).n_folds == 1


def test_rows_are_ranked_by_their_points_where_labels_weigh_differently(monkeypatch):
    """What `score` measures: AUC was that of probabilities that had been moved to one half, many of them alike."""
    monkeypatch.setattr(unseen, "SMALL", 50)
    monkeypatch.setattr(unseen, "FEW", 0)
    random = np.random.default_rng(5)
    numbers = random.normal(size=(900, 4))
    labels = np.where(random.random(900) < 1 / (1 + np.exp(2 - numbers.sum(axis=1))), "yes", "no")
    rows = [dict(zip("abcd", line, strict=True)) for line in numbers.tolist()]
    settings = UnlessSettings(costs={"yes": 8.0})
    held = folds((labels == "yes").astype(int), 5)[0]
    kept = sorted({*range(900)} - {*held.tolist()})
    program = learn(table_task([rows[i] for i in kept], labels[kept].tolist()), settings).program
    table = raw_table([{**rows[i], program.target.column: labels[i]} for i in held])
    view = View(program, table, program.target.column)
    found = checked(settings, rows, labels.tolist()).auc
    assert found == pytest.approx(view.reliability().auc)
    moved = auc(view.probabilities["yes"], labels[held] == "yes")
    assert abs(found - moved) > 0.001  # or this tests nothing


def test_too_few_rows_and_lone_labels_are_left_unsaid():
    assert checked(UnlessSettings(), ROWS[:8], LABELS[:8]) is None
    assert checked(UnlessSettings(), labels=["rare", *LABELS[1:]]) is None


def test_labels_that_weigh_differently_are_counted_one_by_one():
    """Only accuracy was counted, which a rule for a rare label makes worse than no rule at all."""
    assert checked(UnlessSettings()).by_label is None
    balanced = checked(UnlessSettings(class_weight="balanced"))
    assert balanced.by_label == UnseenLabels(("no", "yes"), (30, 30), (30, 30))
    assert balanced.as_dict()["balanced_accuracy"] == 1.0
    assert "mean_cost" not in balanced.as_dict()
    found = checked(UnlessSettings(costs={"yes": 5}), labels=["yes", *LABELS[1:]])
    assert found.by_label.costs == (1.0, 5.0)
    assert sum(found.by_label.n_right) == found.n_right
    assert sum(found.by_label.n_rows) == found.n_rows == 60


def test_what_errors_cost_is_said_beside_the_cheapest_label():
    counts = UnseenLabels(("fraud", "ok"), (10, 190), (7, 171), (8.0, 1.0))
    assert counts.balanced_accuracy == pytest.approx((0.7 + 0.9) / 2)
    assert counts.mean_cost == (3 * 8 + 19) / 200
    assert counts.cheapest == ("ok", 10 * 8 / 200)
    assert UnseenLabels(("fraud", "ok", "never"), (10, 190, 0), (7, 171, 0)).one_label == 0.5


def test_weights_go_with_their_rows():
    assert checked(UnlessSettings(), weights=np.arange(1.0, 61.0)).accuracy == 1.0


def test_many_labels():
    labels = ["abcd"[row["a"]] for row in ROWS]
    assert checked(UnlessSettings(), labels=labels).accuracy == 1.0


def test_grades_give_the_area_under_the_curve():
    """No rule pays for a label that is never certain, and still the grade ranks."""
    rows = [{"a": i % 10} for i in range(400)]
    labels = ["yes" if i // 10 % 40 < 3 * (i % 10) // 2 else "no" for i in range(400)]
    assert 0.65 < checked(UnlessSettings(), rows, labels).auc < 0.95
    assert checked(UnlessSettings(), labels=["abcd"[row["a"]] for row in ROWS]).auc is None


def test_what_is_checked_is_learned_without_the_rows_kept_apart():
    """By hand: learn from a table without the fold, and predict it."""
    random = np.random.default_rng(0)
    rows = [{"a": float(x), "w": "uvw"[x % 3 if x > 2 else 0]} for x in random.integers(0, 12, 300)]
    labels = ["yes" if row["a"] + random.normal(0, 3) > 6 else "no" for row in rows]
    settings = FoldRPPSettings()
    n_right = 0
    codes = np.array([label == "yes" for label in labels]).astype(int)
    for held in folds(codes, 5):
        kept = sorted({*range(300)} - {*held.tolist()})
        program = learn(table_task([rows[i] for i in kept], [labels[i] for i in kept]), settings).program
        told = predict(program, [rows[i] for i in held])
        n_right += sum(a == labels[i] for a, i in zip(told, held, strict=True))
    assert checked(settings, rows, labels).n_right == n_right


def test_wilson_stays_between_0_and_1():
    """Where all of ten rows were right, JSON had 1.0000000000000002 and `score` said "above 99.9 %"."""
    assert all(wilson(n, n)[1] == 1.0 and wilson(0, n)[0] == 0.0 for n in range(1, 100))
    low, high = wilson(81, 263)
    assert (low, high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))  # Newcombe 1998
