"""What the comments of a model file say, and that they are only comments."""

from __future__ import annotations

import pytest
from hypothesis import given

from random_programs import programs
from unless import Literal, parse
from unless.logic.clause import Clause
from unless.logic.program import Program, Target
from unless.logic.rules import Column
from unless.logic.text.remarks import remarks

HEAD = "%@ target loan: 'yes' else 'no'\n%@ categorical town\n%@ numerical income, chest_pain\n"
BELOW = """
town_set1(X) :- town(X,'Bath').
town_set1(X) :- town(X,'Leeds').
town_set1(X) :- town(X,'York').
pain(X) :- chest_pain(X,N), N > 3.0.
rich(X) :- income(X,N), N > 3.5.
modest(X) :- not rich(X).
ab1(X) :- rich(X), not ab2(X).
ab2(X) :- town(X,'Rome').
scored(X) :- at_least(1, [1*pain(X), 1*rich(X)]).
"""


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("income(X,N), N > 30200.0, not town(X,'Rome')", "if income above 30200 and town is not Rome"),
        ("income(X,N), N > 18.5, N =< 20.0", "if income above 18.5 and at most 20"),
        ("chest_pain(X,N), N > 3.0", "if chest pain is 4"),
        ("chest_pain(X,N), N > 2.0", "if chest pain is 3 or 4"),
        ("income_is(X,'?')", "if income is ?"),
        ("town_set1(X), not pain(X)", "if town is Bath, Leeds or York, unless chest pain is 4"),
        ("not town_set1(X)", "if town is not Bath, Leeds or York"),
        ("pain(X), not ab1(X)", "if chest pain is 4, unless (income above 3.5, unless town is Rome)"),
        ("at_least(1, [1*pain(X), 1*rich(X)])", "with at least 1 of these 2: income above 3.5; chest pain is 4"),
        ("scored(X)", "with at least 1 of these 2: income above 3.5; chest pain is 4"),
        (
            "at_least(4, [2*pain(X), 2*modest(X)])",
            "with at least 2 of these 2: income at most 3.5 or blank; chest pain is 4",
        ),
        (
            "not ab2(X), at_least(3, [2*pain(X), 3*town_set1(X)])",
            "with 3 points or more (3 for town is Bath, Leeds or York; 2 for chest pain is 4), unless town is Rome",
        ),
    ],
)
def test_a_rule_is_said_in_a_sentence(clause, said):
    program = parse(f"{HEAD}%@ values chest_pain: 1, 2, 3, 4\nloan(X,'yes') :- {clause}.{BELOW}")
    assert remarks(program) == {1: f"1. yes, {said}."}


def test_rules_are_counted_in_the_order_in_which_they_decide():
    program = parse("%@ target t: 'a', 'b' else 'c'\n%@ categorical w\nt(X,'b') :- w(X,'1').\nt(X,'a') :- w(X,'2').")
    assert remarks(program) == {2: "1. a, if w is 2.", 1: "2. b, if w is 1."}


def test_where_labels_are_decided_in_turn_each_rule_is_said_once():
    program = parse(
        "%@ target t: 'a', 'b' else 'c'\n%@ categorical w, v\n"
        "t(X,'a') :- a_rule(X).\na_rule(X) :- w(X,'1'), not ab1(X).\nab1(X) :- v(X,'2').\n"
        "t(X,'b') :- b_rule(X), not a_rule(X).\nb_rule(X) :- w(X,'2').\nb_rule(X) :- v(X,'3')."
    )
    assert remarks(program) == {
        1: "1. a, if w is 1, unless v is 2.",
        4: "b, if one of the next 2 rules applies, unless an earlier rule applies.",
        5: "2. b, if w is 2.",
        6: "3. b, if v is 3.",
    }


def test_a_word_cannot_leave_its_comment():
    word = "x\nloan(X,'no') :- town(X,'y').\r\u2028%@ missing 'z'"
    clause = Clause(None, "yes", (Literal("town", "=", word),))
    program = Program(Target("loan", ("yes", "no"), "none"), (Column("town", "categorical"),), (clause,))
    assert parse(str(program)) == program


@given(programs())
def test_every_rule_has_one_line_of_remark(program):
    said = remarks(program)
    assert {*said} >= {number for numbers in program.label_clauses for number in numbers}
    assert all(line.isprintable() for line in said.values())
