from dataclasses import replace

import pytest
from hypothesis import given, settings

from random_programs import WORLD, dense_programs
from unless.explain.proof.row_truth import RowTruth
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.logic.clause import Clause, Points
from unless.logic.forms.flatten import flatten
from unless.logic.forms.nest import nest
from unless.logic.forms.outline import MAX_DEPTH, MAX_ENTRIES, outline
from unless.logic.holds import decide, goal_holds, rule_holds
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal
from unless.logic.text.parser import parse

PROGRAM = parse("""\
good(X,'yes') :- age(X,N), N > 18.0, N =< 60.0, rich(X), not ab1(X).
ab1(X) :- town(X,'here'), not ab2(X).
ab1(X) :- town(X,'there').
ab2(X) :- name(X,'me').
rich(X) :- pay(X,N), N > 5.0, not poor(X).
poor(X) :- debt(X,N), N > 9.0.
""")
ENGLISH = language("en")


def said(text, **values):
    """Return the rules of a program in words; `values` are the few numbers that a column is known to have."""
    program = parse(text)
    columns = tuple(replace(column, values=values.get(column.name, ())) for column in program.columns)
    return [
        (entry.number, Conditions(ENGLISH).body(entry))
        for rule in outline(replace(program, columns=columns))
        for entry in rule.walk()
    ]


def test_exceptions_stand_under_what_they_except_and_conditions_in_it():
    entries = [(e.number, e.kind, e.supports, e.helper) for rule in outline(PROGRAM) for e in rule.walk()]
    assert entries == [
        ("1", "rule", True, None),
        ("1.1", "exception", False, "ab1"),
        ("1.1.1", "exception", True, "ab2"),
        ("1.2", "exception", False, "ab1"),
        ("1.3", "exception", False, "poor"),
    ]
    assert Conditions(ENGLISH).body(outline(PROGRAM)[0]) == "age above 18 up to 60 and pay above 5"


CASES = {
    "a set is said where it is asked for": (
        "t(X,'y') :- s(X), n(X,N), N > 1.0. s(X) :- c(X,'b'). s(X) :- c(X,'a').",
        [("1", "n above 1 and c is a or b")],
    ),
    "a set that is denied is a condition": (
        "t(X,'y') :- n(X,N), N > 1.0, not s(X). s(X) :- c(X,'b'). s(X) :- c(X,'a').",
        [("1", "n above 1 and c is neither a nor b")],
    ),
    "a word that is denied by a helper is an exception": (
        "t(X,'y') :- n(X,N), N > 1.0, not s(X). s(X) :- c(X,'b').",
        [("1", "n above 1"), ("1.1", "c is b")],
    ),
    "a set and a test of one column are one test": (
        "t(X,'y') :- s(X), not c(X,'a'). s(X) :- c(X,'b'). s(X) :- c(X,'a').",
        [("1", "c is b")],
    ),
    "two ranges of one column": (
        "t(X,'y') :- s(X). s(X) :- n(X,N), N =< 1.0. s(X) :- n(X,N), N > 2.0, N < 1800.5.",
        [("1", "n at most 1 or between 2 and 1,800.5")],
    ),
    "closed and half-open ranges": (
        "t(X,'y') :- n(X,N), N >= 1.0, N =< 2.0, m(X,M), M >= 1.0, M < 3.0.",
        [("1", "n from 1 to 2 and m from 1 to below 3")],
    ),
    "the complement of a number lets blanks through": (
        "t(X,'y') :- a(X), c(X,'x'). t(X,'y') :- b(X), c(X,'z'). a(X) :- not b(X). b(X) :- n(X,N), N =< 3.0.",
        [("1", "c is x and n above 3 or blank"), ("2", "c is z and n at most 3")],
    ),
    "and words, where the column is known to have some": (
        "t(X,'y') :- a(X). t(X,'y') :- n_is(X,'many'). a(X) :- not b(X). b(X) :- n(X,N), N =< 3.0.",
        [("1", "n above 3 or no number"), ("2", "n is many")],
    ),
    "a helper with several clauses of several columns": (
        "t(X,'y') :- h(X). h(X) :- n(X,N), N > 1.0, c(X,'a'). h(X) :- c(X,'b'), not ab1(X). ab1(X) :- n(X,N), N > 5.0.",
        [("1", "either n above 1 and c is a, or c is b (unless n above 5)")],
    ),
    "what can never hold": ("t(X,'y') :- n(X,N), N > 3.0, N =< 1.0.", [("1", "n is nothing at all")]),
    "no condition at all": ("t(X,'y') :- not a(X). a(X) :- c(X,'b').", [("1", "in any case"), ("1.1", "c is b")]),
    "words that need quotes": (
        "t(X,'y') :- c(X,'a b'), d(X,''), e(X,'not'), n_is(X,'7'), m(X,M), M > 0.1.",
        [("1", "c is 'a b', d is '', e is 'not', n is '7' and m above 0.1")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_helpers_are_said_as_what_they_mean(case):
    text, expected = CASES[case]
    header = "%@ unless 1\n%@ target t: 'y' else 'n'\n%@ categorical c, d, e\n%@ numerical n, m\n"
    assert said(header + text) == expected


def test_of_few_numbers_in_a_mixed_column_those_that_do_not_pass_are_said_where_they_are_fewer():
    """Cars have 2, 4 or more persons; a rule said "persons is 4 or no number"."""
    text = "t(X,'y') :- a(X). t(X,'y') :- n_is(X,'more'). a(X) :- not b(X). b(X) :- n(X,N), N =< {}.0."
    assert said(text.format(2), n=(2, 4))[0] == ("1", "n is not 2")
    assert said(text.format(3), n=(2, 3, 4, 5))[0] == ("1", "n is neither 2 nor 3")
    assert said(text.format(4), n=(2, 3, 4, 5))[0] == ("1", "n is 5 or no number")


def test_dates_come_after_one_another():
    header = "%@ unless 1\n%@ target t: 'y' else 'n'\n%@ numerical n, m, k\n%@ read n: 'dd.mm.yyyy'\n"
    header += "%@ read m: 'yyyy-mm-dd hh:mm'\n%@ read k: 'duration'\n"
    text = "t(X,'y') :- n(X,N), N > 19282.0, N =< 19689.0, m(X,M), M =< 0.0, k(X,K), K > 60.0."
    expected = "n after 17.10.2022 up to 28.11.2023, m up to 1970-01-01 00:00 and k above 0:01"
    assert said(header + text) == [("1", expected)]
    text = "t(X,'y') :- n(X,N), N >= 19282.0, m(X,M), M < 0.0."
    assert said(header + text) == [("1", "n from 17.10.2022 on and m before 1970-01-01 00:00")]


def test_a_threshold_in_a_column_of_few_whole_numbers_is_an_equality():
    text = "t(X,'y') :- n(X,N), N > 3.0, m(X,M), M > 0.0, M =< 2.0, k(X,K), K > 1.0."
    few = {"n": (1, 2, 3, 4), "m": (0, 1, 2, 3), "k": (1, 2, 3, 4, 5)}
    assert said(text, **few) == [("1", "n is 4, m is 1 or 2 and k above 1")]


def with_points(first, needed, values=()):
    """Return a program whose rule gives points to c, a and b above 0, the first so many, the others two."""
    columns = tuple(Column(name, "numerical", values) for name in "abc")
    cases = [Clause(f"case{i}", None, (Literal(name, ">", 0),)) for i, name in enumerate("cab", 1)]
    points = Points(((first, "case1"), (2, "case2"), (2, "case3")), needed)
    return Program(Target("t", ("y",), "n"), columns, (Clause(None, "y", (points,)), *cases))


def test_equal_points_are_counting():
    (rule,) = outline(with_points(2, 3, (0, 1)))
    assert Conditions(ENGLISH).body(rule) == "at least 2 of these 3 are 1: a, b, c"


def test_other_points_are_a_table_with_the_heaviest_first():
    (rule,) = outline(with_points(3, 4))
    (table,) = rule.conditions
    assert [points for points, _ in table.awards] == [3, 2, 2]
    assert Conditions(ENGLISH).body(rule) == "4 points or more, of 3 if c above 0; 2 if a above 0; 2 if b above 0"


def test_a_long_set_is_counted_first():
    words = [f"w{i}" for i in range(12)]
    text = "t(X,'y') :- s(X). " + "".join(f"s(X) :- c(X,'{word}'). " for word in words)
    assert said(text) == [("1", f"c is one of 12: {', '.join(sorted(words))}")]
    (rule,) = outline(parse(text))
    assert Conditions(ENGLISH, is_short=True).body(rule) == "c is one of 12: w0, w1, w10, …"


@given(dense_programs)
def test_conditions_and_exceptions_hold_when_the_program_says_so(program):
    """What is said of an entry is what it tests: its conditions are its goals, and none of its exceptions may hold."""
    for row in WORLD:
        truth = RowTruth(program, row)
        for entry in (entry for rule in outline(program) for entry in rule.walk()):
            goals = all(goal_holds(goal, row, truth.helpers) for goal in entry.goals)
            assert goals == (not truth.failing(entry))
            if not entry.cut and entry.kind == "exception":
                assert truth.holds(entry) == (goals and not truth.applying(entry))
        first = next((rule for rule in outline(program) if truth.holds(rule)), None)
        assert (program.target.default if first is None else first.label) == decide(program, row)


def test_a_program_that_doubles_at_every_step_stays_small():
    steps = "".join(
        f"h{i}(X) :- a(X,'b'), not h{i - 1}(X).\nh{i}(X) :- a(X,'c'), not h{i - 1}(X).\n" for i in range(1, 60)
    )
    program = parse("t(X,'y') :- a(X,'d'), not h59(X).\nh0(X) :- a(X,'e').\n" + steps)
    (rule,) = outline(program)
    entries = list(rule.walk())
    assert len(entries) <= MAX_ENTRIES + len(program.clauses) + 1
    assert max(entry.depth for entry in entries) <= MAX_DEPTH
    assert any(entry.cut for entry in entries)


@settings(max_examples=50)
@given(dense_programs)
def test_nested_rules_hold_for_the_same_rows(program):
    rules = nest(program)
    for row in WORLD:
        told = [label for label in program.target.labels if any(rule_holds(r, row) for r in rules if r.head == label)]
        assert (told[0] if told else program.target.default) == decide(program, row)


@settings(max_examples=50)
@given(dense_programs)
def test_flattening_nested_rules_changes_no_prediction(program):
    again = flatten(nest(program), program.target, program.columns, program.missing)
    assert [decide(again, row) for row in WORLD] == [decide(program, row) for row in WORLD]
