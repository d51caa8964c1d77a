"""Cases recorded from a table: whatever the format of a column, each passes on the program that it comes from."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unless import parse
from unless.errors import DataError
from unless.evaluate.record_cases import recorded
from unless.logic.date_texts import DATES, TIMES, date_format
from unless.logic.number_texts import EXAMPLES
from unless.logic.readings import reading_format
from unless.logic.reason.case_files import read_case_data, write_case_data
from unless.logic.reason.cases import read_checks

AMOUNTS = (*EXAMPLES, "1.234,56 €", "$1,234.56", "CHF 1'234.56", "1234,56 %", "1234.56 km/h")
MOMENTS = (*DATES, *(f"{date} {time}" for date in DATES for time in TIMES if date_format(f"{date} {time}")))
MISSING = ("?", "99", "1970-01-01")


def program(reading, bound=0.0):
    read = f"%@ read a: '{reading}'\n".replace("1'2", "1''2") if reading else ""
    return parse(
        "%@ target ok: 'yes' else 'no'\n%@ numerical a\n%@ categorical b\n"
        f"{read}%@ missing {', '.join(map(repr, MISSING))}\n"
        f"ok(X,'yes') :- a(X,N0), N0 > {bound!r}, not ab1(X).\n"
        "ok(X,'yes') :- a_is(X,'soon').\n"
        "ok(X,'yes') :- b(X,'1670.19').\n"
        "ab1(X) :- b(X,'x').\n"
    )


def passed(program, table, path):
    """Record cases, read them from the file again, and count them; all must pass."""
    write_case_data(path, {"cases": recorded(program, table, per_rule=50), "properties": []})
    checks = read_checks(read_case_data(path), program)
    assert [check.name for check in checks if check.run().passed != "yes"] == []
    return len(checks)


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5_000_000).map(lambda n: n / 100)
words = st.sampled_from(
    ["soon", "", " ", "?", "99", "99.0", "1970-01-01", "1,234", "1.234", "28.11.2023", "0:30", "n/a"]
)


@st.composite
def columns(draw):
    """A reading and cells: some as the format says numbers or dates, some words, some missing."""
    reading = draw(st.sampled_from(("", *AMOUNTS, *MOMENTS, "duration")))
    if reading in ("", *AMOUNTS):
        value = numbers
    elif reading == "duration":
        value = st.timedeltas(dt.timedelta(days=-99), dt.timedelta(days=999)).map(dt.timedelta.total_seconds)
    else:
        moments = st.datetimes(dt.datetime(1, 1, 2), dt.datetime(2200, 1, 1))
        value = moments.map(lambda moment: reading_format(reading).read(moment.isoformat(" ")))
    said = value.map(reading_format(reading).say if reading else repr)
    return reading, draw(st.lists(said | words, min_size=1, max_size=8))


@given(columns(), st.sampled_from([0.0, 99.0, 19689.0]))
@example(("1.234,56 €", ["1.670,19 €", "(1.670,20)", "soon", "99", "-1.234 €"]), 1902.0)
@example(("dd.mm.yyyy", ["28.11.2023", "1.1.2020", "2020-01-01", "19130"]), 19130.0)
def test_every_case_passes(tmp_path_factory, column, bound):
    """Numbers were recorded plainly, 1670.19, which is a word in a column of 1.234,56 €."""
    reading, texts = column
    table = {"a": texts, "b": ["x" if i % 3 == 0 else "1670.19" for i in range(len(texts))]}
    passed(program(reading, bound), table, tmp_path_factory.mktemp("cases") / "cases.json")


@given(st.sampled_from(("", *AMOUNTS, *MOMENTS, "duration")), st.lists(numbers, min_size=1, max_size=6))
@example("dd.mm.yyyy", [19130.0, 19130.1234567, 1e300])
@example("", [99.0])
def test_every_case_of_a_frame_of_numbers_passes(tmp_path_factory, reading, values):
    """Numbers come without a text, and some are no date: what cannot be written is not recorded."""
    table = pl.DataFrame({"a": values, "b": ["y"] * len(values)})
    n = passed(program(reading), table, tmp_path_factory.mktemp("cases") / "cases.json")
    assert n == len({value + 0.0 for value in values}) or reading in (*MOMENTS, "duration")


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_cells_are_as_the_table_writes_them(tmp_path, suffix):
    if suffix == "yaml":
        pytest.importorskip("yaml")
    table = {"a": ["1.670,10 €", " 5 ", "soon", "?", "n/a"], "b": ["no", "08", "x", "1670.19", None]}
    cases = recorded(program("1.234,56 €"), table)
    assert [case["row"]["a"] for case in cases] == ["1.670,10 €", "5", "soon", "", "n/a"]
    assert [case["row"]["b"] for case in cases] == ["no", "08", "x", "1670.19", ""]
    assert passed(program("1.234,56 €"), table, tmp_path / f"cases.{suffix}") == len(cases)


def test_dates_of_a_frame_are_written_in_the_format():
    table = pl.DataFrame({"a": [dt.date(2023, 11, 28)], "b": ["x"]})
    assert recorded(program("dd.mm.yyyy"), table)[0]["row"]["a"] == "28.11.2023"


def test_parts_of_dates_are_recorded_too(tmp_path):
    parts = parse(
        "%@ target ok: 'yes' else 'no'\n%@ numerical m = 'start month'\n%@ categorical w = 'start weekday'\n"
        "%@ read m: 'month of start as dd.mm.yyyy'\n%@ read w: 'weekday of start as dd.mm.yyyy'\n"
        "ok(X,'yes') :- m(X,N0), N0 > 6.0, w(X,'Tuesday').\n"
    )
    assert passed(parts, {"start": ["28.11.2023", "27.11.2023", "01.01.2023", ""]}, tmp_path / "cases.json") == 4


def test_rows_that_no_text_can_say_are_left_out_and_that_is_said(caplog):
    table = pl.DataFrame({"a": [1e300, 19130.0], "b": ["y", "y"]})
    assert [case["name"] for case in recorded(program("dd.mm.yyyy"), table)] == ["row 1"]
    assert caplog.messages == [
        "column 'a' is read as dd.mm.yyyy, and holds plain numbers: they are taken as days or seconds. Give it as in "
        "training.",
        "column 'a' has numbers that cannot be written in its format; such rows are not recorded.",
    ]


def test_infinite_numbers_are_refused_as_ever():
    with pytest.raises(DataError, match="infinite"):
        recorded(program(""), {"a": ["1e400"], "b": ["x"]})
