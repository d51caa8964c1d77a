"""One cell: the scalar reading, and its agreement with the column-wise one."""

from __future__ import annotations

import decimal
import fractions
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from strategies import TRICKY_WORDS
from unless import UnlessError
from unless.errors import DataError
from unless.logic.values import number_word, read_cell, read_number
from unless.table.columns import cells
from unless.table.frames import raw_table

NUMBERS = {
    "0": 0.0, "-0": 0.0, "08": 8.0, "8.": 8.0, ".5": 0.5, "+3": 3.0, "-3.50": -3.5, "1e5": 1e5, "1E-320": 1e-320,
    " 12 ": 12.0,
    "\t7\n": 7.0, "12345678901234567890": 12345678901234567890.0, "0.1": 0.1, "1e22": 1e22, "4.9e-324": 5e-324,
}  # fmt: skip
WORDS = ("", "a", "12 cm", "1,5", "1_000", "0x1F", "1e", "e5", ".", "-", "+", "--1",
    "nan", "NaN", "-nan", "+NaN", "١٢", "1 2", "½", "1d5", "True",
    "\x1f5", "\x1c", "\u200b5", "5\x00")  # fmt: skip


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_text_that_is_a_number(text, number):
    assert read_number(text) == number
    assert read_cell("c", "numerical", text) == number
    assert read_cell("c", "categorical", text) == text.strip()
    assert column_wise("categorical", text) == text.strip()
    assert column_wise("numerical", text) == number


@pytest.mark.parametrize("text", WORDS)
def test_text_that_is_no_number(text):
    assert read_number(text) is None
    assert read_cell("c", "numerical", text) == (text or None)
    assert column_wise("numerical", text) == (text or None)


@pytest.mark.parametrize("cell", [None, math.nan, np.nan, np.float32("nan"), pd.NA, pd.NaT, "", " ", "\t"])
def test_missing_cells(cell):
    for kind in ("numerical", "categorical"):
        assert read_cell("c", kind, cell) is None
        assert column_wise(kind, cell) is None


@pytest.mark.parametrize(
    ("cell", "number", "word"),
    [
        (8, 8.0, "8"),
        (8.0, 8.0, "8"),
        (-0.0, 0.0, "0"),
        (0.1, 0.1, "0.1"),
        (1e22, 1e22, "1e+22"),
        (np.int8(3), 3.0, "3"),
        (np.float32(0.5), 0.5, "0.5"),
        (decimal.Decimal("2.5"), 2.5, "2.5"),
        (fractions.Fraction(1, 2), 0.5, "0.5"),
        (True, "True", "True"),
        (np.bool_(False), "False", "False"),
    ],
)
def test_cells_that_are_not_text(cell, number, word):
    for kind, expected in (("numerical", number), ("categorical", word)):
        assert read_cell("c", kind, cell) == expected
        assert column_wise(kind, cell) == expected


@pytest.mark.parametrize("cell", [math.inf, -math.inf, "1e999"])
def test_infinite_numbers_are_refused(cell):
    for read in (lambda: read_cell("c", "numerical", cell), lambda: column_wise("numerical", cell)):
        with pytest.raises(DataError, match="column 'c' holds an infinite number"):
            read()


@pytest.mark.parametrize("cell", [[1], {"a": 1}, object(), 1j, b"a", (1, 2)])
def test_other_things_are_refused(cell):
    for read in (lambda: read_cell("c", "numerical", cell), lambda: column_wise("numerical", cell)):
        with pytest.raises(DataError, match="column 'c' holds a "):
            read()


def test_missing_words_are_missing():
    for kind in ("numerical", "categorical"):
        assert read_cell("c", kind, "?", ("?",)) is None
        assert column_wise(kind, "?", ("?",)) is None
        for text, word in ((" ? ", "?"), ("? ", "? "), ("\t-1", "-1")):
            assert read_cell("c", kind, text, (word,)) is None
            assert column_wise(kind, text, (word,)) is None
        # What is typed is taken as typed, and not made longer or louder.
        for word in ("NA", " NA ", "n/a"):
            assert read_cell("c", kind, word, ("na", "N/A")) == word.strip()
            assert column_wise(kind, word, ("na", "N/A")) == word.strip()


@pytest.mark.parametrize("kind", ["numerical", "categorical"])
@pytest.mark.parametrize("cell", [-999, -999.0, np.int16(-999), np.float32(-999), "-999", " -999 "])
def test_numbers_that_mean_missing_are_missing_however_a_cell_holds_them(cell, kind):
    """A frame holds -999 as a number, a CSV file as text: only the text was missing, so one row had two answers."""
    assert read_cell("c", kind, cell, ("?", "-999")) is None
    assert column_wise(kind, cell, ("?", "-999")) is None
    for other in (-998, "-9990", 999.0):
        assert read_cell("c", kind, other, ("-999",)) == column_wise(kind, other, ("-999",)) is not None


@pytest.mark.parametrize(("text", "missing"), [("-999.00", "-999"), ("-9.99e2", "-999"), ("-999", "-999.0")])
def test_numbers_that_mean_missing_are_one_number_however_written(text, missing):
    """In a column of words they are different words, as '08' and '8' are."""
    assert read_cell("c", "numerical", text, (missing,)) is None
    assert column_wise("numerical", text, (missing,)) is None
    assert read_cell("c", "categorical", text, (missing,)) == column_wise("categorical", text, (missing,)) == text


@pytest.mark.parametrize("number", [0.0, 1.0, -1.0, 0.1, 1e15, 2.0**53, 1e16, 1e22, 1e-320, 1 / 3])
def test_number_word_reads_back(number):
    assert float(number_word(number)) == number


def column_wise(kind, cell, missing=()):
    """Read one cell through the column-wise path, among others so that the column has numbers and text."""
    raw = raw_table([{"c": cell}, {"c": "other"}, {"c": 5.0}]).columns["c"]
    return cells(raw, kind, missing).value(0)


def outcome(read):
    try:
        return read()
    except UnlessError:
        return "refused"


number_like = st.text(alphabet="0123456789+-.eE _infatyINF\t\x1f\xa0\u2003١", max_size=8)
any_cell = (
    number_like
    | st.text(max_size=5)
    | st.sampled_from(TRICKY_WORDS)
    | st.floats()
    | st.integers(-(2**70), 2**70)
    | st.booleans()
    | st.none()
    | st.floats(width=32).map(np.float32)
    | st.integers(-128, 127).map(np.int8)
)


@given(any_cell, st.sampled_from(["numerical", "categorical"]), st.sampled_from([(), ("?",), ("NA", "-5", "8", "\\")]))
@settings(max_examples=400)
@example("\x1f5", "numerical", ())
@example("\x1c", "categorical", ())
@example("\u200b", "categorical", ())
@example(-5, "categorical", ("NA", "-5", "8", "\\"))
@example("8.0", "numerical", ("NA", "-5", "8", "\\"))
def test_scalar_and_column_wise_reading_agree(cell, kind, missing):
    one = outcome(lambda: read_cell("c", kind, cell, missing))
    assert one == outcome(lambda: column_wise(kind, cell, missing))
    assert isinstance(one, float | str | None)


@given(
    st.lists(number_like | st.text(max_size=4), min_size=1, max_size=30), st.sampled_from(["numerical", "categorical"])
)
def test_text_columns_agree_with_the_scalar_reading(texts, kind):
    raw = raw_table({"c": texts}).columns["c"]

    def whole():
        column = cells(raw, kind)
        return [column.value(row) for row in range(len(texts))]

    assert outcome(whole) == outcome(lambda: [read_cell("c", kind, text) for text in texts])


@given(
    st.lists(st.none() | st.floats(allow_infinity=False) | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20)
)
def test_numbers_as_words_do_not_depend_on_the_neighbours(values):
    """8 and 8.0 are one word: a missing value elsewhere turns integers into floats."""
    column = cells(raw_table({"c": values}).columns["c"], "categorical")
    assert [column.value(row) for row in range(len(values))] == [read_cell("c", "categorical", v) for v in values]


@pytest.mark.parametrize("dtype", ["int64", "Int64", "float64", "int64[pyarrow]"])
def test_whole_numbers_give_one_word_in_every_dtype(dtype):
    series = pd.Series([2**53 + 1, 8, -3], dtype="int64").astype(dtype)
    column = cells(raw_table(pd.DataFrame({"c": series})).columns["c"], "categorical")
    assert [column.value(row) for row in range(3)] == [
        read_cell("c", "categorical", series.iloc[row]) for row in range(3)
    ]


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "+INF", "nan"])
def test_words_for_no_number_are_words(cell):
    assert read_cell("a", "numerical", cell) == cell
