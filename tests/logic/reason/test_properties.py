"""Properties of programs: the sentence is broken exactly where brute force finds a row that breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from random_programs import DENSE, WORLD, edited, programs
from unless.errors import DataError
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.cases import read_checks
from unless.logic.reason.properties import read_property
from unless.logic.text.files import save
from unless.logic.text.parser import parse

LOANS = parse("""
%@ target loan: 'approved' else 'refused'
%@ categorical housing
%@ numerical income, founder_age
loan(X,'approved') :- income(X,N1), N1 > 30.0, founder_age(X,N2), N2 >= 18.0.
""")


def broken(sentence, program):
    """Ask for a counterexample, and check that it is one as far as one row tells."""
    answer = read_property(sentence, program).counterexample()
    assert answer.verdict in ("yes", "no")
    assert (answer.row is None) == (answer.verdict == "no")
    return answer.verdict == "yes"


def pairs(column):
    rest = [name for name in ("n", "c") if name != column]
    return [(a, b) for a in WORLD for b in WORLD if all(a[name] == b[name] for name in rest)]


@settings(deadline=None)
@given(programs(DENSE, at_least=1))
def test_dependence_is_found_exactly(program):
    for column in ("n", "c"):
        differs = any(not same_label(decide(program, a), decide(program, b)) for a, b in pairs(column))
        assert broken(f"never depends on {column}", program) == differs


@settings(deadline=None)
@given(programs(DENSE, at_least=1))
def test_rising_and_falling_are_found_exactly(program):
    numbers = [(a, b) for a, b in pairs("n") if all(isinstance(row["n"], float) for row in (a, b)) and a["n"] < b["n"]]
    for way in ("rises", "falls"):
        lost = [(a, b) if way == "rises" else (b, a) for a, b in numbers]
        wrong = any(same_label(decide(program, a), "x") and not same_label(decide(program, b), "x") for a, b in lost)
        assert broken(f"x only {way} with n", program) == wrong


@settings(deadline=None)
@given(programs(DENSE, at_least=1))
def test_groups_are_judged_exactly(program):
    def inside(row):
        return isinstance(row["n"], float) and row["n"] < 2.0 and row["c"] != "a" and row["c"] is not None

    having = [same_label(decide(program, row), "x") for row in WORLD if inside(row)]
    where = "n below 2 and c is not a and c is not blank"
    assert broken(f"nobody with {where} is x", program) == any(having)
    assert broken(f"everybody where {where} is x", program) == (not all(having))


@settings(deadline=None, max_examples=30)
@given(edited(DENSE))
def test_two_programs_are_compared_where_it_is_said(tmp_path_factory, pair):
    folder = tmp_path_factory.mktemp("programs")
    save(pair[1], folder / "old.lp")
    for where, inside in (("", WORLD), (" where c is a", [row for row in WORLD if row["c"] == "a"])):
        found = read_property(f"same as old.lp{where}", pair[0], folder).counterexample()
        differs = any(not same_label(decide(pair[0], row), decide(pair[1], row)) for row in inside)
        assert found.verdict == ("yes" if differs else "no")


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("nobody with founder_age under 18 is approved", True),
        ("nobody with founder age < 18 is approved", True),
        ("nobody with founder age =< 18 is approved", False),
        ("everybody with income over 30 and founder age at least 18 is approved", True),
        ("never depends on housing", True),
        ("approved only rises with income", True),
        ("approved only falls with income where founder_age below 18", True),
        ("refused only falls with income", True),
        ("nobody with housing is 'old and grey' and income = 20 is approved", True),
        ('nobody with housing is "where is" is approved', False),
        ("refused only falls with income where housing is 'x where y is z'", True),
        ("nobody with income is 'unknown' is approved", True),
        ("everybody with income is 31 is approved", False),
        ("nobody with founder_age is 17 is approved", True),
        ("nobody with founder_age = 18 is approved", False),
        ("nobody with income is 40 and founder_age is not 18 is approved", False),
        (
            "nobody with income is 40 and founder_age is not 18 and founder_age < 19 and founder_age >= 18 is approved",
            False,
        ),
    ],
)
def test_ways_of_writing(sentence, holds):
    assert broken(sentence, LOANS) != holds


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("income is good", "none that can be proved; accepted: never depends on COLUMN"),
        ("never depends on incom", "column 'incom' is not in the program.*Did you mean 'income'"),
        ("aproved only rises with income", "'aproved' is no label of 'loan'"),
        ("nobody with income above much is approved", "compares with 'much', which is no number"),
        ("nobody under 18 is approved", "'under 18' is no condition"),
        ("same as nowhere.lp", "nowhere.lp"),
        (
            "nobody with income is 3 or 4 is approved",
            "'3 or 4' is no number and no word that the program asks of 'income'",
        ),
        ("nobody with income is not above 4 is approved", "'above 4' is no number and no word"),
        (
            "nobody with housing is own or rent is approved",
            "'own or rent' is no word that the program asks of 'housing'",
        ),
        ("approved only rises with housing", "'housing' holds words only; nothing can rise with them"),
        ("nobody with housing above 3 is approved", "'housing' holds words only; nothing can be compared"),
        ("nobody with income above 5 and income below 3 is approved", "no row can meet these conditions together"),
        ("never depends on income where housing is a and housing is b", "no row can meet these conditions together"),
    ],
)
def test_bad_sentences_are_refused(sentence, problem):
    with pytest.raises(DataError, match=problem):
        read_property(sentence, LOANS)


DATED = parse("""
%@ target loan: 'approved' else 'refused'
%@ numerical start, income
%@ read start: 'dd.mm.yyyy'
%@ read income: '1.234,56'
loan(X,'approved') :- start(X,N1), N1 > 738852.0, income(X,N2), N2 > 1000.0.
""")


def test_numbers_are_written_as_the_column_writes_them():
    assert not broken("nobody with start at most 28.11.2022 is approved", DATED)
    assert broken("nobody with start at least 28.11.2030 is approved", DATED)
    assert not broken("nobody with income at most 1.000,00 is approved", DATED)
    assert broken("nobody with income at least 1.001 and income at most 1.002 is approved", DATED)  # not 1 and a bit
    assert broken("nobody with start is 28.11.4030 is approved", DATED)


def test_a_number_that_is_equal_is_a_number():
    """`income is 40` asked for the word '40', which no number is: anything of such rows was proved."""
    assert broken("nobody with income is 40 is approved", LOANS)
    assert not broken("everybody with income is 20 is refused", LOANS)
    assert broken("nobody with income is not 40 is approved", LOANS)


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ({"row": 3, "expect": "approved"}, "a 'row' names columns with their values"),
        ({"row": {"income": 3}, "expect": "refused", "rule": 9}, "no rule '9'; its rules: 1"),
        ({"row": {"incom": 3}, "expect": "refused"}, "Did you mean 'income'"),
        ({"row": {"income": 3}, "expect": "maybe"}, "no label of 'loan'"),
        ({"row": {"income": 3}}, "needs a 'row' and what to 'expect'"),
    ],
)
def test_bad_cases_are_one_sentence(case, problem):
    with pytest.raises(DataError, match=problem):
        read_checks({"cases": [{"name": "a", **case}]}, LOANS)


PARTS = """
%@ target t: 'a' else 'b'
%@ categorical day = 'start weekday'
%@ numerical start, year = 'start year', end
%@ read day: 'weekday of start as dd.mm.yyyy'
%@ read start: 'dd.mm.yyyy'
%@ read year: 'year of start as dd.mm.yyyy'
%@ read end: 'dd.mm.yyyy'
t(X,'a') :- day(X,'Monday').
t(X,'a') :- end(X,N), N > 0.
"""


def test_a_program_that_tests_a_part_of_a_date_depends_on_the_date():
    """It was proved never to depend on the date, and to rise with it, where only the weekday is tested."""
    program = parse(PARTS.strip())
    answer = read_property("never depends on start", program).counterexample()
    assert answer.verdict == "yes"
    assert {name for name in answer.row if answer.row[name] != answer.other[name]} == {"start weekday"}
    assert read_property("never depends on start year", program).counterexample().verdict == "no"
    assert read_property("a only rises with end", program).counterexample().verdict == "no"
    with pytest.raises(DataError, match="tests 'start weekday', which is a part of 'start' and changes with it"):
        read_property("a only rises with start", program)
