"""The loop: every step lowers J, limits are hard, and at the end nothing pays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coded_tables import PRICES, every_test, grower_of, labelled, learnable, state_of, table_of_values, take
from naive_optimise import errors, objective, program_size, rows_of
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.growing.program_board import N_LOOKED
from unless.learn.optimise.layout import GT
from unless.learn.optimise.thresholds import write_rules
from unless.logic.rules import Literal, Rule


def grown(table, right, price, weights=None, **limits):
    grower = grower_of(state_of(table, right, weights), price, **limits)
    grower.run()
    return grower


def test_a_rule_with_an_exception_is_grown():
    table = table_of_values(x=[1.0] * 8 + [2.0] * 12, w=["b"] * 8 + ["a"] * 4 + ["b"] * 8)
    grower = grown(table, [False] * 12 + [True] * 8, 1.0, max_literals=1)
    exception = Rule(None, (Literal("w", "=", "a"),))
    assert write_rules(grower.state, "yes") == (Rule("yes", (Literal("x", ">", 1.0),), (exception,)),)
    steps = [(step.action, step.objective, step.errors, step.n_rules, step.n_literals) for step in grower.trace]
    assert steps == [("grow", 6.0, 4, 1, 1), ("grow", 4.0, 0, 2, 2)]


def test_nothing_is_grown_where_nothing_pays():
    table = table_of_values(x=[1.0, 2.0])
    for right in ([True, True], [False, False], [True, False]):
        grower = grown(table, right, 1.0)
        assert (grower.state.n_rules, grower.trace) == (0, [])


def test_polish_deletes_what_does_not_pay_and_improves_the_rest():
    table = table_of_values(x=[1.0, 2.0, 3.0, 4.0] * 5)
    state = state_of(table, [row["x"] > 1.0 for row in rows_of(table)])
    state.add(None, (make_test(state.bins, 0, GT, 1),))  # should be one bin lower
    state.add(None, (make_test(state.bins, 0, GT, 2),))  # says nothing new
    grower = grower_of(state, 0.5)
    assert grower.polish()
    assert write_rules(grower.state, "yes") == (Rule("yes", (Literal("x", ">", 1.0),)),)


@given(labelled(), st.data())
def test_polishing_any_program_never_raises_the_objective(drawn, data):
    table, right, weights = drawn
    state = state_of(table, right, weights)
    tests = list(every_test(state.bins))
    assume(tests)
    for _ in range(data.draw(st.integers(1, 4))):
        parent = data.draw(st.sampled_from([None, *state.nodes()]))
        state.add(parent, (data.draw(st.sampled_from(tests)),))
    grower = grower_of(state, 0.3, max_depth=9)
    before = grower.objective()
    grower.polish()
    assert grower.objective() <= before + 1e-9
    assert grower.objective() == pytest.approx(
        objective(write_rules(grower.state, "yes"), rows_of(table), right, 0.3, weights)
    )


@given(labelled(), st.sampled_from(PRICES), st.booleans())
def test_every_step_lowers_the_objective_and_tells_the_truth(drawn, price, points):
    table, right, weights = drawn
    rows, grower = rows_of(table), grower_of(state_of(table, right, weights), price, points=points)
    lowered = [sum(w for w, is_right in zip(weights, right, strict=True) if is_right)]  # the empty program

    def check(step):
        rules = write_rules(grower.state, "yes")
        assert step.objective == pytest.approx(objective(rules, rows, right, price, weights))
        assert step.errors == errors(rules, rows, right, weights)
        assert step.n_rules + step.n_literals == program_size(rules)
        lowered.append(step.objective)

    grower.limits = replace(grower.limits, on_progress=check)
    grower.run()
    assert all(after < before for before, after in pairwise(lowered))
    assert grower.objective() == pytest.approx(lowered[-1])


@given(labelled(), st.randoms(use_true_random=False))
def test_row_order_does_not_change_the_program(drawn, random):
    table, right, weights = drawn
    order = np.array(random.sample(range(table.n_rows), table.n_rows))
    one = grown(table, right, 0.3, weights).state
    other = grown(take(table, order), np.array(right)[order], 0.3, np.array(weights)[order]).state
    assert write_rules(one, "yes") == write_rules(other, "yes")


@given(labelled(20))
def test_whole_weights_equal_repeated_rows(drawn):
    table, right, weights = drawn
    again = np.repeat(np.arange(table.n_rows), weights)
    one = grown(table, right, 1.0, weights).state
    other = grown(take(table, again), np.array(right)[again], 1.0).state
    assert write_rules(one, "yes") == write_rules(other, "yes")


@pytest.mark.parametrize("seed", range(3))
def test_at_the_end_no_new_rule_pays_anywhere(seed):
    table, y = learnable(seed)
    grower = grown(table, y, 1.5, max_rules=40)
    assert 1 < grower.state.n_rules < 40
    # A grower that remembers no earlier search asks every rule anew.
    assert grower_of(grower.state, 1.5, max_rules=40).best_new_rule() == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_rough", [False, True], ids=["exact", "rough"])
def test_rules_that_waited_are_polished_in_the_end(seed, is_rough):
    table, y = learnable(seed)
    grower = grown(table, y, 1.5, max_rules=40, is_rough=is_rough)
    assert not grower.polish()
    assert grower.best_new_rule() == 0


def looked(grower):
    """Return how many rows searching and polishing have looked at."""
    return int(grower.program.boards.rules.counters[N_LOOKED])


def test_a_rule_waits_while_few_rows_that_hang_on_it_change():
    table = table_of_values(x=[1.0] * 100 + [2.0] * 100, w=["a"] * 4 + ["b"] * 196)
    right = [True] * 4 + [False] * 96 + [True] * 100
    grower = grower_of(state_of(table, right), 0.5)
    assert grower.grow()
    before = looked(grower)
    assert grower.grow()  # four rows change hands
    assert looked(grower) == before + 200  # searched, at the top and under the first rule
    assert not grower.polish()
    assert looked(grower) == before + 200 + 196


def test_a_rough_program_takes_what_was_last_found_while_few_rows_change():
    table, y = learnable(0)
    rough, exact = (grown(table, y, 0.2, max_rules=40, is_rough=is_rough) for is_rough in (True, False))
    assert 0 < looked(rough) < looked(exact)


def flat(rules, depth=0):
    for rule in rules:
        yield depth, rule
        yield from flat(rule.exceptions, depth + 1)


@pytest.mark.parametrize(("n_rules", "n_literals", "depth"), [(1, 1, 0), (2, 2, 1), (4, 3, 2)])
def test_limits_are_hard(n_rules, n_literals, depth):
    state = grown(*learnable(2), 0.2, max_rules=n_rules, max_literals=n_literals, max_depth=depth).state
    rules = list(flat(write_rules(state, "yes")))
    assert len(rules) == state.n_rules == n_rules
    assert all(len(rule.body) <= n_literals and at <= depth for at, rule in rules)


def test_a_higher_price_prunes_and_a_lower_one_grows_on():
    grower = grown(*learnable(1), 1.5)
    size = grower.state.size
    grower.run(40.0)
    assert grower.trace[-1].action == "polish"
    assert grower.state.size < size
    pruned = grower.state.size
    grower.run(1.5)
    assert grower.state.size > pruned


def test_growing_stops_when_it_is_asked_to():
    calls = iter(range(1000))
    grower = grown(*learnable(1), 0.5, should_stop=lambda: next(calls) > 2)
    assert 0 < grower.state.n_rules < grown(*learnable(1), 0.5).state.n_rules


def test_rivals_stand_in_different_rules():
    table, y = learnable(3)
    free, apart = (grown(table, y, 1.0, rivals=rivals).state for rivals in ({}, {0: frozenset({1}), 1: frozenset({0})}))

    def families(state):
        literals = [[x for node in (top, *top.children) for x in node.body] for top in state.tops]
        return [frozenset().union(*(x.columns for x in family)) for family in literals]

    assert any({0, 1} <= used for used in families(free))
    assert not any({0, 1} <= used for used in families(apart))
