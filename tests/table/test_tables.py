"""Any table goes in: every kind of frame and dtype gives the same cells, and bad tables one clear sentence."""

from __future__ import annotations

import datetime as dt
import decimal
import logging

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

from strategies import tables
from unless import FoldRPPClassifier
from unless.errors import DataError
from unless.table.columns import RawColumn, cells
from unless.table.frames import raw_table
from unless.table.kind_choice import override, rule_from_choice
from unless.table.kinds import kinds_from_content, kinds_from_dtype, read_columns
from unless.table.labels import read_labels


def test_words_are_coded_alike_however_many_there_are(monkeypatch):
    words = ["b", None, "a", " ", "?", "b", "é", "a"]
    expected = [1, -1, 0, -1, -1, 1, 2, 0]
    frames = [pl.DataFrame({"c": words}), pd.DataFrame({"c": words}), pd.DataFrame({"c": words}, dtype="category")]
    frames.append(frames[-1].iloc[:].assign(c=lambda frame: frame.c.cat.add_categories("never")))
    for few in (0, 1000):
        monkeypatch.setattr("unless.table.columns.FEW", few)
        for frame in frames:
            found = cells(raw_table(frame).columns["c"], "categorical", ["?"]).words
            assert found.codes.tolist() == expected
            assert found.lexicon == ("a", "b", "é")


def test_words_that_mean_missing_have_no_say_in_the_kind(caplog):
    table = raw_table(pl.DataFrame({"c": ["?", "?", "?", "1.5", "2"], "d": ["a", "-", "-", "-", "b"]}))
    with caplog.at_level(logging.WARNING):
        assert kinds_from_content(table, ["?", "-"]) == {"c": "numerical", "d": "categorical"}
    assert caplog.text == ""
    assert kinds_from_content(table)["c"] == "categorical"


def read(data, kind=None):
    """Return (kind, values) of column `c`, of the kind its dtype suggests unless told."""
    table = raw_table(data)
    kind = kind or kinds_from_dtype(table)["c"]
    column = cells(table.columns["c"], kind)
    return kind, [column.value(row) for row in range(table.n_rows)]


def arrow_backed(values, kind):
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


WORDS = ["a", "08", None, "b"]
NUMBERS = [1.0, 2.5, None, -3.0]
WHOLE = [1, 2, None, -3]
FLAGS = [True, False, None, True]

PANDAS = {
    "object words": (pd.Series(WORDS, dtype=object), "categorical", WORDS),
    "string words": (pd.Series(WORDS, dtype="string"), "categorical", WORDS),
    "str words": (pd.Series(["a", "08", np.nan, "b"]), "categorical", WORDS),
    "python string words": (pd.Series(WORDS, dtype=pd.StringDtype("python")), "categorical", WORDS),
    "category of words": (pd.Series(WORDS, dtype="category"), "categorical", WORDS),
    "category with unused": (pd.Categorical(WORDS, categories=["z", "b", "a", "08"]), "categorical", WORDS),
    "ordered category": (pd.Categorical(WORDS, categories=["08", "b", "a"], ordered=True), "categorical", WORDS),
    "category of ints": (pd.Series([1, 2, None, 1], dtype="category"), "categorical", ["1", "2", None, "1"]),
    "category of floats": (pd.Series([1.5, 2, None, 1.5], dtype="category"), "categorical", ["1.5", "2", None, "1.5"]),
    "category of bools": (
        pd.Series([True, False, None, True], dtype="category"),
        "categorical",
        ["True", "False", None, "True"],
    ),
    "bool": (pd.Series([True, False, True, True]), "categorical", ["True", "False", "True", "True"]),
    "object bools": (pd.Series(FLAGS, dtype=object), "categorical", ["True", "False", None, "True"]),
    "boolean": (pd.Series(FLAGS, dtype="boolean"), "categorical", ["True", "False", None, "True"]),
    "float64": (pd.Series([1.0, 2.5, np.nan, -3.0]), "numerical", NUMBERS),
    "float32": (pd.Series([1.0, 2.5, np.nan, -3.0], dtype="float32"), "numerical", NUMBERS),
    "Float64": (pd.Series(NUMBERS, dtype="Float64"), "numerical", NUMBERS),
    "Int64": (pd.Series(WHOLE, dtype="Int64"), "numerical", [1.0, 2.0, None, -3.0]),
    "int8": (pd.Series([1, 2, 3, -3], dtype="int8"), "numerical", [1.0, 2.0, 3.0, -3.0]),
    "uint64": (pd.Series([1, 2, 3, 4], dtype="uint64"), "numerical", [1.0, 2.0, 3.0, 4.0]),
    "object numbers": (pd.Series([1, 2.5, None, -3], dtype=object), "numerical", NUMBERS),
    "object mixed": (pd.Series([1, 2.5, None, "a"], dtype=object), "numerical", [1.0, 2.5, None, "a"]),
    "object mostly words": (pd.Series([1, "b", None, "a"], dtype=object), "categorical", ["1", "b", None, "a"]),
    "object with NA": (pd.Series([pd.NA, "b", pd.NaT, "a"], dtype=object), "categorical", [None, "b", None, "a"]),
    "object decimals": (
        pd.Series([decimal.Decimal("2.5"), 1, None, -3], dtype=object),
        "numerical",
        [2.5, 1.0, None, -3.0],
    ),
    "arrow string": (arrow_backed(WORDS, pa.string()), "categorical", WORDS),
    "arrow large string": (arrow_backed(WORDS, pa.large_string()), "categorical", WORDS),
    "arrow int": (arrow_backed(WHOLE, pa.int64()), "numerical", [1.0, 2.0, None, -3.0]),
    "arrow double": (arrow_backed(NUMBERS, pa.float64()), "numerical", NUMBERS),
    "arrow bool": (arrow_backed(FLAGS, pa.bool_()), "categorical", ["True", "False", None, "True"]),
    "arrow dictionary": (
        arrow_backed(WORDS, pa.dictionary(pa.int32(), pa.string())),
        "categorical",
        WORDS,
    ),
    "all missing objects": (pd.Series([None, None], dtype=object), "categorical", [None, None]),
    "sparse": (pd.Series(pd.arrays.SparseArray([1.0, 0.0, 0.0, 2.0])), "numerical", [1.0, 0.0, 0.0, 2.0]),
}


@pytest.mark.parametrize("case", PANDAS)
def test_pandas_dtypes(case):
    column, kind, values = PANDAS[case]
    assert read(pd.DataFrame({"c": column})) == (kind, values)


POLARS = {
    "String": (pl.Series(WORDS), "categorical", WORDS),
    "Categorical": (pl.Series(WORDS, dtype=pl.Categorical), "categorical", WORDS),
    "Enum": (pl.Series(WORDS, dtype=pl.Enum(["b", "z", "a", "08"])), "categorical", WORDS),
    "Boolean": (pl.Series(FLAGS), "categorical", ["True", "False", None, "True"]),
    "Int8": (pl.Series(WHOLE, dtype=pl.Int8), "numerical", [1.0, 2.0, None, -3.0]),
    "Int64": (pl.Series(WHOLE), "numerical", [1.0, 2.0, None, -3.0]),
    "UInt16": (pl.Series([1, None], dtype=pl.UInt16), "numerical", [1.0, None]),
    "Float32": (pl.Series([1.0, None, 2.5], dtype=pl.Float32), "numerical", [1.0, None, 2.5]),
    "Float64 with NaN": (pl.Series([1.0, None, float("nan")]), "numerical", [1.0, None, None]),
    "Decimal": (pl.Series([decimal.Decimal("2.5"), None]), "numerical", [2.5, None]),
    "Null": (pl.Series([None, None]), "numerical", [None, None]),
    "Object": (pl.Series([1, "a", 2.5], dtype=pl.Object), "numerical", [1.0, "a", 2.5]),
}


@pytest.mark.parametrize("case", POLARS)
def test_polars_dtypes(case):
    column, kind, values = POLARS[case]
    assert read(pl.DataFrame({"c": column})) == (kind, values)
    assert read(pl.DataFrame({"c": column}).lazy()) == (kind, values)


PYARROW = {
    "string": (pa.array(WORDS), "categorical", WORDS),
    "large string": (pa.array(WORDS, pa.large_string()), "categorical", WORDS),
    "dictionary": (pa.array(WORDS).dictionary_encode(), "categorical", WORDS),
    "chunks": (pa.chunked_array([WORDS[:2], WORDS[2:]]), "categorical", WORDS),
    "bool": (pa.array(FLAGS), "categorical", ["True", "False", None, "True"]),
    "int32": (pa.array(WHOLE, pa.int32()), "numerical", [1.0, 2.0, None, -3.0]),
    "double": (pa.array(NUMBERS), "numerical", NUMBERS),
    "null": (pa.nulls(2), "numerical", [None, None]),
    "decimal": (pa.array([decimal.Decimal("2.5"), None]), "numerical", [2.5, None]),
}


@pytest.mark.parametrize("case", PYARROW)
def test_pyarrow_types(case):
    column, kind, values = PYARROW[case]
    assert read(pa.table({"c": column})) == (kind, values)


NUMPY = {
    "float": (np.array([[1.0], [np.nan]]), "numerical", [1.0, None]),
    "float16": (np.array([[1.0], [0.5]], dtype=np.float16), "numerical", [1.0, 0.5]),
    "int": (np.array([[1], [2]]), "numerical", [1.0, 2.0]),
    "uint8": (np.array([[1], [200]], dtype=np.uint8), "numerical", [1.0, 200.0]),
    "bool": (np.array([[True], [False]]), "categorical", ["True", "False"]),
    "text": (np.array([["08"], ["b"]]), "categorical", ["08", "b"]),
    "object": (np.array([["a"], [1], [None], [2.5]], dtype=object), "numerical", ["a", 1.0, None, 2.5]),
    "big endian": (np.array([[1.0], [2.0]], dtype=">f8"), "numerical", [1.0, 2.0]),
    "fortran order": (np.asfortranarray([[1.0, 9.0], [2.0, 9.0]]), "numerical", [1.0, 2.0]),
}


@pytest.mark.parametrize("case", NUMPY)
def test_numpy_arrays(case):
    array, kind, values = NUMPY[case]
    table = raw_table(array)
    assert table.names[0] == "x0"
    assert read(pl.DataFrame({"c": [1]}))[0] == "numerical"
    assert kinds_from_dtype(table)["x0"] == kind
    column = cells(table.columns["x0"], kind)
    assert [column.value(row) for row in range(table.n_rows)] == values


def test_structured_array_has_names():
    array = np.array([(1.0, "a"), (2.0, "b")], dtype=[("n", "f8"), ("w", "U3")])
    assert raw_table(array).names == ("n", "w")


def test_list_of_dicts_with_different_keys():
    table = raw_table([{"a": 1}, {"b": "x"}, {}, {"b": None, "a": 2}])
    assert table.names == ("a", "b")
    assert [cells(table.columns["a"], "numerical").value(row) for row in range(4)] == [1.0, None, None, 2.0]
    assert [cells(table.columns["b"], "categorical").value(row) for row in range(4)] == [None, "x", None, None]


def test_list_of_lists_and_dict_of_lists():
    assert raw_table([[1, "a"], [2, "b"]]).names == ("x0", "x1")
    assert raw_table({"n": [1, 2], "w": ["a", "b"]}).names == ("n", "w")


def test_text_that_looks_like_a_number_stays_text():
    table = raw_table(pl.DataFrame({"c": ["08", "8", "8.0"]}))
    column = cells(table.columns["c"], "categorical")
    assert [column.value(row) for row in range(3)] == ["08", "8", "8.0"]
    assert kinds_from_dtype(table) == {"c": "categorical"}
    assert kinds_from_content(table) == {"c": "categorical"}  # written like a code


@given(tables())
def test_list_of_dicts_gives_back_its_values(table):
    raw = raw_table(table.rows)
    for name, kind in table.kinds.items():
        column = cells(raw.columns[name], kind)
        assert [column.value(row) for row in range(raw.n_rows)] == [row[name] for row in table.rows]


def test_whole_numbers_as_column_names():
    """A pandas frame made from an array has the names 0, 1, ...; they were taken for row numbers."""
    frame = pd.DataFrame([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]])
    table = raw_table(frame)
    assert table.names == ("0", "1")
    assert cells(table.columns["1"], "numerical").numbers.tolist() == [5.0, 6.0, 7.0]


# Kinds.


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2", "3"], "numerical"),
        (["1", "2", "x"], "numerical"),
        (["1", "x", "y"], "categorical"),
        (["1", "x"], "categorical"),
        (["01", "02", "12"], "categorical"),
        (["-07", "1", "2"], "categorical"),
        (["0.5", "0", "1"], "numerical"),
        (["1", None, None], "numerical"),
        ([None, None], "categorical"),
        ([" 1 ", "2"], "numerical"),
        (["1e5", "2"], "numerical"),
        (["", "1", "2"], "numerical"),
    ],
)
def test_kinds_from_content(texts, kind):
    assert kinds_from_content(raw_table(pl.DataFrame({"c": texts}, schema={"c": pl.String}))) == {"c": kind}


def test_blank_cells_do_not_vote_on_the_kind():
    """Blank text counted as words: a column of numbers with many blank cells became categorical."""
    assert kinds_from_content(raw_table({"c": ["1", "2", " ", "", "\t"]})) == {"c": "numerical"}


def test_text_of_numbers_is_said(caplog):
    with caplog.at_level(logging.WARNING, "unless"):
        kinds_from_dtype(raw_table(pl.DataFrame({"c": ["1", "2", "x"]})))
        kinds_from_content(raw_table(pl.DataFrame({"m": ["1", "2", "x"], "z": ["01", "2", "3"]})))
    said = [record.getMessage() for record in caplog.records]
    assert "'c' is text, but most of its values are numbers" in said[0]
    assert "'m' holds numbers and words ('x'): it is taken as numerical (mixed)" in said[1]
    assert "'z' is written like a code" in said[2]


def kinds_as_chosen(table, choice):
    rule = rule_from_choice(table.names, choice)
    return {name: column.kind for name, column in read_columns(table, rule).items()}


def test_kinds_from_choice():
    table = raw_table({"a": [1], "b": [2]})
    both = {"a": "categorical", "b": "numerical"}
    for choice in (["a"], [0], [True, False], np.array([True, False]), np.array([0]), np.array(["a"])):
        assert kinds_as_chosen(table, choice) == both
    assert set(kinds_as_chosen(table, None).values()) == {"numerical"}
    assert kinds_as_chosen(table, []) == kinds_as_chosen(table, None)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (["aeg"], "column 'aeg' is not in the table; columns: age, sex. Did you mean 'age'?"),
        ([5], "categorical_features names column 5 of a table with 2 columns."),
        ([-3], "categorical_features names column -3 of a table with 2 columns."),
        ([True], "a mask of 1 for 2 columns"),
        ("all", "accepted: 'from_dtype', None, or a list of columns"),
    ],
)
def test_wrong_choices_are_refused(choice, message):
    with pytest.raises(DataError) as caught:
        kinds_as_chosen(raw_table({"age": [1], "sex": ["f"]}), choice)
    assert message in str(caught.value)


def test_a_column_is_of_one_kind():
    with pytest.raises(DataError, match="'a' is named both categorical and numerical"):
        override({"a": "numerical"}, ["a"], ["a"])
    with pytest.raises(DataError, match="column 'b' is not in the table"):
        override({"a": "numerical"}, ["b"], [])


# Bad tables: one clear sentence.

NOW = dt.datetime(2020, 1, 2)
BAD = {
    "pandas periods": (pd.DataFrame({"c": pd.period_range("2020", periods=1, freq="M")}), "column 'c' holds"),
    "dates and words": ([{"c": NOW}, {"c": "soon"}], "column 'c' holds a date or time"),
    "words and dates": ([{"c": "soon"}, {"c": NOW}], "column 'c' holds a date or time"),
    "polars lists": (pl.DataFrame({"c": [[1, 2]]}), "column 'c' is nested (List(Int64))"),
    "polars structs": (pl.DataFrame({"c": [{"a": 1}]}), "column 'c' is nested (Struct"),
    "nested dicts": ([{"c": 1}, {"c": {"a": 1}}], "column 'c' holds a dict at row 1"),
    "bytes": ([{"c": b"a"}], "column 'c' holds a bytes at row 0"),
    "polars binary": (pl.DataFrame({"c": [b"a"]}), "column 'c' holds a bytes at row 0"),
    "complex": (np.array([[1j]]), "column 'x0' holds complex numbers"),
    "pandas complex": (pd.DataFrame({"c": [1j]}), "column 'c' holds complex numbers"),
    "one dimension": (np.array([1.0, 2.0]), "the array has 1 dimension(s)"),
    "three dimensions": (np.zeros((1, 1, 1)), "the array has 3 dimension(s)"),
    "pandas twice": (pd.DataFrame([[1, 2]], columns=["c", "c"]), "two columns are called 'c'"),
    "pandas 1 and '1'": (pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns are called '1'"),
    "pyarrow twice": (pa.table([[1], [2]], names=["c", "c"]), "two columns are called 'c'"),
    "unequal lists": ({"a": [1], "b": [1, 2]}, "columns differ in length: a has 1, b has 2"),
    "ragged rows": ([[1, 2], [1]], "a list is a table when each row is a dict, or a list of the same length"),
    "list of numbers": ([1, 2], "row 0 is a int; a list is a table when"),
    "text": ("table.csv", "cannot read a table from str"),
    "number": (5, "cannot read a table from int"),
    "nothing": (None, "cannot read a table from NoneType"),
    "series": (pd.Series([1, 2]), "the array has 1 dimension(s)"),
    "dict of numbers": ({"a": 1}, "column 'a' is a int; a dict is a table when each value is a list"),
    "dict of text": ({"a": "xy"}, "column 'a' is a str; a dict is a table when each value is a list"),
    "mixed list": ([{"a": 1}, [2]], "a list is a table when each row is a dict"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_refused(case):
    data, message = BAD[case]
    with pytest.raises(DataError) as caught:
        list(raw_table(data).columns.values())  # columns are converted when they are asked for
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
def test_infinite_values_are_refused(infinite):
    for data in (np.array([[1.0], [infinite]]), [{"x0": 1}, {"x0": infinite}], pd.DataFrame({"x0": [1, infinite]})):
        with pytest.raises(
            DataError, match=r"column 'x0' holds an infinite number, -?inf, at row 1; numbers must be finite"
        ):
            FoldRPPClassifier().fit(data, ["a", "b"])


def test_the_word_inf_is_a_word_in_tables_of_any_length():
    """Few texts are read one by one, many by polars, which takes inf for a number: large tables were refused."""
    for n_rows in (10, 3000):
        texts = ["inf", "-Infinity", "7", "1e3"] * n_rows
        read = cells(RawColumn("x", text=pl.Series(texts)), "numerical")
        assert read.words is not None
        assert set(read.words.lexicon) == {"inf", "-Infinity"}
        assert np.nansum(read.numbers) == 1007 * n_rows
        with pytest.raises(DataError, match="infinite number"):
            cells(RawColumn("x", text=pl.Series([*texts, "1e400"])), "numerical")


@pytest.mark.parametrize(
    "make", [lambda x: pd.Series(x, dtype="category"), lambda x: pl.Series(map(str, x), dtype=pl.Categorical)]
)
def test_numbers_that_a_frame_calls_categories_are_words_without_a_warning(make, caplog):
    """It was said that they are text and look like numbers, and how to have them read: their owner had just said no."""
    frame = {"c": make([1, 2, 1, 3])}
    frame = pd.DataFrame(frame) if isinstance(frame["c"], pd.Series) else pl.DataFrame(frame)
    assert kinds_from_dtype(raw_table(frame)) == {"c": "categorical"}
    assert not caplog.records


NO_LABEL = (
    "column 'label' has no label in 1 row, the first is row 1; every row needs a label. Hint: leave such rows out."
)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([], [], "0 sample(s)"),
        (pd.DataFrame({"a": []}), [], "0 sample(s)"),
        (pd.DataFrame(index=[0, 1]), [0, 1], "0 feature(s)"),
        ([{"a": 1}, {"a": 2}], ["x", "x"], "only one class is present: all labels are 'x'"),
        ([{"a": 1}, {"a": 2}], ["x", None], NO_LABEL),
        ([{"a": 1}, {"a": 2}], [1.0, np.nan], NO_LABEL),
        ([{"a": 1}, {"a": 2}], pd.Series(["x", pd.NA], dtype="string"), NO_LABEL),
        ([{"a": 1}, {"a": 2}], pl.Series([True, None]), NO_LABEL),
        ([{"a": 1}, {"a": 2}], pl.Series([1, None]), NO_LABEL),
        ([{"a": 1}, {"a": 2}], pd.Series([1, pd.NA], dtype="Int64"), NO_LABEL),
        ([{"a": 1}, {"a": 2}], np.array(["x", 1], dtype=object), "labels are of several types (int, str)"),
        ([{"a": 1}, {"a": 2}], ["x"], "the table has 2 rows and there are 1 labels"),
    ],
)
def test_bad_training_tables_are_refused(X, y, message):
    with pytest.raises(DataError) as caught:
        FoldRPPClassifier().fit(X, y)
    assert message in str(caught.value)


# Labels.


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", "a"], ["a", "b"]),
        (np.array(["b", "a"]), ["a", "b"]),
        (np.array(["b", "a"], dtype=object), ["a", "b"]),
        (pd.Series(["b", "a"], dtype="category"), ["a", "b"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["a", "b"]),
        (pa.chunked_array([["b", "a"]]), ["a", "b"]),
        ([True, False], [False, True]),
        (pd.Series([True, False], dtype="boolean"), [False, True]),
        (pl.Series([True, False]), [False, True]),
        ([1, 0], [0, 1]),
        (pd.Series([1, 0], dtype="Int64"), [0, 1]),
        (np.array([2.0, 1.0]), [1.0, 2.0]),
        (pd.Series([1, 0], dtype="category"), [0, 1]),
        (pd.Series([True, False], dtype="category"), [False, True]),
    ],
)
def test_labels_keep_their_type(y, classes):
    found = read_labels(y).classes.tolist()
    assert found == classes
    assert [type(label) for label in found] == [type(label) for label in classes]
    model = FoldRPPClassifier(positive=classes[1]).fit([{"a": 1.0}, {"a": 2.0}], y)
    assert model.classes_.tolist() == classes
    assert model.predict([{"a": 1.0}, {"a": 2.0}]).tolist() == list(np.asarray(y).tolist())


@pytest.mark.parametrize(
    "table",
    [
        [{"town": "Ro\ud800me"}],
        [{"to\ud800wn": "Rome"}],
        {"town": ["Ro\ud800me"]},
        np.array([["Ro\ud800me"]]),
        np.array([["Ro\ud800me"]], dtype=object),
    ],
    ids=["records", "name", "dict", "text array", "objects"],
)
def test_half_a_character_is_refused_in_a_sentence(table):
    with pytest.raises(DataError, match="half a character"):
        raw_table(table)
