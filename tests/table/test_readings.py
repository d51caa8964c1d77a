"""Numbers and dates as offices write them: the scalar and the columnar reader agree, and columns are recognised."""

from __future__ import annotations

import datetime as dt
import logging
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unless import parse
from unless.errors import DataError, ProgramSyntaxError
from unless.evaluate.predict import predict
from unless.logic.date_texts import DATES, TIMES, date_format
from unless.logic.holds import decide, read_row
from unless.logic.number_texts import EXAMPLES, NumberFormat, number_format
from unless.logic.readings import find_format, read_column_cell, read_value, reading_format, say_number
from unless.logic.rules import Column
from unless.table.columns import RawColumn, cells
from unless.table.frames import RawTable, raw_table
from unless.table.kinds import KindRule, read_columns

READINGS = (
    *EXAMPLES, "1.234,56 €", "$1,234.56", "CHF 1'234.56", "1234,56 %", "1234.56 km/h",
    *DATES, *(f"{date} {time}" for date in DATES for time in TIMES if date_format(f"{date} {time}")), "duration",
)  # fmt: skip
PIECES = (
    "1", "12", "234", "567", "0", ".", ",", " ", "'", "-", "+", "(", ")", "€", "$", "%", "km/h", "e5", "\u2212", "\xa0",
    "/", ":", "T", "Z", "2023", "11", "28", "31", "30", "59", "60", "23", "24", " days", "d", "CHF", "0000", "9999",
    "Mai", "Mar", ". M\u00e4rz", "Dec", "20", "99",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join) | st.text(max_size=8)


def columnar(reading, text):
    found = cells(RawColumn("c", text=pl.Series([text], dtype=pl.String)), "numerical", (), reading)
    return found.value(0)


@given(st.sampled_from(READINGS), texts)
@example("1.234,56 €", "(1.234,56 €)")
@example("$1,234.56", "-$5")
@example("1234.56", "5.")
@example("1234.56", "5.e3")
@example("dd.mm.yyyy", "31.02.2023")
@example("dd.mm.yyyy", "2023-11-28 10:30")
@example("yyyy-mm-dd hh:mm", "2023-11-28T10:30:11.1234567+01:30")
@example("yyyy-mm-dd", "0000-01-01")
@example("yyyy-mm-dd", "28.11.2023")
@example("duration", "-3 days, 04:05:06.5")
@example("duration", "1d")
def test_one_cell_is_read_as_a_column_is(reading, text):
    assert columnar(reading, text) == read_column_cell(Column("c", "numerical", reading=reading), text)


@given(
    st.sampled_from([reading for reading in READINGS if number_format(reading)]),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0),
)
def test_what_is_said_of_a_number_reads_back_as_it(reading, number):
    column = Column("c", "numerical", reading=reading)
    said = say_number(column, number)
    assert read_value(column, said) == number
    assert columnar(reading, said) == number


@given(
    st.sampled_from([reading for reading in READINGS if reading[:1] in "ymd" and reading != "duration"]),
    st.datetimes(dt.datetime(1, 1, 1), dt.datetime(2200, 1, 1)),
)
def test_what_is_said_of_a_date_reads_back_as_it(reading, moment):
    form = date_format(reading)
    number = form.read(moment.isoformat(" ") if form.time else moment.date().isoformat())
    said = form.say(number)
    assert form.read(said) == number
    assert columnar(form.text, said) == number


@pytest.mark.parametrize(
    ("reading", "text", "number"),
    [
        ("1.234,56", "1.234.567,89", "1234567.89"),
        ("1.234,56", "0,1", "0.1"),
        ("1 234,56", "12 345\u202f678,9", "12345678.9"),
        ("1'234.56", "1’234.5", "1234.5"),
        ("1234,56 %", "0,80 %", "0.80"),
        ("1.234,56 €", "-1.000,30 €", "-1000.30"),
        ("1.234,56 €", "1.000,30- €", "-1000.30"),
        ("$1,234.56", "($1,234.10)", "-1234.10"),
    ],
)
def test_reading_is_exact(reading, text, number):
    assert columnar(reading, text) == float(Decimal(number))


@pytest.mark.parametrize("text", ["1,23.4", "12,3,567", "1,2345", "(5", "5)", "--5", "(-5)", "1,234 5", "0,123"])
def test_what_is_no_number_stays_a_word(text):
    assert columnar("1,234.56", text) == text


# Which reading a column gets.

RECOGNISED = {
    "3,584|950|12,000": "1,234.56",
    "22,67|1,5|0,123": "1234,56",
    "0,123|0,456": "1234,56",
    "1.000,00|22,67|3": "1.234,56",
    "1.234.567|3.584": "1.234,56",
    "0,80 %|12 %|1,5%": "1234,56 %",
    "$1,234.50|$3|-$5": "$1,234.56",
    "1 234,50 €|3 €": "1 234,56 €",
    "(12)|34|5-": "1234.56",
    "12 km|13 km|1.5 km": "1234.56 km",
    "36 months|60 months": "1234.56 months",
    "1'234.50|999": "1'234.56",
    "12.5|NA|3": "",
    "1e3|2": "",
    "2023-11-28|2023-01-02|?": "yyyy-mm-dd",
    "28.11.2023|1.2.2023": "dd.mm.yyyy",
    "11/28/2023|01/02/2023": "mm/dd/yyyy",
    "28/11/2023|01/02/2023": "dd/mm/yyyy",
    "2023-11-28 10:30|2023-11-28 11:00": "yyyy-mm-dd hh:mm",
    "2023-11-28T10:30:12|2023-11-28": "yyyy-mm-dd hh:mm:ss",
    "10:30|26:15:10": "duration",
}
WORDS = [
    "Q1|Q2|Q3", "10th|9th|11th", "60-69|50-59", "08|12|13", "192.168.1.1|10.0.0.1", "1.2.3|1.10.2|2.0",
    "0171 123 456|030 123 456", "7a|8a", "12 km|13 miles", "a|b|1,5", "31.02.2023|30.02.2023", "1 of 2|2 of 2",
]  # fmt: skip


def recognised(cells_of_column, missing=()):
    table = raw_table(pl.DataFrame({"c": cells_of_column.split("|")}))
    return read_columns(table, KindRule("content", missing=missing))["c"]


@pytest.mark.parametrize(("texts", "reading"), RECOGNISED.items())
def test_columns_are_recognised(texts, reading):
    assert recognised(texts) == Column("c", "numerical", reading=reading)


@pytest.mark.parametrize("texts", WORDS)
def test_words_stay_words(texts):
    assert recognised(texts) == Column("c", "categorical")


@pytest.mark.parametrize("texts", [*RECOGNISED, *WORDS])
def test_the_looks_at_parts_join_to_the_look_at_the_whole(texts):
    rule = KindRule("content")
    parts = [rule.look(RawColumn("c", text=pl.Series([text]))) for text in texts.split("|")]
    joined = parts[0]
    for part in parts[1:]:
        joined = joined + part
    whole = {"c": rule.look(RawColumn("c", text=pl.Series(texts.split("|"))))}
    assert rule.columns(["c"], {"c": joined}) == rule.columns(["c"], whole)


def test_an_ambiguous_column_is_said_with_the_choice(caplog):
    with caplog.at_level(logging.WARNING, "unless"):
        assert recognised("1,234|3,584").reading == "1,234.56"
        assert recognised("01/02/2023|03/04/2023").reading == "mm/dd/yyyy"
    numbers, dates = caplog.messages
    assert numbers == (
        "column 'c' is read as numbers: 1,234.56. It could also be 1234,56; say which, as in: --read c=1234,56"
    )
    assert dates.endswith("It could also be dd/mm/yyyy; say which, as in: --read c=dd/mm/yyyy")


def test_the_other_columns_say_what_a_comma_means():
    table = raw_table(pl.DataFrame({"c": ["1,234", "3,584"], "d": ["22,67", "1,5"], "e": ["3.584", "1.250"]}))
    found = read_columns(table, KindRule("content"))
    assert [column.reading for column in found.values()] == ["1234,56", "1234,56", "1.234,56"]
    points = raw_table(pl.DataFrame({"c": ["1,234", "3,584"], "d": ["22.67", "1.5"], "e": ["3.584", "1.250"]}))
    assert [column.reading for column in read_columns(points, KindRule("content")).values()] == ["1,234.56", "", ""]


def test_the_user_says_how_a_column_is_read():
    table = raw_table(pl.DataFrame({"c": ["1,234", "3,584"], "d": ["x", "7"]}))
    rule = KindRule("content", readings={"c": "1,234", "d": "1234.56"})
    assert read_columns(table, rule) == {
        "c": Column("c", "numerical", reading="1,234.56"),
        "d": Column("d", "numerical", reading="1234.56"),
    }
    with pytest.raises(DataError, match="'thousands' is not a way to read a column"):
        KindRule("content", readings={"c": "thousands"})
    with pytest.raises(DataError, match="named categorical, and to be read as"):
        KindRule("content", {"c": "categorical"}, readings={"c": "1,234"})
    with pytest.raises(DataError, match="column 'e' is not in the table"):
        KindRule("content", readings={"e": "1,234"}).columns(["c"], {})


@pytest.mark.parametrize("by", ["content", "dtype"])
def test_naming_a_column_numerical_has_its_numbers_read(by):
    table = raw_table(pl.DataFrame({"c": ["3,584", "x", "y", "z"]}))
    found = read_columns(table, KindRule(by, {"c": "numerical"}))["c"]
    assert found.kind == "numerical"
    table = raw_table(pl.DataFrame({"c": ["22,67", "1,5", "z"]}))
    assert read_columns(table, KindRule(by, {"c": "numerical"}))["c"].reading == "1234,56"


def test_text_of_a_frame_stays_words_and_says_what_it_could_be(caplog):
    table = raw_table(pl.DataFrame({"c": ["22,67", "1,5"], "d": ["2023-01-02", "2023-01-03"]}))
    with caplog.at_level(logging.WARNING, "unless"):
        assert {column.kind for column in read_columns(table, KindRule("dtype")).values()} == {"categorical"}
    assert "are numbers, written 1234,56: it is taken as words" in caplog.text
    assert "are dates, written yyyy-mm-dd: it is taken as words" in caplog.text


# Dates of frames.

NOW = dt.datetime(2023, 11, 28, 10, 30)
FRAMES = {
    "polars dates": (pl.DataFrame({"c": [NOW.date(), None]}), "yyyy-mm-dd", 19689.0),
    "polars datetimes": (pl.DataFrame({"c": [NOW, None]}), "yyyy-mm-dd hh:mm:ss", 1701167400.0),
    "polars times": (pl.DataFrame({"c": [NOW.time(), None]}), "duration", 37800.0),
    "polars durations": (pl.DataFrame({"c": [dt.timedelta(hours=1), None]}), "duration", 3600.0),
    "pandas midnights": (pd.DataFrame({"c": pd.to_datetime(["2023-11-28", None])}), "yyyy-mm-dd", 19689.0),
    "pandas zones": (
        pd.DataFrame({"c": pd.to_datetime(["2023-11-28 11:30", None]).tz_localize("Europe/Berlin")}),
        "yyyy-mm-dd hh:mm:ss",
        1701167400.0,
    ),
    "pandas durations": (pd.DataFrame({"c": pd.to_timedelta([5, None], unit="s")}), "duration", 5.0),
    "numpy days": (np.array([["2023-11-28"], ["NaT"]], dtype="M8[D]"), "yyyy-mm-dd", 19689.0),
    "numpy hours": (np.array([["2023-11-28T10"], ["NaT"]], dtype="M8[h]"), "yyyy-mm-dd hh:mm:ss", 1701165600.0),
    "dates of Python": ({"c": [NOW.date(), None]}, "yyyy-mm-dd", 19689.0),
    "moments of Python": ([{"c": NOW}, {"c": None}], "yyyy-mm-dd hh:mm:ss", 1701167400.0),
}


@pytest.mark.parametrize("name", FRAMES)
def test_dates_of_frames_are_numbers_with_a_reading(name):
    frame, reading, number = FRAMES[name]
    table = raw_table(frame)
    (column,) = read_columns(table, KindRule("dtype")).values()
    assert (column.kind, column.reading) == ("numerical", reading)
    raw = table.columns[column.name]
    read = cells(raw, "numerical", (), reading)
    assert (read.value(0), read.value(1)) == (number, None)
    assert cells(raw, "categorical").value(0) == say_number(column, number)


def test_a_frame_of_dates_fits_a_program_of_moments_and_the_reverse():
    dates, moments = (raw_table(pl.DataFrame({"c": [value]})).columns["c"] for value in (NOW.date(), NOW))
    assert cells(dates, "numerical", (), "yyyy-mm-dd hh:mm").value(0) == 19689.0 * 86400
    assert cells(moments, "numerical", (), "dd.mm.yyyy").value(0) == 19689.0 + 37800 / 86400


def test_a_row_of_dates_is_read_like_a_column():
    column = Column("c", "numerical", reading="dd.mm.yyyy")
    for cell in ("28.11.2023", " 28.11.2023 ", "2023-11-28", dt.date(2023, 11, 28), 19689):
        assert read_column_cell(column, cell) == 19689.0
    assert read_column_cell(column, "soon") == "soon"
    assert read_column_cell(Column("c", "numerical", reading="duration"), dt.timedelta(hours=1)) == 3600.0
    assert read_value(column, "28.11.2023") == 19689.0


# The model file.

PROGRAM = """%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical betrag = 'Betrag (€)', start
%@ read betrag: '1.234,56 €'
%@ read start: 'dd.mm.yyyy'
ok(X,'yes') :- betrag(X,N0), N0 > 1000.5, start(X,N1), N1 =< 19689.0.
"""


def test_the_model_file_keeps_how_columns_are_read():
    program = parse(PROGRAM)
    assert [column.reading for column in program.columns] == ["1.234,56 €", "dd.mm.yyyy"]
    assert parse(str(program)) == program
    assert (
        str(program).replace("\n\n% 1. yes, if Betrag (€) above 1.000,50 € and start up to 28.11.2023.\n", "\n")
        == PROGRAM
    )


def test_clauses_and_templates_take_what_is_written_in_cells():
    said = PROGRAM.replace("N1 =< 19689.0", "N1 =< '28.11.2023'").replace("N0 > 1000.5", "N0 > '1.000,50 €'")
    said = said.replace("ok(X,'yes')", "#pred start(P_,'28.11.2023') :: \"@(P_) began then\".\nok(X,'yes')")
    program = parse(said)
    assert program.clauses == parse(PROGRAM).clauses
    assert program.templates[0].arguments[1] == 19689.0
    assert parse(str(program)) == program
    with pytest.raises(ProgramSyntaxError, match=r"'soon' cannot be compared with 'start'\n.*\n.*\n.*'01.01.1970'"):
        parse(PROGRAM.replace("N1 =< 19689.0", "N1 =< 'soon'"))
    with pytest.raises(ProgramSyntaxError, match="'5' cannot be compared with 'age'"):
        parse("ok(X,'yes') :- age(X,N), N > '5'.")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("%@ read nothing: 'dd.mm.yyyy'", "column 'nothing' is not in the header above"),
        ("%@ read start: 'soon'", "'soon' is not a way to read a column"),
    ],
)
def test_a_reading_that_is_wrong_is_refused_by_line(line, problem):
    with pytest.raises(ProgramSyntaxError, match=problem):
        parse(PROGRAM.replace("%@ read start: 'dd.mm.yyyy'", line))


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_is_its_own_text(reading):
    assert reading_format(reading).text == reading


@pytest.mark.parametrize(
    "reading", ["", "1", "1,2", "12.34", "yyyy", "(1234.56)", "dd.mm.yyyy hh", "text", "1234.56\n"]
)
def test_what_is_no_reading(reading):
    assert find_format(reading) is None


def test_a_number_format_is_a_value():
    assert number_format("1,234 kg") == NumberFormat("1,234.56", "", " kg")


@given(
    st.lists(st.text("0019.,-€ %:/ab'(+", max_size=9) | st.sampled_from(["08", "3.584", "1.5", "28.11.2023", "7:30"]))
)
def test_few_texts_look_as_many_do(texts):
    """Few texts are looked at one by one, many by polars: both see the same."""
    rule = KindRule("content", missing=("-",))
    few = rule.look(RawColumn("c", text=pl.Series(texts, dtype=pl.String)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unless.table.column_look.FEW", -1)
        assert rule.look(RawColumn("c", text=pl.Series(texts, dtype=pl.String))) == few


@pytest.mark.parametrize(
    ("written", "reading", "days"),
    [
        (["12.03.20", "1.12.99"], "dd.mm.yy", [18333.0, 10926.0]),
        (["3. Mai 2021", "14. M\u00e4rz 2020", "1.Dez. 2019"], "dd.mmm.yyyy", [18750.0, 18335.0, 18231.0]),
        (["12-Mar-2020", "1 May 2021", "1 september 2021"], "dd-mmm-yyyy", [18333.0, 18748.0, 18871.0]),
        (["Mar 12, 2020", "May 1 2021"], "mmm-dd-yyyy", [18333.0, 18748.0]),
        (["2020-01", "2019-12"], "yyyy-mm", [18262.0, 18231.0]),
        (["2019-20", "2020-21"], "", None),  # school years
        (["1.2.10", "2.0.11"], "", None),  # versions
        (["12.03.20", "later"], "", None),  # not all of the column
        (["3. Stock 2021", "1. Stock 2020"], "", None),
    ],
)
def test_short_years_names_of_months_and_months(written, reading, days):
    column = RawColumn("c", text=pl.Series(written))
    found = read_columns(RawTable({"c": column}, len(written)), KindRule("content"))["c"]
    assert found.reading == reading
    if days is not None:
        assert cells(column, "numerical", (), reading).numbers.tolist() == days


def test_short_years_and_doubtful_thousands_are_said(caplog):
    table = {"a": ["12.03.20", "1.12.99"], "b": ["3.584", "12.100"]}
    raw = RawTable({n: RawColumn(n, text=pl.Series(texts)) for n, texts in table.items()}, 2)
    with caplog.at_level(logging.WARNING):
        found = read_columns(raw, KindRule("content"))
    assert found["b"].reading == ""
    assert (
        "column 'a' is read as dates: dd.mm.yy (years 70 to 99 are 1970 to 1999, the others 20xx)." in caplog.messages
    )
    said = "column 'b' is read as numbers: 1234.56. It could also be 1.234,56; say which, as in: --read b=1.234,56"
    assert said in caplog.messages
    caplog.clear()
    raw = RawTable({**raw.columns, "c": RawColumn("c", text=pl.Series(["1.5", "2"]))}, 2)
    read_columns(raw, KindRule("content"))
    assert not any("column 'b'" in message for message in caplog.messages)  # a point of another column decides


def test_zones_are_read_with_and_without_minutes():
    """PostgreSQL writes +02 where others write +02:00; such cells were words."""
    program = parse(
        "%@ target t: 'late' else 'early'\n%@ numerical c\n%@ read c: 'yyyy-mm-dd hh:mm'\n"
        "t(X,'late') :- c(X,N), N >= 1701167400."
    )
    late, early = ("12:30:00+02", "05:30-05", "16:00+0530"), ("12:29+02", "15:59+05:30")
    cells = dict.fromkeys(late, "late") | dict.fromkeys(early, "early")
    texts = [f"2023-11-28 {cell}" for cell in cells]
    assert list(predict(program, pl.DataFrame({"c": texts}))) == list(cells.values())
    assert [decide(program, read_row(program, {"c": text})) for text in texts] == list(cells.values())


# Cells that are not written as most of their column are.


def percents(n, *others):
    return "|".join([*(f"{i % 100} %" for i in range(n - len(others))), *others])


@pytest.mark.parametrize(
    ("texts", "column", "says"),
    [
        (
            percents(100, "30"),
            Column("c", "numerical", reading="1234.56 %"),
            "column 'c' is read as numbers: 1234.56 %; 1 of 100 cells stands without '%', and is read alike.",
        ),
        (
            percents(100, "ca. 30 %", "k.A."),
            Column("c", "numerical", reading="1234.56 %"),
            "column 'c' is read as numbers: 1234.56 %; 2 of 100 cells are not written so, such as 'ca. 30 %': "
            "they are words.",
        ),
        (
            percents(100, "k.A."),
            Column("c", "numerical", reading="1234.56 %"),
            "column 'c' is read as numbers: 1234.56 %.",
        ),
        (
            percents(10, "30", "7"),
            Column("c", "categorical"),
            "column 'c': 8 of 10 cells are numbers, written 1234.56 %, 2 stand without '%': it is taken as words. "
            "To have it read so: --read 'c=1234.56 %'",
        ),
        (
            "1,50 €|2,50 €|3,50 €|4,50 EUR|n/a",
            Column("c", "categorical"),
            "column 'c': 3 of 5 cells are numbers, written 1234,56 €, 2 are not, such as '4,50 EUR': it is taken as "
            "words. To have it read so: --read 'c=1234,56 €'",
        ),
        (
            "12.03.20|13.03.20|14.03.21|soon",
            Column("c", "categorical"),
            "column 'c': 3 of 4 cells are dates, written dd.mm.yy, 1 is not, such as 'soon': it is taken as words. "
            "To have it read so: --read c=dd.mm.yy",
        ),
        (
            "05 %|12 %|13 %",
            Column("c", "categorical"),
            "column 'c' is written like a code ('08'): it is taken as words (categorical).",
        ),
    ],
)
def test_cells_that_are_not_written_as_the_others_are_said(texts, column, says, caplog):
    """One cell of 900 without its sign turned a column of numbers into words, and nobody was told."""
    with caplog.at_level(logging.WARNING, "unless"):
        assert recognised(texts) == column
    assert caplog.messages == [says]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ("|".join([*["7A"] * 19, "7B"]), []),
        (
            "|".join([*["5 years"] * 19, "1 year"]),
            [
                "column 'c': 20 of 20 cells are numbers with different units, such as '1 year', '5 years': it is taken "
                "as words. Write them alike to have it read as numbers."
            ],
        ),
    ],
)
def test_units_beside_others_must_be_well_known(texts, says, caplog):
    """Codes with a letter, and 1 year among years, are words: a word is no unit where some cells have another."""
    assert recognised(texts) == Column("c", "categorical")
    assert caplog.messages == says


def test_other_columns_give_whole_numbers_their_decimal_mark():
    """`30 %` beside `1.234,56 €` was kept as 1234.56 %, so that `30,5 %` of the next month was a word."""
    table = raw_table(pl.DataFrame({"c": ["30 %", "7 %"], "d": ["1.234,56 €", "2,50 €"], "e": ["1 234 km", "9 km"]}))
    found = read_columns(table, KindRule("content"))
    assert [column.reading for column in found.values()] == ["1234,56 %", "1.234,56 €", "1 234,56 km"]
    points = raw_table(pl.DataFrame({"c": ["30 %", "7 %"], "d": ["$1,234.56", "$2.50"], "e": ["1 234 km", "9 km"]}))
    found = read_columns(points, KindRule("content"))
    assert [column.reading for column in found.values()] == ["1234.56 %", "$1,234.56", "1 234.56 km"]


@pytest.mark.parametrize(
    ("sure", "unsure", "reading"),
    [
        ("$15,100.00", "$24,824", "$1,234.56"),
        ("382,85", "9,441", "1234,56"),
        ("22,67", "3.584", "1.234,56"),
        ("Fr. 1'200.50", "1,234", "1,234.56"),
    ],
)
def test_nothing_is_asked_where_another_column_decides(sure, unsure, reading, caplog):
    """A note asked how `$24,824` is meant, although `$15,100.00` stood beside it."""
    table = raw_table(pl.DataFrame({"c": [sure, sure], "d": [unsure, unsure]}))
    with caplog.at_level(logging.WARNING, "unless"):
        assert read_columns(table, KindRule("content"))["d"].reading == reading
    assert f"column 'd' is read as numbers: {reading}." in caplog.messages


def test_the_point_of_a_unit_is_no_decimal_mark():
    table = raw_table(pl.DataFrame({"c": ["Fr. 1200", "Fr. 900"], "d": ["1,234", "3,584"]}))
    assert read_columns(table, KindRule("content"))["c"].reading == "Fr. 1234.56"
    german = raw_table(pl.DataFrame({"c": ["Fr. 1200", "ca. 900"], "d": ["1,23", "3,58"], "e": ["1,234", "3,584"]}))
    assert read_columns(german, KindRule("content"))["e"].reading == "1234,56"
