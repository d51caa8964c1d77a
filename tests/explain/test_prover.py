"""Proofs: small cases, then agreement with the definition of truth on random programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from random_programs import programs_with_rows
from unless import load, parse, prove
from unless.evaluate.predict import predict
from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode
from unless.logic.clause import Call, Clause
from unless.logic.holds import clause_holds, decide, goal_holds, helpers_hold, literal_holds, read_row
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal

ADULT = load(Path(__file__).parents[2] / "examples" / "adult.lp")
BIRDS = parse("""
%@ target flies: 'yes' else 'no'
%@ categorical bird, name
%@ numerical weight
flies(X,'yes') :- bird(X,'yes'), not ab2(X).
flies(X,'yes') :- name(X,'superman').
ab1(X) :- name(X,'kiwi rocket').
ab2(X) :- weight(X,N), N > 10.0, not ab1(X).
ab2(X) :- name(X,'penguin').
""")


def told(proof):
    """Write a proof as short lines."""
    lines = []
    for depth, node, again in proof.walk():
        if isinstance(node, LiteralNode):
            what = f"{node.literal.column}={node.value} {node.literal.op} {node.literal.value}"
        elif isinstance(node, ClauseNode):
            what = f"clause {node.number}"
        elif isinstance(node, PointsNode):
            what = f"{node.total} of {node.points.threshold} points"
        else:
            what = node.name or f"label {node.label}"
        lines.append("  " * depth + f"{'yes' if node.holds else 'no'} {what}{' again' if again else ''}")
    return lines


@pytest.mark.parametrize(
    ("row", "label", "lines"),
    [
        (
            {"bird": "yes", "weight": 3, "name": "robin"},
            "yes",
            ["yes label yes", "  yes clause 1", "    yes bird=yes = yes", "    no ab2", "      no clause 4",
             "        no weight=3.0 > 10.0", "      no clause 5", "        no name=robin = penguin"],
        ),
        (
            {"bird": "yes", "weight": 30, "name": "ostrich"},
            "no",
            ["no label yes", "  no clause 1", "    yes ab2", "      yes clause 4", "        yes weight=30.0 > 10.0",
             "        no ab1", "          no clause 3", "            no name=ostrich = kiwi rocket",
             "  no clause 2", "    no name=ostrich = superman"],
        ),
        (
            {},
            "no",
            ["no label yes", "  no clause 1", "    no bird=None = yes", "  no clause 2", "    no name=None = superman"],
        ),
    ],
)  # fmt: skip
def test_proof_says_what_mattered(row, label, lines):
    proof = prove(BIRDS, row)
    assert proof.label == label
    assert proof.holds == (label == "yes")
    assert told(proof) == lines


def test_all_rules_shows_every_rule_that_holds():
    row = {"bird": "yes", "name": "superman"}
    assert len(prove(BIRDS, row).reasons[0].children) == 1
    assert [c.number for c in prove(BIRDS, row, all_rules=True).reasons[0].children] == [1, 2]


def test_person_30_of_the_paper():
    row = {"age": 18, "marital_status": "never-married", "education_num": 7, "capital_gain": 0, "capital_loss": 0}
    assert told(prove(ADULT, row)) == [
        "yes label =<50k", "  yes clause 1", "    yes marital_status=never-married != married-civ-spouse",
        "    no ab4", "      no clause 9", "        no capital_gain=0.0 > 6849.0",
        "    no ab5", "      no clause 10", "        no education_num=7.0 > 12.0",
    ]  # fmt: skip


def test_a_later_label_says_why_the_earlier_do_not_hold():
    program = parse("""
    %@ target size: 'small', 'medium' else 'large'
    %@ numerical length
    size(X,'medium') :- length(X,N), N =< 10.0.
    size(X,'small') :- length(X,N), N =< 5.0.
    """)
    assert prove(program, {"length": 3}).label == "small"
    assert told(prove(program, {"length": 8})) == [
        "no label small", "  no clause 2", "    no length=8.0 =< 5.0",
        "yes label medium", "  yes clause 1", "    yes length=8.0 =< 10.0",
    ]  # fmt: skip
    assert [n.holds for n in prove(program, {"length": 80}).reasons] == [False, False]


def test_what_was_shown_is_not_repeated():
    program = parse("""
    g(X,'y') :- a(X,'1'), ab1(X).
    g(X,'y') :- a(X,'2'), ab2(X).
    g(X,'y') :- not ab1(X), not ab2(X).
    ab1(X) :- b(X,'1').
    ab2(X) :- ab1(X).
    """)
    assert [line for line in told(prove(program, {"a": "1", "b": "2"})) if "ab1" in line] == [
        "    no ab1",
        "        no ab1 again",
    ]


def test_a_label_without_clauses_does_not_hold():
    program = Program(
        Target("t", ("a", "b"), "c"), (Column("x", "categorical"),), (Clause(None, "b", (Literal("x", "=", "1"),)),)
    )
    assert told(prove(program, {"x": "1"}))[0] == "no label a"
    assert prove(program, {"x": "1"}).label == "b"


def test_proofs_compare_by_what_they_say():
    row = {"bird": "yes", "name": "robin"}
    assert prove(BIRDS, row) == prove(BIRDS, row)
    assert prove(BIRDS, row) != prove(BIRDS, {**row, "name": "penguin"})
    assert prove(BIRDS, row) != prove(BIRDS, row, row_name=1)
    assert prove(BIRDS, row) != "a proof"


def test_a_long_chain_of_exceptions_is_no_recursion():
    """A hostile file can chain tens of thousands of exceptions; each is a level of the tree."""
    n = 5_000
    test = Literal("x", "=", "1")
    chain = [Clause(f"ab{i}", None, (test, Call(f"ab{i + 1}"))) for i in range(1, n)]
    clauses = (Clause(None, "y", (test, Call("ab1"))), *chain, Clause(f"ab{n}", None, (test,)))
    program = Program(Target("t", ("y",), "n"), (Column("x", "categorical"),), clauses)
    proof = prove(program, {"x": "1"})
    assert proof.label == decide(program, {"x": "1"})
    assert sum(1 for _ in proof.walk()) > n
    assert proof == prove(program, {"x": "1"})


@given(programs_with_rows)
def test_the_label_is_the_one_that_holds_gives(case):
    program, rows = case
    for row in rows:
        values = read_row(program, row)
        for all_rules in (False, True):
            proof = prove(program, row, all_rules=all_rules)
            assert proof.label == decide(program, values)
            assert proof.holds == any(node.holds for node in proof.reasons)


@settings(max_examples=40, deadline=None)
@given(programs_with_rows)
def test_the_label_is_the_one_that_predict_gives(case):
    program, rows = case
    table = [{**dict.fromkeys(program.kinds), **row} for row in rows]
    assert predict(program, table) == [prove(program, row).label for row in rows]


@given(programs_with_rows)
def test_every_node_is_true_and_enough(case):
    """Each node's truth is the definition's, and follows from its children alone."""
    program, rows = case
    for row in rows:
        values = read_row(program, row)
        known = helpers_hold(program, values)
        for _, node, _ in prove(program, row, all_rules=True).walk():
            if isinstance(node, LiteralNode):
                assert node.value == values[node.literal.column]
                assert node.holds == literal_holds(node.literal, node.value)
            elif isinstance(node, ClauseNode):
                assert node.holds == clause_holds(node.clause, values, known)
                assert len(node.children) == (len(node.clause.body) if node.holds else 1)
            elif isinstance(node, PointsNode):
                assert node.holds == goal_holds(node.points, values, known)
                assert node.total == node.points.total(known)
                assert [child.name for child in node.children] == [case for _, case in node.points.awards]
            else:
                assert isinstance(node, PredicateNode)
                assert node.holds == any(clause.holds for clause in node.children)
                if node.name is not None:
                    assert node.holds == known[node.name]
