"""The flagship learner: exact steps beside brute force, order of rows, limits, wishes, thresholds, the frontier."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from naive_optimise import best_part_value, best_value, rows_of
from unless.learn.optimise.bins import make_bins
from unless.learn.optimise.fit import Options, learn, prepare
from unless.learn.optimise.grow import Grower, Limits
from unless.learn.optimise.path import elbow, frontier
from unless.learn.optimise.problem import Problem
from unless.learn.optimise.scorecards import MAX_POINTS, best_replacement
from unless.learn.optimise.thresholds import shortest_between, write_test
from unless.learn.optimise.training import make_training_rows
from unless.learn.rows.codes import Block, Codebook, Columns
from unless.logic.holds import condition_holds, rule_holds
from unless.logic.rules import Literal, Negated, OneOf, Scorecard


def table_of(books, codes):
    members = tuple(range(len(books)))
    return Columns(tuple(books), (Block(members, np.column_stack(codes).astype(np.uint16)),), len(codes[0]))


def take(table, rows):
    return table_of(table.books, [table.codes_of(j)[rows] for j in range(len(table.books))])


def random_table(seed, n=120, columns=((6, 0), (0, 4), (4, 3))):
    rng = np.random.default_rng(seed)
    books, codes = [], []
    for j, (n_numbers, n_words) in enumerate(columns):
        codes.append(rng.integers(0, n_numbers + n_words + 1, n))
        numbers = np.sort(rng.choice(np.arange(-500, 500), n_numbers, replace=False)).astype(float) / 4
        books.append(Codebook(f"c{j}", numbers, tuple(f"w{i}" for i in range(n_words))))
    return rng, table_of(books, codes)


def problem_of(table, gains, price):
    bins = make_bins(table, np.ones(table.n_rows, dtype=np.int64))
    gains = np.asarray(gains)
    packed = np.where(gains > 0, gains << 32, -gains).astype(np.int64)
    return Problem(bins, np.arange(len(gains)), packed, bins.kinds, price, 4)


def learnable(seed, n=600):
    """A table whose label follows a rule with an exception, with noise."""
    rng, table = random_table(seed, n, ((40, 0), (0, 5), (30, 2), (300, 0)))
    low, word = table.codes_of(0) <= 20, np.isin(table.codes_of(1), (1, 3))
    return table, ((low & ~word) | (table.codes_of(3) > 200)) ^ (rng.random(n) < 0.05)


def fit(table, y, weight=None, locked=(), **options):
    return learn(prepare(table, y, weight, locked, Options(**options)), "yes")


def flat(rules, depth=0):
    for rule in rules:
        yield depth, rule
        yield from flat(rule.exceptions, depth + 1)


def holds(rules, table):
    return [any(rule_holds(rule, row) for rule in rules) for row in rows_of(table)]


@pytest.mark.parametrize("seed", range(25))
def test_exact_step_equals_brute_force(seed):
    rng, table = random_table(seed)
    gains = rng.choice([-3, -2, -1, 1, 2], 120)
    price = float(rng.choice([0.3, 1.7, 4.0]))
    problem = problem_of(table, gains, price)
    hist = problem.count(problem.rows)
    choice = problem.choose(hist, problem.kinds)
    assert choice[0] == pytest.approx(best_value(table, gains.tolist(), price))
    test = problem.build(hist, choice)
    truth = np.array([condition_holds(write_test(problem.bins, test), row) for row in rows_of(table)])
    assert truth.tolist() == test.truth(problem.bins, problem.rows).astype(bool).tolist()
    assert gains[truth].sum() - price * test.size == pytest.approx(choice[0])


@pytest.mark.parametrize("seed", range(12))
def test_points_step_equals_brute_force(seed):
    rng, table = random_table(seed, 60, ((4, 0), (0, 3), (3, 2)))
    gains = rng.choice([-2, -1, 1, 2], 60)
    base = rng.integers(0, 5, 60).astype(np.uint8)
    problem = problem_of(table, gains, 0.7)
    score, value = best_replacement(problem, (), base)
    assert value + 2 * 0.7 == pytest.approx(best_part_value(table, gains.tolist(), base.tolist(), 0.7, MAX_POINTS))
    fired = base + score.parts[-1][0] * score.parts[-1][1].truth(problem.bins, problem.rows) >= score.threshold
    assert gains[fired].sum() - 0.7 * (1 + score.size) == pytest.approx(value)


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_rules_make_the_errors_that_the_trace_tells(seed, points):
    table, y = learnable(seed)
    learned = fit(table, y, points=points)
    # Exact thresholds may only lower the errors of the last step.
    assert (np.array(holds(learned.rules, table)) != y).sum() <= learned.trace[-1].errors
    assert (np.array(holds(learned.rules, table)) == y).mean() > 0.9


@pytest.mark.parametrize("points", [False, "auto"])
def test_row_order_does_not_change_the_program(points):
    table, y = learnable(3)
    order = np.random.default_rng(0).permutation(len(y))
    assert fit(table, y, points=points).rules == fit(take(table, order), y[order], points=points).rules


@pytest.mark.parametrize("seed", range(3))
def test_at_the_end_no_new_rule_pays_anywhere(seed):
    table, y = learnable(seed)
    run = prepare(table, y, options=Options(max_rules=40))
    grown = run.task.fit(run.limits, 1.5)
    assert 1 < grown.state.n_rules < 40
    # A grower that remembers no earlier search asks every rule anew.
    assert Grower(grown.state, run.limits, 1.5).best_new_rule()[2] == 0


def test_objective_never_rises_at_one_price():
    trace = fit(*learnable(1), points=False).trace
    assert all(b.objective <= a.objective for a, b in pairwise(trace) if a.price == b.price)


@pytest.mark.parametrize("order", [1, -1])
def test_equally_good_thresholds_give_way_to_the_widest_gap(order):
    # One row in six is wrong whether the cut is after 1 or after 3; beyond 3 there is nothing for long.
    numbers = order * np.array([0.0, 1.0, 2.0, 3.0, 10.0, 11.0])
    codes = np.tile(np.argsort(np.argsort(numbers)), 30)
    y = np.tile([False, False, True, False, True, True], 30)
    rules = fit(table_of([Codebook("x", np.sort(numbers), ())], [codes]), y, points=False, max_rules=1, max_literals=1)
    (literal,) = rules.rules[0].body
    assert literal.op == (">" if order == 1 else "=<")
    assert 3 < abs(literal.value) < 10


@pytest.mark.parametrize(("n_rules", "n_literals", "depth"), [(1, 1, 0), (2, 2, 1), (4, 3, 2)])
def test_limits_are_hard(n_rules, n_literals, depth):
    table, y = learnable(2, 1500)
    options = {"max_rules": n_rules, "max_literals": n_literals, "max_depth": depth}
    rules = list(flat(fit(table, y, size_penalty=0.1, points=False, **options).rules))
    assert len(rules) <= n_rules
    assert all(len(rule.body) <= n_literals and at <= depth for at, rule in rules)


def columns_of(condition):
    if isinstance(condition, Scorecard):
        return {name for _, part in condition.awards for name in columns_of(part)}
    return {condition.literal.column if isinstance(condition, Negated) else condition.column}


@pytest.mark.parametrize("points", [False, True])
def test_wishes_are_kept(points):
    table, y = learnable(4, 1500)
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
    told = np.array(holds(learned.rules, table)) | kept.astype(bool)
    assert (told == y).mean() > 0.9


def test_whole_weights_equal_repeated_rows():
    table, y = learnable(6, 400)
    weight = np.random.default_rng(1).integers(0, 4, 400)
    rows = np.repeat(np.arange(400), weight)
    tasks = make_training_rows(table, y, weight), make_training_rows(take(table, rows), y[rows], None)
    states = [task.fit(Limits(15, 4, 2, (task.bins.kinds, task.bins.kinds)), 2.0).state for task in tasks]
    assert [n.body for n in states[0].nodes()] == [n.body for n in states[1].nodes()]


def test_stopping_gives_a_whole_program():
    table, y = learnable(7)
    calls = iter(range(10**6))
    learned = fit(table, y, points=False, should_stop=lambda: next(calls) > 40)
    assert learned.stopped
    assert learned.rules
    assert fit(table, y, time_limit=0.0).stopped


def test_ctrl_c_gives_a_whole_program():
    table, y = learnable(9)

    def interrupt(step):
        if step.n_rules == 2:
            raise KeyboardInterrupt

    learned = fit(table, y, points=False, on_progress=interrupt, size_penalty=0.3)
    assert learned.stopped
    assert len(list(flat(learned.rules))) == 2


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, 1.0), (0.1234, 0.1299, 0.127), (-3.0, 5.0, 0.0), (17.0, 23.0, 20.0), (1050.0, 1249.0, 1100.0),
        (0.30000000000000004, 0.3000000000000001, 0.30000000000000004), (-0.02, -0.01, -0.02), (99.5, 100.5, 100.0),
        (-10.0, -3.0, -6.0), (0.5, 12.0, 6.0), (1.23e-20, 3e-20, 2e-20), (-1.7e308, 1.7e308, 0.0),
        (1e308, 1.79e308, 1e308), (5e-324, 1e-323, 5e-324),
    ],
)  # fmt: skip
def test_shortest_number_keeps_both_sides(low, high, expected):
    assert shortest_between(low, high) == expected


def test_frontier_runs_from_short_to_long():
    table, y = learnable(8)
    path = frontier(prepare(table, y, options=Options(points=False)), "yes")
    sizes = [point.n_literals for point in path]
    assert sizes == sorted(set(sizes))
    assert sizes[0] == 1
    assert all(0 <= point.accuracy <= 1 for point in path)
    best = max(point.accuracy for point in path)
    assert path[elbow(path)].accuracy >= best - max(point.spread for point in path)
