import json
import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import NEVER, WORLD, dense_programs
from unless.errors import DataError
from unless.evaluate.coverage import coverage, seen_values
from unless.evaluate.figures import COLUMNS
from unless.explain.words.language import language
from unless.logic.check.findings import Seen
from unless.logic.clause import Call
from unless.logic.forms.outline import outline
from unless.logic.holds import decide, goal_holds, helpers_hold
from unless.logic.text.parser import parse

PROGRAM = parse("""\
%@ unless 1
%@ target flies: 'yes' else 'no'
%@ categorical kind, name
flies(X,'yes') :- kind(X,'bird'), not ab1(X).
ab1(X) :- name(X,'penguin'), not ab2(X).
ab2(X) :- name(X,'penguin').
""")
BIRDS = [
    {"kind": "bird", "name": "robin", "flies": "yes"},
    {"kind": "bird", "name": "robin", "flies": "yes"},
    {"kind": "bird", "name": "tux", "flies": "no"},
    {"kind": "bird", "name": "penguin", "flies": "no"},
    {"kind": "cat", "name": "tux", "flies": "no"},
    {"kind": "bat", "name": "bat", "flies": "yes"},
]
SIMPLE = parse("""\
%@ unless 1
%@ target flies: 'yes' else 'no'
%@ categorical kind, name
flies(X,'yes') :- kind(X,'bird'), not ab1(X).
ab1(X) :- name(X,'tux').
""")


def test_the_probability_of_a_line_is_that_of_being_right():
    """An exception that was right about every row stood beside the probability of the label that it stops, 12 %."""
    lines = "%@ grade 'yes' curve 2.0 -1.0\n%@ grade 'yes' points 1 if decided\n"
    rule, exception, default = coverage(parse(f"{SIMPLE}\n{lines}"), BIRDS).lines
    flies, stays = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(-1))
    for line, expected in ((rule, flies), (exception, stays), (default, stays)):
        assert line.probability == pytest.approx(expected, abs=1e-6)


def test_figures_of_a_rule_its_exception_and_the_default():
    table = coverage(SIMPLE, BIRDS)
    rule, exception, default = table.lines
    assert (rule.context, rule.covered, rule.right, rule.wrong, rule.alone) == (6, 3, 2, 1, 3)
    assert (rule.precision, rule.lift, rule.share) == (pytest.approx(2 / 3), pytest.approx(4 / 3), pytest.approx(2 / 3))
    # Asked at the four birds, of which two do not fly; right about one of them.
    assert (exception.context, exception.covered, exception.right, exception.alone) == (4, 1, 1, 1)
    assert (exception.precision, exception.lift, exception.share) == (1.0, 2.0, 0.5)
    assert (default.covered, default.right, default.examples) == (3, 2, (2, 4, 5))
    assert [line.rule for line in table.lines] == ["yes if kind is bird", "unless name is tux", "no"]


def test_an_exception_to_an_exception_is_right_where_that_one_would_be_wrong():
    table = coverage(PROGRAM, BIRDS)
    assert (table["1.1"].covered, table["1.1.1"].covered, table["1.1.1"].right) == (0, 1, 0)
    assert table["1.1"].precision is None


def test_without_labels_only_counts_are_known():
    table = coverage(SIMPLE, [{k: v for k, v in row.items() if k != "flies"} for row in BIRDS])
    assert not table.has_labels
    assert [line.right for line in table.lines] == [None] * 3
    assert [line.covered for line in table.lines] == [3, 1, 3]


def test_columns_stay_and_all_faces_can_be_made():
    table = coverage(SIMPLE, BIRDS)
    assert [tuple(row) for row in table.rows()] == [COLUMNS] * 3
    assert json.loads(json.dumps(table.as_dict()))["lines"][0]["right"] == 2
    hostile = parse(str(SIMPLE).replace("bird", "<b>&"))
    assert "<b>" not in coverage(hostile, BIRDS).as_html()
    assert "&lt;b&gt;&amp;" in coverage(hostile, BIRDS).as_html()


@pytest.mark.parametrize(
    ("share", "said"), [(None, ""), (1.0, "100 %"), (0.99999, "above 99.9 %"), (1e-9, "below 0.1 %"), (0.0006, "0.1 %")]
)
def test_percentages_claim_nothing_that_is_not_so(share, said):
    assert language("en").percent(share) == said


def test_labels_are_read_as_the_program_writes_them():
    numbers = parse("%@ unless 1\n%@ target y: 1 else 0\n%@ numerical a\ny(X,'1') :- a(X,N), N > 2.0.")
    rows = [{"a": 1, "y": 0.0}, {"a": 3, "y": 1.0}, {"a": 4, "y": 1.0}]
    assert coverage(numbers, rows).lines[0].right == 2
    flags = parse("%@ unless 1\n%@ target y: true else false\n%@ numerical a\ny(X,'True') :- a(X,N), N > 2.0.")
    assert coverage(flags, [{"a": 3, "y": True}, {"a": 4, "y": False}]).lines[0].right == 1
    headless = parse("y(X,'up') :- a(X,N), N > 2.0.")
    assert coverage(headless, [{"a": 1, "y": "down"}, {"a": 3, "y": "up"}]).lines[-1].right == 1


def test_a_row_without_a_label_is_refused_by_number():
    with pytest.raises(DataError, match=r"no label in 1 row.*the first is row 1"):
        coverage(SIMPLE, [BIRDS[0], {"kind": "bird", "name": "x", "flies": None}])
    with pytest.raises(DataError, match="'flys' is not in the table"):
        coverage(SIMPLE, BIRDS, "flys")


def test_what_was_seen():
    program = parse("y(X,'a') :- a(X,N), N > 2.0, b(X,'c').")
    seen = seen_values(program, {"a": [1, 3, "many", None], "b": ["d", None, "c", "d"]})
    assert seen == {"a": Seen(frozenset({"many"}), 1.0, 3.0), "b": Seen(frozenset({"c", "d"}))}


@settings(max_examples=40)
@given(dense_programs, st.integers(0, 99))
def test_figures_agree_with_counting_row_by_row(program, seed):
    labels = random.Random(seed).choices("xyz", k=len(WORLD))
    rows = [{**row, "t": label} for row, label in zip(WORLD, labels, strict=True)]
    table = coverage(program, rows).by_number
    for rule in outline(program):
        for entry, covered in covered_rows(program, rule, WORLD):
            right = [i for i in covered if (labels[i] == entry.label) == entry.supports]
            figures = table[entry.number]
            assert (figures.covered, figures.right) == (len(covered), len(right))
            assert figures.examples == tuple(covered[:3])


def covered_rows(program, entry, rows, context=None):
    context = range(len(rows)) if context is None else context
    known = [helpers_hold(program, row) for row in rows]
    yield entry, [i for i in context if all(goal_holds(goal, rows[i], known[i]) for goal in entry.when)]
    inside = [i for i in context if all(goal_holds(goal, rows[i], known[i]) for goal in entry.goals)]
    for below in entry.entries:
        yield from covered_rows(program, below, rows, inside)


def stands_for(entry):
    """Return the clauses that an entry says: those of a helper of one column, else one."""
    asks_for_helper = entry.when == (Call(entry.helper, negated=False),) if entry.helper else False
    return (lambda clause: clause.name == entry.helper) if asks_for_helper else (lambda clause: clause is entry.clause)


@settings(max_examples=40)
@given(dense_programs)
def test_alone_are_the_rows_that_change_when_the_clause_goes(program):
    table = coverage(program, WORLD).by_number
    entries = [entry for rule in outline(program) for entry in rule.walk()]
    asked = [name for clause in program.clauses for name in clause.called]
    for entry in entries:
        if entry.helper is not None and asked.count(entry.helper) > 1:
            continue  # a shared helper cannot go in one place only
        if sum(other.clause is entry.clause for other in entries) > 1:
            continue
        is_said = stands_for(entry)
        clauses = [replace(c, body=(*NEVER, *c.body)) if is_said(c) else c for c in program.clauses]
        without = replace(program, clauses=tuple(clauses))
        changed = sum(decide(program, row) != decide(without, row) for row in WORLD)
        assert table[entry.number].alone == changed


ORDERED = parse("""\
%@ unless 1
%@ target t: 'x', 'y' else 'z'
%@ categorical c
%@ numerical n
t(X,'x') :- first(X).
t(X,'y') :- second(X), not first(X).
t(X,'x') :- third(X), not second(X).
first(X) :- n(X,N), N > 2.0, not ab1(X).
second(X) :- n(X,N), N > 1.0.
second(X) :- c(X,'a').
third(X) :- c(X,'b').
ab1(X) :- c(X,'a').
""")


def test_rules_in_order_cover_what_no_rule_of_another_label_before_them_covers():
    entries = outline(ORDERED)
    assert [(e.number, e.label) for rule in entries for e in rule.walk()] == [
        ("1", "x"), ("1.1", "x"), ("2", "y"), ("3", "y"), ("4", "x"),
    ]  # fmt: skip
    table = coverage(ORDERED, WORLD)
    decided = [decide(ORDERED, row) for row in WORLD]
    assert table["else"].covered == decided.count("z")
    assert table["1"].covered + table["4"].covered == decided.count("x")
