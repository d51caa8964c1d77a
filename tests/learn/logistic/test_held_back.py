"""Lines that were searched for are held back by what their search gains by chance, and no others are."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from coded_tables import table_of_values
from unless import UnlessClassifier
from unless.learn.logistic import weigh_conditions
from unless.learn.logistic.best_condition import BLANK, GT, LE, WORDS
from unless.learn.logistic.bin_condition import DECISION, BinCondition
from unless.learn.logistic.condition_limits import ConditionLimits
from unless.learn.logistic.held_back import chance_gain, held_back
from unless.learn.logistic.pattern_fit import Patterns, fit_patterns
from unless.learn.logistic.select_conditions import FIRST, LabelRows, Selection
from unless.learn.optimise.layout import BinLayout
from unless.learn.optimise.training import make_training_rows

LAYOUT = BinLayout(np.array([0, 34, 48]), np.array([32, 0]), np.array([0, 12]))


def best_gain(values, seed):
    """Return the best condition of one column, and what it gains, where labels are drawn without looking at it."""
    random = np.random.default_rng(seed)
    is_label = random.random(len(values)) < 0.3
    rows = make_training_rows(table_of_values(a=values), is_label, None)
    limits = ConditionLimits(np.array([1 << LE | 1 << WORDS]), np.zeros(1, dtype=np.int64), {})
    chosen = Selection(LabelRows(rows.bins, rows.weights, 1.0, is_label), limits)
    chosen.patterns.put(rows.bins.by_column[0], np.zeros(256, dtype=np.uint8), 0, 0)
    chosen.fit(FIRST)
    gain, found = chosen.search([])
    return gain, 0.0 if found is None else chance_gain(found, rows.bins.layout)


@pytest.mark.parametrize(
    "column",
    [
        lambda random: random.normal(size=900),
        lambda random: random.integers(6, size=900).astype(float),
        lambda random: random.choice([f"w{i}" for i in range(12)], 900),
        lambda random: random.choice(["x", "y", "z"], 900),
    ],
)
def test_a_search_among_noise_gains_about_what_is_said(column):
    values = column(np.random.default_rng(0)).tolist()
    gains, said = np.transpose([best_gain(values, 1 + seed) for seed in range(200)])
    assert gains.mean() < said.max() < gains.mean() + 1.25  # somewhat more: the column was searched for, too


def test_a_weight_keeps_what_it_gains_beyond_chance():
    """Of 400 rows half meet a condition; the share of its weight that stays is gain / (gain + chance)."""
    line = BinCondition(0, LE, 3)
    for label in (90, 110, 130):
        patterns = Patterns(np.array([0, 1]), np.array([200.0, 200.0]), np.array([80.0, float(label)]))
        none = np.zeros(2)
        full = fit_patterns(patterns, none, np.zeros(2), 20)
        without = fit_patterns(patterns, np.array([1e9, 0.0]), np.zeros(2), 20)
        gain, chance = without.loss - full.loss, chance_gain(line, LAYOUT)
        less = fit_patterns(patterns, held_back([line], LAYOUT, none, full.beta), full.beta, 20)
        assert less.beta[0] / full.beta[0] == pytest.approx(gain / (gain + chance), abs=0.05)


def test_the_decision_was_not_searched_for():
    ridges = np.array([1.7, 1.0, 1.0, 0.0])
    lines = [DECISION, BinCondition(0, GT, 3), BinCondition(1, BLANK)]
    held = held_back(lines, LAYOUT, ridges, np.array([0.1, 0.1, 9.0, -2.0]))
    assert held.tolist() == [1.7, pytest.approx(200.0 * chance_gain(lines[1], LAYOUT)), 1.0, 0.0]


def test_more_to_choose_from_is_more_chance():
    cut, words = BinCondition(0, LE, 3), BinCondition(1, WORDS, words=(1, 2))
    blank, both = BinCondition(0, BLANK), BinCondition(1, WORDS, words=(3,), within=cut)
    gains = [chance_gain(line, LAYOUT) for line in (DECISION, blank, cut, words, both)]
    assert gains == sorted({*gains})


def test_held_back_lines_tell_new_rows_better_among_noise(monkeypatch):
    def loss():
        losses = []
        for seed in range(3):
            random = np.random.default_rng(seed)
            x = random.normal(size=(1800, 12))
            y = random.random(1800) < 1 / (1 + np.exp(0.5 - x[:, 0] - 0.5 * x[:, 1]))
            frame = pl.DataFrame(x, schema=[f"c{j}" for j in range(12)])
            model = UnlessClassifier(positive=True).fit(frame[:400], y[:400])
            losses.append(log_loss(y[400:], model.predict_proba(frame[400:])[:, list(model.classes_).index(True)]))
        return np.mean(losses)

    with_it = loss()
    monkeypatch.setattr(weigh_conditions, "held_back", lambda conditions, layout, ridges, beta: ridges)
    assert with_it < loss() - 0.005


def test_a_column_of_very_many_words_that_say_nothing_gets_hardly_a_line():
    """Six of fifteen lines were sets of eight of 266 tickets, and new rows were ranked worse than without them."""
    n, found, without = 6000, [], []
    for seed in range(3):
        random = np.random.default_rng(seed)
        x, ticket = random.normal(size=2 * n), random.integers(200, size=2 * n)
        y = x + random.normal(size=2 * n) > 0
        frame = pl.DataFrame({"x": x, "ticket": [f"T{number}" for number in ticket]})
        for forbidden, scores in (((), found), (("ticket",), without)):
            model = UnlessClassifier(positive=True, forbidden=forbidden).fit(frame[:n], y[:n])
            columns = [str(award.condition) for award in model.program_.grade.cards[0].awards]
            assert sum("ticket" in column for column in columns) <= 1
            scores.append(roc_auc_score(y[n:], model.predict_proba(frame[n:])[:, 1]))
    assert np.mean(found) > np.mean(without) - 0.001
