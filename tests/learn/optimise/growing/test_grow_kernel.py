"""Growing in one kernel equals its steps one by one on a state of Python's objects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coded_tables import PRICES, every_test, grower_of, labelled, learnable, state_of
from stepwise_growing import StepwiseGrower
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.growing import growing_program
from unless.learn.optimise.thresholds import write_rules
from unless.learn.optimise.training import make_training_rows

APART = {0: frozenset({1, 2}), 1: frozenset({0}), 2: frozenset({0})}
OPTIONS = {
    "plain": {},
    "rough": {"is_rough": True, "max_rules": 40},
    "scorecards": {"points": True},
    "rough scorecards": {"points": True, "is_rough": True},
    "apart": {"rivals": APART},
    "deep": {"max_depth": 4, "max_rules": 40, "max_literals": 2},
    "flat": {"max_depth": 0, "max_literals": 1},
}


def same(grower, twin):
    """Tell whether both have the same program, and have come to it in the same way."""
    state = grower.state
    assert write_rules(state, "yes") == write_rules(twin.state, "yes")
    for one, other in zip(state.nodes(), twin.state.nodes(), strict=True):
        assert (one.sign, one.depth, one.body) == (other.sign, other.depth, other.body)
        assert one.holds.tolist() == other.holds.tolist()
        assert one.fires.tolist() == other.fires.tolist()
    assert grower.trace == twin.trace
    assert grower.objective() == twin.objective()
    return True


def bodies(grower):
    return [(node.depth, node.body) for node in grower.state.nodes()]


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_programs_grow_as_step_by_step(seed, options):
    table, y = learnable(seed)
    grower = grower_of(state_of(table, y), 1.0, **options)
    twin = StepwiseGrower(state_of(table, y), grower.limits, 1.0)
    for price in (8.0, 1.5, 0.4, 3.0):
        grower.run(price)
        twin.run(price)
        assert same(grower, twin)
        assert grower.best_new_rule() == twin.best_new_rule()[2]
    if "points" in options:
        assert any(isinstance(literal, Score) for node in twin.state.nodes() for literal in node.body)


@pytest.mark.parametrize("options", [{}, {"points": True, "is_rough": True}], ids=["rules", "rough scorecards"])
def test_programs_grow_around_locked_rules_and_heavy_rows(options):
    table, y = learnable(1)
    weights = np.where(y, 5.0, 1.0 + np.arange(len(y)) % 3)
    task = make_training_rows(table, y, weights, ((table.codes_of(3) > 250).astype(np.uint8),))
    assert task.skew > 0
    grower = grower_of(task.state(), 2.0, **options)
    twin = StepwiseGrower(state_of(table, y, task.weights), grower.limits, 2.0)
    twin.state.skew = task.skew
    twin.state.add_locked(task.locked[0])
    for price in (20.0, 3.0):
        grower.run(price)
        twin.run(price)
        assert same(grower, twin)


@given(labelled(), st.sampled_from(PRICES), st.booleans(), st.booleans(), st.data())
def test_any_program_grows_on_as_step_by_step(drawn, price, points, is_rough, data):
    table, right, weights = drawn
    state = state_of(table, right, weights)
    tests = list(every_test(state.bins))
    assume(tests)
    for _ in range(data.draw(st.integers(0, 3))):
        state.add(data.draw(st.sampled_from([None, *state.nodes()])), (data.draw(st.sampled_from(tests)),))
    grower = grower_of(state, price, points=points, is_rough=is_rough, max_depth=3)
    n_rows = state.bins.n_rows
    said = grower.program.predicted(state.bins.by_column, np.arange(n_rows), np.zeros(n_rows, dtype=np.uint8))
    assert said.tolist() == state.predicted().tolist()
    twin = StepwiseGrower(state.copy(), grower.limits, price)
    assert grower.polish() == twin.polish()
    assert same(grower, twin)
    grower.run(price / 2)
    twin.run(price / 2)
    assert same(grower, twin)


def test_there_is_room_for_as_many_rules_as_pay(monkeypatch):
    monkeypatch.setattr(growing_program, "FEW", 1)
    table, y = learnable(2)
    grower = grower_of(state_of(table, y), 0.2, max_rules=40)
    twin = StepwiseGrower(state_of(table, y), grower.limits, 0.2)
    grower.run()
    twin.run()
    assert same(grower, twin)
    assert grower.n_rules > 16


@pytest.mark.parametrize("points", [False, True])
def test_a_program_is_planted_on_other_rows(points):
    table, y = learnable(0)
    task = make_training_rows(table, y, None, ((table.codes_of(3) > 250).astype(np.uint8),))
    some, others = task.take(np.arange(0, 600, 2)), task.take(np.arange(1, 600, 2))
    grower, planted = (grower_of(rows.state(), 0.5, points=points) for rows in (some, others))
    grower.run()
    planted.program.plant(grower.program.plain())
    assert bodies(planted) == bodies(grower)
    given_there = others.locked[0]
    said = grower.program.predicted(task.bins.by_column, others.rows, given_there)
    assert planted.state.predicted().tolist() == said.tolist()
    for node in planted.state.nodes():
        if not node.is_locked:
            holds = np.ones(300, dtype=np.uint8)
            for literal in node.body:
                holds &= literal.truth(others.bins, np.arange(300))
            assert node.holds.tolist() == holds.tolist()


def test_what_is_said_of_other_rows_follows_the_program():
    table, y = learnable(0)
    task = make_training_rows(table, y, None)
    some, others = task.take(np.arange(0, 600, 2)), np.arange(1, 600, 2)
    grower, nowhere = grower_of(some.state(), 1.0), np.zeros(300, dtype=np.uint8)
    for price in (40.0, 4.0, 0.3, 9.0):
        grower.run(price)
        said = grower.program.predicted(task.bins.by_column, others, nowhere)
        fresh = grower_of(task.take(others).state(), 1.0)
        fresh.program.plant(grower.program.plain())
        assert said.tolist() == fresh.state.predicted().tolist()


def test_whoever_stops_gets_a_rule_that_pays_and_no_more():
    table, y = learnable(0)
    grower = grower_of(state_of(table, y), 0.5, should_stop=lambda: True)
    assert grower.grow()
    assert grower.n_rules == 1
    assert not grower.polish()
    grower.run()
    assert grower.n_rules == 1
