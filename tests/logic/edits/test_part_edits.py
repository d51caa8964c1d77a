"""Edits by number and column: what is changed means what was asked, and nothing else changes its meaning."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from random_programs import WORLD, dense_programs
from unless.errors import ProgramError
from unless.logic.clause import Call
from unless.logic.edits.found_parts import entry_of
from unless.logic.edits.rule_parts import (
    add_case,
    change_case,
    change_needed,
    change_points,
    change_test,
    column_test,
    drop_case,
    drop_test,
    points_of,
)
from unless.logic.edits.value_goals import GoalWriter, check_values
from unless.logic.edits.whole_rules import (
    add_exception,
    add_rule,
    move_rule,
    only_rules,
    remove_entry,
    switch_off,
    switch_on,
)
from unless.logic.forms.entries import ColumnTest, LeftOut, PointsTable
from unless.logic.forms.outline import outline
from unless.logic.forms.value_sets import Cut, NumberSpan, ValueSet, one_column_helpers
from unless.logic.holds import decide, goal_holds, helpers_hold
from unless.logic.rules import Literal
from unless.logic.text.parser import parse


def true(program, goal, row):
    return goal_holds(goal, row, helpers_hold(program, row))


def above(number):
    return ValueSet.of(Literal("n", ">", number))


@st.composite
def value_sets(draw, column):
    """Draw values of one of the two columns that goals can say."""
    spans, numerical = (), column == "n"
    if numerical:
        cuts = sorted(draw(st.sets(st.builds(Cut, st.sampled_from((1.0, 2.0, 3.0)), st.booleans()), max_size=4)))
        cuts = cuts if len(cuts) % 2 == 0 else [Cut(float("-inf"), False), *cuts]
        spans = tuple(NumberSpan(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=True))
    words = draw(st.frozensets(st.sampled_from(("a", "b")), min_size=0 if spans else 1))
    values = ValueSet(spans, words, others=False, missing=False)
    return ~values if draw(st.booleans()) else values


def goals_but_of(program, entry, column):
    """Return the goals of an entry that do not belong to the test of a column."""
    known = one_column_helpers(program)

    def is_of(goal):
        if isinstance(goal, Literal):
            return goal.column == column
        return isinstance(goal, Call) and goal.name in known and known[goal.name][0] == column

    return [goal for goal in entry.goals if not is_of(goal)]


def holds(program, entry, row, changed, gone=()):
    """Tell naively whether an entry holds, with other truths for some; those in `gone` are not there."""
    own = changed.get(entry.number)
    met = all(true(program, goal, row) for goal in entry.goals) if own is None else own(entry, row)
    return met and not any(
        holds(program, below, row, changed, gone) for below in entry.entries if below.number not in gone
    )


def expected(program, row, changed, gone=()):
    """Decide a row by the outline: the first rule that holds."""
    for rule in outline(program):
        if rule.number not in gone and holds(program, rule, row, changed, gone):
            return rule.label
    return program.target.default


def numbers(program):
    entries = [entry for rule in outline(program) for entry in rule.walk()]
    assume(not any(e.cut or any(isinstance(c, LeftOut) for c in e.conditions) for e in entries))
    return [entry.number for entry in entries]


def same_meaning(program, edited, changed, gone=()):
    for row in WORLD:
        assert decide(edited, row) == expected(program, row, changed, gone), f"{row}\n{program}\n{edited}"
    assert parse(str(edited)) == edited


@given(dense_programs, st.data())
def test_a_changed_test_lets_through_what_was_asked_and_nothing_else_changes(program, data):
    number = data.draw(st.sampled_from(numbers(program)))
    column = data.draw(st.sampled_from(("n", "c")))
    values = data.draw(value_sets(column))
    try:
        check_values(program, column, values)
    except ProgramError:
        assume(False)
    edited = change_test(program, number, column, values)
    rest = goals_but_of(program, entry_of(program, number), column)

    def met(entry, row):
        return all(true(program, goal, row) for goal in rest) and values.has(row[column])

    same_meaning(program, edited, {number: met})


@given(dense_programs, st.data())
def test_a_dropped_test_lets_everything_through(program, data):
    number = data.draw(st.sampled_from(numbers(program)))
    column = data.draw(st.sampled_from(("n", "c")))
    if column_test(entry_of(program, number), column) is None:
        with pytest.raises(ProgramError, match="has no test"):
            drop_test(program, number, column)
        return
    rest = goals_but_of(program, entry_of(program, number), column)
    if not rest and not any(call.negated for call in entry_of(program, number).clause.calls):
        with pytest.raises(ProgramError, match="asks for nothing"):
            drop_test(program, number, column)
        return
    try:
        edited = drop_test(program, number, column)
    except ProgramError:
        assume(False)
    same_meaning(program, edited, {number: lambda entry, row: all(true(program, g, row) for g in rest)})


@given(dense_programs, st.data())
def test_an_exception_is_added_where_it_belongs_and_taken_away_again(program, data):
    number = data.draw(st.sampled_from(numbers(program)))
    values = data.draw(value_sets("c"))
    edited = add_exception(program, number, {"c": values})

    def met(entry, row):
        return all(true(program, goal, row) for goal in entry.goals) and not values.has(row["c"])

    same_meaning(program, edited, {number: met})


@given(dense_programs, st.data())
def test_a_removed_entry_never_holds(program, data):
    number = data.draw(st.sampled_from(numbers(program)))
    try:
        edited = remove_entry(program, number)
    except ProgramError:  # what it is an exception to would hold for every row
        assume(False)
    same_meaning(program, edited, {}, gone={number})


@given(dense_programs, st.data())
def test_what_is_switched_off_comes_back(program, data):
    number = data.draw(st.sampled_from(numbers(program)))
    try:
        without, off = switch_off(program, number)
    except ProgramError:
        return
    same_meaning(program, without, {}, gone={number})
    again = switch_on(without, off)
    same_meaning(program, again, {})


@given(dense_programs, st.data())
def test_a_new_rule_decides_what_was_left(program, data):
    numbers(program)
    values = data.draw(value_sets("c"))
    label = program.target.labels[-1]
    try:
        edited = add_rule(program, label, {"c": values})
    except ProgramError:  # the program has it already
        assume(False)
    before = program.target.labels[:-1]
    for row in WORLD:
        old = decide(program, row)
        concluded = any(r.label == old and holds(program, r, row, {}) for r in outline(program))
        keeps = old in before and concluded
        assert decide(edited, row) == (label if values.has(row["c"]) and not keeps else old)


SHARED = parse("""\
t(X,'y') :- n(X,N), N > 1.0, s(X), not ab1(X).
t(X,'y') :- n(X,N), N =< 1.0, not ab1(X).
s(X) :- c(X,'a').
s(X) :- c(X,'b').
ab1(X) :- c(X,'b'), n(X,N), N > 0.5.
""")
POINTS = parse("""\
t(X,'y') :- at_least(4, [2*high(X), 2*isa(X), 1*old(X)]).
high(X) :- n(X,N), N > 2.0.
isa(X) :- c(X,'a').
old(X) :- d(X,'old').
""")
ORDERED = parse("""\
t(X,'a') :- a_rule1(X).
t(X,'b') :- b_rule1(X), not a_rule1(X).
a_rule1(X) :- n(X,N), N > 2.0.
b_rule1(X) :- n(X,N), N > 1.0.
b_rule1(X) :- c(X,'a').
""")


def test_a_shared_exception_is_changed_for_one_rule_only():
    edited = change_test(SHARED, "1.1", "n", above(0.75))
    assert column_test(entry_of(edited, "1.1"), "n").values == above(0.75)
    assert column_test(entry_of(edited, "2.1"), "n").values == above(0.5)
    assert str(edited).count("ab1(X) :-") == 1


def test_a_helper_that_says_the_same_is_called_again_and_unused_ones_go():
    words = ValueSet((), frozenset({"a", "b", "e"}), others=False, missing=False)
    edited = change_test(SHARED, "1", "c", words)
    assert "s" not in edited.helpers
    assert edited.helpers.keys() == {"col_c_set1", "ab1"}
    back = change_test(edited, "1", "c", ValueSet((), frozenset({"a", "b"}), others=False, missing=False))
    assert column_test(entry_of(back, "1"), "c").values.words == {"a", "b"}
    assert len(back.helpers) == 2


def test_points_are_changed_case_by_case():
    assert points_of(entry_of(change_needed(POINTS, "1", 3), "1")).goal.threshold == 3
    assert (1, "high") not in points_of(entry_of(change_points(POINTS, "1", 0, 3), "1")).goal.awards
    table = points_of(entry_of(change_points(POINTS, "1", 0, 3), "1"))
    assert sorted(points for points, _ in table.goal.awards) == [1, 2, 3]
    assert len(points_of(entry_of(drop_case(POINTS, "1", 2), "1")).awards) == 2
    changed = change_case(POINTS, "1", 0, "n", above(9.0))
    tests = [case.conditions[0] for _, case in points_of(entry_of(changed, "1")).awards]
    assert any(isinstance(t, ColumnTest) and t.values == above(9.0) for t in tests)
    assert "high" not in changed.helpers
    more = add_case(POINTS, "1", 2, "d", ValueSet((), frozenset({"new"}), others=False, missing=False))
    assert len(points_of(entry_of(more, "1")).awards) == 4
    assert isinstance(entry_of(more, "1").conditions[0], PointsTable)


def test_the_last_case_that_reaches_what_is_needed_becomes_a_plain_condition():
    program = parse("t(X,'y') :- at_least(2, [2*a(X), 1*b(X)]). a(X) :- c(X,'a'). b(X) :- c(X,'b').")
    edited = drop_case(program, "1", 1)
    assert column_test(entry_of(edited, "1"), "c").values.words == {"a"}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda: change_needed(POINTS, "1", 6), "give 5 points, and 6 are needed: rule 1 could never hold"),
        (lambda: drop_case(POINTS, "1", 0), "all cases together give 3 points"),
        (lambda: change_points(POINTS, "1", 7, 1), "there is no case 8; rule 1 has 3"),
        (lambda: change_needed(SHARED, "1", 1), "rule 1 adds up no points"),
        (lambda: change_test(SHARED, "3", "n", above(1.0)), "there is no rule or exception 3; there are 1, 1.1, 2"),
        (lambda: change_test(SHARED, "1", "m", above(1.0)), "'m'"),
        (lambda: change_test(SHARED, "1", "c", ValueSet()), "would say nothing"),
        (lambda: change_test(SHARED, "1", "n", ~ValueSet()), "could never hold"),
        (lambda: add_case(POINTS, "1", 1, "c", ValueSet.of(Literal("c", "=", "a"))), "gives points for that already"),
        (lambda: add_rule(SHARED, "not y", {"n": above(1.0)}), "rules conclude y"),
        (lambda: add_exception(SHARED, "1", {}), "at least one condition"),
        (lambda: move_rule(SHARED, "1", -1), "cannot be moved further"),
        (lambda: only_rules(ORDERED, ["1"]), "rules in order"),
        (lambda: change_test(SHARED, "1", "c", ValueSet((), frozenset({"a"}), False, True)), "cannot tell a blank"),
    ],
)
def test_edits_that_make_no_sense_are_refused_with_a_sentence(edit, said):
    with pytest.raises(ProgramError, match=said):
        edit()


def test_rules_move_and_the_first_that_holds_decides():
    moved = move_rule(SHARED, "1", 1)
    assert [rule.clause for rule in outline(moved)] == [rule.clause for rule in reversed(outline(SHARED))]
    row = {"n": 3.0, "c": "b"}
    assert decide(ORDERED, row) == "a"
    later = move_rule(ORDERED, "1", 1)
    assert decide(later, row) == "b"
    assert [rule.label for rule in outline(later)] == ["b", "a", "b"]
    assert str(move_rule(later, "2", -1)) == str(ORDERED)


def test_rules_in_order_are_added_and_removed():
    more = add_rule(ORDERED, "a", {"c": ValueSet((), frozenset({"z"}), False, False)})
    assert decide(more, {"n": None, "c": "z"}) == "a"
    assert decide(more, {"n": 1.5, "c": "z"}) == "b"
    without = remove_entry(ORDERED, "1")
    assert [decide(without, {"n": n, "c": None}) for n in (3.0, 0.0)] == ["b", without.target.default]


def test_some_rules_alone_are_a_program_with_the_helpers_they_use():
    assert only_rules(SHARED, ["2"]).helpers.keys() == {"ab1"}
    assert len(outline(only_rules(SHARED, ["1", "2"]))) == 2


def test_new_helpers_never_take_a_name_that_is_there():
    program = parse("t(X,'y') :- c_set1(X,'a'), c(X,'b').")
    writer = GoalWriter(program)
    (call,) = writer.goals("c", ValueSet((), frozenset({"a", "b"}), False, False))
    assert call.name not in {"c_set1", "c", "t"}
