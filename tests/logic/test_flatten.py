"""Nested rules and their flat program mean the same for every row."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import learned_programs, literals, rows_for
from strategies import numbers, words
from unless import Literal, Rule, parse
from unless.errors import ProgramError
from unless.logic.clause import Call, Clause
from unless.logic.forms.flatten import flatten, flatten_ordered, merge_bounds
from unless.logic.holds import decide, literal_holds, rule_holds
from unless.logic.program import Target
from unless.logic.rules import Column, Negated, OneOf, Scorecard

COLUMNS = (Column("word", "categorical"), Column("age", "numerical"))
TARGET = Target("label", ("yes",), "no")


def age(op, value):
    return Literal("age", op, value)


@pytest.mark.parametrize(
    ("body", "merged"),
    [
        ([age(">", 3), age(">", 5)], [age(">", 5)]),
        ([age("=<", 3), age("=<", 5)], [age("=<", 3)]),
        ([age("=<", 3), age("<", 3)], [age("<", 3)]),
        ([age(">=", 3), age(">", 3)], [age(">", 3)]),
        ([age(">", 3), age("=<", 5)], [age(">", 3), age("=<", 5)]),
        ([age(">", 3), age("!=", "x")], [age(">", 3)]),
        ([age("=", "y"), age("!=", "x")], [age("=", "y")]),
        ([age("=", "x"), age("!=", "x")], [age("=", "x"), age("!=", "x")]),
        ([age("!=", "x"), age("!=", "y")], [age("!=", "x"), age("!=", "y")]),
        ([age("=", "y"), age(">", 3)], [age("=", "y"), age(">", 3)]),
        ([age(">", 3), age(">", 3)], [age(">", 3)]),
    ],
)
def test_redundant_bounds_are_merged(body, merged):
    assert merge_bounds(body) == merged


@given(
    st.lists(literals([COLUMNS[1]]), min_size=1, max_size=5).flatmap(
        lambda body: st.tuples(st.just(body), rows_for([COLUMNS[1]], body))
    )
)
@settings(max_examples=80)
def test_merging_keeps_the_meaning(case):
    body, row = case
    truth = all(literal_holds(literal, row["age"]) for literal in body)
    assert all(literal_holds(literal, row["age"]) for literal in merge_bounds(body)) == truth


def every_literal(rules):
    for rule in rules:
        yield from rule.body
        yield from every_literal(rule.exceptions)


@given(learned_programs(), st.data())
@settings(max_examples=60)
def test_flat_program_means_the_nested_rules(case, data):
    nested, program = case
    for _ in range(4):
        row = data.draw(rows_for(program.columns, list(every_literal(nested))))
        told = any(rule_holds(rule, row) for rule in nested)
        assert decide(program, row) == (program.target.labels[0] if told else program.target.default)


def test_exceptions_are_numbered_innermost_first():
    inner = Rule(None, (Literal("word", "=", "c"),))
    outer = Rule(None, (Literal("word", "=", "b"),), (inner,))
    program = flatten([Rule("yes", (Literal("word", "!=", "a"),), (outer,))], TARGET, COLUMNS)
    assert [clause.name for clause in program.clauses] == [None, "ab2", "ab1"]
    assert program.helpers["ab2"][0].body == (Literal("word", "=", "b"), Call("ab1"))


def test_identical_exceptions_share_a_name():
    exception = Rule(None, (Literal("word", "=", "b"),))
    one = Rule("yes", (age(">", 3.0),), (exception,))
    other = Rule("yes", (age("=<", 1.0),), (exception, exception))
    program = flatten([one, other], TARGET, COLUMNS)
    assert [clause.name for clause in program.clauses] == [None, "ab1", None]
    assert program.clauses[2] == Clause(None, "yes", (age("=<", 1.0), Call("ab1")))


def test_helpers_are_named_after_what_they_hold_and_stand_below_the_rule_that_calls_them():
    columns = (Column("Home town", "categorical"), Column("n", "numerical"), Column("town_set1", "categorical"))
    towns = OneOf("Home town", ("a", "b"))
    card = Scorecard(
        (
            (1, Literal("Home town", "=", "Bath & Wells")),
            (2, Literal("n", ">", 3.0)),
            (1, Literal("Home town", "!=", "3")),
            (1, OneOf("Home town", ("a", "b"), negated=True)),
            (1, Literal("Home town", "=", "3.5")),
            (1, Literal("Home town", "=", "東京")),
            (1, Negated(Literal("n", "=<", 1.0))),
        ),
        threshold=3,
    )
    rules = [Rule("yes", (towns, Negated(Literal("n", "=<", 1.0)))), Rule("yes", (card, towns))]
    program = flatten(rules, TARGET, columns)
    assert [clause.name for clause in program.clauses] == [
        None, "home_town_set1", "home_town_set1", "col_n_low1",
        None, "col_n_high1", "home_town_is_bath_wells", "home_town_not3", "not_home_town_set1",
        "home_town_is_word", "home_town_is_word1", "not_col_n_low1",
    ]  # fmt: skip
    assert parse(str(program)) == program


def test_the_rules_of_a_label_are_named_after_it():
    rules = [Rule("Iris-setosa", (age(">", 3.0),)), Rule("7", (age(">", 2.0),)), Rule("n", (age(">", 1.0),))]
    program = flatten_ordered(rules, Target("label", ("n",), "no"), COLUMNS)
    assert list(program.helpers) == ["iris_setosa_rule1", "col_7_rule1", "col_n_rule1"]


def test_a_rule_that_never_holds_is_left_out():
    never = Rule(None, ())
    program = flatten([Rule("yes", ()), Rule("yes", (age(">", 3.0),), (never,))], TARGET, COLUMNS)
    assert program.clauses == (Clause(None, "yes", (age(">", 3.0),)),)


def test_an_empty_body_with_exceptions_holds_unless_they_do():
    exception = Rule(None, (Literal("word", "=", "b"),))
    program = flatten([Rule("yes", (), (exception,))], TARGET, COLUMNS)
    assert decide(program, {"word": "a"}) == "yes"
    assert decide(program, {"word": "b"}) == "no"


def test_an_empty_body_whose_exceptions_never_hold_is_refused():
    """It holds for every row by the law; flattened it lost its exceptions, and then held for none."""
    with pytest.raises(ProgramError, match="holds for every row"):
        flatten([Rule("yes", (), (Rule(None, ()),))], TARGET, COLUMNS)


def test_not_is_never_pushed_through_a_numeric_test():
    exception = Rule(None, (age("=<", 3.0),))
    rule = Rule("yes", (Literal("word", "=", "a"),), (exception,))
    program = flatten([rule], TARGET, COLUMNS)
    for value in (None, "x", 2.0, 4.0):
        row = {"word": "a", "age": value}
        assert (decide(program, row) == "yes") == rule_holds(rule, row) == (value != 2.0)


@given(numbers, words)
def test_equality_tests_are_complements_and_order_tests_are_not(number, word):
    for value in (number, word, None):
        assert literal_holds(age("=", word), value) != literal_holds(age("!=", word), value)
        both = literal_holds(age("=<", number), value) + literal_holds(age(">", number), value)
        assert both == (1 if isinstance(value, float) else 0)
