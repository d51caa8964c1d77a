"""Questions: what they mean, how rows are named, and agreement with the definition of truth."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings

from random_programs import programs_with_rows
from unless import UnlessError, ask, load, parse
from unless.logic.holds import clause_holds, helpers_hold, read_row
from unless.logic.names import name_predicates
from unless.logic.text.constants import quote

ADULT = load(Path(__file__).parents[2] / "examples" / "adult.lp")
COLUMNS = [column.name for column in ADULT.columns]
PEOPLE = [
    {"id": 30, "age": 18, "marital_status": "never-married", "education_num": 7, "capital_gain": 0, "capital_loss": 0},
    {"id": 31, "age": 45, "marital_status": "married-civ-spouse", "education_num": 14, "occupation": "sales"},
    {"id": "ann", "age": "?", "marital_status": "divorced", "capital_gain": 7298, "education_num": 13},
]
PEOPLE = [{**dict.fromkeys(COLUMNS), **row} for row in PEOPLE]


def told(query: str, id_column: str | None = "id"):
    """Answer as (row name, holds, bindings)."""
    answers = ask(ADULT, PEOPLE, query, id_column=id_column)
    return [(answer.proof.row_name, answer.holds, dict(answer.bindings)) for answer in answers]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("income(30,Y)", [(30, True, {"Y": "=<50k"})]),
        ("?- income(30, Y).", [(30, True, {"Y": "=<50k"})]),
        ("income(31,Y)", [(31, False, {})]),
        ("income(30,_)", [(30, True, {})]),
        ("not income(30,'=<50k')", [(30, False, {})]),
        ("not income(31,'=<50k')", [(31, True, {})]),
        ("ab4(30)", [(30, False, {})]),
        ("not ab4(30)", [(30, True, {})]),
        ("ab4('ann')", [("ann", True, {})]),
        ("ab4(ann)", [("ann", True, {})]),
        ("income(X,'=<50k')", [(30, True, {"X": 30})]),
        ("not income(X,'=<50k')", [(31, True, {"X": 31}), ("ann", True, {"X": "ann"})]),
        ("income(X,Y), age(X,A), A < 20", [(30, True, {"X": 30, "Y": "=<50k", "A": 18.0})]),
        ("age(X,A), A >= 18, A < 45", [(30, True, {"X": 30, "A": 18.0})]),
        ("age(31,45)", [(31, True, {})]),
        ("not age(31,45)", [(31, False, {})]),
        ("age(X,A)", [(30, True, {"X": 30, "A": 18.0}), (31, True, {"X": 31, "A": 45.0})]),
        ("age_is(X,A)", [("ann", True, {"X": "ann", "A": "?"})]),
        ("age_is(ann,'?')", [("ann", True, {})]),
        ("not age_is(30,'?')", [(30, True, {})]),
        ("occupation(X,O)", [(31, True, {"X": 31, "O": "sales"})]),
        ("occupation(30,O)", [(30, False, {})]),
        ("not occupation(30,sales)", [(30, True, {})]),
        ("age(X,A), education_num(X,A)", []),
        ("age(ann,'?')", [("ann", False, {})]),
    ],
)
def test_answers(query, expected):
    assert told(query) == expected


def test_rows_are_named_by_number_without_an_id_column():
    assert told("income(0,Y)", None) == [(0, True, {"Y": "=<50k"})]
    assert told("income(X,Y)", None) == [(0, True, {"X": 0, "Y": "=<50k"})]


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("income(32,Y)", "no row has '32' in column 'id'"),
        ("not income(30,Y)", "the value must be given"),
        ("incoem(30,Y)", "Did you mean 'income'"),
        ("income(30)", "no predicate income/1"),
        ("income(30,Y), age(31,A)", "one row"),
        ("income(31,'>50k')", "ask not income"),
        ("income(31,'50k')", "labels: =<50k"),
        ("A < 3", "no goal before gives it a number"),
        ("income(X,Y), Y < 3", "no goal before gives it a number"),
        ("income(30,Y", "expected"),
        ("", "expected"),
        ("income(30,Y) :- ab4(30)", "unexpected"),
    ],
)
def test_questions_that_cannot_be_answered(query, problem):
    with pytest.raises(UnlessError) as caught:
        told(query)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("query", "problem"), [("ab4(3)", "numbered from 0 to 2"), ("ab4(ann)", "not the number of a row")]
)
def test_rows_that_are_not_there(query, problem):
    with pytest.raises(UnlessError, match=problem):
        told(query, None)


def test_a_target_that_holds_or_not_is_asked_as_it_is_written():
    program = parse("fly(X) :- kind(X,'robin').")
    found = [dict(answer.bindings) for answer in ask(program, [{"kind": "cat"}, {"kind": "robin"}], "fly(X)")]
    assert found == [{"X": 1}]
    assert [answer.holds for answer in ask(program, [{"kind": "cat"}], "not fly(0)")] == [True]


def test_a_number_may_be_a_label():
    program = parse("%@ target t: 1, 2 else 3\n%@ categorical a\nt(X,'1') :- a(X,'x'). t(X,'2') :- not a(X,'y').")
    answers = list(ask(program, [{"a": "x"}], "t(0,Y)"))
    assert [dict(a.bindings) for a in answers] == [{"Y": "1"}, {"Y": "2"}]
    assert next(ask(program, [{"a": "z"}], "not t(0,1)")).holds


def test_answers_come_as_they_are_found():
    rows = [{**PEOPLE[0], "id": i} for i in range(1000)]
    assert [a.row for a in islice(ask(ADULT, rows, "income(X,Y)"), 2)] == [0, 1]


def test_why_not():
    answer = next(ask(ADULT, PEOPLE, "income(31,Y), ab4(31)", id_column="id"))
    assert str(answer.proof).startswith("there is no evidence that 'income' holds (for 31, and '=<50k'), because")


@settings(max_examples=20, deadline=None)
@given(programs_with_rows)
def test_labels_and_helpers_are_answered_as_holds_defines(case):
    program, rows = case
    table = [{**dict.fromkeys(program.kinds), **row} for row in rows]
    target = name_predicates(program.target.column, program.columns).target
    known = [helpers_hold(program, read_row(program, row)) for row in rows]
    for name in program.helpers:
        assert [a.row for a in ask(program, table, f"{name}(X)")] == [i for i, k in enumerate(known) if k[name]]
    for label in program.target.labels:
        holds = [
            any(clause_holds(c, read_row(program, row), k) for c in program.clauses_for(label))
            for row, k in zip(rows, known, strict=True)
        ]
        for i, expected in enumerate(holds):
            atom = f"{target}({i},{quote(label)})"
            assert [next(ask(program, table, q)).holds for q in (atom, f"not {atom}")] == [expected, not expected]
