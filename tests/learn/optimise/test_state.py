"""The program being built: which rules fire where, and where the output hangs on a rule."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coded_tables import every_test, labelled, state_of, table_of_values
from naive_optimise import errors, predicts, program_size, rows_of
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.layout import GT
from unless.learn.optimise.state import rows_where
from unless.learn.optimise.thresholds import write_rules
from unless.logic.holds import rule_holds
from unless.logic.rules import Literal, Rule

NEVER = (Literal("c0", "=", "a"), Literal("c0", "=", "b"))


@st.composite
def grown_states(draw):
    """Draw a state after random moves, with the table, the class and the weights."""
    table, right, weights = draw(labelled(25))
    state = state_of(table, right, weights)
    tests = list(every_test(state.bins))
    assume(tests)
    bodies = st.lists(st.sampled_from(tests), min_size=1, max_size=2, unique=True).map(tuple)
    for _ in range(draw(st.integers(1, 7))):
        nodes = list(state.nodes())
        move = draw(st.sampled_from(("add", "add", "change", "remove"))) if nodes else "add"
        if move == "add":
            state.add(draw(st.sampled_from([None, *nodes])), draw(bodies))
        elif move == "change":
            state.change(draw(st.sampled_from(nodes)), draw(bodies))
        else:
            state.remove(draw(st.sampled_from(nodes)))
    return table, right, weights, state


def with_body(state, node, body):
    """Return the rules of a state with another body at one rule, in words."""

    def written(rule, at):
        exceptions = tuple(map(written, rule.exceptions, at.children))
        return Rule(rule.head, body if at is node else rule.body, exceptions)

    return tuple(map(written, write_rules(state, "yes"), state.tops))


def test_an_exception_takes_rows_back():
    state = state_of(table_of_values(c0=[1.0, 2.0, 3.0, 4.0]), [True, True, False, False])
    rule = state.add(None, (make_test(state.bins, 0, GT, 0),))
    assert state.predicted().tolist() == [0, 1, 1, 1]
    exception = state.add(rule, (make_test(state.bins, 0, GT, 1),))
    assert (state.predicted().tolist(), rule.holds.tolist()) == ([0, 1, 0, 0], [0, 1, 1, 1])
    assert (exception.sign, exception.depth, state.n_rules, state.size, state.errors()) == (1, 1, 2, 4, 1)
    assert rows_where(state.where_new_rule_decides(None)).tolist() == [0, 2, 3]
    assert rows_where(state.where_new_rule_decides(rule)).tolist() == [1]
    assert rows_where(state.where_rule_decides(exception)).tolist() == [1, 2, 3]
    state.remove(exception)
    assert (state.predicted().tolist(), state.n_rules) == ([0, 1, 1, 1], 1)


def test_a_locked_rule_fires_costs_nothing_and_is_not_written():
    state = state_of(table_of_values(c0=[1.0, 2.0]), [True, False])
    state.add_locked(np.array([1, 0], dtype=np.uint8))
    assert (state.predicted().tolist(), state.n_rules, state.size, state.errors()) == ([1, 0], 0, 0, 0)
    assert rows_where(state.where_new_rule_decides(None)).tolist() == [1]
    assert write_rules(state, "yes") == ()


@given(grown_states())
def test_a_state_predicts_as_its_rules_do(drawn):
    table, right, weights, state = drawn
    rows, rules = rows_of(table), write_rules(state, "yes")
    assert state.predicted().astype(bool).tolist() == [predicts(rules, row) for row in rows]
    assert state.errors() == errors(rules, rows, right, weights)
    assert state.size == program_size(rules)
    for node, rule in zip(state.tops, rules, strict=True):
        assert node.fires.astype(bool).tolist() == [rule_holds(rule, row) for row in rows]


@given(grown_states())
def test_the_output_hangs_on_a_body_exactly_on_its_rows(drawn):
    table, _, _, state = drawn
    rows = rows_of(table)
    for node in state.nodes():
        always, never = with_body(state, node, ()), with_body(state, node, NEVER)
        hanging = []
        for i, row in enumerate(rows):
            # A rule with an empty body never holds in the language; here it stands for one that holds everywhere.
            if any(holds_if_empty(rule, row) for rule in always) != any(holds_if_empty(rule, row) for rule in never):
                hanging.append(i)
        assert rows_where(state.where_rule_decides(node)).tolist() == hanging


def holds_if_empty(rule, row):
    body = rule_holds(Rule(rule.head, rule.body), row) if rule.body else True
    return body and not any(holds_if_empty(exception, row) for exception in rule.exceptions)


@given(grown_states())
@settings(max_examples=30)
def test_a_new_rule_decides_exactly_its_rows(drawn):
    _, _, _, state = drawn
    test = next(every_test(state.bins))
    for parent in [None, *state.nodes()]:
        other = state.copy()
        twin = None if parent is None else list(other.nodes())[list(state.nodes()).index(parent)]
        before = other.predicted()
        rows = rows_where(other.where_new_rule_decides(twin))
        other.add(twin, (test,))
        expected = rows[test.truth(other.bins, rows).astype(bool)]
        assert np.flatnonzero(before != other.predicted()).tolist() == expected.tolist()


@given(grown_states())
@settings(max_examples=20)
def test_a_copy_goes_its_own_way(drawn):
    state = drawn[3]
    before, rules = state.predicted().tolist(), write_rules(state, "yes")
    other = state.copy()
    assert write_rules(other, "yes") == rules
    for node in list(other.tops):
        other.remove(node)
    assert (state.predicted().tolist(), write_rules(state, "yes")) == (before, rules)
