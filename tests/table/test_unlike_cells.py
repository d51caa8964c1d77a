"""Cells that are not written as a program reads their column are said: its answers would be wrong in silence."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

from unless import FoldRPPClassifier, UnlessClassifier
from unless.evaluate.predict import predict
from unless.logic.text.parser import parse

PROGRAM = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical amount, start, age
%@ read amount: '1.234,56 €'
%@ read start: 'dd.mm.yyyy'
ok(X,'yes') :- amount(X,N0), N0 > 1000.0, start(X,N1), N1 > 0.0, age(X,N2), N2 > 17.0.
""")
ROW = {"amount": "2.000,00 €", "start": "28.11.2023", "age": "40"}


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ({}, ""),
        (
            {"amount": "2000.00"},
            "column 'amount' is read as 1.234,56 €, and 1 of 2 cells is not written so, such as '2",
        ),
        ({"amount": "2,000.00 €"}, "such as '2,000.00 €': it is a word to the program. Write them alike."),
        ({"start": "11/28/2023"}, "column 'start' is read as dd.mm.yyyy, and 1 of 2 cells is not written so"),
        ({"age": "40,5"}, "column 'age' is read as 1234.56, and 1 of 2 cells is not written so, such as '40,5'"),
        ({"age": "retired"}, ""),
        ({"age": "class 4b"}, ""),
        ({"age": None}, ""),
    ],
)
def test_what_would_be_a_number_in_another_format_is_said(cell, says, caplog):
    assert predict(PROGRAM, [ROW, {**ROW, **cell}]) == ["yes", "no" if cell else "yes"]
    assert says in caplog.text
    assert bool(says) == bool(caplog.records)


@pytest.mark.parametrize(("n_rows", "is_said"), [(3, True), (1, False)])
def test_what_begins_as_a_number_in_most_rows_is_said(n_rows, is_said, caplog):
    """Times with AM and PM, where the program learned from 14:05, were words in silence: no format reads them."""
    predict(PROGRAM, [{**ROW, "age": "4:05 PM"}] * n_rows + [ROW, {**ROW, "age": "50"}])
    assert ("3 of 5 cells are not written so, such as '4:05 PM'" in caplog.text) == is_said


SHARES = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical quota, start
%@ read quota: '1234.56%'
%@ read start: 'dd.mm.yyyy'
ok(X,'yes') :- quota(X,N0), N0 =< 60.0, not ab1(X), start(X,N1), N1 > 19000.0.
ab1(X) :- quota(X,N0), N0 > 20.0.
""")


@pytest.mark.parametrize(
    ("quotas", "says"),
    [
        ([f"0.{n}" for n in range(10, 60)], "are from 0.1% to 0.59%, far below every bound of the program (the lowest"),
        ([f"{n}00" for n in range(10, 60)], "to 5900%, far above every bound of the program (the highest is 60%): per"),
        ([str(n / 10) for n in range(10, 60)], ""),  # 5.9 is not far from 20
        (["0.1", "0.2"] * 25, ""),  # two numbers, by chance
        ([*(f"0.{n}" for n in range(10, 59)), "40%"], ""),
        (["0"] * 50, ""),
        ([None] * 50, ""),
    ],
)
def test_numbers_far_from_every_bound_are_said(quotas, says, caplog):
    """A spreadsheet holds 0.12 where it shows 12 %: every row was on one side of every bound, and nothing was said."""
    predict(SHARES, {"quota": quotas, "start": ["28.11.1971"] * 50})
    assert says in caplog.text
    assert bool(says) == bool(caplog.records)


DAYS = [f"{day:02}/{month:02}/2024" for day in range(1, 29, 3) for month in (2, 5)]


def test_dates_with_day_and_month_swapped_are_said(tmp_path, caplog):
    """Dates of another country were words where the day is above 12, which was said, and other dates elsewhere."""
    program = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical start
%@ read start: 'mm/dd/yyyy'
ok(X,'yes') :- start(X,N0), N0 > 19800.0.
""")
    predict(program, {"start": DAYS})
    assert "12 of 20 cells are not written so, such as '13/02/2024', where day and month are swapped" in caplog.text
    assert "others of days up to 12 are perhaps read wrongly. Write them alike." in caplog.text
    caplog.clear()
    path = tmp_path / "t.csv"
    path.write_text("start,ok\n" + "".join(f"{day},{'yes' if i % 3 else 'no'}\n" for i, day in enumerate(DAYS)))
    with pytest.warns(UserWarning, match="12 of its 20 values .* day and month are swapped: words here, and others"):
        UnlessClassifier(readings={"start": "mm/dd/yyyy"}).fit_files(str(path), "ok")


AMOUNTS = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical amount, rate
%@ read amount: '1.234,56 €'
ok(X,'yes') :- amount(X,N0), N0 > 2000.0, rate(X,N1), N1 > 30.0.
""")
MIXED = [217 * n for n in range(1, 40)]


@pytest.mark.parametrize(
    ("amounts", "rates", "says"),
    [
        (
            [f"{n:,}" for n in MIXED],
            ["2"] * 39,
            "such as 8,463 €, beside whole ones, such as 868 €: perhaps they",
        ),
        (["5.000"] * 39, [f"{n:,}".replace(",", ".") for n in MIXED], "such as 8.463, beside whole ones, such as 868"),
        (["5.000"] * 39, [f"{n / 1000:.3f}" for n in MIXED], ""),  # 0.217 has no thousands
        (["5.000"] * 39, [f"{1 + n / 7:.3f}" for n in MIXED], ""),  # none is whole
        (["5.000"] * 39, [str(1 + n / 8) for n in MIXED], ""),  # eighths
        (["5.000"] * 39, [str(1 + n / 100) for n in MIXED], ""),
        (["5.000"] * 39, [f"{n:,}".replace(",", ".") for n in MIXED[:12]] + ["1234.5"] * 27, ""),
    ],
)
def test_thousands_that_are_read_as_decimals_are_said(amounts, rates, says, caplog):
    """Amounts of another country below 1,000 and above it: 8,463 was 8.463 beside 868, without a word."""
    predict(AMOUNTS, {"amount": amounts, "rate": rates})
    assert says in caplog.text
    assert bool(says) == bool(caplog.records)


PLACES = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ categorical plz, dept
ok(X,'yes') :- plz(X,'01067').
ok(X,'yes') :- plz(X,'89073'), not dept(X,'Lead').
""")


@pytest.mark.parametrize(
    ("plz", "dept", "says"),
    [
        (["01067", "89073"], ["Lead", "LEAD"], ""),
        (["1067", "89073"], ["Lead", "Shop"], "'plz': the program asks for '01067', which no cell is, and 1 of"),
        (["1067", "50667"], ["Lead", "Shop"], "asks for '01067', which no cell is, and 1 of 2 cells is '1067'"),
        (["01067", "89073"], ["LEAD", "Shop"], "'dept': the program asks for 'Lead', which no cell is, and 1"),
        (["10670", "89073"], ["Lead", "Shop"], ""),
    ],
)  # fmt: skip
def test_each_word_that_is_asked_for_is_looked_for(plz, dept, says, caplog):
    """A spreadsheet makes 1067 of 01067; beside a code that was as it should be, nothing was said of it."""
    predict(PLACES, {"plz": plz, "dept": dept})
    assert says in caplog.text
    assert bool(says) == bool(caplog.records)


def test_estimators_warn():
    """`predict` took amounts of another country for words, and nobody was told."""
    X = pd.DataFrame({"amount": ["1.000,50 €", "2.000,00 €", "30.000,00 €", "40.000,00 €"]})
    model = FoldRPPClassifier(readings={"amount": "1.234,56 €"}).fit(X, ["yes", "yes", "no", "no"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
    with pytest.warns(UserWarning, match="4 of 4 cells are not written so, such as '1,000.50': they are words"):
        model.predict(pd.DataFrame({"amount": ["1,000.50", "2,000.00", "30,000.00", "40,000.00"]}))
