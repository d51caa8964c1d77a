"""Rows of a file without a label (totals, open cases, words that mean missing) are left out, and that is said."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from unless import UnlessClassifier, load, look
from unless.cli.app import make_app
from unless.errors import DataError
from unless.table.columns import RawColumn
from unless.table.labels import read_labelled

ROWS = [f"{i};{'yes' if i > 20 else 'no'}" for i in range(40)]
UNDECIDED = ["7;", *ROWS[:20], "9;?", *ROWS[20:], "8; "]

PROGRAM = """%@ target ok: 'yes' else 'no'
%@ numerical points
%@ missing '?'
ok(X,'yes') :- points(X,N0), N0 > 20.0.
"""


@pytest.fixture
def files(tmp_path):
    whole, undecided = tmp_path / "whole.csv", tmp_path / "undecided.csv"
    whole.write_text("\n".join(["points;ok", *ROWS]) + "\n", encoding="utf-8")
    undecided.write_text("\n".join(["points;ok", *UNDECIDED]) + "\n", encoding="utf-8")
    return whole, undecided


def invoke(*arguments):
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def learned(path, tmp_path, *options):
    model = tmp_path / f"{path.stem}.lp"
    said = invoke("learn", path, "--target", "ok", "--keep-column", "points", *options, "-o", model)
    assert said.exit_code == 0, said.output
    return model, " ".join(said.output.split())


def test_a_file_with_them_teaches_what_it_teaches_without(files, tmp_path):
    """One total at the end of a file, or one open case, was refused: every row needs a label."""
    whole, _ = learned(files[0], tmp_path)
    undecided, said = learned(files[1], tmp_path, "--missing", "?")
    assert load(undecided).clauses == load(whole).clauses
    assert "note: 3 rows have no label in column 'ok', and are left out." in said
    assert "40 rows, 1 column, predicting ok (no 21, yes 19)" in said


def test_a_label_that_perhaps_means_missing_is_said(files, tmp_path):
    _, said = learned(files[1], tmp_path)
    assert "note: 2 rows have no label" in said
    assert "the label '?' perhaps means missing. If so, leave such rows out: --missing '?'" in said


def test_of_two_labels_none_is_missing(tmp_path):
    path = tmp_path / "signs.csv"
    path.write_text("\n".join(["points;ok", *(f"{i};{'+' if i > 20 else '-'}" for i in range(40))]), encoding="utf-8")
    assert "missing" not in learned(path, tmp_path)[1]
    assert not look(str(path), "ok").label_findings


def test_scores_and_figures_are_of_labelled_rows(files, tmp_path, caplog):
    model, _ = learned(files[1], tmp_path, "--missing", "?")
    said = invoke("score", model, files[1], "--json")
    assert json.loads(said.stdout)["confusion"] == {"no": {"no": 21, "yes": 0}, "yes": {"no": 0, "yes": 19}}
    assert "3 rows have no label in column 'ok', and are left out." in caplog.messages
    assert invoke("rules", model, files[1], "--json").exit_code == 0
    assert invoke("audit", model, files[1], "--by", "points:20").exit_code in (0, 1)
    assert invoke("watch", model, files[0], files[1]).exit_code == 0
    assert invoke("compare", model, model, files[1]).exit_code == 0
    assert invoke("grade", model, files[1]).exit_code == 0


def test_every_command_calls_a_row_by_its_number_in_the_file(files, tmp_path):
    """`compare` named row 9, and `explain --row 9` showed another: rows without a label were not counted."""
    old, new = tmp_path / "old.lp", tmp_path / "new.lp"
    old.write_text(PROGRAM, encoding="utf-8")
    new.write_text(PROGRAM.replace("20.0", "24.0"), encoding="utf-8")
    flips = json.loads(invoke("compare", old, new, files[1], "--json").stdout)["flips"]
    assert [UNDECIDED[flip["row"]] for flip in flips] == ["21;yes", "22;yes", "23;yes", "24;yes"]
    assert flips[0]["row"] == 23
    assert "21" in flips[0]["proofs"]["before"]
    assert json.loads(invoke("explain", old, files[1], "--row", 23, "--json").stdout)["values"] == {"points": 21.0}
    parts = json.loads(invoke("diff", old, new, files[1], "--json").stdout)["regions"]
    assert parts[0]["row_number"] == 23
    lines = json.loads(invoke("rules", old, files[1], "--json").stdout)["coverage"]["lines"]
    assert [UNDECIDED[row] for row in lines[0]["examples"]] == ["21;yes", "22;yes", "23;yes"]
    page = tmp_path / "report.html"
    assert invoke("report", old, files[1], "-o", page, "--rows", "0,1,22,23,42").exit_code == 0
    assert set(re.findall(r"[Rr]ow ([0-9]+)", page.read_text(encoding="utf-8"))) == {"1", "22", "23"}


def test_a_table_whose_column_of_labels_is_empty_has_no_labels(files, tmp_path):
    model, _ = learned(files[0], tmp_path)
    new = tmp_path / "new.csv"
    new.write_text("points;ok\n3;\n30;\n", encoding="utf-8")
    said = invoke("rules", model, new, "--json")
    assert said.exit_code == 0, said.output
    assert invoke("predict", model, new).stdout.split() == ["ok", "no", "yes"]
    assert "has no label in 2 rows" in str(invoke("score", model, new).exception)


def test_look_counts_them(files):
    seen = look(str(files[1]), "ok", missing=["?"])
    assert [finding.evidence for finding in seen.label_findings] == [
        "3 rows have no label in column 'ok', and are left out"
    ]
    assert (seen.n_rows, seen.labels) == (40, (("no", 21), ("yes", 19)))
    assert "! 3 rows without a label, left out here and when learning." in str(seen)


def test_numbers_as_labels():
    labels, rows = read_labelled(RawColumn("y", numbers=pl.Series([1, None, 2])))
    assert rows is not None
    assert (labels.classes.tolist(), rows.tolist()) == ([1, 2], [0, 2])
    labels, rows = read_labelled(RawColumn("y", numbers=pl.Series([1, 1, 2])))
    assert rows is None
    assert labels.codes.tolist() == [0, 0, 1]


def test_estimators_refuse_them_as_scikit_learn_does():
    X = pl.DataFrame({"a": np.arange(30.0)})
    with pytest.raises(DataError, match=r"no label in 1 row, the first is row 0; every row needs a label\. Hint"):
        UnlessClassifier().fit(X, pl.Series("ok", [None, *(["x", "y"] * 15)[:29]]))
