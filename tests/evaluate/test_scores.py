"""Scores: every metric from one table."""

import pytest

from unless.evaluate.compare import compare
from unless.evaluate.comparison import Measure
from unless.evaluate.scores import LABEL_METRICS, METRICS, Metric, Scores, score
from unless.explain.faces.score_text import scores_text
from unless.logic.text.parser import parse

ACTUAL = ["yes", "yes", "no", "no", "no"]
PREDICTED = ["yes", "no", "yes", "no", "no"]


def test_metrics_come_from_the_counts():
    scores = score(ACTUAL, PREDICTED, "yes")
    assert scores == Scores("yes", tp=1, fp=1, fn=1, tn=2)
    assert {name: scores[name] for name in METRICS} == {"accuracy": 0.6, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert scores.as_dict() == {
        "positive": "yes", "tp": 1, "fp": 1, "fn": 1, "tn": 2, "n_rows": 5,
        "accuracy": 0.6, "precision": 0.5, "recall": 0.5, "f1": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize("name", METRICS)
def test_without_rows_every_metric_is_nothing(name):
    assert Scores("yes", 0, 0, 0, 0)[name] == 0.0


def test_a_new_metric_is_one_row_of_the_table(monkeypatch):
    monkeypatch.setitem(METRICS, "f1", Metric("f1", lambda s: s.fp / s.n_rows, higher_is_better=False))
    assert "F1 0.2000" in scores_text(score(ACTUAL, PREDICTED, "yes"))
    fewer, more = Measure("f1", "yes", 0.5, 0.2), Measure("recall", "yes", 0.5, 0.2)
    assert (fewer.gain > 0, more.gain > 0) == (True, False)


def test_comparisons_have_every_metric_of_a_label():
    old, new = parse("t(X,'a') :- h(X,N), N > 1.0."), parse("t(X,'a') :- h(X,N), N > 2.0.")
    comparison = compare(old, new, [{"h": 2, "t": "a"}, {"h": 3, "t": "b"}])
    assert [measure.name for measure in comparison.measures] == ["accuracy", *LABEL_METRICS]
