"""Any frame in `fit`, any other in `predict`; weights; rules as data."""

from __future__ import annotations

import pickle
import uuid
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import unless
from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier
from unless.datasets import loans
from unless.errors import DataError
from unless.table.columns import cells
from unless.table.frames import raw_table

LEARNERS = [FoldRPPClassifier, FoldRClassifier, UnlessClassifier]


@pytest.fixture(scope="module")
def table():
    frame = pd.DataFrame(loans().to_dict(as_series=False))
    for name in frame.columns[:3]:
        frame[name] = pd.Series([_number(cell) for cell in frame[name]], dtype=object)
    return frame.drop(columns="loan"), frame["loan"]


def _number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return cell


NUMBERS = np.array([[i % 7, (i * 5) % 11, i % 3] for i in range(200)], dtype=float)
SIGNS = np.where((NUMBERS[:, 0] > 3) & (NUMBERS[:, 1] <= 7), "yes", "no")


# Names and positions.


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_frame_then_an_array(learner, table):
    """An array after a frame was refused, which broke every explainer that asks for predictions of arrays."""
    X, y = table
    model = learner().fit(X, y)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but .* was fitted with feature names"):
        assert (model.predict(X.to_numpy()) == model.predict(X)).all()


def test_an_array_then_a_frame():
    model = FoldRPPClassifier().fit(NUMBERS, SIGNS)
    with pytest.warns(UserWarning, match="X has feature names, but FoldRPPClassifier was fitted without feature names"):
        assert (model.predict(pd.DataFrame(NUMBERS, columns=list("abc"))) == model.predict(NUMBERS)).all()
    with pytest.raises(DataError, match="X has 2 features, but FoldRPPClassifier is expecting 3"):
        model.predict(NUMBERS[:, :2])


def test_frames_and_arrays_of_the_same_make_say_nothing(table):
    X, y = table
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FoldRPPClassifier().fit(X, y).predict(X)
        FoldRPPClassifier().fit(NUMBERS, SIGNS).predict(NUMBERS)


def test_records_are_matched_by_name(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    records = X.to_dict("records")
    turned = [dict(reversed(record.items())) | {"id": 1} for record in records]
    assert (model.predict(turned) == model.predict(X)).all()
    blank = X.assign(**{X.columns[0]: None})
    short = [{name: value for name, value in record.items() if name != X.columns[0]} for record in records]
    assert (model.predict(short) == model.predict(blank)).all()
    misspelt = [{**record, "incme": 1} for record in short]
    with pytest.raises(DataError, match="incme"):
        model.predict(misspelt)


def test_a_record_batch_keeps_its_names(table):
    X, y = table[0][["purpose", "housing"]], table[1]
    batch = pa.RecordBatch.from_pandas(X, preserve_index=False)
    model = FoldRPPClassifier().fit(batch, y)
    assert list(model.feature_names_in_) == list(X.columns)
    assert model.rules_ == FoldRPPClassifier().fit(X, y).rules_
    with pytest.raises(DataError, match="two columns are called 'a'"):
        raw_table(pa.RecordBatch.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]))


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_matrices(make):
    model = FoldRPPClassifier().fit(make(NUMBERS), SIGNS)
    assert model.rules_ == FoldRPPClassifier().fit(NUMBERS, SIGNS).rules_
    assert (model.predict(make(NUMBERS)) == model.predict(NUMBERS)).all()


# Types of pandas.

ONE, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)
WORDS = {
    "intervals": (pd.cut(pd.Series([1, 5, None]), [0, 3, 9]), ["(0, 3]", "(3, 9]", None]),
    "interval array": (pd.Series(pd.arrays.IntervalArray.from_breaks([0, 1, 2])), ["(0, 1]", "(1, 2]"]),
    "whole categories": (pd.Series([3, 1, None]).astype("category"), ["3", "1", None]),
    "flags as categories": (pd.Series([True, False]).astype("category"), ["True", "False"]),
    "UUIDs": (pd.Series([ONE, OTHER, None]), [str(ONE), str(OTHER), None]),
    "Arrow text": (pd.Series(["a", None], dtype=pd.ArrowDtype(pa.string())), ["a", None]),
    "Arrow flags": (pd.Series([True, None], dtype=pd.ArrowDtype(pa.bool_())), ["True", None]),
    "many equal objects": (pd.Series(["a", "b", None, np.nan] * 500, dtype=object), ["a", "b", None, None] * 500),
    "many other objects": (pd.Series([f"w{i}" for i in range(2000)], dtype=object), [f"w{i}" for i in range(2000)]),
    "long text": (pd.Series(["a", None, " b"] * 500, dtype="str"), ["a", None, "b"] * 500),
    "long text of Python": (pd.Series(["a", None] * 600, dtype=pd.StringDtype("python")), ["a", None] * 600),
}


@pytest.mark.parametrize("case", WORDS)
def test_words_of_pandas(case):
    series, expected = WORDS[case]
    found = cells(raw_table(pd.DataFrame({"c": series})).column("c"), "categorical")
    assert [found.value(row) for row in range(len(series))] == expected


def test_numbers_words_and_flags_in_one_column():
    """1, 1.0 and True are equal to Python and to pandas, and are not to be taken for one another."""
    values = [1, True, 1.0, "1", None, np.float32(2.5), np.nan, "x", np.bool_(False)] * 200
    column = raw_table(pd.DataFrame({"c": pd.Series(values, dtype=object)})).column("c")
    assert column.numbers.to_list()[:9] == [1.0, None, 1.0, None, None, 2.5, None, None, None]
    assert column.text.to_list()[:9] == [None, "True", None, "1", None, None, None, "x", "False"]


@pytest.mark.parametrize("series", [pd.Series(pd.period_range("2023-01", periods=3, freq="M")), pd.Series([10**400])])
def test_what_is_refused(series):
    with pytest.raises(DataError, match="column 'c' holds"):
        raw_table(pd.DataFrame({"c": series})).column("c")


def test_sparse_columns_of_pandas():
    column = raw_table(pd.DataFrame({"c": pd.arrays.SparseArray([0, 0, 1.5])})).column("c")
    assert column.numbers.to_list() == [0.0, 0.0, 1.5]


# Labels.


@pytest.mark.parametrize(
    "labels", [[True, False, True], [2, -1, 2], [7, 10**12, 7], np.array([255, 0], dtype=np.uint8), ["b", "a", "b"]]
)
@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series])
def test_labels_are_those_of_numpy(labels, make):
    from unless.table.labels import read_labels

    found = read_labels(make(labels))
    classes, codes = np.unique(np.array(labels), return_inverse=True)
    assert found.classes.tolist() == classes.tolist()
    assert found.codes.tolist() == codes.tolist()


# Weights.


@pytest.mark.parametrize("learner", [FoldRPPClassifier, FoldRClassifier])
def test_a_row_of_weight_two_is_two_rows(learner, table):
    X, y = table
    weights = np.arange(len(X)) % 3
    weighed = learner().fit(X, y, weights)
    repeated = learner().fit(X.loc[X.index.repeat(weights)], y.loc[y.index.repeat(weights)])
    assert weighed.rules_ == repeated.rules_
    assert weighed.rules_ != learner().fit(X, y).rules_
    halves = learner().fit(X, y, weights / 2)
    assert halves.rules_ == weighed.rules_


@pytest.mark.parametrize("learner", [FoldRPPClassifier, FoldRClassifier])
def test_class_weight(learner, table):
    X, y = table
    rare = y.value_counts().index[-1]
    plain = learner().fit(X, y)
    assert learner(class_weight={rare: 1}).fit(X, y).rules_ == plain.rules_
    heavy = learner(class_weight={rare: 4}).fit(X, y)
    assert heavy.rules_ == learner().fit(X, y, np.where(y == rare, 4, 1)).rules_
    balanced = learner(class_weight="balanced", positive=rare).fit(X, y)
    assert clone(balanced).get_params()["class_weight"] == "balanced"
    with pytest.raises(DataError, match="class_weight names 'nobody'"):
        learner(class_weight={"nobody": 2}).fit(X, y)


def test_weights_do_not_depend_on_the_order_of_rows(table):
    X, y = table
    weights = np.random.default_rng(0).uniform(0.1, 3.0, len(X))
    order = np.random.default_rng(1).permutation(len(X))
    one = FoldRPPClassifier().fit(X, y, weights)
    assert FoldRPPClassifier().fit(X.iloc[order], y.iloc[order], weights[order]).rules_ == one.rules_


# Constraints by position.


def test_monotonic_cst_as_an_array():
    by_name = UnlessClassifier(monotonic_cst={"x0": 1, "x1": -1}, positive="yes").fit(NUMBERS, SIGNS)
    by_position = UnlessClassifier(monotonic_cst=np.array([1, -1, 0]), positive="yes").fit(NUMBERS, SIGNS)
    assert by_position.rules_ == by_name.rules_
    with pytest.raises(DataError, match="2 directions for 3 columns"):
        UnlessClassifier(monotonic_cst=[1, -1]).fit(NUMBERS, SIGNS)
    with pytest.raises(DataError, match="monotonic_cst has 2; accepted in an array"):
        UnlessClassifier(monotonic_cst=[1, 2, 0]).fit(NUMBERS, SIGNS)


# What rules say of rows.


def test_which_rules_decide(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    path = model.decision_path(X)
    assert path.shape == (len(X), len(model.program_.clauses))
    concluding = [i for i, clause in enumerate(model.program_.clauses) if clause.name is None]
    is_positive = path.toarray()[:, concluding].any(axis=1)
    assert (is_positive == (model.predict(X) == model.program_.target.labels[0])).all()
    applied = model.apply(X)
    assert applied.shape == (len(X),)
    assert (is_positive == (applied < len(concluding))).all()


def test_importances_are_shares_of_rows(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    found = dict(zip(X.columns, model.feature_importances_, strict=True))
    for name in X.columns:
        blank = X.assign(**{name: pd.Series([None] * len(X), dtype=object)})
        assert found[name] == pytest.approx((model.predict(blank) != model.predict(X)).mean())
    assert max(found.values()) > 0


def test_no_rows_are_kept_in_a_pickle(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert not hasattr(again, "_sample")
    assert (again.feature_importances_ == model.feature_importances_).all()
    given = FoldRPPClassifier.from_program(model.program_)
    assert not hasattr(given, "feature_importances_")


def test_no_rows_are_kept_in_a_pickle_after_a_fit_that_failed(table):
    """The rows of a fit that was interrupted, or refused its labels, went into the file."""
    X, y = table
    model = FoldRPPClassifier()
    with pytest.raises(DataError, match="only one class"):
        model.fit(X.assign(secret="of the rows"), ["a"] * len(y))
    assert b"of the rows" not in pickle.dumps(model)


def test_importances_are_not_those_of_another_fit(table, tmp_path):
    """After `fit_files` they were those of the fit before, or of one that had failed."""
    X, y = table
    X.assign(loan=X["housing"]).to_csv(tmp_path / "housing.csv", index=False)
    model = FoldRPPClassifier().fit(X, y)
    assert model.feature_importances_.any()
    model.fit_files(tmp_path / "housing.csv", "loan")
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(ValueError, match="only one class"):
        model.fit(X, ["yes"] * len(y))
    assert not hasattr(model.fit_files(tmp_path / "housing.csv", "loan"), "feature_importances_")
    with pytest.raises(NotFittedError):
        FoldRPPClassifier().feature_importances_  # noqa: B018


def test_arrays_in_a_list_and_matrices_are_tables():
    rows = np.arange(20.0).reshape(10, 2)
    labels = ["low"] * 5 + ["high"] * 5
    model = FoldRPPClassifier().fit(rows, labels)
    for table in (list(rows), [tuple(row) for row in rows], np.asmatrix(rows)):
        assert model.predict(table).tolist() == labels
        assert str(FoldRPPClassifier().fit(table, labels).program_) == str(model.program_)
    for table in ([rows, rows], memoryview(rows)):
        with pytest.raises(DataError):
            model.predict(table)


def count(rules):
    return sum(1 + count(rule.exceptions) for rule in rules)


def test_rules_as_a_frame(table):
    X, y = table
    model = FoldRPPClassifier().fit(X, y)
    frame = model.rules_frame(X, y)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["number", "kind", "label", "rule", "covered", "correct", "precision"]
    assert len(frame) == count(model.rules_) + 1
    top = frame[frame["number"].isin(["1"])].iloc[0]
    assert top["precision"] == pytest.approx(top["correct"] / top["covered"])
    assert frame.iloc[-1]["number"] == "else"
    assert model.rules_frame(X)["correct"].isna().all()
    with pytest.raises(DataError, match="each row needs one label"):
        model.rules_frame(X, y[:-1])


@pytest.mark.parametrize(
    "make",
    [
        list,
        lambda y: y.reshape(-1, 1),
        lambda y: pd.DataFrame({"y": y}),
        lambda y: pl.DataFrame({"y": y}),
        pa.array,
        lambda y: np.matrix(y).T,
        lambda y: y.astype(np.dtypes.StringDType()) if y.dtype.kind == "U" else y,
    ],
    ids=["list", "column", "pandas", "polars", "arrow", "matrix", "text of NumPy"],
)
@pytest.mark.parametrize("names", [("no", "yes"), ("yes ", "yes"), (2**60, 2**60 + 1)], ids=["words", "blanks", "huge"])
def test_rules_are_measured_by_the_labels_that_fit_takes(make, names):
    """Columns were refused; labels with blanks at an end, and huge ones, were never right."""
    y = np.where(SIGNS == "yes", names[1], names[0])
    model = FoldRPPClassifier().fit(NUMBERS, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column for a vector
        frame = model.rules_frame(NUMBERS, make(y))
        assert model.score(NUMBERS, make(y)) == 1.0
    assert frame["correct"].tolist() == frame["covered"].tolist()


def test_print_shows_the_rules(table):
    X, y = table
    model = FoldRPPClassifier()
    assert str(model) == repr(model) == "FoldRPPClassifier()"
    model.fit(X, y)
    assert str(model) == str(model.program_)
    assert repr(model) == "FoldRPPClassifier()"


def test_what_is_noted_is_a_warning_once():
    X = pd.DataFrame({"code": ["1", "2", "3", "x"] * 5})
    with pytest.warns(UserWarning, match="column 'code' is text") as caught:
        FoldRPPClassifier().fit(X, ["a", "b", "b", "b"] * 5)
    assert len(caught) == 1


def test_the_package_shows_what_is_public():
    assert [name for name in dir(unless) if not name.startswith("__")] == sorted(unless.__all__)


@pytest.mark.parametrize("more", [[], [True, 1, 0, False], [1, 0.0], [2**70], [" b "]])
def test_many_objects_are_read_by_their_distinct_values_as_few_are(more):
    few = pd.Series([1.5, "a", 3, None, "7", np.nan, *more], dtype=object)
    expected = cells(raw_table(pd.DataFrame({"c": few})).column("c"), "numerical")
    found = cells(raw_table(pd.DataFrame({"c": pd.concat([few] * 400)})).column("c"), "numerical")
    n = len(few)
    assert [found.value(row) for row in range(n)] == [expected.value(row) for row in range(n)]
    assert [found.value(row) for row in range(399 * n, 400 * n)] == [expected.value(row) for row in range(n)]
