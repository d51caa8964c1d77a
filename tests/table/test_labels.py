"""Labels: read as they come, refused in one sentence."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.utils.multiclass import type_of_target

from unless.errors import DataError
from unless.table.columns import RawColumn
from unless.table.frames import raw_column
from unless.table.labels import index_of, read_label_texts, read_label_words, read_labels, refuse_measurements


@pytest.mark.parametrize("read", [read_labels, read_label_words, read_label_texts])
@pytest.mark.parametrize(
    "values", [["x", None, "y", None], [1.0, None, 2.0, None], [1, None, "a", "  "], [True, None, False, None]]
)
def test_missing_labels_are_refused_in_one_sentence(read, values):
    with pytest.raises(DataError) as caught:
        read(raw_column("cured", values))
    said = (
        "column 'cured' has no label in 2 rows, the first is row 1; every row needs a label. Hint: leave such rows out."
    )
    assert str(caught.value) == said


@pytest.mark.parametrize("make", [pd.Series, pl.Series, list, lambda y, **_: np.array(y, dtype=object)])
def test_the_sentence_names_the_column_whatever_the_labels_come_in(make):
    has_name = make in (pd.Series, pl.Series)
    y = make(name="cured", data=["x", None]) if make is pd.Series else None
    y = pl.Series("cured", ["x", None]) if make is pl.Series else y
    y = make(["x", None]) if y is None else y
    with pytest.raises(DataError, match=f"column '{'cured' if has_name else 'label'}' has no label in 1 row"):
        read_labels(y)


def test_labels_as_words_are_codes_of_a_sorted_lexicon():
    column = raw_column("y", ["b", "a", 1.0, "b"])
    words = read_label_words(column)
    assert words.lexicon == ("1", "a", "b")
    assert words.codes.tolist() == [2, 1, 0, 2]
    assert read_label_texts(column) == ["b", "a", "1", "b"]


def test_a_label_has_an_index_among_the_classes():
    classes = read_labels(["b", "a"]).classes
    assert [index_of(classes, label) for label in ("a", "b", "c")] == [0, 1, -1]


CLASSES = [
    [0, 1],
    [False, True],
    ["a", "b"],
    [0.0, 1.0],
    [-3.0, 2.0, 1e15],
    [0.5, 1.0],
    [0.0, 1.0, 2.25],
    [-0.1],
    [1e-9, 1.0],
]


@pytest.mark.parametrize("labels", CLASSES)
def test_measurements_are_refused_where_scikit_learn_refuses_them(labels):
    classes = read_labels(labels).classes
    if type_of_target(np.array(labels)).startswith("continuous"):
        with pytest.raises(
            DataError, match=r"^Unknown label type: continuous\. The label .* is a measurement"
        ) as caught:
            refuse_measurements(classes)
        assert "accepted: text, booleans and whole numbers" in str(caught.value)
        with pytest.raises(DataError):
            refuse_measurements(classes.astype(object))
    else:
        refuse_measurements(classes)


def test_files_and_their_labels_are_read_without_narwhals(tmp_path):
    """Loading it takes time, and only frames of other libraries need it."""
    pl.DataFrame({"a": [1, 2], "y": ["p", "q"]}).write_csv(tmp_path / "t.csv")
    pl.DataFrame({"a": [1, 2], "y": ["p", "q"]}).write_parquet(tmp_path / "t.parquet")
    code = (
        "import sys\n"
        "from unless.table.formats import read_file\n"
        "from unless.table.labels import read_labels\n"
        "for path in sys.argv[1:]:\n"
        "    table, _ = read_file(path)\n"
        "    assert read_labels(table.column('y')).classes.tolist() == ['p', 'q']\n"
        "    assert table.column('a').n_rows == 2\n"
        "assert 'narwhals' not in sys.modules\n"
    )
    paths = [str(tmp_path / "t.csv"), str(tmp_path / "t.parquet")]
    subprocess.run([sys.executable, "-c", code, *paths], check=True)


def test_blanks_around_labels_go_in_files_and_stay_in_series():
    """Whoever gives a series compares predictions with it; the labels of a file are compared by the command."""
    column = RawColumn("y", text=pl.Series(["a ", "a", "b"]))
    assert read_labels(column).classes.tolist() == ["a", "b"]
    assert read_label_texts(column) == ["a", "a", "b"]
    words = ["a ", "a", "b"]
    for series in (pl.Series(words), pd.Series(words), words, np.array(words), np.array(words, dtype=object)):
        assert read_labels(series).classes.tolist() == ["a", "a ", "b"]
    with pytest.raises(DataError, match="no label in 1 row"):
        read_labels(pl.Series(["a ", " "]))


@pytest.mark.parametrize(
    "labels",
    [
        (dt.date(2020, 1, 1), dt.date(2021, 1, 1)),
        (dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1)),
        (b"a", b"b"),
        ((1, 2), (3, 4)),
        (np.datetime64("2020-01-01"), np.datetime64("2021-01-01")),
    ],
    ids=lambda labels: type(labels[0]).__name__,
)
def test_labels_that_no_model_file_can_hold_are_refused(labels):
    y = np.empty(len(labels), dtype=object)
    y[:] = labels
    with pytest.raises(DataError, match=r"the label .* is of type \w+; accepted: text, booleans and whole numbers"):
        read_labels(y)


@pytest.mark.parametrize("y", [["b\ud800", "a"], np.array(["b\ud800", "a"], dtype=object)])
def test_half_a_character_is_no_label(y):
    with pytest.raises(DataError, match="half a character"):
        read_labels(y)


@pytest.mark.parametrize(
    ("labels", "types"), [([True, 0], "bool, int"), ([True, 1], "bool, int"), ([1, "1"], "int, str")]
)
def test_labels_of_several_types_are_refused(labels, types):
    """True and 0 were learned from, and no score could be asked for; True and 1 were one label."""
    with pytest.raises(DataError, match=rf"labels are of several types \({types}\)"):
        read_labels(np.array(labels, dtype=object))


def test_labels_that_numpy_keeps_as_text_or_as_objects_are_plain():
    """scikit-learn's metrics refuse both, so that `score` ended in a traceback."""
    assert read_labels(np.array(["b", "a"], dtype=np.dtypes.StringDType())).classes.dtype == object
    assert read_labels(np.array([1, 2.0], dtype=object)).classes.dtype == float
