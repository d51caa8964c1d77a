"""What is odd about columns: identifiers, constants, duplicates, leaks, codes, words that look alike."""

from __future__ import annotations

import datetime as dt
import logging

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless.errors import DataError
from unless.learn.front import learn, table_task
from unless.learn.learners import FoldRPPSettings
from unless.learn.screening import Screening, mentioned
from unless.logic.rules import Column
from unless.table.hygiene import look_alike, missing_words, perhaps_missing
from unless.table.identifiers import decides_alone, looks_like_a_code, names_rows, stands_for_unknown
from unless.table.look import look

WORDS, NUMBERS = Column("c", "categorical"), Column("c", "numerical")
N = 40


def found(data, name="c", reading=""):
    values = np.unique(np.array(data, dtype=float))
    column = Column(name, "numerical", reading=reading)
    finding = names_rows(column, values, 0, len(data))
    return None if finding is None else finding.evidence


def test_words_that_differ_in_nearly_every_row_name_rows():
    finding = names_rows(WORDS, np.empty(0), N, N)
    assert (finding.what, finding.evidence, finding.fix) == ("identifier", "a different word in every row", "--drop c")
    assert names_rows(WORDS, np.empty(0), N - 2, N).evidence == "a different word in nearly every row"
    assert names_rows(WORDS, np.empty(0), N // 2, N) is None
    assert names_rows(WORDS, np.empty(0), 19, 19) is None  # in a small table all may differ


def test_numbers_that_count_the_rows_name_them():
    assert found(range(1, N + 1)) == "it counts the rows, from 1 to 40"
    assert found(range(10_000, 10_000 + N)) == "it counts the rows, from 10000 to 10039"
    assert found([7 * n for n in range(N)]) is None
    assert found([7 * n for n in range(N)], "loan_id") == "a different whole number in every row, as its name says"
    assert found([7 * n for n in range(N)], "Antrags Nr.") is not None
    assert found([7 * n for n in range(N)], "customerID") is not None
    assert found([7 * n for n in range(N)], "casino") is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=30, max_size=60, unique=True).filter(lambda xs: any(x % 1 for x in xs)))
def test_a_measurement_is_never_an_identifier(numbers):
    assert found(numbers, "id") is None


def test_dates_that_lie_side_by_side_name_rows():
    assert found(range(19000, 19000 + N), reading="dd.mm.yyyy") == "a different day in every row"
    assert found([19000 + 300 * n for n in range(N)], reading="dd.mm.yyyy") is None  # days of birth
    moments = [1.7e9 + 12345 * n for n in range(N)]
    assert found(moments, reading="yyyy-mm-dd hh:mm") == "a different moment in every row"
    assert found(moments, reading="duration") is None


def test_whole_numbers_that_look_like_codes():
    def fix(values, name="c"):
        finding = looks_like_a_code(Column(name, "numerical"), np.array(sorted(values), dtype=float), 100)
        return finding and finding.fix

    assert fix([89073, 53111, 50667]) == "--categorical c"
    assert fix([3, 5, 12], "branch") == "--categorical branch"
    assert fix([3, 5, 12]) is None
    assert fix([1990, 2001, 2023]) is None  # years
    assert fix([1000.5, 2000, 3000]) is None
    assert fix([950, 1000, 3000]) is None


def test_a_column_of_persons_with_several_rows_each_is_pointed_out():
    """Sixty persons of twenty rows each, whose labels were drawn, were predicted with 100 %, and nothing was said."""
    persons = np.repeat(np.arange(60), 20)
    labels = np.random.default_rng(4).integers(0, 2, 60)[persons]
    for n_numbers in (60, 0):
        found = decides_alone("person", persons, n_numbers, labels)
        assert found.phrase == "alone_by_value"
        assert "or it names persons or things of several rows each" in found.evidence
    assert (
        decides_alone("code", persons % 4, 4, persons % 2).phrase == "alone"
    )  # no threshold parts 0 and 2 from 1 and 3
    noise = np.random.default_rng(5).integers(0, 2, 1200)
    assert decides_alone("person", persons, 60, noise) is None


def test_one_column_that_decides_everything_is_pointed_out():
    labels = np.array([0, 1] * 50)
    threshold = np.where(labels == 1, 60, 5) + np.arange(100) % 5
    assert decides_alone("c", threshold, 100, labels).evidence.startswith("it alone tells 100.0% of the labels")
    assert decides_alone("c", labels.copy(), 0, labels) is not None  # words
    assert decides_alone("c", np.arange(100), 0, labels) is None  # a word for each row tells nothing
    assert decides_alone("c", np.arange(100) % 7, 7, labels) is None
    assert (
        decides_alone("c", np.array([0] * 96 + [1] * 4), 2, np.array([0] * 96 + [1] * 4)) is None
    )  # guessing does too


def test_a_column_of_persons_with_two_rows_each_is_pointed_out():
    """Two visits of each patient were held out beside each other, and only persons of ten rows were pointed out."""
    persons, random = np.repeat(np.arange(60), 2), np.random.default_rng(4)
    labels = random.integers(0, 3, 60)[persons]
    found = decides_alone("patient", persons, 0, labels)
    assert (found.phrase, found.gaps, found.fix) == ("same_value", {"share": 1.0}, "--drop patient")
    assert found.evidence.startswith("rows with the same value have the same label (100.0%); perhaps it names persons")
    assert decides_alone("patient", persons, 0, random.integers(0, 3, 120)) is None
    assert decides_alone("patient", np.arange(120), 0, labels) is None
    some = np.where(np.arange(120) < 30, persons, 1000 + np.arange(120))  # few are there twice
    assert decides_alone("patient", np.unique(some, return_inverse=True)[1], 0, labels) is None


def test_one_column_that_decides_a_rare_label_is_pointed_out():
    """Of 3,000 patients the 41 who came back were so called in another column, and nothing was said."""
    labels = (np.arange(3000) < 41).astype(int)
    found = decides_alone("outcome", np.where(labels, 2, np.arange(3000) % 2), 0, labels)
    assert (found.phrase, found.gaps) == ("alone_rare", {"share": 1.0, "commonest": 2959 / 3000})
    assert "it alone tells 100.0% of the labels (always the commonest is right 98.6%); perhaps" in found.evidence
    most = np.where(np.arange(3000) < 38, 1, 0)
    assert decides_alone("c", most, 2, labels) is not None
    assert decides_alone("c", np.where(np.arange(3000) < 36, 1, 0), 2, labels) is None  # misses more than a tenth
    assert decides_alone("c", np.random.default_rng(0).integers(0, 200, 3000), 200, labels) is None
    few = (np.arange(3000) < 9).astype(int)
    assert decides_alone("c", few, 2, few) is None  # by chance, perhaps


def test_words_that_look_alike_are_pointed_out():
    finding = look_alike("c", ["Ulm", "ULM", "Köln", "Koln", "New  York", "New York", "Bonn"])
    assert finding.evidence == "words that look alike: 'Koln' and 'Köln'; 'New  York' and 'New York'; 'ULM' and 'Ulm'"
    assert finding.fix == ""
    assert look_alike("c", ["a", "b"]) is None


def test_words_that_often_mean_missing_are_offered_with_counts():
    finding = missing_words("c", {"?": 3, "n/a": 1, "Unknown": 2, "yes": 9})
    assert finding.evidence == "perhaps missing: '?' in 3 rows, 'Unknown' in 2 rows, 'n/a' in 1 row"
    assert finding.fix == "--missing '?,Unknown,n/a'"
    assert perhaps_missing(["no", "nothing", "x"]) == []


def test_a_minus_beside_a_plus_is_negative(caplog):
    """Where '-' is also missing elsewhere, --missing took away every negative result of a laboratory in silence."""
    assert perhaps_missing(["+", "-", "n/a"]) == ["n/a"]
    assert perhaps_missing(["x", "-"]) == ["-"]
    said = "'-' is missing, as you say, also beside '+' in culture: if it means negative there, write it as a word."
    rows, labels = [{"culture": "+-"[i % 5 > 1], "x": "-u"[i % 2]} for i in range(N)], ["yes", "no", "no", "no"] * 10
    for missing in ((), ("-",)):
        with caplog.at_level(logging.WARNING, "unless"):
            learn(table_task(rows, labels, screening=Screening(leaves_out=True), missing=missing), FoldRPPSettings())
        assert (said in [record.getMessage() for record in caplog.records]) == bool(missing)


@pytest.mark.parametrize(
    ("numbers", "reading", "number"),
    [
        ([*np.arange(20, 30, 0.5), -999], "", -999),
        ([*np.arange(-20, 30, 0.5), -99], "", -99),
        ([*np.arange(20, 30, 0.5), 999], "1234,56", 999),
        ([*np.arange(20, 30, 0.5), 99], "", None),
        ([*np.arange(0, 3, 0.5), -1], "", None),
        ([*np.arange(-400, 30, 0.5), -999], "", None),
        ([*np.arange(20, 30, 0.5), 999], "1234.56 €", None),
    ],
)
def test_a_number_that_stands_apart_from_measurements(numbers, reading, number):
    """-999 among temperatures with decimals was the coldest day, and `look` said nothing of it."""
    finding = stands_for_unknown(Column("c", "numerical", reading=reading), np.unique(np.array(numbers, dtype=float)))
    assert (finding and finding.gaps["number"]) == number
    assert finding is None or finding.fix == ("" if number == -99 else f"--missing={number}")


def test_numbers_of_accounts_are_longer_than_numbers_are_told_apart(caplog, tmp_path):
    """Nine accounts of 19 digits were "the same value in every row", and of 600 others nothing was said."""
    same, others = [2**60 + i % 9 for i in range(N)], [10**17 + 7919 * i for i in range(N)]
    table = pl.DataFrame({"same": same, "others": others, "x": range(N), "y": [1.5e18] * N, "big": [1e20] * N})
    table = table.with_columns(ok=pl.Series(["yes", "no"] * (N // 2)))
    table.write_csv(tmp_path / "t.csv")
    long = [
        "whole numbers of 19 digits, of which numbers keep about 16: some that differ count as one; names are better"
    ]
    for data in (table, tmp_path / "t.csv"):
        found = {each.name: [f.evidence for f in each.findings] for each in look(data, target="ok").columns}
        assert [text[: len(long[0])] for text in found["same"]] == long
        assert any(text.startswith("whole numbers of 18 digits") for text in found["others"])
        assert not any("digits" in text for name in ("x", "big") for text in found[name])
    rows = [{"same": s, "x": i % 7} for i, s in enumerate(same)]
    with caplog.at_level(logging.WARNING, "unless"):
        learn(table_task(rows, ["yes", "no"] * (N // 2), screening=Screening(leaves_out=True)), FoldRPPSettings())
    assert f"column 'same': {long[0]}" in caplog.text
    assert "never tested: same" not in caplog.text


# Learning.


def task(screening, **more):
    rows = [
        {"id": f"A-{i}", "n": i, "x": i % 7, "twin": i % 7, "same": "a", **{k: v(i) for k, v in more.items()}}
        for i in range(N)
    ]
    return table_task(rows, ["yes" if i % 7 > 3 else "no" for i in range(N)], positive="yes", screening=screening)


def test_the_command_leaves_out_what_names_its_rows_and_says_so(caplog):
    with caplog.at_level(logging.WARNING, "unless"):
        program = learn(task(Screening(leaves_out=True), w=lambda i: "?" if i % 5 else "v"), FoldRPPSettings()).program
    assert {column.name for column in program.columns} == {"x", "twin", "same", "w"}
    assert caplog.messages == [
        "left out: id (a different word in every row). To learn from it: --keep-column id",
        "left out: n (it counts the rows, from 0 to 39). To learn from it: --keep-column n",
        "perhaps missing: '?' in w. If so: --missing '?'",
        "the same value in every row, so never tested: same.",
        "column 'x': it alone tells 100.0% of the labels; perhaps it is known only after them. "
        "To leave it out: --drop x",
        "column 'twin': it repeats x, row by row. To leave it out: --drop twin",
        "column 'twin': it alone tells 100.0% of the labels; perhaps it is known only after them. "
        "To leave it out: --drop twin",
    ]


def test_names_with_blanks_at_an_end_are_pointed_out(caplog):
    """They are shown without: a database would not find what is shown."""
    odd = {" town ": lambda i: "xyz"[i % 3], "paid\u200b in": lambda i: i % 4, "plain name": lambda i: i % 5}
    with caplog.at_level(logging.WARNING, "unless"):
        learn(task(Screening(leaves_out=True), **odd), FoldRPPSettings())
    said = [message for message in caplog.messages if "blanks" in message]
    assert said == [
        "names with blanks or characters that nobody sees: ' town ', 'paid\\u200b in'. "
        "Options and other tables may write them tidily; SQL must write them so."
    ]


def test_names_that_read_alike_are_pointed_out(caplog):
    """A rule said "if a b above 5 and a b is u": nobody knows which column is which."""
    twins = {"a b": lambda i: i % 4, "a_b": lambda i: i % 5, "X": lambda i: i % 7, "a-b": lambda i: i % 3}
    with caplog.at_level(logging.WARNING, "unless"):
        learn(task(Screening(leaves_out=True), **twins), FoldRPPSettings())
    assert [message for message in caplog.messages if "names look alike" in message] == [
        "columns whose names look alike: 'x' and 'X', 'a b' and 'a_b'. "
        "Readers and databases may take them for one; other names would be safer."
    ]


def test_what_is_kept_or_spoken_of_stays(caplog):
    with caplog.at_level(logging.WARNING, "unless"):
        program = learn(task(Screening(("id",), leaves_out=True)), FoldRPPSettings()).program
        assert "id" in program.kinds
        assert "n" not in program.kinds
        program = learn(task(Screening()), FoldRPPSettings()).program
    assert "id" in program.kinds
    assert caplog.messages[-1] == (
        "column 'n' names its rows (it counts the rows, from 0 to 39); rules about it fit no other table."
    )


def test_what_was_said_is_understood(tmp_path):
    file = tmp_path / "background.lp"
    file.write_text("big(X) :- loan_nr(X,N), N > 3.0.", encoding="utf-8")
    assert "loan_nr" in mentioned(file)
    assert {"a", "b", "c"} <= mentioned(None, 5, 0.5, ["a"], {"b": 1}, [("c", "d")])
    rows = [{"Loan Nr": f"A-{i}", "x": i % 7} for i in range(N)]
    asked = table_task(
        rows, ["a", "b"] * (N // 2), screening=Screening(leaves_out=True), background_columns=["Loan Nr"]
    )
    assert "Loan Nr" in learn(asked, FoldRPPSettings()).program.kinds


def test_nothing_is_left_out_when_nothing_else_is_there():
    rows = [{"id": f"A-{i}"} for i in range(N)]
    asked = table_task(rows, ["a", "b"] * (N // 2), screening=Screening(leaves_out=True))
    assert "id" in learn(asked, FoldRPPSettings()).program.kinds


# Looking.


def table():
    return pl.DataFrame(
        {
            "id": [f"A-{i}" for i in range(N)],
            "amount": [f"{i * 731:,}" for i in range(N)],
            "day": [dt.date(2023, 1 + i % 12, 1 + i % 28) for i in range(N)],
            "town": ["Ulm ", "ULM", "Bonn", "?"] * (N // 4),
            "zip": [89073, 53111, 50667, None] * (N // 4),
            "ok": ["yes" if i > 29 else "no" for i in range(N)],
        }
    )


def test_a_look_says_what_columns_hold_and_what_is_odd():
    seen = look(table(), "ok")
    assert (seen.n_rows, seen.label, seen.labels) == (N, "yes", (("no", 30), ("yes", 10)))
    by_name = {column.name: column for column in seen.columns}
    assert [finding.what for finding in by_name["id"].findings] == ["identifier"]
    assert by_name["amount"].findings[0].fix == "--read amount=1,234.56"
    assert (by_name["day"].content, by_name["day"].reading) == ("dates", "yyyy-mm-dd")
    assert [finding.what for finding in by_name["town"].findings] == ["missing words", "look alike", "blanks"]
    assert (by_name["zip"].n_missing, by_name["zip"].findings[0].what) == (10, "code")
    assert by_name["town"].values == ("?", "Bonn", "ULM", "Ulm")


def test_a_look_at_a_file_reads_what_is_written(tmp_path):
    file = tmp_path / "table.csv"
    table().write_csv(file)
    seen = look(file, "ok")
    amount = seen.columns[1]
    assert (amount.content, amount.reading) == ("numbers", "1,234.56")
    assert amount.values == ("0", "28,509")
    assert amount.bars[-1] == 1.0


@pytest.mark.parametrize("target", [None, "ok"])
def test_a_look_fits_a_terminal_and_a_notebook(target):
    seen = look(table(), target)
    text = str(seen)
    assert max(map(len, text.splitlines())) <= 80
    assert "! a different word in every row: --drop id" in text
    assert "amount" in seen._repr_html_()
    assert "<svg" in seen._repr_html_()
    assert seen.as_dict()["columns"][0]["findings"][0]["what"] == "identifier"


def test_a_picture_without_labels_is_of_rows():
    seen = look({"x": [1, 1, 1, 2]})
    assert seen.columns[0].bars == (1.0, pytest.approx(1 / 3))
    assert look({"x": [None, None]}).columns[0].content == "nothing"
    assert "Nothing is odd." in str(look({"x": [1, 1, 1, 2]}))


def test_labels_that_look_alike_are_said(caplog):
    asked = table_task({"a": [1, 2, 3, 4] * 10}, ["yes", "No", "no", "yes"] * 10, screening=Screening(leaves_out=True))
    with caplog.at_level(logging.WARNING, "unless"):
        learn(asked, FoldRPPSettings())
    assert "labels that look alike are learned as different ones: 'No' and 'no'." in caplog.text


def test_look_takes_the_name_of_a_column_as_target():
    """Labels themselves, and a name that is a number, ended in a traceback."""
    with pytest.raises(DataError, match="target is a list; accepted: the name of a column"):
        look({"age": [1, 2]}, target=["no", "yes"])
    assert look({0: [1, 2, 3], 1: ["no", "yes", "no"]}, target=1).target == "1"
