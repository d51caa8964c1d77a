"""Grading: points that rank, agree with the program, keep constraints and depend on nothing but the rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier, UnlessError, parse
from unless.datasets import loans
from unless.evaluate.predict import predict, read_cells, row_values
from unless.evaluate.probabilities import graded_labels, probabilities
from unless.evaluate.reliability import auc, measured
from unless.evaluate.row_risk import row_risk
from unless.explain.proof.prover import graded_columns
from unless.learn.front import grade
from unless.logic.grade import Blank, Decided
from unless.logic.rules import Literal

WORDS = ["purpose", "housing", "history"]
LEARNERS = (UnlessClassifier, FoldRPPClassifier, FoldRClassifier)


@pytest.fixture(scope="module")
def table():
    frame = loans(600)
    return frame.drop("loan"), frame["loan"]


def risky(n=2000, seed=0):
    """Make a table whose rare label no rule can pay for, though columns speak for it."""
    random = np.random.default_rng(seed)
    a, b, c = random.normal(size=n), random.normal(size=n), random.choice(["x", "y", "z"], n)
    height = -3.4 + 0.8 * a + 0.5 * b + 0.7 * (c == "z")
    y = random.random(n) < 1 / (1 + np.exp(-height))
    blank = random.random(n) < 0.1
    return pl.DataFrame({"a": a, "b": np.where(blank, np.nan, b), "c": c}), np.where(y, "ill", "well")


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_grade_agrees_and_comes_back(table, learner):
    X, y = table
    model = learner(categorical_features=WORDS).fit(X, y)
    program = model.program_
    assert not program.has_old_grade
    (card,) = program.grade.cards
    assert 1 < len(card.awards) <= 16
    assert sum(band.n_rows for band in card.bands) == len(y)
    assert sum(band.n_label for band in card.bands) == (y == card.label).sum()
    again = parse(str(program))
    assert again == program
    found = probabilities(program, X)
    np.testing.assert_array_equal(probabilities(again, X), found)
    labels = [graded_labels(program)[i] for i in found.argmax(axis=1)]
    assert labels == predict(program, X)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_neither_the_order_of_rows_nor_threads_matter(table, learner, n_jobs):
    X, y = table
    order = np.random.default_rng(1).permutation(len(y))
    one = learner(categorical_features=WORDS, n_jobs=1).fit(X, y)
    other = learner(categorical_features=WORDS, n_jobs=n_jobs).fit(X[order], y[order])
    assert str(other.program_) == str(one.program_)


def test_an_empty_program_still_ranks():
    X, y = risky()
    model = UnlessClassifier().fit(X[:1400], y[:1400])
    assert not model.program_.clauses
    assert {*model.predict(X)} == {"well"}
    chance = model.predict_proba(X[1400:])[:, 0]
    assert roc_auc_score(y[1400:] == "ill", chance) > 0.7
    assert chance.max() <= 0.5
    assert not any(isinstance(award.condition, Decided) for award in model.program_.grade.cards[0].awards)


def test_one_row_alone_has_the_probability_of_the_table(table):
    X, y = table
    for model in (UnlessClassifier(categorical_features=WORDS).fit(X, y), FoldRPPClassifier(tail=0.3).fit(X, y)):
        program = model.program_
        cells, found = read_cells(program, X, graded_columns(program)), probabilities(program, X)
        for row in range(50):
            risk = row_risk(program, row_values(cells, row))
            assert risk.probability == found[row, 0]
            assert risk.points == sum(award.points for award in risk.awards)
            assert risk.is_moved == (abs(risk.by_points - found[row, 0]) > 1e-6)


def test_forbidden_columns_get_no_points(table):
    X, y = table
    forbidden = ["income", "history"]
    model = UnlessClassifier(categorical_features=WORDS, forbidden=forbidden).fit(X, y)
    assert not {*forbidden} & {*model.program_.grade.columns}
    again = grade(replace(model.program_, grade=None), X.with_columns(y.alias("loan")), forbidden=forbidden)
    assert not {*forbidden} & {*again.grade.columns}


def test_columns_apart_are_not_added_up_together(table):
    X, y = table
    free = UnlessClassifier(categorical_features=WORDS).fit(X, y).program_.grade.columns
    pair = ("income", "debt_ratio")
    assert {*pair} <= {*free}
    kept = UnlessClassifier(categorical_features=WORDS, apart=[pair]).fit(X, y).program_.grade.columns
    assert len({*pair} & {*kept}) == 1


@pytest.mark.parametrize("direction", [1, -1])
def test_probabilities_rise_with_what_must_speak_for(direction):
    X, y = risky(800, seed=4)
    model = UnlessClassifier(monotonic_cst={"a": direction, "b": 1}, positive="ill").fit(X, y)
    for award in model.program_.grade.cards[0].awards:
        match award.condition:
            case Decided():
                assert award.points > 0
            case Literal("a" | "b" as column, op):
                asked = direction if column == "a" else 1
                assert award.points * (1 if op == ">" else -1) * asked > 0
    rows = pl.DataFrame({"a": np.linspace(-3, 3, 50), "b": [0.0] * 50, "c": ["z"] * 50})
    assert (np.diff(model.predict_proba(rows)[:, 0]) * direction >= 0).all()


def test_blanks_can_have_points():
    random = np.random.default_rng(2)
    blank = random.random(1500) < 0.3
    y = random.random(1500) < np.where(blank, 0.45, 0.2)
    X = pl.DataFrame({"a": np.where(blank, np.nan, random.integers(0, 2, 1500)), "b": random.random(1500)})
    model = UnlessClassifier().fit(X, y)
    conditions = [award.condition for award in model.program_.grade.cards[0].awards]
    assert Blank("a") in conditions
    chance = model.predict_proba(pl.DataFrame({"a": [None, 1.0], "b": [0.5, 0.5]}))[:, 1]
    assert chance[0] > chance[1] + 0.1


def test_more_than_two_labels_have_a_card_each():
    random = np.random.default_rng(5)
    a = random.normal(size=900)
    y = np.where(a + random.normal(size=900) > 1, "high", np.where(a + random.normal(size=900) < -1, "low", "middle"))
    X = pl.DataFrame({"a": a, "b": random.normal(size=900)})
    for model in (UnlessClassifier().fit(X, y), FoldRPPClassifier(tail=0.05).fit(X, y)):
        assert {card.label for card in model.program_.grade.cards} == {"high", "low", "middle"}
        shares = model.predict_proba(X)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
        assert roc_auc_score(y, shares, multi_class="ovr") > 0.75
        assert parse(str(model.program_)) == model.program_


def test_weights_move_the_probabilities_and_the_file_says_so():
    X, y = risky(1200, seed=7)
    plain = UnlessClassifier().fit(X, y)
    balanced = UnlessClassifier(class_weight="balanced").fit(X, y)
    assert not plain.program_.grade.is_weighed
    assert balanced.program_.grade.is_weighed
    assert balanced.predict_proba(X)[:, 0].mean() > 2 * plain.predict_proba(X)[:, 0].mean()
    twice = UnlessClassifier().fit(X, y, np.full(1200, 2.5))
    assert not twice.program_.grade.is_weighed


def test_any_program_is_graded_by_any_table(table):
    X, y = table
    program = parse("loan(X,'approved') :- income(X,N), N > 30000.0.")
    data = X.with_columns(y.alias("loan"))
    graded = grade(program, data)
    assert graded.clauses == program.clauses
    assert graded.grade.columns == ("income",)  # the columns that the program knows
    assert graded_labels(graded)[0] == "approved"
    with pytest.raises(UnlessError, match="rows of 1 of the program's labels"):
        grade(program, data.filter(pl.col("loan") == "approved"))


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 60), st.sampled_from(LEARNERS))
def test_any_small_table_is_graded(seed, n, learner):
    random = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "n": np.where(random.random(n) < 0.2, np.nan, random.integers(0, 5, n)),
            "w": random.choice(["a", "b", "c", None], n).tolist(),
        },
        schema={"n": pl.Float64, "w": pl.String},
    )
    y = random.random(n) < 0.5
    y[:2] = [True, False]
    model = learner().fit(X, y)
    shares = model.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
    assert parse(str(model.program_)) == model.program_


def test_measures_are_those_of_the_field():
    chance, seen = np.array([0.1, 0.4, 0.4, 1.0]), np.array([False, False, True, True])
    assert auc(chance, seen) == roc_auc_score(seen, chance)
    assert auc(chance, seen | True) is None
    assert measured(chance, seen).brier == pytest.approx(np.mean([0.01, 0.16, 0.36, 0.0]))
    assert np.isfinite(measured(chance, ~seen).log_loss)
