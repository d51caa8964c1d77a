"""Parts of dates: asked for, kept in the model file, and worked out wherever the date is."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless import parse
from unless.errors import DataError
from unless.evaluate.predict import predict
from unless.learn.front import files_task, learn
from unless.learn.learners import FoldRPPSettings
from unless.logic.date_parts import DatePart, date_part
from unless.logic.date_texts import date_format
from unless.logic.holds import decide, read_row
from unless.logic.rules import Column
from unless.table.columns import cells
from unless.table.frames import raw_table
from unless.table.parts import parts_of_dates, seen_by
from unless.table.pieces import open_files

ASKED = ("year", "quarter", "month", "day", "weekday", "hour", "age@2024-02-29")
FORM = date_format("dd.mm.yyyy hh:mm")


@given(st.sampled_from(ASKED), st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(2200, 1, 1)))
def test_a_part_is_that_of_the_calendar_in_a_row_and_in_a_column(asked, moment):
    part = DatePart(asked, "start", FORM)
    assert date_part(part.text) == part
    column = Column(part.column, part.kind, reading=part.text)
    written = moment.strftime("%d.%m.") + f"{moment.year:04}" + moment.strftime(" %H:%M")
    program = parse(
        f"%@ unless 1\n%@ target y: 'a' else 'b'\n%@ {part.kind} p = '{part.column}'\n%@ read p: '{part.text}'\n"
    )
    table = seen_by(program, raw_table({"start": [written, "soon", None]}))
    read = cells(table.column(column.name), column.kind, (), column.reading)
    by_row = read_row(program, {"start": written})[part.column]
    assert read.value(0) == by_row
    assert read.value(1) is None
    assert read.value(2) is None
    if asked in ("year", "month", "day", "hour"):
        assert by_row == getattr(moment, asked)
    if asked == "weekday":
        assert by_row == moment.strftime("%A")


def test_an_age_is_in_whole_years():
    part = DatePart("age@2024-06-15", "born", date_format("yyyy-mm-dd"))
    ages = [part.of(part.form.read(day)) for day in ("2000-06-15", "2000-06-16", "2024-06-15")]
    assert ages == [24.0, 23.0, 0.0]


def test_parts_are_learned_from_and_come_with_the_date(tmp_path):
    days = [dt.date(2023, 1, 1) + dt.timedelta(days=3 * n) for n in range(60)]
    table = pl.DataFrame(
        {
            "start": [day.strftime("%d.%m.%Y") for day in days],
            "y": ["yes" if day.weekday() == 6 else "no" for day in days],
        }
    )
    table.write_csv(tmp_path / "days.csv")
    files = open_files([tmp_path / "days.csv"])
    task = files_task(files, "y", positive="yes", drop=["start"], date_parts={"start": ["weekday", "month"]})
    program = learn(task, FoldRPPSettings()).program
    assert "%@ read start_weekday: 'weekday of start as dd.mm.yyyy'" in str(program)
    assert parse(str(program)) == program
    assert predict(program, table) == table["y"].to_list()
    assert decide(program, read_row(program, {"start": "08.01.2023"})) == "yes"
    assert decide(program, read_row(program, {"start weekday": "Monday"})) == "no"


def test_what_has_no_parts_is_refused():
    table = raw_table({"start": ["2023-01-02"], "n": ["5"]})
    assert parts_of_dates(table, {"start": ["day"]}, {}) == (DatePart("day", "start", date_format("yyyy-mm-dd")),)
    with pytest.raises(DataError, match="column 'n' has no parts: its cells are not dates"):
        parts_of_dates(table, {"n": ["day"]}, {})
    with pytest.raises(DataError, match="'century' is not a part of a date; parts: year, quarter"):
        parts_of_dates(table, {"start": ["century"]}, {})
    with pytest.raises(DataError, match="not a part of a date"):
        parts_of_dates(table, {"start": ["age@2023-02-30"]}, {})
    with pytest.raises(DataError, match="column 'end' is not in the table"):
        parts_of_dates(table, {"end": ["day"]}, {})


def test_a_date_that_means_missing_has_no_parts():
    program = parse(
        "%@ unless 1\n%@ target y: 'a' else 'b'\n%@ numerical p = 'start year'\n"
        "%@ read p: 'year of start as yyyy-mm-dd'\n%@ missing '9999-12-31'\n"
    )
    table = seen_by(program, raw_table({"start": ["9999-12-31", "2023-01-02"]}))
    read = cells(table.column("start year"), "numerical")
    assert [read.value(0), read.value(1)] == [None, 2023.0]
