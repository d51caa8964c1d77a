"""Inner choices: what races decide, and that what is chosen is what the folds say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from coded_tables import grower_of, learnable, table_of_values
from unless.learn.optimise import choosing
from unless.learn.optimise.choosing import Contest, cheaper_margin, choose, dearer_margin, gain, points_margin, worth_it
from unless.learn.optimise.folds import HeldOutFold, make_folds
from unless.learn.optimise.side_by_side import Threads, threads
from unless.learn.optimise.thresholds import write_rules
from unless.learn.optimise.training import make_training_rows


def task_of(n=600, seed=0, weight=None):
    task = make_training_rows(*learnable(seed, n), weight)
    return task, grower_of(task.state(), 1.0).limits


def price_at(task):
    return task.price


def said(monkeypatch, wrong_at, is_full=False):
    """Let folds say what a test wants: how many rows are wrong, by kind and by price."""

    def predicted(fold, price, is_hopeful=None):
        is_wrong = fold.test < wrong_at[fold.limits.points, price]
        return (fold.task.right[fold.test] ^ is_wrong).astype(np.uint8)

    monkeypatch.setattr(HeldOutFold, "predicted", predicted)
    monkeypatch.setattr(HeldOutFold, "is_full", is_full)


def points_of(task, limits):
    plain, scored = choosing.contestants(task, limits, 1.0, "auto")
    return choosing._choose_points(plain, scored).folds[0].limits.points


@pytest.mark.parametrize(
    ("plain", "scored", "is_taken"), [(60, 60, True), (60, 61, True), (40, 60, False), (60, 40, True)]
)
def test_on_few_rows_scorecards_must_only_not_lose_by_a_standard_error(monkeypatch, plain, scored, is_taken):
    task, limits = task_of()
    said(monkeypatch, {(False, 1.0): plain, (True, 1.0): scored})
    assert points_of(task, limits) is is_taken


@pytest.mark.parametrize("points", [False, True])
def test_without_auto_the_limits_are_kept(points):
    task, limits = task_of(60)
    chosen = choose(task, replace(limits, points=points), price_at(task), points)
    assert chosen.points is points


@pytest.mark.parametrize(
    ("wrong_at", "chosen"),
    [
        ({8.0: 60, 4.0: 0, 2.0: 0}, 4.0),
        ({8.0: 60, 4.0: 58, 16.0: 61}, 8.0),
        ({8.0: 60, 4.0: 20, 2.0: 0, 1.0: 0}, 2.0),
        ({8.0: 60, 4.0: 60, 16.0: 60, 32.0: 61}, 16.0),
        ({8.0: 60, 4.0: 60, 16.0: 60, 32.0: 60}, 32.0),
    ],
    ids=["halved once", "not by two standard errors", "halved twice", "doubled for nothing", "doubled twice"],
)
def test_the_price_goes_down_and_up(monkeypatch, wrong_at, chosen):
    task, limits = task_of(2000)
    said(monkeypatch, {(False, price): n for price, n in wrong_at.items()})
    start = Contest(make_folds(task, limits), 8.0)
    start.finish()
    assert choosing._choose_price(start, 1.0).price == chosen


@pytest.mark.parametrize(
    ("wrong", "size", "is_taken"),
    [(60, 0, False), (59, 0, True), (50, 5, True), (50, 6, False), (0, 30, True), (0, 31, False), (90, 0, False)],
)
def test_a_weighed_scorecard_must_save_half_the_price_of_what_it_has_more(monkeypatch, wrong, size, is_taken):
    def scorecard_predicted(fold, limits):
        return (fold.task.right[fold.test] ^ (fold.test < wrong)).astype(np.uint8), size

    task, limits = task_of(600)
    said(monkeypatch, {(False, 4.0): 60})
    monkeypatch.setattr(choosing, "scorecard_predicted", scorecard_predicted)
    programs = Contest(make_folds(task, limits), 4.0)
    programs.finish()
    weighed = choosing._weighed_if_better(programs, None)
    assert (weighed is not None) is is_taken
    if is_taken:
        assert weighed.errors == wrong


def test_gains_are_in_standard_errors_of_the_weight_that_is_told_apart():
    task, limits = task_of(100)
    one, other = (Contest(make_folds(task, limits, 2), 1.0) for _ in range(2))
    one.said[:], other.said[:] = 1 - task.right, task.right
    assert gain(one, other) == pytest.approx(10.0)
    assert gain(other, one) == pytest.approx(-10.0)
    other.said[25:] = one.said[25:]
    assert gain(one, other) == pytest.approx(5.0)
    other.said[9:25] = -1  # not reached
    assert gain(one, other) == pytest.approx(3.0)


def test_the_margin_of_scorecards_rises_with_the_rows():
    margins = [points_margin(n) for n in (10, 1000, 2000, 5000, 20_000, 10**6)]
    assert margins == sorted(margins)
    assert (margins[0], margins[-1]) == (-1.0, 2.0)


@pytest.mark.parametrize("n", [40, 600])
def test_what_is_said_out_of_fold_is_of_every_row(n):
    task, limits = task_of(n)
    chosen = choose(task, limits, price_at(task), "auto")
    assert set(chosen.out_of_fold.tolist()) == {0, 1}
    assert len(chosen.out_of_fold) == n
    if n == 600:
        assert np.mean(chosen.out_of_fold == task.right) > 0.8


def test_few_rows_and_no_time_leave_the_usual():
    table = table_of_values(x=[1.0, 2.0] * 4)
    few = make_training_rows(table, np.array([True, False] * 4), None)
    assert choose(few, grower_of(few.state(), 1.0).limits, price_at(few), "auto").out_of_fold is None
    task, limits = task_of()
    chosen = choose(task, replace(limits, should_stop=lambda: True), price_at(task), "auto")
    assert chosen == choosing.Choices(False, price_at(task)(choosing.FIRST_ERROR))


@pytest.mark.parametrize(
    ("of_one", "worse", "is_taken"),
    [(1.0, 2, False), (4.0, 2, True), (4.0, 60, False), (40.0, 2, True)],
    ids=["alike", "four to one", "far behind", "forty to one"],
)
def test_where_rows_of_one_label_weigh_more_scorecards_come_in_unless_they_lose(monkeypatch, of_one, worse, is_taken):
    _, y = learnable(0, 3000)
    task, limits = task_of(3000, weight=np.where(y, of_one, 1.0))
    said(monkeypatch, {(False, 1.0): 60, (True, 1.0): 60 + worse})
    assert points_of(task, limits) is is_taken


def test_rows_that_weigh_differently_in_both_labels_alike_change_no_margin(monkeypatch):
    task, limits = task_of(weight=np.where(np.arange(600) % 7, 1.0, 5.0))
    said(monkeypatch, {(False, 1.0): 60, (True, 1.0): 60})
    assert 0.0 < task.skew < 0.1
    assert points_of(task, limits) is points_of(task_of()[0], limits)


def test_a_lower_price_must_win_by_more_the_more_rows_of_one_label_weigh(monkeypatch):
    assert [cheaper_margin(skew) for skew in (0.0, 0.5, 1.0)] == [2.0, 2.5, 3.0]
    _, y = learnable(0, 2000)
    said(monkeypatch, {(False, 8.0): 66, (False, 4.0): 60, (False, 2.0): 60, (False, 16.0): 90})
    for weight, price in ((None, 4.0), (np.where(y, 1.0, 1.0 + 1e-9), 4.0), (np.where(y, 4.0, 1.0), 8.0)):
        task, limits = task_of(2000, weight=weight)
        start = Contest(make_folds(task, limits), 8.0)
        start.finish()
        assert choosing._choose_price(start, 1.0).price == price


def test_what_inner_folds_have_grown_stays_as_it_was_at_the_price_that_is_chosen():
    task, limits = task_of()
    start = Contest(make_folds(task, limits, 2), 4.0)
    assert start.finish()

    def grown():
        found = []
        for fold, program in zip(start.folds, start.grown, strict=True):
            grower = grower_of(fold.rows.state(), 1.0)
            grower.program.plant(program)
            found.append(write_rules(grower.state, "yes"))
        return found

    rules = grown()
    assert rules == [write_rules(fold.grower.state, "yes") for fold in start.folds]
    assert start.at(0.5).finish()
    assert grown() == rules
    assert rules != [write_rules(fold.grower.state, "yes") for fold in start.folds]


@pytest.mark.parametrize(("is_full", "is_taken"), [(False, False), (True, True)])
def test_where_the_limit_of_rules_holds_programs_up_scorecards_must_only_not_lose(monkeypatch, is_full, is_taken):
    task, limits = task_of(6000)
    said(monkeypatch, {(False, 1.0): 60, (True, 1.0): 60}, is_full)
    assert points_of(task, limits) is is_taken


def test_a_higher_price_must_win_by_less_the_more_rows_there_are():
    margins = [dearer_margin(n) for n in (10, 1000, 1001, 1500, 2000, 10**6)]
    assert margins == sorted(margins, reverse=True)
    assert (margins[0], margins[-1]) == (1.0, 0.0)
    assert margins[1] - margins[2] < 0.01


def test_what_scorecards_must_be_right_on_more_rises_without_a_jump():
    shares = [worth_it(n) for n in (10, 10_000, 10_001, 15_000, 20_000, 10**6)]
    assert shares == sorted(shares)
    assert shares[2] < 1e-5
    assert (shares[0], shares[-1]) == (0.0, choosing.WORTH_IT)


def test_a_fold_begun_ahead_that_nobody_wants_is_left_as_it_was():
    task, limits = task_of()
    said, prices = [], []
    with threads(2) as two:
        for side_by_side in (two, Threads()):
            start = Contest(make_folds(task, limits, 4), 2.0, side_by_side)
            assert start.finish()
            cheaper = start.at(0.3)
            assert cheaper.go_on(start, -math.inf)
            cheaper.end()
            prices.append([fold.grower.price for fold in start.folds])
            dearer = cheaper.at(6.0)
            assert dearer.finish()
            said.append(dearer.said.tolist())
    assert prices[0] == prices[1]
    assert said[0] == said[1]
