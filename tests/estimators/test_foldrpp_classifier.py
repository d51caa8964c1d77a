"""The scikit-learn face."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from strategies import ratios, tables
from unless import FoldRClassifier, FoldRPPClassifier, Literal, UnlessClassifier, UnlessError, load, parse, save
from unless.datasets import loans
from unless.errors import SettingError
from unless.evaluate.predict import predict

REPEATED = "inner folds choose the price: a row that is there twice may be in two folds, a row of weight two in one"
COVERED = "FOLD covers every row: light rows of another label are exceptions, however little they weigh"
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    **{
        learner: {
            "check_class_weight_classifiers": COVERED,
        }
        for learner in ("FoldRClassifier", "FoldRPPClassifier")
    },
    "UnlessClassifier": {
        "check_sample_weight_equivalence_on_dense_data": REPEATED,
        "check_sample_weight_equivalence_on_sparse_data": REPEATED,
    },
}
"""Checks of scikit-learn that cannot pass, by learner, each with its reason."""


@parametrize_with_checks(
    [FoldRPPClassifier(), FoldRClassifier(), UnlessClassifier()],
    expected_failed_checks=lambda model: EXPECTED_FAILURES.get(type(model).__name__, {}),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def table():
    frame = loans(600)
    return frame.drop("loan"), frame["loan"]


def test_pipeline_and_column_transformer(table):
    X, y = table
    for library, frame in (("pandas", pd.DataFrame(X.to_dicts())), ("polars", X)):
        prepare = ColumnTransformer(
            [("n", make_pipeline(SimpleImputer(), StandardScaler()), ["income", "debt_ratio"])],
            remainder="passthrough",
            verbose_feature_names_out=False,
        ).set_output(transform=library)
        model = make_pipeline(prepare, FoldRPPClassifier()).fit(frame, y.to_list())
        assert model.score(frame, y.to_list()) > 0.9
        assert list(model[-1].feature_names_in_)[:2] == ["income", "debt_ratio"]


def test_grid_search_over_ratio(table):
    X, y = table
    search = GridSearchCV(FoldRPPClassifier(), {"ratio": [0.1, 0.5]}, cv=3).fit(
        pd.DataFrame(X.to_dicts()), y.to_numpy()
    )
    assert search.best_score_ > 0.85
    assert search.best_params_["ratio"] in (0.1, 0.5)


def test_cross_validation(table):
    X, y = table
    scores = cross_val_score(FoldRPPClassifier(), pd.DataFrame(X.to_dicts()), y.to_numpy(), cv=3, error_score="raise")
    assert scores.mean() > 0.85
    auc = cross_val_score(
        FoldRPPClassifier(), pd.DataFrame(X.to_dicts()), y.to_numpy(), cv=3, scoring="roc_auc", error_score="raise"
    )
    assert auc.mean() > 0.8


def test_clone_copies_parameters(table):
    model = FoldRPPClassifier(0.2, positive="refused", categorical_features=["purpose"], missing_values=["?"], n_jobs=2)
    copy = clone(model.fit(*table))
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "rules_")
    assert copy.fit(*table).rules_ == model.rules_


@pytest.mark.parametrize(
    "labels",
    [("yes", "no"), (True, False), (1, 0), (2, 7), (-1, 1), (0.0, 1.0), ("1", "0"), (np.int8(1), np.int8(3))],
)
@pytest.mark.parametrize(
    "form", [list, np.array, pd.Series, lambda y: pl.Series([getattr(v, "item", lambda v=v: v)() for v in y])]
)
def test_labels_come_back_as_they_came(labels, form):
    rows = [{"a": float(i)} for i in range(6)]
    y = [labels[i > 2] for i in range(6)]
    for positive in (None, *labels):
        model = FoldRPPClassifier(positive=positive).fit(rows, form(y))
        told = model.predict(rows)
        assert told.tolist() == y
        assert {type(label) for label in told.tolist()} == {type(np.asarray(y)[0].item())}
        assert parse(str(model.program_)) == model.program_
        assert predict(model.program_, rows) == y


@pytest.mark.parametrize("learner", [FoldRPPClassifier, FoldRClassifier, UnlessClassifier])
def test_positive_is_the_rarer_label_of_every_learner_when_nobody_says(table, learner):
    X, y = table
    rarer = y.value_counts(sort=True)["loan"][-1]
    assert learner().fit(X, y).program_.target.labels == (rarer,)


@pytest.mark.parametrize("weighing", [{"class_weight": "balanced"}, {"costs": {"approved": 0.1, "refused": 50}}])
def test_weights_of_labels_make_no_label_rarer_whatever_the_order_of_the_rows(table, weighing):
    X, y = table
    rarer = y.value_counts(sort=True)["loan"][-1]
    for order in (slice(None), slice(None, None, -1)):
        model = UnlessClassifier(**weighing).fit(X[order], y[order])
        assert model.program_.target.labels == (rarer,)


def test_rows_that_stand_for_several_are_counted_so(table):
    X, y = table
    rarer = y.value_counts(sort=True)["loan"][-1]
    counted = np.where(y == rarer, 1000, 1)
    assert UnlessClassifier().fit(X, y, sample_weight=counted).program_.target.labels != (rarer,)


def test_positive_is_the_label_that_was_asked_for(table):
    X, y = table
    assert FoldRPPClassifier(positive="refused").fit(X, y).program_.target.labels == ("refused",)
    with pytest.raises(UnlessError, match="positive='maybe' is not a label; labels: 'approved', 'refused'"):
        FoldRPPClassifier(positive="maybe").fit(X, y)


def test_feature_names_are_checked(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    assert list(model.feature_names_in_) == X.columns
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(X.select(X.columns[::-1]))
    with pytest.raises(ValueError, match="yet now missing:\n- income"):
        model.predict(X.drop("income"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- more"):
        model.predict(X.with_columns(more=1))


def test_number_of_features_is_checked():
    model = FoldRPPClassifier().fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    assert not hasattr(model, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 1 features, but FoldRPPClassifier is expecting 2 features as input"):
        model.predict([[1.0]])


@given(tables(), ratios)
@settings(max_examples=40)
def test_probabilities_agree_with_labels(table, ratio):
    model = FoldRPPClassifier(ratio, categorical_features=table.categorical).fit(table.rows, table.positive)
    shares = model.predict_proba(table.rows)
    assert shares.shape == (len(table.rows), 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares > 0).all()
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(table.rows))
    assert predict(model.program_, table.rows) == model.predict(table.rows).tolist()


def test_a_learner_of_two_classes_refuses_more():
    with pytest.raises(UnlessError, match=r"Only binary classification is supported.*3 labels, 'a', 'b', 'c'. Hint"):
        FoldRClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"ratio": -0.1}, "ratio"),
        ({"ratio": 2}, "ratio"),
        ({"ratio": "x"}, "ratio"),
        ({"n_jobs": 1.5}, "n_jobs"),
        ({"n_jobs": np.array([1, 2])}, "n_jobs"),
        ({"positive": np.array([0, 1])}, "positive"),
        ({"categorical_features": 3}, "categorical_features"),
        ({"categorical_features": "x0"}, "categorical_features"),
        ({"missing_values": [-999]}, "missing_values"),
        ({"missing_values": [None]}, "missing_values"),
        ({"readings": ["1.234,56"]}, "readings"),
        ({"readings": {"x0": 1}}, "readings"),
        ({"date_parts": "weekday"}, "date_parts"),
        ({"date_parts": {"x0": "weekday"}}, "date_parts"),
        ({"background": 5}, "background"),
        ({"background_columns": [["x0"]]}, "background_columns"),
    ],
)
def test_parameters_are_checked(options, problem):
    """Those that all learners share ended in tracebacks; a number that means missing, when the program was printed."""
    with pytest.raises(SettingError, match=f"{problem} is .*; accepted: "):
        FoldRPPClassifier(**options).fit([[1.0], [2.0]], [0, 1])


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        FoldRPPClassifier().predict([[1.0]])


def test_missing_values_are_words_that_the_user_names():
    rows = [{"a": "?"}, {"a": "?"}, {"a": "x"}, {"a": "x"}]
    labels = ["y", "y", "n", "n"]
    said = FoldRPPClassifier(positive="y").fit(rows, labels)
    assert said.rules_[0].body == (Literal("a", "=", "?"),)
    unsaid = FoldRPPClassifier(positive="y", missing_values=["?"]).fit(rows, labels)
    assert unsaid.rules_[0].body == (Literal("a", "!=", "x"),)
    assert unsaid.program_.missing == ("?",)


def test_pickle_and_text_keep_every_prediction(table, tmp_path):
    X, y = table
    model = FoldRPPClassifier(0.2).fit(X, y)
    told = model.predict(X)
    str(model.program_), repr(model), model.program_.n_literals
    save(model, tmp_path / "m.lp")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), told)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert predict(load(tmp_path / "m.lp"), X) == told.tolist() == model.predict(X).tolist()


def test_a_label_column_named_like_a_feature():
    frame = pl.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    model = FoldRPPClassifier().fit(frame, frame["b"])
    assert model.program_.target.column == "b (target)"
    assert parse(str(model.program_)) == model.program_


def test_refitting_forgets(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y).fit(np.array([[1.0], [2.0]]), [0, 1])
    assert model.n_features_in_ == 1
    assert not hasattr(model, "feature_names_in_")
    assert model.classes_.tolist() == [0, 1]
