"""What NumPy and frames hold beyond numbers and words: masks, reversed views, arrays in cells, zones, dates."""

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from unless import FoldRPPClassifier, UnlessClassifier
from unless.errors import DataError
from unless.table import pandas_columns
from unless.table.columns import cells
from unless.table.frames import raw_column, raw_table

LABELS = ["no"] * 50 + ["yes"] * 50


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        (np.arange(3.0), [0.0, None, 2.0]),
        (np.arange(3), [0.0, None, 2.0]),
        (np.array(["a", "b", "c"]), ["a", None, "c"]),
        (np.array([True, False, True]), ["True", None, "True"]),
        (np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "M8[ns]"), [18262.0, None, 18264.0]),
    ],
    ids=["floats", "whole", "words", "flags", "dates"],
)
def test_masked_cells_are_missing(values, missing):
    """A mask was passed over: rules were learned from what it hides."""
    masked = np.ma.masked_array(values, mask=[False, True, False])
    for table in (masked.reshape(-1, 1), {"x0": masked}):
        column = raw_table(table).columns["x0"]
        read = cells(column, "categorical" if column.text is not None else "numerical", reading=column.reading)
        assert [read.value(row) for row in range(3)] == missing


def test_masked_labels_are_none():
    """They were the labels that the mask hides."""
    labels = np.ma.masked_array([0, 1] * 50, mask=[True] + [False] * 99)
    with pytest.raises(DataError, match="has no label in 1 row"):
        UnlessClassifier().fit(np.arange(100.0).reshape(-1, 1), labels)
    unmasked = np.ma.masked_array([0, 1] * 50)
    assert FoldRPPClassifier().fit(np.arange(100.0).reshape(-1, 1), unmasked).classes_.tolist() == [0, 1]


def test_a_reversed_column_of_objects_is_not_read_by_address(monkeypatch):
    """Its memory was read from its end on, which is not its own."""
    column = pd.Series(["a", "b", "b"] * 1000, dtype=object)
    monkeypatch.delattr(pandas_columns, "ctypes")
    read = pandas_columns.from_pandas("w", column[::-1])
    assert read.text.to_list() == column[::-1].tolist()


def test_arrays_in_cells_are_refused():
    """A structured array whose field has several numbers ended in a traceback."""
    table = np.zeros(4, dtype=[("a", "i4", (2,)), ("b", "i4")])
    with pytest.raises(DataError, match="column 'a' is an array of 2 dimensions; a cell is a number or a word"):
        raw_table(table)


def test_moments_of_several_zones_are_read_in_utc():
    """Objects of two zones in a column ended in a traceback."""
    noon = dt.datetime(2020, 1, 1, 12)
    values = [noon.replace(tzinfo=dt.UTC), None, noon.replace(tzinfo=ZoneInfo("Asia/Tokyo"))]
    assert raw_column("t", values).numbers.to_list() == [1577880000.0, None, 1577847600.0]
    with pytest.raises(DataError, match="moments with a time zone and moments without"):
        raw_column("t", [noon, *values])


def test_a_signaling_nan_is_refused():
    """It ended in a traceback."""
    with pytest.raises(DataError, match="signaling NaN"):
        raw_column("d", [Decimal("sNaN"), Decimal(1)])


def test_a_table_without_columns_has_its_rows():
    """It was said to have none."""
    with pytest.raises(DataError, match=r"shape=\(100, 0\)"):
        UnlessClassifier().fit(np.zeros((100, 0)), LABELS)


DAYS = pd.Series(pd.date_range("2020-01-01", periods=100))
HOURS = pd.Series(pd.to_timedelta(np.arange(100), unit="h"))
COUNTS = pd.Series(np.arange(100.0))


@pytest.mark.parametrize(
    ("fitted", "given", "problem"),
    [
        (COUNTS, DAYS, "read as 1234.56, and holds dates: they are taken as days or seconds since 1970"),
        (COUNTS, HOURS, "read as 1234.56, and holds times or durations: they are taken as seconds"),
        (DAYS, COUNTS, "read as yyyy-mm-dd, and holds plain numbers"),
        (DAYS, HOURS, "read as yyyy-mm-dd, and holds times or durations"),
        (HOURS, DAYS, "read as duration, and holds dates"),
    ],
)
def test_dates_for_numbers_are_said(fitted, given, problem, recwarn):
    """Each row got the same label, without a word."""
    model = FoldRPPClassifier(identifiers="keep").fit(fitted.to_frame("c"), LABELS)
    model.predict(fitted.to_frame("c"))
    model.predict(fitted.where(fitted.isna()).to_frame("c"))
    model.predict((DAYS + pd.Timedelta("7h")).to_frame("c")) if fitted is DAYS else None
    assert not recwarn.list
    with pytest.warns(UserWarning, match=problem):
        model.predict(given.to_frame("c"))


def test_a_dict_of_arrays_is_read_as_a_frame_of_them():
    """Its values were read one by one: dates of NumPy ended in a traceback, and categories of numbers were numbers."""
    days = np.array(["2020-01-01", "NaT"], "M8[ns]")
    columns = {"day": days, "kind": pd.Series([1, 2], dtype="category"), "object": list(days)}
    read, frame = raw_table(columns), raw_table(pd.DataFrame(columns))
    for name in columns:
        kind = "categorical" if name == "kind" else "numerical"
        values = [
            [cells(table.columns[name], kind, reading=table.columns[name].reading).value(row) for row in range(2)]
            for table in (read, frame)
        ]
        assert values[0] == values[1]
    with pytest.raises(DataError, match="column 'a' is a set"):
        raw_table({"a": {1, 2}})
