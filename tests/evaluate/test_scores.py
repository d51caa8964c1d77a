"""Scores: every metric from one table."""

import numpy as np
import pytest

from unless.evaluate.compare import compare
from unless.evaluate.comparison import Measure
from unless.evaluate.label_scores import is_many, label_scores, mean_figures
from unless.evaluate.reliability import measured
from unless.evaluate.scores import LABEL_METRICS, METRICS, Metric, Scores, score
from unless.evaluate.view import View
from unless.explain.faces.score_text import many_scores_text, reliability_text, scores_text
from unless.learn.grade_again import grade
from unless.logic.text.parser import parse
from unless.table.frames import raw_table

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


THREE = """
%@ unless 1
%@ target t: 'a', 'b' else 'c'
%@ numerical h
t(X,'a') :- h(X,N), N > 4.0.
t(X,'b') :- h(X,N), N =< 1.0.
"""
THREE_ROWS = [{"h": h, "t": label} for h, label in zip(range(8), "bbbcccaa", strict=True)]


def three(rows=THREE_ROWS) -> View:
    return View(parse(THREE), raw_table(rows))


def test_accuracy_of_three_labels_is_the_share_of_rows_predicted_right():
    """It was that of one label against the rest: rows of b taken for c counted as right."""
    view = three()
    assert [view.scores(label)["accuracy"] for label in "abc"] == [view.accuracy()] * 3 == [6 / 8] * 3
    assert view.scores("a") == Scores("a", tp=2, fp=1, fn=0, tn=5, confused=1)
    scores = score(["b", "c", "a"], ["c", "c", "a"], "a")
    assert (scores["accuracy"], scores["precision"], scores.as_dict()["accuracy"]) == (2 / 3, 1.0, 2 / 3)
    assert "confused" not in scores.as_dict()


def test_more_than_two_labels_have_a_line_each():
    view = three()
    assert is_many(view)
    lines = many_scores_text(label_scores(view)).splitlines()
    assert [line.split() for line in lines] == [
        ["rows", "8", "accuracy", "0.7500"],
        ["label", "rows", "precision", "recall", "F1"],
        ["a", "2", "0.6667", "1.0000", "0.8000"],
        ["b", "3", "1.0000", "0.6667", "0.8000"],
        ["c", "3", "0.6667", "0.6667", "0.6667"],
        ["mean", "of", "labels", "8", "0.7778", "0.7778", "0.7556"],
    ]


def test_labels_that_only_the_table_has_count_as_missed():
    """A program of two labels called rows of a third one right where it said its default."""
    two = parse("%@ unless 1\n%@ target t: 'a' else 'c'\n%@ numerical h\nt(X,'a') :- h(X,N), N > 4.0.\n")
    view = View(two, raw_table(THREE_ROWS))
    assert is_many(view)
    assert view.scores("a")["accuracy"] == view.accuracy() == 4 / 8
    (unknown,) = [each for each in label_scores(view) if each.scores.positive == "b"]
    assert (unknown.n_rows, unknown.scores.fn, unknown.figures()["recall"]) == (3, 3, 0.0)
    assert not is_many(View(two, raw_table([row for row in THREE_ROWS if row["t"] != "b"])))


def test_labels_that_do_not_occur_have_no_line():
    found = label_scores(three([{"h": 9, "t": "a"}, {"h": 9, "t": "c"}]))
    assert [each.scores.positive for each in found] == ["a", "c"]
    assert mean_figures(found)["recall"] == 0.5


def test_probabilities_of_each_of_three_labels_are_measured_and_named():
    table = raw_table(THREE_ROWS * 5)
    view = View(grade(parse(THREE), table), table)
    figures = {each.scores.positive: each.figures() for each in label_scores(view)}
    for label in "abc":
        trust = view.reliability(label=label)
        assert trust is not None
        assert figures[label]["auc"] == trust.auc
        n_observed = sum(each.n_rows * each.observed for each in trust.bins)
        assert n_observed == pytest.approx(view.scores(label).tp + view.scores(label).fn)
    assert reliability_text(trust, label="c").startswith("Probability of c: AUC ")
    assert "AUC" in many_scores_text(label_scores(view)).splitlines()[1]
    named = {(measure.name, measure.label) for measure in compare(view.program, view.program, table).measures}
    assert {("auc", label) for label in "abc"} <= named
    assert ("auc", None) not in named


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


def test_of_a_rare_label_the_first_tenth_is_parted():
    """Of 1,500 patients 1,459 stood in one line, predicted 0.009 beside observed 0.012."""
    chance = np.array([0.004] * 600 + [0.015] * 200 + [0.03] * 100 + [0.07] * 50 + [0.4] * 50)
    trust = measured(chance, np.arange(1000) % 40 == 0)
    assert [(round(each.predicted, 3), each.n_rows) for each in trust.bins] == [
        (0.004, 600), (0.015, 200), (0.03, 100), (0.07, 50), (0.4, 50),
    ]  # fmt: skip
    mirrored = measured(1 - chance, np.arange(1000) % 40 == 0)
    assert [each.n_rows for each in mirrored.bins] == [50, 50, 100, 200, 600]
    assert len(measured(np.append(chance, [0.9] * 1000), np.arange(2000) % 40 == 0).bins) == 3


def test_of_a_very_rare_label_the_first_hundredth_is_parted_too():
    """Of 60,000 accounts, 61 in default, all stood in one line, so no threshold found a part of the 61."""
    chance = np.array([0.0003] * 600 + [0.0015] * 200 + [0.003] * 100 + [0.007] * 50 + [0.04] * 50)
    is_label = np.arange(1000) % 200 == 0
    trust = measured(chance, is_label)
    assert [(each.low, each.n_rows) for each in trust.bins] == [
        (0.0002, 600), (0.001, 200), (0.002, 100), (0.005, 50), (0.02, 50),
    ]  # fmt: skip
    assert [each.n_rows for each in measured(1 - chance, is_label).bins] == [50, 50, 100, 200, 600]
    lines = reliability_text(trust).splitlines()
    assert [line.split()[:3] for line in lines[2:4]] == [
        ["0.0002", "0.00030", "0.00500"], ["0.0010", "0.00150", "0.00500"],
    ]  # fmt: skip
    assert measured(np.zeros(10), np.arange(10) == 0).bins[0].n_rows == 10  # all at the very end


def test_each_line_says_what_a_threshold_there_finds():
    chance, is_label = np.array([0.05, 0.15, 0.15, 0.35, 0.95]), np.array([True, False, True, True, True])
    trust = measured(chance, is_label)
    assert [(each.low, each.found) for each in trust.bins] == [(0.0, 1.0), (0.1, 0.75), (0.3, 0.5), (0.9, 0.25)]
    for each in trust.bins:
        assert each.found == (is_label & (chance >= each.low)).sum() / is_label.sum()
    assert [each.found for each in measured(chance, np.zeros(5, dtype=bool)).bins] == [None] * 4
    lines = reliability_text(trust).splitlines()
    assert lines[1].split() == ["from", "predicted", "observed", "rows", "found"]
    assert lines[3].split()[:6] == ["0.10", "0.150", "0.500", "2", "75.0", "%"]
    assert max(map(len, lines[:-1])) <= 80
