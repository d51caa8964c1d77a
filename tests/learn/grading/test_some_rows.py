"""Rows chosen by their contents, and grades of tables that are larger than what conditions are chosen on."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unless import FoldRPPClassifier, UnlessClassifier
from unless.datasets import loans
from unless.evaluate.probabilities import card_points
from unless.learn.front import table_task
from unless.learn.grading import grader
from unless.learn.grading.card_text import truth_of_codes
from unless.learn.grading.some_rows import nested_rows
from unless.learn.learners import FoldRPPSettings
from unless.learn.rows.decoded import decode
from unless.learn.task import Watch, read_task
from unless.logic.grade import Blank
from unless.logic.rules import Literal, OneOf

WORD_COLUMNS = ["purpose", "housing", "history"]


def coded(frame):
    task = table_task(frame, [i % 2 for i in range(len(frame))])
    return read_task(task, FoldRPPSettings(), Watch()).columns


def measured(n, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame({"a": random.normal(size=n), "w": random.choice(["x", "y", "z"], n)})


def test_the_same_rows_are_chosen_in_any_order():
    frame = measured(900)
    order = np.random.default_rng(1).permutation(900)
    (one, few), (other, other_few) = nested_rows(coded(frame), 200), nested_rows(coded(frame[order]), 200)
    assert 200 <= len(one) <= 210
    assert 50 <= len(few) <= 55
    assert sorted(order[other].tolist()) == one.tolist()
    assert sorted(order[other[other_few]].tolist()) == one[few].tolist()


def test_rows_that_are_few_or_alike_are_all_taken():
    assert nested_rows(coded(measured(200)), 200)[0] is None
    assert nested_rows(coded(measured(100)), 200) == (None, None)
    alike = pl.DataFrame({"a": [i % 3 for i in range(3000)], "b": [i % 5 for i in range(3000)]})
    assert nested_rows(coded(alike), 600) == (None, None)


@pytest.mark.parametrize("learner", [UnlessClassifier, FoldRPPClassifier])
def test_a_grade_chosen_on_some_rows_counts_all_in_any_order(learner, monkeypatch):
    monkeypatch.setattr(grader, "MANY", 400)
    table = loans(1500)
    table = table.with_columns(pl.when(pl.col("debt_ratio") > 0.5).then(None).otherwise("income").alias("income"))
    X, y = table.drop("loan"), table["loan"]
    order = np.random.default_rng(1).permutation(len(y))
    one = learner(categorical_features=WORD_COLUMNS).fit(X, y)
    other = learner(categorical_features=WORD_COLUMNS).fit(X[order], y[order])
    assert str(other.program_) == str(one.program_)
    card = one.program_.grade.cards[0]
    assert sum(band.n_rows for band in card.bands) == len(y)
    assert sum(band.n_label for band in card.bands) == (y == card.label).sum()


def test_bands_count_the_points_that_the_written_lines_give(monkeypatch):
    """A line turned into its contrary, or a threshold between values of some rows, must hold for all rows alike."""
    monkeypatch.setattr(grader, "MANY", 120)
    random = np.random.default_rng(3)
    n = 1200
    a, b = random.normal(size=n), random.integers(0, 4, n)
    y = random.random(n) < 1 / (1 + np.exp(a + (b == 1)))
    X = pl.DataFrame({"a": np.where(random.random(n) < 0.004, np.nan, a), "b": [f"w{i}" for i in b]})
    X[5, "b"] = "seldom"
    model = FoldRPPClassifier().fit(X, y)
    (card,) = model.program_.grade.cards
    data = read_task(table_task(X, y), FoldRPPSettings(), Watch())
    cells = {book.name: decode(book, data.columns.codes_of(j)) for j, book in enumerate(data.columns.books)}
    decided = np.array([label == card.label for label in model.predict(X)])
    points = card_points(card, cells, decided)
    for band in card.bands:
        inside = (points >= band.low) & (points <= band.high)
        assert band.n_rows == inside.sum()
        assert band.n_label == (inside & (y == card.label)).sum()


@pytest.mark.parametrize("heavy", [3, 400_000])
def test_a_heavy_row_counts_as_many(heavy):
    """What a row of much weight says is what as many rows say, by a slope that is not lost in rounding."""
    random = np.random.default_rng(5)
    X = pl.DataFrame({"a": random.normal(size=300), "b": random.normal(size=300)})
    y = np.where(random.random(300) < 1 / (1 + np.exp(-2 * X["a"].to_numpy())), "yes", "no")
    times = np.where(random.random(300) < 0.5, heavy, 1)
    weighed = FoldRPPClassifier(tail=0.1).fit(X, y, sample_weight=times).program_.grade.cards[0]
    assert "a" in {getattr(award.condition, "column", "") for award in weighed.awards}
    if heavy == 3:
        rows = np.repeat(np.arange(300), times)
        repeated = FoldRPPClassifier(tail=0.1).fit(X[rows], y[rows]).program_.grade.cards[0]
        assert (weighed.awards, weighed.slope, weighed.offset) == (repeated.awards, repeated.slope, repeated.offset)


def test_conditions_hold_for_codes_as_for_values():
    frame = pl.DataFrame({"v": ["3", "x", None, "1", "y", "2.5", "x"]})
    columns = read_task(table_task(frame, [0, 1] * 3 + [0]), FoldRPPSettings(), Watch()).columns
    book, codes = columns.books[0], columns.codes_of(0)
    words = [None if code == book.missing else book.words[code - book.n_numbers] for code in codes]
    for condition, holds in {
        Blank("v"): [word is None for word in words],
        Literal("v", "=", "x"): [word == "x" for word in words],
        OneOf("v", ("x", "y")): [word in ("x", "y") for word in words],
    }.items():
        assert truth_of_codes(book, condition, codes).tolist() == holds
    numbers = pl.DataFrame({"n": [3.0, None, 1.0, 2.0, 1.0]})
    columns = read_task(table_task(numbers, [0, 1, 0, 1, 0]), FoldRPPSettings(), Watch()).columns
    book, codes = columns.books[0], columns.codes_of(0)
    assert truth_of_codes(book, Literal("n", "=<", 1.5), codes).tolist() == [False, False, True, False, True]
    assert truth_of_codes(book, Literal("n", ">", 1.0), codes).tolist() == [True, False, False, True, False]
