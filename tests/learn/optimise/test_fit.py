"""The front door: what the user asks for is kept, and what comes out is what it says, whole even when cut short."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from coded_tables import fit, grower_of, learnable, state_of, table_of_values, take
from naive_optimise import predicts, rows_of
from unless.learn.optimise import fit as fit_module
from unless.learn.optimise import folds
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.body.body_search import MAX_SAMPLE
from unless.learn.optimise.fit import begin
from unless.learn.optimise.growing.grow import Grower
from unless.learn.optimise.growing.program_board import N_LOOKED
from unless.learn.optimise.layout import ONE_OF
from unless.learn.optimise.training import make_training_rows
from unless.logic.rules import Literal, Negated, OneOf, Scorecard


def flat(rules, depth=0):
    for rule in rules:
        yield depth, rule
        yield from flat(rule.exceptions, depth + 1)


def columns_of(condition):
    if isinstance(condition, Scorecard):
        return {name for _, part in condition.awards for name in columns_of(part)}
    return {condition.literal.column if isinstance(condition, Negated) else condition.column}


def test_a_small_table_is_learned():
    table = table_of_values(x=[1.0, 2.0, 3.0, 4.0] * 5)
    learned = fit(table, np.array([False, False, True, True] * 5))
    assert learned.rules[0].body == (Literal("x", ">", 2.0),)
    assert (learned.n_rules, learned.covers.sum(), learned.stopped) == (1, 10, False)


@pytest.mark.parametrize("label", [True, False])
def test_one_class_only_needs_no_rules(label):
    learned = fit(table_of_values(x=[1.0, 2.0, 3.0]), np.array([label] * 3))
    assert (learned.rules, learned.n_rules, learned.covers.any()) == ((), 0, False)


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_rules_cover_what_is_said_and_make_the_errors_of_the_trace(seed, points):
    table, y = learnable(seed)
    learned = fit(table, y, points=points)
    assert learned.covers.tolist() == [predicts(learned.rules, row) for row in rows_of(table)]
    assert learned.n_rules == len(list(flat(learned.rules)))
    assert learned.points is points
    # Exact thresholds may only lower the errors of the last step.
    assert (learned.covers != y).sum() <= learned.trace[-1].errors
    assert (learned.covers == y).mean() > 0.9
    assert all(b.objective <= a.objective for a, b in pairwise(learned.trace) if a.price == b.price)


@pytest.mark.parametrize("points", [False, "auto"])
def test_row_order_does_not_change_the_program(points):
    table, y = learnable(3)
    order = np.random.default_rng(0).permutation(len(y))
    assert fit(table, y, points=points).rules == fit(take(table, order), y[order], points=points).rules


def test_rows_of_no_weight_change_nothing():
    table, y = learnable(4, 300)
    weight = np.arange(300) % 3 > 0
    kept = np.flatnonzero(weight)
    learned = fit(table, y, weight.astype(float), points=False)
    assert learned.rules == fit(take(table, kept), y[kept], points=False).rules
    assert len(learned.covers) == 200


@pytest.mark.parametrize(("n_rules", "n_literals", "depth"), [(1, 1, 0), (2, 2, 1), (4, 3, 2)])
def test_limits_are_hard(n_rules, n_literals, depth):
    table, y = learnable(2)
    options = {"max_rules": n_rules, "max_literals": n_literals, "max_depth": depth}
    rules = list(flat(fit(table, y, size_penalty=0.1, points=False, **options).rules))
    assert len(rules) <= n_rules
    assert all(len(rule.body) <= n_literals and at <= depth for at, rule in rules)


@pytest.mark.parametrize("points", [False, True])
def test_constraints_are_kept(points):
    table, y = learnable(4)
    learned = fit(
        table, y, points=points, size_penalty=0.2, forbidden=("c3",), apart=(("c0", "c1"),), allow_not_equal=False,
        monotonic={"c2": 1},
    )  # fmt: skip
    for depth, rule in flat(learned.rules):
        used = set().union(*(columns_of(c) for c in rule.body))
        assert "c3" not in used
        assert not {"c0", "c1"} <= used
        for c in rule.body:
            assert not (isinstance(c, Literal) and c.op == "!=")
            assert not (isinstance(c, OneOf) and c.negated)
            if isinstance(c, Literal) and c.column == "c2" and c.op in ("=<", ">"):
                assert c.op == (">" if depth % 2 == 0 else "=<")


def test_learning_works_around_locked_rules():
    table, y = learnable(5)
    kept = (table.codes_of(3) > 200).astype(np.uint8)
    learned = fit(table, y, None, (kept,), points=False)
    for _, rule in flat(learned.rules):
        assert not any("c3" in columns_of(c) for c in rule.body)
    predicted = np.array([predicts(learned.rules, row) for row in rows_of(table)]) | kept.astype(bool)
    assert predicted.tolist() == learned.covers.tolist()
    assert (predicted == y).mean() > 0.9


def work_and_size(table, y, monkeypatch):
    """Return the rows that all searches and polishes of a fit looked at, and the conditions of its program."""
    growers = []
    make = Grower.__init__

    def noted(self, *arguments):
        growers.append(self)
        make(self, *arguments)

    monkeypatch.setattr(Grower, "__init__", noted)
    learned = fit(table, y)
    monkeypatch.undo()
    n_looked = sum(int(grower.program.boards.rules.counters[N_LOOKED]) for grower in growers)
    return n_looked, learned.trace[-1].n_literals


BOUNDARIES = [1000, 2000, folds.MAX_TRAIN, MAX_SAMPLE, 2 * folds.MAX_TRAIN, 10_000]
"""Where something changes with the number of rows: folds, samples, margins."""


@pytest.mark.parametrize("seed", [3, 6, 7])
@pytest.mark.parametrize("n", BOUNDARIES)
def test_one_row_more_is_no_cliff(n, seed, monkeypatch):
    table, y = learnable(seed, n + 1)
    work, size = work_and_size(take(table, np.arange(n)), y[:n], monkeypatch)
    more_work, more_size = work_and_size(table, y, monkeypatch)
    assert max(work, more_work) < 3 * min(work, more_work)
    assert max(size, more_size) <= 1.5 * min(size, more_size)


def test_every_change_of_the_number_of_folds_is_among_the_boundaries():
    changes = [n for n in range(10, 20_000) if folds.n_inner_folds(n) != folds.n_inner_folds(n + 1)]
    assert set(changes) <= set(BOUNDARIES)


@pytest.mark.parametrize("n", [5000, 40_000])
def test_what_choosing_looks_at_is_bounded(n, monkeypatch):
    grown_on = []
    run = Grower.run

    def counted(self, *arguments):
        grown_on.append(len(self.program.grown_on.rows))
        run(self, *arguments)

    monkeypatch.setattr(Grower, "run", counted)
    table, y = learnable(6, n)
    fit(table, y)
    assert grown_on.count(n) == 1
    assert all(rows <= folds.MAX_TRAIN for rows in grown_on if rows != n)


@pytest.mark.parametrize(
    ("sizes", "most", "begun"),
    [((), 15, 0), ((3,), 15, 0), ((4, 5), 15, 5), ((4, 5), 5, 4), ((5,), 5, 0)],
    ids=["no fold", "few rules", "the best", "not one that is full", "only one that is full"],
)
def test_a_program_of_many_rules_begins_as_the_best_of_an_inner_fold(sizes, most, begun, monkeypatch):
    monkeypatch.setattr(Grower, "polish", lambda self: True)
    task = make_training_rows(table_of_values(w=list("abcdef") * 10), np.array([True] * 60), None)
    grower = grower_of(task.state(), 0.1, max_rules=most)

    def rules(n):
        state = state_of(table_of_values(w=list("abcdef") * 10), [True] * 60)
        for word in range(n):
            state.add(None, (make_test(state.bins, 0, ONE_OF, 0, (word,)),))
        return grower_of(state, 0.1).program.plain()

    start = begin(grower, [rules(n) for n in sizes], task)
    assert start.n_rules == begun
    assert (start is grower) is (begun == 0)


def test_one_heavy_row_pays_for_nothing():
    rng = np.random.default_rng(0)
    table = table_of_values(x=rng.random(400).tolist())
    y = np.arange(400) % 40 == 0
    weight = np.where(y, 39.0, 1.0)  # both classes weigh the same, and x says nothing
    assert fit(table, y, weight).n_rules <= 1


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["above", "below"])
def test_a_rare_label_beyond_a_number_is_found(sign):
    values = sign * np.random.default_rng(0).normal(size=20_000)
    columns, y = table_of_values(x=values.tolist()), np.zeros(20_000, dtype=bool)
    y[np.argsort(-sign * values)[:60]] = True  # a fifth of a bin
    learned = fit(columns, y)
    assert learned.covers.tolist() == y.tolist()
    assert learned.trace[-1].n_literals == 1


def test_stopping_gives_a_whole_program():
    table, y = learnable(7)
    calls = iter(range(10**6))
    learned = fit(table, y, points=False, should_stop=lambda: next(calls) > 40)
    assert learned.stopped
    assert learned.rules
    at_once = fit(table, y, time_limit=0.0)
    assert at_once.stopped
    assert at_once.n_rules >= 1


def test_ctrl_c_gives_a_whole_program():
    table, y = learnable(9)

    def interrupt(step):
        if step.n_rules == 2:
            raise KeyboardInterrupt

    learned = fit(table, y, points=False, on_progress=interrupt, size_penalty=0.3)
    assert learned.stopped
    assert learned.n_rules == len(list(flat(learned.rules))) == 2
    assert learned.covers.tolist() == [predicts(learned.rules, row) for row in rows_of(table)]


def test_ctrl_c_while_a_program_is_written_keeps_it(monkeypatch):
    """From the last step to the grade, a tenth of a fit and more, it threw away a program that was finished."""
    table, y = learnable(9)
    whole, calls = fit(table, y, points=False), []

    def interrupted(state, price):
        calls.append(refit(state, price))  # what is half done must not be done again
        if len(calls) == 1:
            raise KeyboardInterrupt

    refit = fit_module.refit
    monkeypatch.setattr(fit_module, "refit", interrupted)
    learned = fit(table, y, points=False)
    assert learned.stopped
    assert learned.rules == whole.rules
    assert learned.covers.tolist() == whole.covers.tolist()


@pytest.mark.parametrize("size_penalty", [0.2, 1.0, 5.0], ids=["cheap", "usual", "dear"])
@pytest.mark.parametrize(("seed", "n"), [(8, 300), (8, 2500), (9, 900), (10, 1500)])
def test_threads_do_not_change_the_program(seed, n, size_penalty, monkeypatch):
    monkeypatch.setattr(fit_module, "FEW_CELLS", 0)
    table, y = learnable(seed, n)
    alone, *together = (fit(table, y, n_threads=n_threads, size_penalty=size_penalty) for n_threads in (1, 2, 3))
    for other in together:
        assert alone.rules == other.rules
        assert alone.held_out.tolist() == other.held_out.tolist()
        assert alone.price == other.price


@pytest.mark.parametrize("n_threads", [1, 2])
def test_ctrl_c_in_inner_folds_keeps_what_they_found(n_threads, monkeypatch):
    monkeypatch.setattr(fit_module, "FEW_CELLS", 0)
    table, y = learnable(9)

    def interrupt(step):
        if step.action == "try" and step.n_rules == 2:
            raise KeyboardInterrupt

    learned = fit(table, y, points=False, on_progress=interrupt, size_penalty=0.3, n_threads=n_threads)
    assert learned.stopped
    assert learned.rules
    assert (learned.covers == y).mean() > max(y.mean(), 1 - y.mean())
    assert learned.covers.tolist() == [predicts(learned.rules, row) for row in rows_of(table)]


def test_inner_folds_stop_when_half_of_the_time_is_over(monkeypatch):
    table, y = learnable(6, 3000)
    actions = []
    monkeypatch.setattr("unless.learn.optimise.fit.time.monotonic", lambda: float(len(actions)))  # a second a step
    options = {"size_penalty": 0.1, "points": False, "on_progress": lambda step: actions.append(step.action)}
    fit(table, y, **options)
    usual = Counter(actions)
    assert usual["try"] > usual["grow"] > 10
    actions.clear()
    learned = fit(table, y, time_limit=20.0, **options)
    assert learned.stopped
    assert learned.rules
    assert 10 <= actions.count("try") <= 14  # each of those that are asked on grows one rule at least
    assert 0 < actions.count("grow") <= 10  # the other half is for all rows
