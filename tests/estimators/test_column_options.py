"""The estimators' options about columns: identifiers, readings, parts of dates; and how notices are given."""

from __future__ import annotations

import logging
import warnings

import numpy as np
import pandas as pd
import pytest

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier, UnlessError, parse

N = 60
LEARNERS = [FoldRPPClassifier, FoldRClassifier, UnlessClassifier]


def frame(n=N):
    amounts = [f"{1 + i // 30}.{100 + 10 * i:03d},50 €" for i in range(n)]
    dates = pd.date_range("2024-01-01", periods=n, freq="3D")
    return pd.DataFrame({"id": [f"A-{i:04d}" for i in range(n)], "amount": amounts, "start": dates})


SUNDAYS = np.where(frame()["start"].dt.day_of_week == 6, "closed", "open")
LARGE = np.where(np.arange(N) >= 30, "large", "small")


@pytest.mark.parametrize("learner", LEARNERS)
def test_identifiers_are_warned_of_left_out_or_kept_quietly(learner, recwarn):
    X = frame()[["id"]].assign(size=np.arange(N) % 7)
    y = np.where(X["size"] > 3, "large", "small")
    with pytest.warns(UserWarning, match="column 'id' names its rows"):
        learner().fit(X, y)
    with pytest.warns(UserWarning, match="left out: id .* identifiers='keep'"):
        model = learner(identifiers="drop").fit(X, y)
    assert [column.name for column in model.program_.columns] == ["size"]
    assert model.n_features_in_ == 2
    assert (model.predict(X) == y).all()
    recwarn.clear()
    learner(identifiers="keep").fit(X, y)
    assert not [each for each in recwarn if "names its rows" in str(each.message)]
    with pytest.raises(UnlessError, match=r"identifiers.*'warn' or 'drop'"):
        learner(identifiers="hide").fit(X, y)


def test_notices_are_warnings_at_the_line_of_the_call_and_are_not_logged(caplog):
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.WARNING):
        warnings.simplefilter("always")
        FoldRPPClassifier().fit(frame()[["id"]], LARGE)
    assert [each.filename for each in caught] == [__file__]
    assert not caplog.records


@pytest.mark.parametrize("learner", LEARNERS)
def test_readings_make_numbers_of_text(learner):
    X = frame()[["amount"]]
    with pytest.warns(UserWarning, match=r"readings=\{'amount': '1.234,56 €'\}"):
        FoldRPPClassifier(identifiers="keep").fit(X, LARGE)
    model = learner(readings={"amount": "1.234,56 €"}).fit(X, LARGE)
    literal = model.rules_[0].body[0]
    assert literal.op in ("=<", ">")
    assert (model.predict(X) == LARGE).all()
    assert (model.predict([{"amount": "9.999,00 €"}, {"amount": 9999}]) == "large").all()
    assert parse(str(model.program_)).columns[0].reading == "1.234,56 €"


@pytest.mark.parametrize("learner", LEARNERS)
def test_parts_of_dates_are_learned_and_asked_for(learner):
    X = frame()[["start"]]
    model = learner(date_parts={"start": ["weekday"]}, identifiers="drop").fit(X, SUNDAYS)
    assert model.program_.used_columns == frozenset({"start weekday"}) or "weekday" in str(model.program_)
    assert (model.predict(X) == SUNDAYS).all()
    assert model.feature_names_in_.tolist() == ["start"]
    assert model.feature_importances_[0] > 0
    sunday = pd.Timestamp("2030-06-02")
    assert model.predict([{"start": sunday}, {"start": sunday + pd.Timedelta("1D")}]).tolist() == ["closed", "open"]


def test_files_take_the_same_options(tmp_path):
    path = tmp_path / "t.csv"
    X = frame().assign(start=frame()["start"].dt.strftime("%d.%m.%Y"), y=SUNDAYS)
    X.to_csv(path, index=False)
    model = FoldRPPClassifier(date_parts={"start": ["weekday"]}, identifiers="drop")
    with pytest.warns(UserWarning, match="left out: id"):
        model.fit_files(str(path), "y")
    assert "weekday" in str(model.program_)
    assert (model.predict(X.drop(columns="y")) == SUNDAYS).all()


def test_an_explainer_that_was_given_a_frame_asks_with_arrays():
    """The way SHAP's explainers call a model: background rows of a frame, masked, come back as arrays of objects."""
    n = np.arange(N)
    X = pd.DataFrame({"town": np.where(n % 3 == 0, "here", "there"), "age": n.astype(float)})
    y = np.where((X["town"] == "here") & (X["age"] > 20), "yes", "no")
    model = FoldRPPClassifier(identifiers="keep").fit(X, y)
    masked = X.to_numpy().copy()
    masked[::2, 1] = masked[0, 1]
    with pytest.warns(UserWarning, match="X does not have valid feature names, but FoldRPPClassifier was fitted with"):
        shares = model.predict_proba(masked)
    expected = model.predict_proba(X.assign(age=masked[:, 1].astype(float)))
    np.testing.assert_array_equal(shares, expected)


def test_shap_itself():
    shap = pytest.importorskip("shap")
    n = np.arange(N)
    X = pd.DataFrame({"size": (n % 7).astype(float), "age": n.astype(float)})
    model = FoldRPPClassifier(identifiers="keep").fit(X, np.where(X["size"] > 3, "large", "small"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = shap.KernelExplainer(model.predict_proba, X.head(10)).shap_values(X.head(3), silent=True)
        exact = shap.Explainer(model.predict_proba, X.head(10))(X.head(3)).values
    assert (np.abs(np.asarray(values)[:, 0]).max(axis=-1) > 0).all()
    assert np.allclose(np.asarray(values)[:, 1], 0)
    assert exact.shape == (3, 2, 2)


@pytest.mark.parametrize("learner", LEARNERS)
def test_numbers_that_mean_missing_are_missing_in_every_frame(learner):
    """pandas reads -999 as a number: `missing_values` had no say there, and the model file had for a CSV file."""
    x = np.where(np.arange(N) % 3, np.arange(N), -999)
    y = np.where(np.arange(N) >= 30, "late", "early")
    frames = [pd.DataFrame({"x": cells}) for cells in (x, x.astype(float), x.astype(str), x.astype(object))]
    models = [learner(missing_values=["-999"], categorical_features=None).fit(X, y) for X in frames]
    assert len({str(model.program_) for model in models}) == 1
    blank = models[0].predict(frames[0].where(frames[0] != -999))
    assert all((model.predict(X) == blank).all() for model in models for X in frames)
    loaded = learner.from_program(parse(str(models[0].program_)))
    assert all((loaded.predict(X) == blank).all() for X in frames)


def test_a_date_that_means_missing_is_missing_as_text_and_in_a_frame():
    start = pd.date_range("2024-01-01", periods=N, freq="3D").to_series().where(np.arange(N) % 3 > 0, "1900-01-01")
    X = pd.DataFrame({"start": pd.to_datetime(start).to_numpy()})
    model = FoldRPPClassifier(missing_values=["1900-01-01"]).fit(X, LARGE)
    assert "1900" not in str(model.program_).split("%@ missing", 1)[1].split("\n", 1)[1]
    texts = X["start"].dt.strftime("%Y-%m-%d").to_frame()
    assert (model.predict(texts) == model.predict(X)).all()
    assert model.explain(X[:1])[0].values["start"] is None


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"paths": None}, "paths is None; accepted: a path or a list of paths"),
        ({"paths": pd.DataFrame({"x": [1]})}, "accepted: a path or a list of paths"),
        ({"target": ["y"]}, "target is .* accepted: the name of a column"),
        ({"drop": "x"}, "drop is 'x'; accepted: a list of columns"),
        ({"drop": ["y"]}, "column 'y' is to be predicted, and cannot be left out"),
        ({"kinds": {"x": "number"}}, "kinds is .* accepted: 'numerical' or 'categorical' by column or None"),
    ],
    ids=str,
)
def test_what_fit_files_does_not_accept_is_refused(tmp_path, options, problem):
    """A kind that there is not made words of numbers, a target to leave out was kept, without a word."""
    pd.DataFrame({"x": range(N), "y": LARGE}).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(UnlessError, match=problem):
        FoldRPPClassifier().fit_files(**{"paths": tmp_path / "t.csv", "target": "y", **options})


def test_what_is_noted_of_names_and_on_the_frontier_is_a_warning_too(tmp_path, caplog):
    """It was logged."""
    frame = pd.DataFrame({"x": range(N), "y": LARGE})
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(UserWarning, match="there is no column 'Y'; 'y' is taken for it"):
        FoldRPPClassifier().fit_files(tmp_path / "t.csv", "Y")
    with pytest.warns(UserWarning, match="column 'x' names its rows") as said:
        UnlessClassifier().frontier(frame[["x"]], LARGE)
    assert [warning.filename for warning in said] == [__file__]
    assert not caplog.records


SAID = {
    "predict": lambda model, X: model.predict(X),
    "predict_proba": lambda model, X: model.predict_proba(X),
    "predict_log_proba": lambda model, X: model.predict_log_proba(X),
    "decision_function": lambda model, X: model.decision_function(X),
    "explain": lambda model, X: model.explain(X),
    "apply": lambda model, X: model.apply(X),
    "decision_path": lambda model, X: model.decision_path(X),
    "rules_frame": lambda model, X: model.rules_frame(X),
    "recourse": lambda model, X: model.recourse(X[:2], "large"),
    "sufficient": lambda model, X: model.sufficient(X[:2]),
}


@pytest.mark.parametrize("asked", SAID.values(), ids=SAID)
def test_every_answer_says_that_cells_are_not_written_as_in_fit(asked):
    """Only `predict` did: probabilities and proofs of amounts of another country were wrong in silence."""
    model = FoldRPPClassifier().fit(pd.DataFrame({"x": np.arange(N) + 0.5}), LARGE)
    with pytest.warns(UserWarning, match="column 'x' is read as .* are not written so") as said:
        asked(model, pd.DataFrame({"x": [f"{i},5" for i in range(N)]}))
    assert [warning.filename for warning in said] == [__file__]


TRUE = np.arange(N) >= 30
UNLIKE = {
    "numbers for truth values": (TRUE, TRUE.astype(int), "asks for '(True|False)', which no cell is, and 30 of 60"),
    "floats for truth values": (TRUE, TRUE.astype(float), "asks for '(True|False)'"),
    "truth values for numbers": (TRUE.astype(int), TRUE, "is read as .* 60 of 60 cells are not written so, such as"),
    "lower case": (
        LARGE,
        np.char.upper(LARGE),
        "asks for '(large|small)', which no cell is, and 30 of 60 cells are '(LA|SM)",
    ),
    "a point": (
        TRUE.astype(int).astype(str),
        TRUE.astype(float).astype(str),
        r"asks for '[01]', .* cells are '[01]\.0'",
    ),
}


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("fitted", "given", "problem"), UNLIKE.values(), ids=UNLIKE)
def test_cells_that_only_look_like_those_of_fit_are_said(learner, fitted, given, problem, recwarn):
    """A column of True and False given as 1 and 0, or the reverse: every row got the default without a word."""
    model = learner(identifiers="keep", readings=None).fit(pd.DataFrame({"x": fitted}), LARGE)
    recwarn.clear()
    model.predict_proba(pd.DataFrame({"x": fitted}))
    assert not recwarn
    with pytest.warns(UserWarning, match=problem):
        model.predict(pd.DataFrame({"x": given}))


def test_other_words_than_those_asked_for_are_no_matter(recwarn):
    model = FoldRPPClassifier().fit(pd.DataFrame({"x": LARGE}), LARGE)
    recwarn.clear()
    for words in (["huge", "tiny"], ["large", "LARGE"], [None, "10"]):
        model.predict(pd.DataFrame({"x": words}))
    assert not recwarn
