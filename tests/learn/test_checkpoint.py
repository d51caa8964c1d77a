"""A checkpoint: interrupted learning goes on from the last finished rule, and ends with the same program."""

from __future__ import annotations

import json

import pytest

from unless import FoldRPPClassifier, UnlessError
from unless.datasets import loans

TABLE = loans(600)
X, Y = TABLE.drop("loan"), TABLE["loan"]


class Stop(Exception):
    pass


def stop_after(n):
    def on_rule(progress):
        if progress.n_rules == n:
            raise Stop

    return on_rule


def test_resumed_learning_ends_alike_after_each_rule(tmp_path):
    whole = FoldRPPClassifier(0.1).fit(X, Y)
    assert len(whole.rules_) > 2
    for n in range(1, len(whole.rules_) + 1):
        place = tmp_path / f"{n}.json"
        with pytest.raises(Stop):
            FoldRPPClassifier(0.1).fit(X, Y, checkpoint=place, on_progress=stop_after(n))
        assert len(json.loads(place.read_text())["rules"]) == n
        told = []
        resumed = FoldRPPClassifier(0.1).fit(X, Y, checkpoint=place, on_progress=told.append)
        assert resumed.rules_ == whole.rules_
        assert resumed.program_.grade == whole.program_.grade
        assert [progress.n_rules for progress in told] == list(range(n + 1, len(whole.rules_) + 1))


def test_finished_checkpoint_learns_nothing_more(tmp_path):
    place = tmp_path / "c.json"
    first = FoldRPPClassifier().fit(X, Y, checkpoint=place)
    written = place.read_text()
    assert FoldRPPClassifier().fit(X, Y, checkpoint=place).rules_ == first.rules_
    assert place.read_text() == written


def test_checkpoint_does_not_depend_on_row_order(tmp_path):
    place = tmp_path / "c.json"
    first = FoldRPPClassifier().fit(X, Y, checkpoint=place)
    other = TABLE.reverse()
    assert FoldRPPClassifier().fit(other.drop("loan"), other["loan"], checkpoint=place).rules_ == first.rules_


@pytest.mark.parametrize(
    ("ratio", "change", "named"),
    [
        (0.3, lambda t: t, "ratio"),
        (0.5, lambda t: t.head(599), "number of rows"),
        (0.5, lambda t: t.with_columns(t["income"] + 1), "column 'income'"),
        (0.5, lambda t: t.rename({"income": "pay"}), "order of columns"),
    ],
)
def test_checkpoint_of_another_table_is_refused_by_name(tmp_path, ratio, change, named):
    place = tmp_path / "c.json"
    FoldRPPClassifier(positive="approved").fit(X, Y, checkpoint=place)
    other = change(TABLE)
    with pytest.raises(UnlessError, match=f"another table or other settings: {named} differs"):
        FoldRPPClassifier(ratio, positive="approved").fit(other.drop("loan"), other["loan"], checkpoint=place)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "unless checkpoint 1", "table": 3}', "\x00"])
def test_what_is_no_checkpoint_is_refused(tmp_path, text):
    place = tmp_path / "c.json"
    place.write_text(text)
    with pytest.raises(UnlessError, match="is not a checkpoint"):
        FoldRPPClassifier().fit(X, Y, checkpoint=place)
    assert place.read_text() == text


def test_checkpoint_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(UnlessError, match="cannot write"):
        FoldRPPClassifier().fit(X, Y, checkpoint=tmp_path / "none" / "c.json")
