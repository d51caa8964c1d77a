"""What rows weigh: costs of errors by label, and what is said where no rule pays."""

from __future__ import annotations

import re

import numpy as np
import pytest

from unless import UnlessClassifier
from unless.errors import DataError
from unless.learn.weights import row_weights

CLASSES, LABELS = np.array(["late", "on time"]), np.array([0, 1, 1])


@pytest.mark.parametrize(
    ("weights", "by_label", "costs", "expected"),
    [
        (None, None, None, None),
        (None, None, {"late": 5}, [5, 1, 1]),
        (np.array([1.0, 2.0, 3.0]), None, {"late": 5}, [5, 2, 3]),
        (np.array([1.0, 2.0, 3.0]), {"on time": 2}, None, [1, 4, 6]),
    ],
)
def test_costs_multiply_what_rows_weigh(weights, by_label, costs, expected):
    found = row_weights(CLASSES, LABELS, weights, by_label, costs)
    assert (found if found is None else found.tolist()) == expected


def test_costs_know_labels_by_their_text():
    assert row_weights(np.array([0, 1]), LABELS, None, None, {"1": 3}).tolist() == [1, 3, 3]
    with pytest.raises(DataError, match="costs names 'latte', which is not a label"):
        row_weights(CLASSES, LABELS, None, None, {"latte": 3})


@pytest.mark.parametrize("weighing", ["class_weight", "costs"])
@pytest.mark.parametrize(("late", "on_time"), [(6, 2), (1.5, 0.5), (5.1, 1.7), (3e-9, 1e-9), (3, 1)])
def test_only_the_ratio_of_what_labels_weigh_matters(weighing, late, on_time):
    """Six to two gave another program than three to one: a whole weight of a label was taken for a number of rows."""
    rows, labels = rare()
    given = UnlessClassifier(positive="late", **{weighing: {"late": late, "on time": on_time}}).fit(rows, labels)
    assert str(given.program_) == str(UnlessClassifier(positive="late", costs={"late": 3}).fit(rows, labels).program_)


def test_labels_that_weigh_the_same_weigh_nothing_extra():
    rows, labels = rare()
    given = UnlessClassifier(class_weight={"late": 2, "on time": 2}).fit(rows, labels)
    assert str(given.program_) == str(UnlessClassifier().fit(rows, labels).program_)
    assert "weighed" not in str(given.program_)


def test_costs_and_weights_of_labels_are_not_both_taken():
    """They were multiplied, and errors counted by one of them."""
    with pytest.raises(DataError, match="costs cannot stand beside --balanced"):
        row_weights(CLASSES, LABELS, None, "balanced", {"late": 5})


def test_rules_are_for_the_label_that_weighs_less_by_given_weights_not_by_costs():
    rows, labels = rare()

    def concluded(**weighing):
        return UnlessClassifier(**weighing).fit(rows, labels).program_.target.labels[0]

    assert concluded(class_weight={"late": 2}) == concluded(costs={"late": 50}) == "late"
    assert concluded(class_weight="balanced") == "late"
    assert concluded(class_weight={"late": 50}) == "on time"


def test_balanced_labels_weigh_the_same_whatever_their_rows_weigh():
    """Rows of weight 0 counted as rows."""
    weights, labels = np.array([4.0, 0.0, 1.0, 2.0]), np.array([0, 0, 1, 1])
    found = row_weights(CLASSES, labels, weights, "balanced")
    assert found[:2].sum() == pytest.approx(found[2:].sum())
    left_out = row_weights(CLASSES, labels[[0, 2, 3]], weights[[0, 2, 3]], "balanced")
    assert found[[0, 2, 3]].tolist() == left_out.tolist()


@pytest.mark.parametrize(
    ("weights", "by_label"), [([1e-12, 1.0, 1.0], None), (None, {"late": 1e200, "on time": 1e-200})]
)
def test_rows_that_weigh_next_to_nothing_are_refused(weights, by_label):
    """They counted as no rows, without a word, and probabilities were of the others."""
    weights = None if weights is None else np.array(weights)
    with pytest.raises(DataError, match=r"rows of 'late'|rows of 'on time'"):
        row_weights(CLASSES, LABELS, weights, by_label)


def test_weights_that_only_costs_make_up_for_are_refused():
    rows, labels = rare()
    weights = [1e-12 if label == "late" else 1.0 for label in labels]
    with pytest.raises(DataError, match="rows of 'late' weigh so little"):
        UnlessClassifier(class_weight={"late": 1e12}).fit(rows, labels, sample_weight=weights)


def rare(n=600):
    rng = np.random.default_rng(0)
    rows = [{"x": float(x)} for x in rng.random(n)]
    return rows, ["late" if row["x"] > 0.9 and rng.random() < 0.3 else "on time" for row in rows]


def test_where_no_rule_pays_one_sentence_says_so_and_costs_help():
    rows, labels = rare()
    with pytest.warns(UserWarning, match="no rule pays: of 600 rows .* --cost-of late=13") as warned:
        model = UnlessClassifier().fit(rows, labels)
    assert warned[0].filename == __file__  # the line of who learns, not one of the library
    assert model.rules_ == ()
    assert UnlessClassifier(costs={"late": 5}).fit(rows, labels).program_.n_literals in (1, 2)


def test_the_cost_that_is_advised_lets_a_rule_pay():
    """Of a label of one row in twenty, the advice was a cost of 5; who took it was told again that no rule pays."""
    rng = np.random.default_rng(3)
    rows = [{"x": float(x)} for x in rng.random(3000)]
    labels = ["late" if rng.random() < (0.16 if row["x"] > 0.8 else 0.01) else "on time" for row in rows]
    for costs, said in ((None, "well enough"), ({"late": 2}, "which together still weigh less than the others")):
        with pytest.warns(UserWarning, match=said) as caught:
            assert UnlessClassifier(costs=costs).fit(rows, labels).rules_ == ()
        advised = int(re.search(r"costs=\{'late': (\d+)\}, --cost-of late=\1\)", str(caught[0].message))[1])
        assert advised == (11 if costs is None else 5)
    assert UnlessClassifier(costs={"late": 11}).fit(rows, labels).program_.n_literals in (1, 2)


def test_where_rows_are_weighed_already_nobody_is_told_to_weigh_them():
    rng = np.random.default_rng(0)
    rows = [{"x": float(x)} for x in rng.random(120)]
    labels = ["late" if i % 40 == 0 else "on time" for i in range(120)]
    with pytest.warns(UserWarning, match="no rule pays, though rows weigh differently: of 120 rows 3 are 'late'"):
        UnlessClassifier(class_weight="balanced").fit(rows, labels)


def test_many_labels_that_nothing_tells_apart_are_said_to_have_no_rule():
    rng = np.random.default_rng(1)
    rows = [{"x": float(x)} for x in rng.random(90)]
    with pytest.warns(UserWarning, match="no condition tells the 3 labels apart well enough, so every row gets"):
        UnlessClassifier().fit(rows, [f"k{i % 3}" for i in rng.permutation(90)])
