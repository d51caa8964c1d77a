"""FOLD-R: small cases from the paper, then the naive twin, then what must not change the rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import naive
import naive_foldr
from shapes import as_lists, plain
from unless import FoldRClassifier, Literal, Rule, parse
from unless.learn.rows import codes as wide_columns
from unless.logic.holds import decide, rule_holds

CELLS = st.one_of(
    st.none(), st.sampled_from(["a", "b", "c"]), st.sampled_from([0.0, 1.0, 2.0, 3.5]), st.sampled_from(["a", 1.0])
)


@st.composite
def tables(draw):
    n = draw(st.integers(2, 14))
    names = ["u", "v", "w"][: draw(st.integers(1, 3))]
    rows = [{name: draw(CELLS) for name in names} for _ in range(n)]
    labels = [draw(st.booleans()) for _ in range(n)]
    labels[0], labels[1] = True, False
    return rows, labels


def fit(rows, labels):
    return FoldRClassifier(positive=True, categorical_features=None, n_jobs=1).fit(rows, labels)


def test_default_with_exception():
    """The paper's Example 1, as a table: no literal but `bird` keeps both flyers."""
    rows = [
        {"bird": "yes", "penguin": None, "cat": None},
        {"bird": "yes", "penguin": None, "cat": None},
        {"bird": None, "penguin": None, "cat": "yes"},
        {"bird": "yes", "penguin": "yes", "cat": None},
    ]
    model = fit(rows, [True, True, False, False])
    exception = Rule(None, (Literal("penguin", "=", "yes"),))
    assert model.rules_ == (Rule(True, (Literal("bird", "=", "yes"),), (exception,)),)


def test_only_positive_literals():
    rng = random.Random(3)
    rows = [{"a": rng.choice("xyz"), "b": float(rng.randrange(5))} for _ in range(60)]
    model = fit(rows, [rng.random() < 0.5 for _ in rows])
    ops = {goal.op for clause in model.program_.clauses for goal in clause.literals}
    assert "!=" not in ops


def test_number_wins_a_tie_with_a_word():
    rows = [{"w": "x", "n": 1.0}, {"w": "y", "n": 2.0}]
    assert fit(rows, [True, False]).rules_ == (Rule(True, (Literal("n", "=<", 1.0),)),)


def test_enumerate_lists_rows_when_nothing_gains():
    """Exclusive or: no literal gains, for either class, so the rows are listed one by one."""
    rows = [{"a": a, "b": b} for a in "pq" for b in "pq"]
    model = fit(rows, [r["a"] != r["b"] for r in rows])
    assert model.predict(rows).tolist() == [False, True, True, False]
    assert model.rules_[0] == Rule(True, (Literal("a", "=", "p"), Literal("b", "=", "q")))


def test_enumerate_writes_a_number_as_two_bounds():
    rows = [{"a": a, "b": b} for a in (1.0, 2.0) for b in ("p", "q")]
    rule = fit(rows, [False, True, True, False]).rules_[0]
    assert rule.body == (Literal("a", ">=", 1.0), Literal("a", "=<", 1.0), Literal("b", "=", "q"))


def test_rows_that_cannot_be_told_apart_do_not_end_the_rules():
    """A positive equal to a negative once ended the rule set, and every positive after it stayed uncovered."""
    rows = [{"a": "same"}, {"a": "same"}, {"a": "other"}]
    assert fit(rows, [True, False, True]).predict(rows).tolist() == [False, False, True]


def test_positives_that_equal_a_negative_are_said_to_be_left_out():
    rows = [{"a": "same"}, {"a": "same"}, {"a": "other"}]
    with pytest.warns(UserWarning, match="1 row labelled True is covered by no rule"):
        fit(rows, [True, False, True])


@settings(deadline=None, max_examples=80)
@given(tables())
def test_equals_the_naive_twin(table):
    rows, labels = table
    model = fit(rows, labels)
    pos = [row for row, label in zip(rows, labels, strict=True) if label]
    neg = [row for row, label in zip(rows, labels, strict=True) if not label]
    assert model.rules_ == naive_foldr.learn(pos, neg, list(rows[0]), True)


@settings(deadline=None, max_examples=20)
@given(tables(), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(table, chance):
    rows, labels = table
    both = list(zip(rows, labels, strict=True))
    chance.shuffle(both)
    assert fit(rows, labels).rules_ == fit([r for r, _ in both], [y for _, y in both]).rules_


@settings(deadline=None, max_examples=20)
@given(tables())
def test_program_says_what_rules_and_predictions_say(table):
    rows, labels = table
    model = fit(rows, labels)
    assert parse(str(model.program_)) == model.program_
    told = model.predict(rows).tolist()
    assert told == [decide(model.program_, row) for row in rows]
    assert told == [any(rule_holds(rule, row) for rule in model.rules_) for row in rows]


@settings(deadline=None, max_examples=80)
@given(tables())
def test_covers_no_negative_but_the_fewer_of_equals_and_every_positive_that_can_be_described(table):
    rows, labels = table
    predicted = fit(rows, labels).predict(rows)
    positives, negatives = ([r for r, y in zip(rows, labels, strict=True) if y == sign] for sign in (True, False))
    for row, label, answer in zip(rows, labels, predicted, strict=True):
        if answer and not label:
            listed = [other for other in positives if agrees(other, row)]
            assert any(
                sum(agrees(one, r) for r in positives) > sum(agrees(one, r) for r in negatives) for one in listed
            )
        same = any(agrees(row, other) for other in negatives)
        assert answer or not label or same or all(value is None for value in row.values())


def agrees(listed, row):
    """Tell whether a row has all values that another one has."""
    return all(listed[c] is None or row[c] == listed[c] for c in row)


def test_of_equals_the_more_are_covered_and_that_is_said():
    rows, labels = [{"a": "same"}] * 3 + [{"a": "other"}], [True, True, False, False]
    with pytest.warns(UserWarning, match="1 row not labelled True is covered by a rule"):
        model = fit(rows, labels)
    assert model.predict(rows).tolist() == [True, True, True, False]


def test_wide_columns_give_the_same_rules(monkeypatch: pytest.MonkeyPatch):
    rng = random.Random(5)
    rows = [{"a": float(rng.randrange(40)), "b": rng.choice("pqrs"), "c": rng.random()} for _ in range(120)]
    labels = [row["a"] + 20 * rng.random() > 30 for row in rows]
    narrow = fit(rows, labels).rules_
    monkeypatch.setattr(wide_columns, "WIDE", 8)
    assert fit(rows, labels).rules_ == narrow


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables())
def test_information_is_foldrpp_without_negated_literals_and_with_ratio_0(monkeypatch, table):
    rows, labels = table
    monkeypatch.setattr(
        naive, "candidates", lambda column, rows: [lit for lit in EVERY(column, rows) if lit[1] != "!="]
    )
    model = FoldRClassifier(positive=True, heuristic="information", categorical_features=None).fit(rows, labels)
    expected = naive.learn(rows[0], rows, labels, 0)
    assert [plain(rule) for rule in model.rules_] == [as_lists(rule) for rule in expected]


EVERY = naive.candidates
