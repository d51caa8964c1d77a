"""Scorecards weighed by regression: what they decide, what they may be, and where they are the program."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from coded_tables import fit, table_of_values, take
from unless.learn.logistic.best_condition import LE, WORDS
from unless.learn.logistic.select_conditions import LabelRows, select
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS, MAX_POINTS
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.fit import Options, prepare
from unless.learn.optimise.layout import NONE_OF
from unless.learn.optimise.logistic_scorecard import (
    as_tests,
    body_of,
    scorecard_limits,
    scorecard_of,
    weigh,
    with_exact_thresholds,
)
from unless.logic.rules import Scorecard


def noisy(seed, n=300):
    """Draw a table whose label many columns speak for a little: numbers, some of them blank, words, and both."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 40, (n, 5)).astype(float)
    words = rng.choice(list("pqrst"), (n, 2))
    blank = rng.random((n, 5)) < 0.1
    height = (numbers - 20) @ rng.normal(size=5) / 12 + (words == "p") @ rng.normal(scale=1.5, size=2)
    y = rng.random(n) < 1 / (1 + np.exp(-height))
    columns = {f"n{j}": [None if blank[i, j] else numbers[i, j] for i in range(n)] for j in range(5)}
    columns |= {f"w{j}": words[:, j].tolist() for j in range(2)}
    columns["both"] = [float(i % 7) if i % 3 else "odd" for i in range(n)]
    return table_of_values(**columns), y


def prepared(seed, **options):
    """Return the task and limits of a table, and what a scorecard may be there."""
    table, y = noisy(seed)
    run = prepare(table, y, options=Options(**options))
    return run, scorecard_limits(run.task, run.limits, run.options.size_penalty)


def points_by_hand(bins, weighed, row):
    """Add up the points of a row, cell by cell."""
    total = 0
    for mine, one in zip(weighed.points, weighed.conditions, strict=True):
        cell, n_numbers = int(bins.cells[row, one.column]), int(bins.layout.n_numbers[one.column])
        if one.kind == WORDS:
            holds = cell - n_numbers in one.words
        else:
            holds = cell <= one.at if one.kind == LE else one.at < cell < n_numbers
        total += mine * holds
    return total


@pytest.mark.parametrize("seed", range(12))
def test_a_scorecard_holds_where_the_probability_is_above_one_half(seed):
    run, limits = prepared(seed)
    task, kinds = run.task, run.limits.kinds[0]
    weighed = weigh(select(LabelRows(task.bins, task.weights, 1.0, task.right.view(bool)), limits), kinds)
    body = body_of(as_tests(task.bins, weighed))
    totals = [points_by_hand(task.bins, weighed, row) for row in range(task.bins.n_rows)]
    expected = [weighed.slope * total + weighed.offset > 0.0 for total in totals]
    assert any(expected)
    assert not all(expected)
    assert body[0].truth(task.bins, np.arange(task.bins.n_rows)).tolist() == expected
    assert scorecard_of(task, kinds, limits, is_exact=False) == body


@pytest.mark.parametrize("seed", range(12))
def test_a_scorecard_is_small_and_every_point_counts(seed):
    run, limits = prepared(seed)
    body = scorecard_of(run.task, run.limits.kinds[0], limits)
    assert len(body) == 1
    score = body[0]
    assert isinstance(score, Score)
    points = [mine for mine, _ in score.parts]
    assert 2 <= len(points) <= MAX_CONDITIONS
    assert all(0 < mine <= min(MAX_POINTS, score.threshold) for mine in points)
    assert score.threshold <= sum(points)
    assert math.gcd(*points) == 1


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "options",
    [
        {"monotonic": {"n0": 1, "n1": -1, "both": 1}},
        {"forbidden": ["n0", "w0"]},
        {"allow_not_equal": False},
        {"monotonic": {"n0": -1}, "forbidden": ["both"], "allow_not_equal": False},
    ],
)
def test_a_scorecard_has_no_test_that_is_not_allowed(seed, options):
    run, limits = prepared(seed, **options)
    kinds = run.limits.kinds[0]
    for _, test in scorecard_of(run.task, kinds, limits)[0].parts:
        assert kinds[test.column] >> test.kind & 1
        assert options.get("allow_not_equal", True) or test.kind != NONE_OF


def log_loss(rows, lines):
    """Return the log-loss of lines with points, row by row."""
    everyone = np.arange(rows.bins.n_rows)
    points = sum(mine * test.truth(rows.bins, everyone).astype(float) for mine, test in lines.parts)
    return np.logaddexp(0.0, np.where(rows.is_label, -1.0, 1.0) * (lines.offset + lines.slope * points)).sum()


@pytest.mark.parametrize("seed", range(6))
def test_thresholds_are_moved_to_exact_numbers_near_by_where_the_log_loss_is_least(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(900, 3))
    y = rng.random(900) < 1 / (1 + np.exp(-4 * (numbers[:, 0] > 0.1) + 2 * (numbers[:, 1] > -0.3) + 1))
    run = prepare(table_of_values(**{name: numbers[:, j].tolist() for j, name in enumerate("abc")}), y)
    limits = scorecard_limits(run.task, run.limits, 1.0)
    rows = LabelRows(run.task.bins, run.task.weights, 1.0, y)
    before = as_tests(run.task.bins, weigh(select(rows, limits), run.limits.kinds[0]))
    after = with_exact_thresholds(before, rows)
    assert log_loss(rows, after) < log_loss(rows, before) + 1e-3
    last = after.parts[-1]  # the one that was moved last stands where none is better
    if last[1].cut >= 0:
        ends, at = run.task.bins.code_of[last[1].column], last[1].at
        cuts = [replace(last[1], cut=cut) for cut in range(ends[at - 1] if at else 0, ends[at + 1])]
        least = min(log_loss(rows, after._replace(parts=[*after.parts[:-1], (last[0], one)])) for one in cuts)
        assert log_loss(rows, after) == pytest.approx(least, abs=1e-3)


def test_numbers_that_share_a_bin_are_told_apart():
    """Of forty numbers, 20 and 21 share a bin, and the label is "above 20"."""
    table, y = table_of_values(points=[float(i) for i in range(40)]), np.arange(40) > 20
    run = prepare(table, y)
    body = scorecard_of(run.task, run.limits.kinds[0], scorecard_limits(run.task, run.limits, 1.0))
    assert (body[0].truth(run.task.bins, np.arange(40)) == y).all()


def test_more_words_must_gain_more():
    rng = np.random.default_rng(0)
    words = rng.choice(list("abcdefgh"), 2000)
    height = {word: 2.0 - 0.5 * i for i, word in enumerate("abcdefgh")}
    y = rng.random(2000) < 1 / (1 + np.exp(-np.array([height[word] for word in words])))
    run = prepare(table_of_values(word=words.tolist(), number=rng.integers(0, 9, 2000).astype(float).tolist()), y)
    limits = scorecard_limits(run.task, run.limits, 1.0)

    def most_words(per_word):
        chosen = select(LabelRows(run.task.bins, run.task.weights, 1.0, y), replace(limits, per_word=per_word))
        return max(len(one.words) for one in chosen.conditions)

    assert most_words(0.0) > most_words(500.0) == 1


def test_where_there_is_nothing_to_weigh_there_is_no_scorecard():
    table = table_of_values(same=["a"] * 60, number=[1.0] * 60)
    for y in (np.zeros(60, dtype=bool), np.ones(60, dtype=bool), np.arange(60) % 2 == 0):
        run = prepare(table, y)
        limits = scorecard_limits(run.task, run.limits, 1.0)
        assert scorecard_of(run.task, run.limits.kinds[0], limits) is None
        assert fit(table, y).rules == ()


SUMS = 1
"""The seed of a noisy table whose program is a weighed scorecard."""


def is_weighed(learned):
    return [step.action for step in learned.trace] == ["weigh"]


def test_where_it_is_right_more_often_it_is_the_program():
    table, y = noisy(SUMS)  # many columns that speak a little: that is where sums are better
    learned = fit(table, y)
    assert is_weighed(learned)
    assert learned.n_rules == len(learned.rules) == 1
    assert isinstance(learned.rules[0].body[0], Scorecard)
    assert learned.points
    assert np.mean(learned.held_out == y) > max(y.mean(), 1 - y.mean())
    assert learned.trace[0].errors == np.sum(learned.covers != y)


def test_it_is_no_program_where_rules_are_asked_for_or_a_sum_would_break_what_is():
    table, y = noisy(SUMS)
    assert not is_weighed(fit(table, y, points=False))
    assert not is_weighed(fit(table, y, apart=[("n0", "n1")]))
    assert not is_weighed(fit(table, y, weight=np.where(y, 8.0, 1.0)))
    assert not is_weighed(fit(table, y, locked=(np.zeros(len(y), dtype=np.uint8),)))


def test_a_rule_stays_a_rule():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 20, (2, 600)).astype(float)
    y = (a > 9) != (b > 9)  # no sum of the two says so
    learned = fit(table_of_values(a=a.tolist(), b=b.tolist()), y)
    assert not is_weighed(learned)
    assert (learned.covers == y).all()


def test_the_order_of_rows_changes_nothing():
    table, y = noisy(SUMS)
    learned = fit(table, y)
    assert is_weighed(learned)
    for k in range(2):
        rows = np.random.default_rng(k).permutation(len(y))
        assert fit(take(table, rows), y[rows]).rules == learned.rules


def test_whoever_stops_while_scorecards_are_weighed_gets_the_program_grown_so_far(monkeypatch):
    table, y = noisy(0)
    stops = iter([False])

    def said(fold, limits):
        next(stops, None)
        return np.zeros(len(fold.test), dtype=np.uint8), 0

    monkeypatch.setattr("unless.learn.optimise.choosing.scorecard_predicted", said)
    assert not is_weighed(fit(table, y, should_stop=lambda: next(stops, True)))
