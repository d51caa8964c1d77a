from hypothesis import given, settings

from random_programs import WORLD, dense_programs
from unless.explain.words.brief import brief_goals
from unless.explain.words.language import language
from unless.logic.forms.flatten import flatten
from unless.logic.forms.nest import nest
from unless.logic.forms.outline import MAX_DEPTH, MAX_ENTRIES, outline
from unless.logic.holds import decide, rule_holds
from unless.logic.text.parser import parse

PROGRAM = parse("""\
good(X,'yes') :- age(X,N), N > 18.0, N =< 60.0, rich(X), not ab1(X).
ab1(X) :- town(X,'here'), not ab2(X).
ab1(X) :- town(X,'there').
ab2(X) :- name(X,'me').
rich(X) :- pay(X,N), N > 5.0.
""")


def test_exceptions_stand_under_what_they_except():
    entries = [(e.number, e.kind, e.supports, e.clause.name) for rule in outline(PROGRAM) for e in rule.walk()]
    assert entries == [
        ("1", "rule", True, None),
        ("1.1", "condition", True, "rich"),
        ("1.2", "exception", False, "ab1"),
        ("1.2.1", "exception", True, "ab2"),
        ("1.3", "exception", False, "ab1"),
    ]


def test_two_bounds_are_said_as_one():
    assert brief_goals(PROGRAM.clauses[0], language("en")) == ["18 < age ≤ 60", "rich"]


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
