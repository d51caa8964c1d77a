"""`UnlessClassifier` with more than two labels: rules in an order that the program itself says."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from unless import UnlessClassifier, UnlessError, parse, prove
from unless.evaluate.predict import predict


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X, y.map({0: "barolo", 1: "grignolino", 2: "barbera"})


@pytest.fixture(scope="module")
def model(wine):
    return UnlessClassifier().fit(*wine)


def count(rules):
    return sum(1 + count(rule.exceptions) for rule in rules)


def test_the_program_is_the_model(wine, model):
    X, y = wine
    told = model.predict(X)
    assert parse(str(model.program_)) == model.program_
    assert predict(model.program_, X) == told.tolist()
    assert (told == y).mean() > 0.95
    for row in X.head(5).to_dict("records"):
        assert prove(model.program_, row).label == predict(model.program_, [row])[0]


def test_the_commonest_label_is_the_default_and_has_no_rules(model):
    assert model.program_.target.default == "grignolino"
    assert [rule.head for rule in model.rules_ if rule.head == "grignolino"] == []
    assert list(dict.fromkeys(rule.head for rule in model.rules_)) == ["barbera", "barolo"]


def test_probabilities_agree_with_the_labels(wine, model):
    shares = model.predict_proba(wine[0])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(wine[0]))


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_max_rules_counts_the_rules_of_all_labels(wine, most):
    rules = UnlessClassifier(0.01, max_rules=most).fit(*wine).rules_
    assert 1 <= count(rules) <= most


def test_the_order_of_the_rows_does_not_matter(wine, model):
    X, y = wine
    order = np.random.default_rng(0).permutation(len(y))
    assert UnlessClassifier().fit(X.iloc[order], y.iloc[order]).program_ == model.program_


def test_a_row_without_weight_is_as_good_as_gone(wine):
    X, y = wine
    kept = np.arange(len(y)) % 3 > 0
    weighed = UnlessClassifier().fit(X, y, kept.astype(float))
    assert weighed.program_ == UnlessClassifier().fit(X[kept], y[kept]).program_


def test_heavy_rows_make_their_label_the_default(wine):
    X, y = wine
    model = UnlessClassifier(class_weight={"barolo": 9, "grignolino": 1, "barbera": 1}).fit(X, y)
    assert model.program_.target.default == "barolo"


def test_no_time_gives_the_default_only_and_says_so(wine):
    model = UnlessClassifier(time_limit=0).fit(*wine)
    assert model.stopped_
    assert set(model.predict(wine[0])) == {"grignolino"}


def test_labels_that_are_numbers_come_back_as_numbers():
    X, y = load_iris(return_X_y=True)
    model = UnlessClassifier(points=False).fit(X, y)
    assert model.predict(X).dtype == y.dtype
    assert model.score(X, y) > 0.94


@pytest.mark.parametrize(
    "wish", [{"positive": "barolo"}, {"monotonic_cst": {"alcohol": 1}}, {"locked": "loan(X,'a') :- age(X,'b')."}]
)
def test_wishes_about_one_label_are_refused(wine, wish):
    name = next(iter(wish))
    with pytest.raises(UnlessError, match=f"{name}=.* is for two labels, not for 3"):
        UnlessClassifier(**wish).fit(*wine)


def test_the_frontier_is_refused(wine):
    with pytest.raises(UnlessError, match="the frontier is for two labels; there are 3"):
        UnlessClassifier().frontier(*wine)
