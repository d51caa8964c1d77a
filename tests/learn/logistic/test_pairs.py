"""Two conditions in one line of a grade: found where columns speak together, and bound by what binds other lines."""

import math

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from coded_tables import table_of_values
from unless import FoldRPPClassifier, UnlessClassifier, parse
from unless.evaluate.probabilities import probabilities
from unless.learn.logistic import pairs
from unless.learn.logistic.best_condition import GT, LE, WORDS, ConditionSearch, Found
from unless.learn.logistic.bin_condition import DECISION, condition_found, opposite
from unless.learn.logistic.pairs import PairSearch, asked_of_pairs, contexts_in
from unless.learn.logistic.pattern_rows import PatternRows
from unless.learn.optimise.training import make_training_rows
from unless.logic.grade import Both, cell_conditions


def together(n=3000, seed=0):
    """Make a rare label that two columns speak for together, hardly each alone; a third one speaks for itself."""
    random = np.random.default_rng(seed)
    a, b, c = random.normal(size=n), random.normal(size=n), random.choice(["x", "y", "z"], n)
    height = -2.2 + 2.2 * ((a > 0) & (b > 0.3)) - 0.8 * ((a <= 0) & (b > 0.3)) + 0.5 * (c == "z")
    y = random.random(n) < 1 / (1 + np.exp(-height))
    return pl.DataFrame({"a": a, "b": b, "c": c}), np.where(y, "ill", "well")


def both_of(model):
    return [a.condition for card in model.program_.grade.cards for a in card.awards if isinstance(a.condition, Both)]


@pytest.mark.parametrize("learner", [UnlessClassifier, FoldRPPClassifier])
def test_columns_that_speak_together_get_points_together(learner, monkeypatch):
    X, y = together()
    model = learner().fit(X[:2000], y[:2000])
    assert {part.column for both in both_of(model) for part in cell_conditions(both)} >= {"a", "b"}
    assert parse(str(model.program_)) == model.program_
    np.testing.assert_array_equal(probabilities(parse(str(model.program_)), X), probabilities(model.program_, X))
    monkeypatch.setattr(pairs, "MORE", math.inf)
    without = learner().fit(X[:2000], y[:2000])
    assert not both_of(without)
    ill = y[2000:] == "ill"
    found, plain = (roc_auc_score(ill, m.predict_proba(X[2000:])[:, 0]) for m in (model, without))
    assert found > plain


def test_where_columns_speak_for_themselves_no_two_are_one_line():
    random = np.random.default_rng(3)
    a, b = random.normal(size=(2, 800))
    y = random.random(800) < 1 / (1 + np.exp(2.0 - a - b))
    assert not both_of(UnlessClassifier().fit(pl.DataFrame({"a": a, "b": b}), y))


def test_what_binds_other_lines_binds_two_conditions():
    X, y = together()
    assert both_of(UnlessClassifier(forbidden=["c"]).fit(X, y))
    assert "a" not in UnlessClassifier(forbidden=["a"]).fit(X, y).program_.grade.columns
    apart = UnlessClassifier(apart=[("a", "b")]).fit(X, y).program_.grade.columns
    assert len({"a", "b"} & {*apart}) == 1


@pytest.mark.parametrize("asked", [{"a": 1}, {"b": 1}, {"a": 1, "b": 1}, {"b": -1}])
def test_probabilities_keep_a_direction_beside_another_column(asked):
    X, y = together()
    model = UnlessClassifier(monotonic_cst=asked, positive="ill").fit(X, y)
    random = np.random.default_rng(1)
    for column, direction in asked.items():
        for _ in range(20):
            steps = np.linspace(-3, 3, 40)
            row = {"a": [random.normal()] * 40, "b": [random.normal()] * 40, "c": [str(random.choice(["x", "z"]))] * 40}
            chances = model.predict_proba(pl.DataFrame(row | {column: steps}))[:, 0]
            assert (np.diff(chances) * direction >= 0).all()


def test_neither_the_order_of_rows_nor_threads_matter():
    X, y = together()
    order = np.random.default_rng(1).permutation(len(y))
    one, other = UnlessClassifier().fit(X, y), UnlessClassifier(n_jobs=2).fit(X[order], y[order])
    assert both_of(one)
    assert str(one.program_) == str(other.program_)


def search_on(seed):
    """Return a search of pairs on a small table of numbers, with what each row adds to slope and curve."""
    random = np.random.default_rng(seed)
    n = 120
    cells = {name: random.integers(0, 5, n).astype(float) for name in "abc"}
    is_label = random.random(n) < 0.2 + 0.5 * ((cells["a"] > 2) & (cells["b"] > 1))
    columns = table_of_values(**{name: values.tolist() for name, values in cells.items()})
    rows = make_training_rows(columns, is_label, None)
    patterns = PatternRows(rows.bins, rows.weights, 1.0, is_label, 4)
    patterns.put(rows.bins.by_column[0], np.zeros(256, dtype=np.uint8), 0, 0)
    share = is_label.mean()
    search = ConditionSearch(rows.bins.layout, np.zeros(3, dtype=np.int64), patterns.counts, (0, 120))
    patterns.search(np.array([share]), search, np.full(3, 1 << LE, dtype=np.int64), patterns.scale, 1.0)
    found = PairSearch(patterns, search, patterns.scale, 1.0, 0, np.zeros(3, dtype=np.int64))
    return rows.bins, found, patterns.whole, is_label - share, np.full(n, share * (1 - share))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_pair_is_the_best_of_all(seed):
    bins, found, whole, slopes, curves = search_on(seed)
    alone = [
        condition_found(bins.layout, Found(0.0, j, kind, at)) for j in range(3) for kind in (LE, GT) for at in range(4)
    ]
    allowed = np.full(3, 1 << LE, dtype=np.int64)
    gain, pair = found.best([(context, allowed) for context in alone], [], whole, 0.0)

    def gained(one, other):
        held = (one.holds(bins.by_column) & other.holds(bins.by_column)).astype(bool)
        curve = curves[held].sum()
        return 0.5 * slopes[held].sum() ** 2 / (curve * (1 - curve / curves.sum()) + 1.0)

    every = [gained(one, other) for one in alone for other in alone if one.column != other.column]
    assert gain == pytest.approx(max(every), rel=1e-5)
    assert gained(pair.within, pair) == pytest.approx(gain, rel=1e-5)
    assert found.best([(context, allowed) for context in alone], [pair], whole, 0.0)[1] != pair
    assert found.best([(context, allowed) for context in alone], [], whole, gain * 1.01) == (gain * 1.01, None)


def test_places_are_single_conditions_and_their_opposites():
    bins, found, *_ = search_on(0)
    low = condition_found(bins.layout, Found(0.0, 0, LE, 1))
    high = opposite(bins.layout, low)
    assert high.kind == GT
    assert opposite(bins.layout, high) == low
    assert not (low.holds(bins.by_column) & high.holds(bins.by_column)).any()
    pair = condition_found(bins.layout, Found(0.0, 1, GT, 2), low)
    assert found.contexts([DECISION, low, pair, high]) == [low, high]
    assert contexts_in(low, bins.layout, np.array([1, 0, 0])) == ()
    assert opposite(bins.layout, condition_found(bins.layout, Found(0.0, 0, WORDS))) is None
    assert asked_of_pairs(0.0) > 0.0
