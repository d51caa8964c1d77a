"""Texts with digits that are no numbers, or other ones than they seem; and what is said about each."""

from __future__ import annotations

import logging

import polars as pl
import pytest

from unless import look
from unless.table.frames import raw_table
from unless.table.kinds import KindRule, read_columns


def read(texts, caplog):
    """Return how a column of a file is read, and what is said about it."""
    table = raw_table(pl.DataFrame({"c": texts}))
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="unless"):
        column = read_columns(table, KindRule("content"))["c"]
    return (column.kind, column.reading), " ".join(record.getMessage() for record in caplog.records)


def seen(texts):
    table = pl.DataFrame({"c": texts, "ok": ["yes", "no"] * (len(texts) // 2)})
    return " ".join(str(look(table, target="ok")).split())


GRADES = ["1", "1-", "2+", "2", "2-", "3+", "3", "4"] * 10


def test_grades_with_plus_and_minus_are_words(caplog):
    """1- was read as minus one, better than a 1, and rules said "at most -1"."""
    kind, said = read(GRADES, caplog)
    assert kind == ("categorical", "")
    assert "numbers with plus and minus behind them, such as '1-', '2+', as grades have" in said
    assert "words, as grades are" in seen(GRADES)


@pytest.mark.parametrize(
    ("texts", "is_said"),
    [(["1-", "2", "3-", "4"] * 5, True), (["1.200,50-", "3,00", "7-", "12,50"] * 5, False), (["1", "-2"] * 5, False)],
)
def test_a_minus_behind_is_a_sign_and_that_is_said_where_it_may_be_a_grade(texts, is_said, caplog):
    kind, said = read(texts, caplog)
    assert kind[0] == "numerical"
    assert ("a minus behind small numbers is read as a sign" in said) == is_said


ANSWERS = ["1 - never", "2 - rarely", "3 - sometimes", "4 - often"] * 10


def test_answers_with_a_number_before_them_have_no_units(caplog):
    """Of '1 - never' and '2 - rarely' it was said that these are numbers with different units."""
    assert read(ANSWERS, caplog) == (("categorical", ""), "")
    assert "units" not in seen(ANSWERS)
    assert "numbers with different units" in seen(["1 -kg", "2 m", "3 g", "4 t"] * 10)


def test_thousands_and_millions_are_said(caplog):
    """Revenues such as 850K and 4.5M were words, and nothing was said."""
    said = read(["850K", "4.5M", "12K", "1.1M"] * 10, caplog)[1]
    assert "40 of 40 cells are numbers with different units, such as '1.1M', '12K': it is taken as words." in said


MOMENTS = [f"2024-03-{day:02}T00:30:00" for day in range(1, 31)]


@pytest.mark.parametrize(("zone", "is_said"), [("+02:00", True), ("-0330", True), ("Z", False), ("", False)])
def test_a_zone_is_said(zone, is_said, caplog, tmp_path):
    """Moments half an hour past midnight in Rome were shown as those of the day before, and nothing was said."""
    texts = [moment + zone for moment in MOMENTS]
    kind, said = read(texts, caplog)
    assert kind == ("numerical", "yyyy-mm-dd hh:mm:ss")
    assert ("hh:mm:ss (in UTC, since cells name their zone)." in said) == is_said
    pl.DataFrame({"c": texts}).write_csv(tmp_path / "t.csv")
    assert ("! cells name their zone, and are read and shown in UTC." in str(look(tmp_path / "t.csv"))) == is_said
    kind, said = read(texts * 40 + [f"2024-04-01T{n // 60:02}:{n % 60:02}:59{zone}" for n in range(1200)], caplog)
    assert ("hh:mm:ss (in UTC, since cells name their zone)." in said) == is_said


NEARLY = {
    "blood pressure": [f"{i}/{i // 2}" for i in range(100, 160)] * 2,
    "clock": [f"{i % 11 + 1}:{i:02d} PM" for i in range(60)] * 2,
    "moments": [f"1/{i % 28 + 1}/2024 {i % 11 + 1}:{i:02d} PM" for i in range(60)],
    "hours and minutes": [f"{i % 9}h {i}m" for i in range(60)] * 2,
}


@pytest.mark.parametrize("case", NEARLY)
def test_what_begins_as_numbers_and_is_none_is_said(case, caplog):
    """Such columns became words without a word."""
    kind, said = read(NEARLY[case], caplog)
    assert kind == ("categorical", "")
    assert "are neither numbers nor dates that can be read: it is taken as words" in said
    assert "are neither numbers nor dates that can be read; to have them read" in seen(NEARLY[case])


PLAINLY_WORDS = {
    "bands": [f"{i}0-{i}9" for i in range(1, 9)] * 10,
    "classes": [f"{i}{room}" for i in range(5, 13) for room in "abc"] * 10,
    "addresses": [f"{i} {name} High Street" for i in range(20) for name in map(str.upper, "ABCDEFGH")],
    "names of rows": [f"{i:03d}-{i}-{i * 7}" for i in range(100, 200)],
}


@pytest.mark.parametrize("case", PLAINLY_WORDS)
def test_of_words_with_digits_nothing_is_said(case, caplog):
    assert read(PLAINLY_WORDS[case], caplog) == (("categorical", ""), "")


def test_ages_with_y_are_numbers_and_units_that_differ_are_said(caplog):
    """`2y` and `3 mo` became words without a word."""
    assert read([f"{i}y" for i in range(40)], caplog)[0] == ("numerical", "1234.56y")
    _, said = read([f"{i}y" for i in range(20)] + [f"{i} mo" for i in range(20)], caplog)
    assert "40 of 40 cells are numbers with different units, such as '0 mo', '0y'" in said
