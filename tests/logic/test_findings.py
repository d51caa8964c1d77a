from dataclasses import replace

import pytest
from hypothesis import given, settings

from random_programs import NEVER, WORLD, dense_programs
from unless.logic.check.findings import KINDS, Seen, check
from unless.logic.edit import replace_clause
from unless.logic.holds import clause_holds, decide, helpers_hold
from unless.logic.rules import Literal
from unless.logic.text.parser import parse

HEADER = """\
%@ unless 1
%@ target income: 'low', 'mid' else 'high'
%@ categorical job
%@ numerical age, pay
"""


def kinds(text, seen=None):
    return [(finding.at.line - 4, finding.kind) for finding in check(parse(HEADER + text), seen)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("income(X,'low') :- age(X,N), N =< 20.0.", []),
        ("income(X,'low') :- age(X,N), N > 30.0, N =< 30.0.", [(1, "dead")]),
        ("income(X,'low') :- job(X,'a'), job(X,'b').", [(1, "dead")]),
        ("income(X,'low') :- job(X,'a'), not job(X,'a').", [(1, "dead")]),
        ("income(X,'low') :- pay(X,N), N > 3.0, pay_is(X,'none').", [(1, "dead")]),
        ("income(X,'low') :- job(X,'a'), ab1(X), not ab1(X).\nab1(X) :- age(X,N), N > 3.0.", [(1, "dead")]),
        ("income(X,'low') :- job(X,'a'), ab1(X).\nab1(X) :- job(X,'b').", [(1, "dead"), (2, "needless")]),
        ("income(X,'low') :- job(X,'a'), not ab1(X).\nab1(X) :- job(X,'a').", [(1, "dead")]),
        ("income(X,'low') :- job(X,'a').\nab1(X) :- job(X,'b').", [(2, "unreached")]),
        (
            "income(X,'low') :- age(X,N), N =< 20.0, not ab1(X).\nab1(X) :- age(X,N), N > 40.0.",
            [(1, "needless"), (2, "needless")],
        ),
        (
            "income(X,'low') :- age(X,N), N =< 20.0, not ab1(X).\nab1(X) :- age(X,N), N =< 25.0, job(X,'a').",
            [(2, "redundant")],
        ),
        ("income(X,'low') :- age(X,N), N =< 20.0, N =< 30.0.", [(1, "redundant")]),
        ("income(X,'low') :- pay(X,N), N > 3.0, not pay_is(X,'none').", [(1, "redundant")]),
        ("income(X,'low') :- job(X,'a'), not job(X,'b').", [(1, "redundant")]),
        ("income(X,'low') :- age(X,N), N =< 20.0.\nincome(X,'low') :- age(X,N), N =< 18.0.", [(2, "shadowed")]),
        ("income(X,'low') :- age(X,N), N =< 18.0.\nincome(X,'low') :- age(X,N), N =< 20.0.", [(1, "shadowed")]),
        ("income(X,'low') :- job(X,'a').\nincome(X,'low') :- job(X,'a').", [(2, "identical")]),
        ("income(X,'mid') :- job(X,'a').\nincome(X,'low') :- job(X,'a').", [(1, "shadowed")]),
        # x =< 3 and x > 3 leave words and missing, so neither is needless.
        ("income(X,'low') :- not ab1(X), not ab2(X).\nab1(X) :- pay(X,N), N =< 3.0.\nab2(X) :- pay(X,N), N > 3.0.", []),
    ],
)
def test_what_is_found(text, found):
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("income(X,'low') :- job(X,'c').", "the word 'c' does not occur in column 'job'."),
        ("income(X,'low') :- pay(X,N), N > 3.0.", "the data has no column 'pay'."),
        ("income(X,'low') :- age(X,N), N =< 99.0.",
         "the numbers of column 'age' go from 17 to 90: age ≤ 99 holds for all of them."),
        ("income(X,'low') :- age(X,N), N < 17.0.",
         "the numbers of column 'age' go from 17 to 90: age < 17 holds for none of them."),
    ],
)  # fmt: skip
def test_what_the_data_never_holds(text, said):
    (finding,) = check(parse(HEADER + text), {"job": Seen({"a"}), "age": Seen((), 17, 90)})
    assert (finding.kind, finding.sentence, finding.at.line) == ("unseen", said, 5)
    assert str(finding) == f"line 5: {said}"


def test_a_column_without_numbers_is_said():
    (finding,) = check(parse(HEADER + "income(X,'low') :- age(X,N), N > 3.0."), {"age": Seen({"?"})})
    assert finding.sentence == "column 'age' holds no number in the data."


@settings(max_examples=120)
@given(dense_programs)
def test_every_finding_is_true_of_every_row(program):
    expected = [decide(program, row) for row in WORLD]
    for finding in check(program):
        assert finding.kind in KINDS
        clause = program.clauses[finding.at.index]
        if finding.kind == "dead":
            assert not any(clause_holds(clause, row, helpers_hold(program, row)) for row in WORLD)
        for changed in harmless(program, finding, clause):
            assert [decide(changed, row) for row in WORLD] == expected


def harmless(program, finding, clause):
    """Make the change that a finding says makes no difference."""
    if finding.kind == "redundant" or (finding.kind == "needless" and finding.reason.key != "never_asked"):
        about = finding.reason.about
        named = [
            goal for goal in clause.body if goal == about.get("test") or getattr(goal, "name", "") == about.get("name")
        ]
        assert named
        for goal in named:
            body = tuple(other for other in clause.body if other != goal)
            if body and (isinstance(goal, Literal) or len(named) == 1):
                yield replace_clause(program, finding.at.index, replace(clause, body=body))
    else:
        dead = replace(clause, body=(*NEVER, *clause.body))
        clauses = (*program.clauses[: finding.at.index], dead, *program.clauses[finding.at.index + 1 :])
        yield replace(program, clauses=clauses)


def test_a_clause_that_makes_a_difference_is_not_called_needless():
    """A helper asked in a dead clause and in a living one is judged by both."""
    text = (
        "income(X,'low') :- job(X,'a'), not ab1(X).\nincome(X,'low') :- age(X,N), N > 3.0, N =< 2.0, not ab1(X).\n"
        "ab1(X) :- age(X,N), N > 9.0."
    )
    assert kinds(text) == [(2, "dead")]


def test_a_program_of_many_clauses_is_checked_in_time():
    lines = [f"income(X,'low') :- age(X,N), N > {i}.0, N =< {i - 1}.0, not ab1(X)." for i in range(2100)]
    assert len(kinds("\n".join([*lines, "ab1(X) :- job(X,'a')."]))) == 2100


def test_a_clause_that_two_others_cover_jointly_is_found():
    text = (
        "income(X,'low') :- job(X,'a'), age(X,N), N =< 40.0.\n"
        "income(X,'low') :- job(X,'a'), age(X,N), N > 30.0.\n"
        "income(X,'low') :- job(X,'a'), age(X,N), N > 10.0, N =< 60.0."
    )
    assert kinds(text) == [(3, "shadowed")]


@settings(deadline=None)
@given(dense_programs)
def test_without_all_clauses_found_superfluous_each_other_clause_matters(program):
    superfluous = ("dead", "unreached", "shadowed", "identical")
    found = [f for f in check(program) if f.kind in superfluous or f.reason.key == "never_asked"]
    gone = {finding.at.index for finding in found}
    rest = [clause for i, clause in enumerate(program.clauses) if i not in gone]
    labels = [decided(program, program.clauses, row) for row in WORLD]
    assert [decided(program, rest, row) for row in WORLD] == labels
    asked = {name for clause in rest for name in clause.called}
    for clause in [clause for clause in rest if clause.name is None or clause.name in asked]:
        without = [other for other in rest if other is not clause]
        assert [decided(program, without, row) for row in WORLD] != labels


def decided(program, clauses, row):
    """Decide a row by some of a program's clauses; a helper without any never holds."""
    known = {}
    for name in program.order:
        known[name] = any(clause_holds(c, row, known) for c in clauses if c.name == name)
    for label in program.target.labels:
        if any(clause_holds(c, row, known) for c in clauses if c.name is None and c.label == label):
            return label
    return program.target.default


def test_a_clause_that_adds_nothing_only_without_others_is_said_to():
    """The exception ab2 was said to add nothing, but without it alone rows were decided otherwise."""
    text = (
        "income(X,'low') :- job(X,'a'), not ab3(X).\n"
        "ab3(X) :- not ab2(X), at_least(4, [3*num(X), 2*other(X), 2*young(X)]).\n"
        "ab2(X) :- job(X,'a'), pay_is(X,'p').\n"
        "num(X) :- job(X,'a').\nother(X) :- not pay_is(X,'p').\nyoung(X) :- not job(X,'b')."
    )
    program = parse(HEADER + text)
    assert "others_gone" in [finding.reason.key for finding in check(program)]
    for finding in check(program):
        if finding.kind == "shadowed":
            kept = [clause for i, clause in enumerate(program.clauses) if i != finding.at.index]
            rows = [{"job": job, "pay": pay} for job in ("a", "b", None) for pay in ("p", 1.0, None)]
            same = all(decided(program, kept, row) == decide(program, row) for row in rows)
            assert same == (finding.reason.key != "others_gone")
