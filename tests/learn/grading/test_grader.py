"""Grading: points that rank, agree with the program, keep constraints and depend on nothing but the rows."""

from __future__ import annotations

import math
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
from unless.evaluate.probabilities import condition_truth, probabilities
from unless.evaluate.reliability import auc, measured
from unless.evaluate.row_risk import row_risk
from unless.learn.front import files_task, learn
from unless.learn.grade_again import grade
from unless.learn.grading import grader
from unless.learn.grading.card_text import part_in_bands
from unless.learn.grading.limits import out_of_fold
from unless.learn.learners import LEARNERS as LEARNER_SETTINGS
from unless.learn.learners import FoldRPPSettings
from unless.learn.logistic.best_condition import BLANK, GT, LE, SLOPE_BITS, WORDS, ConditionSearch
from unless.learn.logistic.condition_limits import ConditionLimits
from unless.learn.logistic.pattern_fit import Patterns, fit_patterns
from unless.learn.logistic.whole_points import sigmoid, whole_points
from unless.learn.optimise.layout import BinLayout
from unless.logic.grade import Band, Blank, Decided
from unless.logic.graded import graded_columns, graded_labels
from unless.logic.rules import Literal
from unless.table.formats import read_file
from unless.table.pieces import open_files

WORD_COLUMNS = ["purpose", "housing", "history"]
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


def rounded(n, seed):
    """Make such a table with few different numbers, so that each has a bin of its own."""
    X, y = risky(n, seed)
    return X.with_columns((pl.col("a", "b") * 4).round(0)), y


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_grade_agrees_and_comes_back(table, learner):
    X, y = table
    model = learner(categorical_features=WORD_COLUMNS).fit(X, y)
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
    one = learner(categorical_features=WORD_COLUMNS, n_jobs=1).fit(X, y)
    other = learner(categorical_features=WORD_COLUMNS, n_jobs=n_jobs).fit(X[order], y[order])
    assert str(other.program_) == str(one.program_)


def test_the_order_of_rows_does_not_matter_where_many_share_their_bins():
    """Of one column of many numbers, programs of inner folds were made without other rows: the curve was another."""
    r = np.random.default_rng(5)
    x = r.normal(size=400).round(3)
    y = np.where(x + 0.3 * r.normal(size=400) > 0, "ill", "well")
    order = r.permutation(400)
    one = UnlessClassifier().fit(x.reshape(-1, 1), y)
    assert str(UnlessClassifier().fit(x[order].reshape(-1, 1), y[order]).program_) == str(one.program_)


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
    for model in (UnlessClassifier(categorical_features=WORD_COLUMNS).fit(X, y), FoldRPPClassifier(tail=0.3).fit(X, y)):
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
    model = UnlessClassifier(categorical_features=WORD_COLUMNS, forbidden=forbidden).fit(X, y)
    assert not {*forbidden} & {*model.program_.grade.columns}
    again = grade(replace(model.program_, grade=None), X.with_columns(y.alias("loan")), forbidden=forbidden)
    assert not {*forbidden} & {*again.grade.columns}


def test_columns_apart_are_not_added_up_together(table):
    X, y = table
    free = UnlessClassifier(categorical_features=WORD_COLUMNS).fit(X, y).program_.grade.columns
    pair = ("income", "debt_ratio")
    assert {*pair} <= {*free}
    kept = UnlessClassifier(categorical_features=WORD_COLUMNS, apart=[pair]).fit(X, y).program_.grade.columns
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
                assert award.points * (1 if (op == ">") != award.unless else -1) * asked > 0
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


@pytest.mark.parametrize("cost", [10, 2.5, 1 / 7])
def test_what_a_label_costs_moves_the_curve_and_no_points(cost):
    """A row of cost ten was taken for ten rows: points rested on chance."""
    X, y = rounded(600, seed=3)
    plain, dear = (UnlessClassifier(100.0, class_weight=w).fit(X, y).program_ for w in (None, {y[0]: cost}))
    assert plain.clauses == dear.clauses == ()  # nothing pays at such a price
    (one,), (other,) = plain.grade.cards, dear.grade.cards
    assert other.awards == one.awards
    assert other.slope == one.slope
    moved = math.log(cost) if one.label == y[0] else -math.log(cost)
    assert other.offset == pytest.approx(one.offset + moved)
    assert dear.grade.is_weighed
    assert dear.grade.as_they_are(other.probability(3)) == pytest.approx(one.probability(3))
    assert not plain.grade.is_weighed


@pytest.mark.parametrize("learner", [UnlessClassifier, FoldRPPClassifier])
def test_whole_weights_of_rows_still_count_rows(learner):
    X, y = risky(400, seed=3)
    copies = np.where(np.arange(400) % 3, 1, 2)
    plain, same = (learner(class_weight=w).fit(X, y, copies).program_ for w in (None, {y[0]: 1}))
    assert same == plain


def test_costs_of_many_labels_are_no_copies_of_rows():
    """Whole costs of more than two labels were taken for copies of rows, the same costs as fractions were not."""
    X, y = rounded(600, seed=5)
    y = np.where(np.arange(600) % 5, y, "other")
    names = np.unique(y).tolist()
    whole, shares = (
        UnlessClassifier(class_weight=dict(zip(names, costs, strict=True))).fit(X, y).program_
        for costs in ((8, 1, 2), (1.0, 0.125, 0.25))
    )
    assert [[award.condition for award in card.awards] for card in whole.grade.cards] == [
        [award.condition for award in card.awards] for card in shares.grade.cards
    ]


def test_any_program_is_graded_by_any_table(table):
    X, y = table
    program = parse("loan(X,'approved') :- income(X,N), N > 30000.0.")
    data = X.with_columns(y.alias("loan"))
    graded = grade(program, data)
    assert graded.clauses == program.clauses
    assert graded.grade.columns == ("income",)  # the columns that the program knows
    assert graded_labels(graded)[0] == "approved"
    with pytest.raises(UnlessError, match="has 1 of the program's labels"):
        grade(program, data.filter(pl.col("loan") == "approved"))


def dated(n=900, seed=3):
    """Make a table of text: amounts with decimal commas, dates, weekdays that matter."""
    random = np.random.default_rng(seed)
    days = np.datetime64("2020-01-01") + random.integers(0, 900, n)
    amounts = random.integers(100, 400_000, n)
    height = -1.5 + amounts / 120_000 + 1.5 * (days > np.datetime64("2021-06-01"))
    y = random.random(n) < 1 / (1 + np.exp(-height))
    shown = [f"{day.astype(object):%d.%m.%Y}" for day in days]
    money = [f"{a // 100:,}".replace(",", ".") + f",{a % 100:02d} €" for a in amounts.tolist()]
    return pl.DataFrame({"paid": money, "since": shown, "label": np.where(y, "late", "fine")})


@pytest.mark.parametrize("learner", ["unless", "fold-r++"])
def test_amounts_and_dates_are_read_as_in_prediction(tmp_path, learner):
    table, path = dated(), tmp_path / "t.csv"
    table.write_csv(path)
    task = files_task(open_files([path]), "label", date_parts={"since": ["year"]}, positive="late")
    program = learn(task, LEARNER_SETTINGS[learner]()).program
    assert {column.reading for column in program.columns} >= {"dd.mm.yyyy"}
    again = grade(replace(program, grade=None), read_file(str(path))[0])
    assert {"paid", "since"} <= {*again.grade.columns}
    late = table["label"].to_numpy() == "late"
    for each in (program, again, parse(str(again))):
        assert roc_auc_score(late, probabilities(each, read_file(str(path))[0])[:, 0]) > 0.7
    np.testing.assert_array_equal(probabilities(parse(str(again)), table), probabilities(again, table))


def test_files_in_pieces_are_graded_by_their_rows(tmp_path, table):
    X, y = table
    rows = X.with_columns(y.alias("loan"))
    rows.write_csv(tmp_path / "whole.csv")
    (tmp_path / "pieces").mkdir()
    for i in range(3):
        rows[200 * i : 200 * (i + 1)].write_csv(tmp_path / "pieces" / f"{i}.csv")
    found = [
        learn(files_task(open_files([tmp_path / name]), "loan", positive="approved"), FoldRPPSettings()).program
        for name in ("whole.csv", "pieces")
    ]
    assert found[0].grade == found[1].grade
    assert len(found[0].grade.cards[0].awards) > 1


def test_what_inner_folds_say_reaches_the_grade(table, monkeypatch):
    X, y = table
    given = []
    whole = grader.grade_program
    monkeypatch.setattr(grader, "grade_program", lambda *inputs: (given.append(inputs[3]), whole(*inputs))[1])
    UnlessClassifier(categorical_features=WORD_COLUMNS).fit(X, y)
    FoldRPPClassifier(categorical_features=WORD_COLUMNS).fit(X, y)
    assert given[0].shape == (len(y),)
    assert given[1] is None


def test_a_fit_is_where_the_loss_is_flat():
    random = np.random.default_rng(0)
    rows = random.integers(1, 40, 32).astype(float)
    label = np.floor(rows * random.random(32))
    patterns, ridge = Patterns(np.arange(32), rows, label), np.array([1.0] * 5 + [0.0])
    found = fit_patterns(patterns, ridge, np.zeros(6), 30)

    def loss(beta):
        heights = np.array([sum(b for i, b in enumerate(beta[:-1]) if code >> i & 1) + beta[-1] for code in range(32)])
        return np.sum(rows * np.logaddexp(0, heights) - label * heights) + 0.5 * np.sum(ridge * beta * beta)

    assert found.loss == pytest.approx(loss(found.beta))
    for i in range(6):
        step = 1e-3 * np.eye(6)[i]
        assert loss(found.beta + step) > found.loss
        assert loss(found.beta - step) > found.loss


@pytest.mark.parametrize("fewest", [0, 30])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_condition_is_the_best_of_all(seed, fewest):
    random = np.random.default_rng(seed)
    layout = BinLayout(np.array([0, 6, 11]), np.array([4, 0]), np.array([0, 3]))
    n = 200
    cells = np.column_stack((random.choice([0, 1, 2, 3, 5], n), 6 + random.choice([0, 1, 2, 4], n)))
    slopes, curves = random.integers(-1000, 1000, n), random.integers(1, 250, n)
    sums = np.bincount(cells.ravel(), np.repeat((slopes << SLOPE_BITS) + curves, 2), 11).astype(np.int64)
    allowed = np.array([1 << LE | 1 << GT | 1 << BLANK, 1 << WORDS | 1 << BLANK])
    counts = np.bincount(cells.ravel(), minlength=11)
    search = ConditionSearch(layout, np.zeros(2, dtype=np.int64), counts, (fewest, n - fewest))
    found = search.best(sums, allowed, 1000.0, float(curves.sum()) / 1000.0, 1.0)

    def gain(bins, column):
        held = np.isin(cells[:, column], bins)
        if not fewest <= held.sum() <= n - fewest:
            return 0.0
        slope, curve, whole = slopes[held].sum() / 1000, curves[held].sum() / 1000, curves.sum() / 1000
        return 0.5 * slope**2 / (curve * (1 - curve / whole) + 1)

    tried = [(range(k), 0) for k in range(1, 4)] + [(range(k, 4), 0) for k in range(1, 4)] + [([5], 0), ([10], 1)]
    singles = [([6 + w], 1) for w in range(3)]
    assert found.gain >= max(gain(*each) for each in tried) - 1e-9
    bins = {LE: range(found.at + 1), GT: range(found.at + 1, 4), BLANK: [[5], [10]][found.column]}
    assert found.gain == pytest.approx(gain(bins.get(found.kind, [6 + w for w in found.words]), found.column))
    assert found.gain >= max(gain(*each) for each in [*tried, *singles]) - 1e-9 or found.kind == WORDS


def test_whole_points_lose_little():
    random = np.random.default_rng(1)
    codes = np.arange(64)
    beta = np.array([2.0, -1.3, 0.7, 0.31, 1.1, -0.4])
    rows = random.integers(5, 200, 64).astype(float)
    label = np.rint(rows / (1 + np.exp(1.0 - sum(b * (codes >> i & 1) for i, b in enumerate(beta)))))
    patterns, ridge = Patterns(codes, rows, label), np.array([1.0] * 6 + [0.0])
    fit = fit_patterns(patterns, ridge, np.zeros(7), 30)
    points, slope, offset = whole_points(patterns, fit, ridge, np.zeros(6, dtype=np.int64))
    assert np.abs(points).max() <= 20
    assert np.gcd.reduce(points) == 1
    totals = sum(p * (codes >> i & 1) for i, p in enumerate(points.tolist()))
    heights = slope * totals + offset
    loss = np.sum(rows * np.logaddexp(0, heights) - label * heights) + 0.5 * np.sum((slope * points) ** 2)
    assert fit.loss <= loss < fit.loss + 0.5
    kept, _, _ = whole_points(patterns, fit, ridge, np.array([0, 1, 0, 0, -1, 0]))
    assert kept[1] >= 0 >= kept[4]


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


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_points_rest_on_a_handful_of_rows(learner):
    """A card gave 8 points for a word in a subject that 5 of 2,744 mails had."""
    random = np.random.default_rng(6)
    n = 1000
    a, handful = random.normal(size=n), np.arange(n) % 200 == 0
    y = (random.random(n) < 1 / (1 + np.exp(1.5 - a))) | handful
    number, word = np.where(handful, 7.0, random.integers(0, 3, n)), np.where(handful, "odd", "even")
    X = pl.DataFrame({"a": a, "number": number, "word": word})
    model = learner().fit(X, y)
    (card,) = model.program_.grade.cards
    assert "a" in card.columns
    columns = read_cells(model.program_, X, graded_columns(model.program_))
    for award in card.awards:
        if not isinstance(award.condition, Decided):
            assert 10 <= condition_truth(award.condition, columns, np.zeros(n, dtype=bool)).sum() <= n - 10


def test_bands_are_finer_where_the_label_is_and_where_probabilities_are_far_apart():
    """Bands of as many rows each had half of a rare label's rows in the last, from 12 to 56 %."""
    random = np.random.default_rng(7)
    totals = np.sort(random.integers(0, 100, 5000))
    is_label = random.random(5000) < sigmoid(0.1 * totals - 9.0)

    def curve(points):
        return sigmoid(0.1 * points - 9.0)

    bands = part_in_bands(totals, is_label, curve)
    assert 7 <= len(bands) <= 11
    assert [band.low for band in bands[1:]] == [band.high + 1 for band in bands[:-1]]
    assert (bands[0].low, bands[-1].high) == (totals[0], totals[-1])
    assert sum(band.n_rows for band in bands) == 5000
    assert sum(band.n_label for band in bands) == is_label.sum()
    assert max(band.n_label for band in bands) < is_label.sum() / 3
    assert max(np.ptp(curve(np.array([band.low, band.high]))) for band in bands) < 0.25
    gap = part_in_bands(np.array([1] * 90 + [2] * 10 + [40] * 50), np.arange(150) > 95, curve)
    assert [(band.low, band.high) for band in gap][-1] == (3, 40)
    assert part_in_bands(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=bool), curve) == (Band(0, 0, 3, 0),)


@pytest.mark.parametrize("points", ["auto", True, False])
def test_what_a_learner_says_it_decided_is_what_its_program_decides(table, points, monkeypatch):
    """The grade takes the learner's word for it, and does not run the program again."""
    X, y = table
    seen = []
    whole = grader.grade_program

    def watched(program, data, settings, held_out=None, rows=None, decided=None):
        seen.append((decided, grader._decided(program, data)))
        return whole(program, data, settings, held_out, rows, decided)

    monkeypatch.setattr(grader, "grade_program", watched)
    UnlessClassifier(categorical_features=WORD_COLUMNS, points=points).fit(X, y)
    FoldRPPClassifier(categorical_features=WORD_COLUMNS).fit(X, y)
    rows, labels = risky()
    UnlessClassifier(points=points, size_penalty=0.5).fit(rows, labels)
    assert len(seen) == 3
    for said, found in seen:
        np.testing.assert_array_equal(said, found)


def test_decisions_of_other_programs_are_held_back_the_more_the_less_they_share():
    """Of a program that decided for 6 % of the rows, programs learned without a row had decided for 1 %."""
    none = np.zeros(3, dtype=np.int64)
    limits, weights = ConditionLimits(none, none, {}), np.ones(100, dtype=np.int64)
    own = np.arange(100) < 20
    assert out_of_fold(limits, weights, own, own).decision_ridge == limits.ridge
    assert out_of_fold(limits, weights, np.arange(100) < 5, own).decision_ridge == pytest.approx(4 * limits.ridge)
    assert out_of_fold(limits, weights, ~own, ~own & (np.arange(100) < 40)).decision_ridge == pytest.approx(4.0)
    assert out_of_fold(limits, weights, np.zeros(100, dtype=bool), own).decision_ridge == pytest.approx(20.0)
    twice = np.where(np.arange(100) < 5, 2, 1)
    assert out_of_fold(limits, twice, np.arange(100) < 5, own).decision_ridge == pytest.approx(25 / 10)
    assert out_of_fold(limits, weights, np.zeros(100, dtype=bool), np.zeros(100, dtype=bool)).decision_ridge == 1.0


def test_a_word_and_its_opposite_are_one_line():
    random = np.random.default_rng(1)
    a, b = (np.where(random.random(3000) < 0.1, *words) for words in (("x", "y"), ("u", "v")))
    share = np.where((a == "x") & (b == "u"), 1.0, np.where(a == "x", 0.01, 0.25))
    table = pl.DataFrame({"a": a, "b": b, "t": np.where(random.random(3000) < share, "ill", "well")})
    graded = grade(parse("%@ target t: 'ill' else 'well'\n%@ categorical a, b\n"), table)
    (card,) = graded.grade.cards
    lines = [award.condition for award in card.awards]
    assert Literal("a", "=", "y") in lines
    assert len(set(lines)) == len(lines)
    cells = read_cells(graded, table, graded_columns(graded))
    totals = sum(a.points * condition_truth(a.condition, cells, np.zeros(3000, dtype=bool)) for a in card.awards)
    counted = [int(((totals >= band.low) & (totals <= band.high)).sum()) for band in card.bands]
    assert counted == [band.n_rows for band in card.bands]
