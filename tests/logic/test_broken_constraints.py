"""Constraints of a model file that its own rules or points break, after somebody edited it by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from random_programs import WORLD, dense_programs
from unless.explain.words.finding_sentences import finding_text
from unless.logic.check.broken_constraints import broken_constraints
from unless.logic.check.findings import check
from unless.logic.forms.nest import nest
from unless.logic.forms.outline import ordered_helpers
from unless.logic.holds import decide
from unless.logic.kept_constraints import Constraints
from unless.logic.text.parser import parse

HEADER = """\
%@ target loan: 'refused' else 'approved'
%@ categorical sex, housing
%@ numerical income, debt_ratio, age
%@ forbid sex
%@ apart housing, age
%@ monotonic income=-1, debt_ratio=+1
"""
ABOVE = HEADER.count("\n")
TURNED = HEADER.replace("'refused' else 'approved'", "'refused', 'approved' else 'approved'")
GRADE = "%@ grade 'refused' curve 1.0 0.0\n%@ grade 'refused' "


def said(text, header=HEADER, lang="en"):
    found = [each for each in check(parse(header + text)) if each.kind in ("forbidden", "combined", "contrary")]
    return [(each.kind, each.at.line - ABOVE, finding_text(each, lang=lang).partition(": ")[2]) for each in found]


ENOUGH = "loan(X,'refused') :- at_least(2, [1*poor(X), 1*other(X), 1*owed(X)]).\nowed(X) :- debt_ratio(X,N), N > 0.5.\n"
COMBINED = "rule 1, with its exceptions, tests both 'housing' and 'age', which no rule may combine."
AGAINST_RISING = "speaks against 'refused'; it may only speak for it."
FOR_FALLING = "speaks for 'refused'; it may only speak against it."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("loan(X,'refused') :- income(X,N), N =< 9.0, debt_ratio(X,M), M > 0.5.", []),
        ("loan(X,'refused') :- sex(X,'f').", [("forbidden", 1, "rule 1 tests 'sex', which no rule may test.")]),
        (  # an exception, and a condition that two rules share
            "loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\nab1(X) :- sex(X,'f').",
            [("forbidden", 2, "exception 1.1 tests 'sex', which no rule may test.")],
        ),
        (
            "loan(X,'refused') :- age(X,N), N > 9.0, woman(X).\nloan(X,'refused') :- woman(X), housing(X,'no').\n"
            "woman(X) :- sex(X,'f').",
            [
                ("forbidden", 3, "rule 1 tests 'sex', which no rule may test."),
                ("forbidden", 3, "rule 2 tests 'sex', which no rule may test."),
            ],
        ),
        (  # a scorecard
            ENOUGH + "poor(X) :- income(X,N), N > 9.0.\nother(X) :- not sex(X,'f').",
            [
                ("contrary", 3, f"through income > 9 in rule 1, more of 'income' {FOR_FALLING}"),
                ("forbidden", 4, "rule 1 tests 'sex', which no rule may test."),
            ],
        ),
        # Directions, turned by exceptions and by `not`.
        (
            "loan(X,'refused') :- debt_ratio(X,N), N < 0.5.",
            [("contrary", 1, f"through debt_ratio < 0.5 in rule 1, more of 'debt_ratio' {AGAINST_RISING}")],
        ),
        ("loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\nab1(X) :- income(X,N), N >= 9.0.", []),
        (
            "loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\nab1(X) :- income(X,N), N =< 9.0, age(X,M), M > 7.0.",
            [("contrary", 2, f"through income ≤ 9 in exception 1.1, more of 'income' {FOR_FALLING}")],
        ),
        (
            "loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\nab1(X) :- age(X,N), N > 19.0, not ab2(X).\n"
            "ab2(X) :- income(X,N), N > 9.0, age(X,M), M > 20.0.",
            [("contrary", 3, f"through income > 9 in exception 1.1.1, more of 'income' {FOR_FALLING}")],
        ),
        ("loan(X,'refused') :- not ab1(X), poor(X).\npoor(X) :- not ab1(X).\nab1(X) :- income(X,N), N > 9.0.", []),
        (ENOUGH + "poor(X) :- not rich(X).\nrich(X) :- income(X,N), N > 9.0.\nother(X) :- housing(X,'no').", []),
        (
            ENOUGH + "poor(X) :- not rich(X).\nrich(X) :- income(X,N), N =< 9.0.\nother(X) :- housing(X,'no').",
            [("contrary", 4, f"through income ≤ 9 in rule 1, more of 'income' {FOR_FALLING}")],
        ),
        (  # right as an exception, and not where a case of the points turns it once more
            ENOUGH.replace(").\nowed", "), not rich(X).\nowed") + "poor(X) :- not safe(X).\nsafe(X) :- not rich(X).\n"
            "rich(X) :- income(X,N), N > 9.0.\nother(X) :- housing(X,'no').",
            [("contrary", 5, f"through income > 9 in rule 1, more of 'income' {FOR_FALLING}")],
        ),
        (  # of several clauses about one column, which are one exception
            "loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\n"
            "ab1(X) :- income(X,N), N > 9.0.\nab1(X) :- income(X,N), N =< 5.0.",
            [("contrary", 3, f"through income ≤ 5 in exception 1.1, more of 'income' {FOR_FALLING}")],
        ),
        ("loan(X,'refused') :- income_is(X,'unknown'), not debt_ratio_is(X,'none').", []),  # words do not rise
        # Columns apart: in the rule with all its exceptions, but not in two rules, however these are written.
        (
            "loan(X,'refused') :- age(X,N), N > 9.0, not ab1(X).\nab1(X) :- housing(X,'own').",
            [("combined", 1, COMBINED)],
        ),
        (
            "loan(X,'refused') :- income(X,N), N =< 9.0, not ab1(X).\nab1(X) :- housing(X,'own').\n"
            "ab1(X) :- age(X,N), N > 50.0.",
            [("combined", 1, COMBINED)],
        ),
        (
            ENOUGH + "poor(X) :- age(X,N), N > 9.0.\nother(X) :- housing(X,'no').",
            [("combined", 1, COMBINED)],
        ),
        ("loan(X,'refused') :- housing(X,'no').\nloan(X,'refused') :- age(X,N), N > 9.0.", []),
        ("loan(X,'refused') :- bad(X).\nbad(X) :- housing(X,'no').\nbad(X) :- age(X,N), N > 9.0.", []),
        (
            "loan(X,'refused') :- bad(X).\nbad(X) :- housing(X,'no'), not ab1(X).\nbad(X) :- income(X,N), N =< 9.0.\n"
            "ab1(X) :- age(X,N), N > 9.0.",
            [("combined", 1, COMBINED)],
        ),
        # What no rule calls is no rule.
        ("loan(X,'refused') :- income(X,N), N =< 9.0.\nold(X) :- sex(X,'f'), age(X,N), N > 9.0, housing(X,'no').", []),
        # The grade.
        (GRADE + "points 2 if income =< 9.0\n%@ grade 'refused' points -1 if debt_ratio < 0.5", []),
        (
            GRADE + "points 1 if sex = 'f' and income =< 9.0",
            [("forbidden", 2, "points for 'refused' test 'sex', which no points may test.")],
        ),
        (
            GRADE + "points -2 if income =< 9.0 and age is blank",
            [("contrary", 2, f"by the points that depend on income ≤ 9, more of 'income' {FOR_FALLING}")],
        ),
        (
            GRADE + "points -1 if debt_ratio > 0.5",
            [("contrary", 2, f"by the points that depend on debt_ratio > 0.5, more of 'debt_ratio' {AGAINST_RISING}")],
        ),
        (GRADE + "points 2 unless income > 9.0\n%@ grade 'refused' points -1 unless debt_ratio > 0.5", []),
        (
            GRADE + "points 2 unless income =< 9.0",
            [("contrary", 2, f"by the points that depend on income ≤ 9, more of 'income' {FOR_FALLING}")],
        ),
        (
            GRADE + "points 1 if age > 9.0\n%@ grade 'refused' points 3 if decided\n"
            "%@ grade 'refused' points 2 if housing in 'no', 'own'",
            [("combined", 4, "points for 'refused' test both 'housing' and 'age', which the points for a label may not "
              "combine.")],
        ),
    ],
)  # fmt: skip
def test_what_breaks_a_constraint_is_said_with_its_rule(text, found):
    assert said(text) == found
    assert said(text, HEADER.replace("%@ forbid", "% ").replace("%@ apart", "% ").replace("%@ mono", "% mono")) == []


def test_what_argues_for_the_other_label_argues_against_this_one():
    assert said("loan(X,'approved') :- income(X,N), N > 9.0.", TURNED) == []
    assert said("loan(X,'approved') :- income(X,N), N =< 9.0.", TURNED) == [
        ("contrary", 1, f"through income ≤ 9 in rule 1, more of 'income' {FOR_FALLING}")
    ]
    other = GRADE.replace("'refused'", "'approved'")
    assert said(other + "points 2 if income > 9.0") == []
    assert said(other + "points -2 if income > 9.0") == [
        ("contrary", 2, f"by the points that depend on income > 9, more of 'income' {FOR_FALLING}")
    ]


def test_rules_in_order_are_not_taken_for_exceptions_of_each_other():
    """A rule of a later label asks that those before it do not hold."""
    header = "%@ target t: 'a', 'b' else 'c'\n%@ categorical x, y\n%@ apart x, y\n"
    text = "t(X,'a') :- p(X).\nt(X,'b') :- q(X), not p(X).\np(X) :- x(X,'1').\nq(X) :- y(X,'1').\nq(X) :- x(X,'2').\n"
    assert not [*broken_constraints(parse(header + text))]
    (found,) = broken_constraints(parse(header + text.replace("y(X,'1')", "y(X,'1'), x(X,'3')")))
    assert (found.kind, found.about) == ("combined", {"rule": "2", "column": "x", "other": "y"})


def test_it_is_said_in_german():
    text = "loan(X,'refused') :- sex(X,'f'), housing(X,'no'), not ab1(X).\n"
    text += "ab1(X) :- income(X,N), N < 9.5, age(X,M), M > 1.0.\n"
    grade = "points 1 if income > 9.5\n%@ grade 'refused' points 1 if sex = 'f'\n"
    assert [sentence for *_, sentence in said(text + GRADE + grade, lang="de")] == [
        "Regel 1 fragt samt Ausnahmen nach ‚housing‘ und nach ‚age‘, die keine Regel verbinden darf.",
        "Regel 1 fragt nach ‚sex‘, wonach keine Regel fragen darf.",
        "durch income < 9,5 in Ausnahme 1.1 spricht mehr von ‚income‘ für ‚refused‘; es darf nur dagegen sprechen.",
        "durch die Punkte, die von income > 9,5 abhängen, spricht mehr von ‚income‘ für ‚refused‘; "
        "es darf nur dagegen sprechen.",
        "die Punkte für ‚refused‘ fragen nach ‚sex‘, wonach keine Punkte fragen dürfen.",
    ]


def test_a_line_of_the_grade_has_no_clause_but_its_text():
    program = parse(HEADER + GRADE + "points 1 if sex = 'f'")
    (found,) = (each.as_dict() for each in check(program))
    assert found == {
        "kind": "forbidden",
        "index": None,
        "line": ABOVE + 2,
        "clause": "%@ grade 'refused' points 1 if sex = 'f'",
        "sentence": "points for 'refused' test 'sex', which no points may test.",
    }
    card = program.grade.cards[0]
    unread = replace(card, awards=tuple(replace(award, line=0) for award in card.awards))
    (found,) = check(replace(program, grade=replace(program.grade, cards=(unread,))))
    assert str(found) == "the grade: points for 'refused' test 'sex', which no points may test."


@settings(max_examples=150)
@given(dense_programs)
def test_what_is_not_reported_keeps_its_constraint(program):
    """On all rows there can be: no decision hangs on a forbidden column, and more of a column argues one way only."""
    target = (
        replace(program.target, default=program.target.labels[-1]) if len(program.target.labels) > 1 else program.target
    )
    program = replace(program, target=target)
    assert_apart(program)
    label, decided = target.labels[0], [decide(program, row) for row in WORLD]
    for column in program.columns:
        others = [{name: value for name, value in row.items() if name != column.name} for row in WORLD]
        alike = [(i, j) for i, one in enumerate(others) for j, other in enumerate(others) if one == other and i != j]
        if not [*broken_constraints(replace(program, constraints=Constraints((column.name,))))]:
            assert all(decided[i] == decided[j] for i, j in alike)
        for way in (1, -1) if column.kind == "numerical" else ():
            asked = Constraints(directions=((column.name, way),))
            if [*broken_constraints(replace(program, constraints=asked))]:
                continue
            for i, j in alike:
                low, high = WORLD[i][column.name], WORLD[j][column.name]
                if isinstance(low, float) and isinstance(high, float) and way * low < way * high:
                    assert decided[i] != label or decided[j] == label


def assert_apart(program):
    """Where nothing is reported, no rule has both columns, with its exceptions; rules in order are none of those."""
    pair = tuple(column.name for column in program.columns)
    if ordered_helpers(program) or [*broken_constraints(replace(program, constraints=Constraints(apart=(pair,))))]:
        return
    for rule in nest(program):
        assert not {*pair} <= {literal.column for literal in literals_below(rule)}


def literals_below(rule):
    return (*rule.literals, *(literal for exception in rule.exceptions for literal in literals_below(exception)))
