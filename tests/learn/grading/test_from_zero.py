"""Lines are turned so that points count from 0: totals move by the same, and no training row has less than 0."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from unless import FoldRPPClassifier, UnlessClassifier
from unless.evaluate.predict import read_cells
from unless.evaluate.probabilities import card_points
from unless.learn.grading.from_zero import lines_to_turn
from unless.learn.logistic.best_condition import GT, LE, WORDS
from unless.learn.logistic.bin_condition import DECISION, BinCondition
from unless.logic.forms.column_points import points_by_column
from unless.logic.grade import Both

ALONE = st.builds(BinCondition, st.integers(0, 2), st.sampled_from([LE, GT, WORDS]), st.integers(0, 9))
CONDITIONS = st.one_of(ALONE, ALONE, st.builds(lambda one, other: replace(one, within=other), ALONE, ALONE))
LINES = st.lists(st.tuples(CONDITIONS, st.integers(-20, 20)), min_size=1, max_size=7)
SEEN = st.lists(st.integers(0, 2**8 - 1), min_size=1, max_size=20, unique=True)


def total(points, pattern, turned=frozenset()):
    """Add up the points of a pattern, those of turned lines where they do not hold, and with the other sign."""
    held = [(pattern >> i & 1) != (i in turned) for i in range(len(points))]
    return sum((-p if i in turned else p) * held[i] for i, p in enumerate(points))


@given(LINES, st.integers(0, 20), SEEN)
def test_turned_lines_move_all_totals_by_the_same_and_the_lowest_of_each_column_to_0(lines, decision, patterns):
    conditions, points = [*(condition for condition, _ in lines), DECISION], [*(p for _, p in lines), decision]
    turned = lines_to_turn(conditions, points, np.array(sorted(patterns), dtype=np.int64))
    assert len({total(points, p, turned) - total(points, p) for p in range(2 ** len(points))}) == 1
    assert all(total(points, p, turned) >= 0 for p in patterns)
    for column in range(3):
        mine = [i for i, c in enumerate(conditions) if c.column == column and c.within is None]
        alone = [p if i in mine else 0 for i, p in enumerate(points)]
        assert min(total(alone, p, turned & {*mine}) for p in patterns) == 0


@given(LINES, SEEN, st.randoms())
def test_the_order_of_patterns_does_not_matter(lines, patterns, random):
    conditions, points = zip(*lines, strict=True)
    shuffled = random.sample(patterns, len(patterns))
    found = [lines_to_turn(conditions, points, np.array(each, dtype=np.int64)) for each in (patterns, shuffled)]
    assert found[0] == found[1]


def holed(n_rows, seed):
    """Return a table in which blanks say as much as numbers, and two columns speak together."""
    random = np.random.default_rng(seed)
    income, debt = random.normal(size=n_rows), random.normal(size=n_rows)
    town = random.choice(["a", "b", "c"], n_rows)
    blank = random.random(n_rows) < 0.2
    heights = np.where(blank, 1.2, -income) + 0.8 * (debt > 0.3) - 2.0 * ((debt > 0) & (town == "a"))
    y = np.where(random.random(n_rows) < 1 / (1 + np.exp(-heights)), "late", "paid")
    return pl.DataFrame({"income": np.where(blank, np.nan, income), "debt": debt, "town": town}), y


def test_points_of_a_learned_grade_begin_at_0():
    """Blanks left columns with lines that take points away: a grade began with minus 50, and so did its bands."""
    X, y = holed(2000, seed=3)
    for model in (UnlessClassifier(positive="late").fit(X, y), FoldRPPClassifier(positive="late").fit(X, y)):
        (card,) = model.program_.grade.cards
        assert points_by_column(card, model.program_.columns).start == 0
        columns = read_cells(model.program_, X, card.columns)
        totals = card_points(card, columns, np.asarray(model.predict(X)) == "late")
        assert totals.min() >= 0
        assert card.bands[0].low >= 0
        assert any(award.unless for award in card.awards)
        assert all(award.points > 0 for award in card.awards if isinstance(award.condition, Both))
