"""Probabilities among rows as they are, where rows weighed differently in learning."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from unless import UnlessClassifier
from unless.datasets import loans
from unless.evaluate.probabilities import card_points
from unless.evaluate.row_risk import condition_data, row_risk
from unless.evaluate.view import View
from unless.logic.rules import OneOf
from unless.table.frames import raw_table


@pytest.fixture(scope="module")
def view():
    table = loans()
    program = UnlessClassifier(costs={"approved": 10}).fit(table.drop("loan"), table["loan"]).program_
    return View(program, raw_table(table), "loan")


def test_they_follow_the_points(view):
    """They were moved as those of rows as weighed are, so that rows of fewer points could stand above others."""
    points = card_points(view.program.grade.cards[0], view.cells, view.predicted == 0)
    chances, order = view.probabilities_as_they_are["approved"], np.argsort(points, kind="stable")
    assert (np.diff(chances[order]) >= 0).all()
    assert (np.diff(view.probabilities["approved"][order]) < 0).any()  # or this tests nothing
    assert view.reliability().auc == pytest.approx(roc_auc_score(view.actual == 0, points))


def test_one_row_and_all_rows_have_the_same(view):
    risks = [row_risk(view.program, view.row(row)) for row in range(200)]
    alone, among = [risk.as_they_are for risk in risks], view.probabilities_as_they_are["approved"]
    assert alone == among[:200].tolist()
    assert view.probabilities_as_they_are["refused"] == pytest.approx(1.0 - among)


def test_odds_divided_by_the_ratio_are_those_except_where_they_were_moved(view):
    """What `predict --probabilities` and exported files advise."""
    chances = view.probabilities["approved"]
    is_moved = np.abs(chances - 0.5) < 1e-8
    odds = chances / (1.0 - chances) / view.program.grade.cost_ratio
    assert view.probabilities_as_they_are["approved"][~is_moved] == pytest.approx((odds / (1.0 + odds))[~is_moved])
    assert 0 < is_moved.sum() < len(chances) / 10


def test_a_set_that_a_cell_is_not_among_stays_so_in_data():
    assert condition_data(OneOf("town", ("here",), negated=True)) == {"column": "town", "op": "!=", "values": ["here"]}


def test_they_are_near_what_is_observed(view):
    for each in view.reliability().bins:
        if each.n_rows > 200:
            assert each.predicted == pytest.approx(each.observed, abs=0.05)
