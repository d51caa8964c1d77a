"""`unless grade`, `predict --probabilities`, and what is said of a grade of the program before an edit."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

from unless import load, save
from unless.cli.app import make_app
from unless.logic.edit import remove_clause


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graded")
    run("demo", "--save", str(folder / "loans.csv"))
    run("learn", str(folder / "loans.csv"), "--target", "loan", "-o", str(folder / "m.lp"))
    return folder


def run(*arguments):
    said = CliRunner().invoke(make_app(), list(arguments))
    assert said.exit_code == 0, said.output
    return said


def test_probabilities_beside_labels(folder):
    model, data = str(folder / "m.lp"), str(folder / "loans.csv")
    rows = list(csv.DictReader(run("predict", model, data, "--probabilities").stdout.splitlines()))
    plain = run("predict", model, data).stdout.split()[1:]
    labels = [name.removeprefix("probability of ") for name in list(rows[0])[1:]]
    for row, label in zip(rows, plain, strict=True):
        shares = [float(row[f"probability of {name}"]) for name in labels]
        assert row["loan"] == label == labels[shares.index(max(shares))]
        assert sum(shares) == pytest.approx(1.0)
    data = json.loads(run("predict", model, data, "--probabilities", "--json").stdout)
    assert data[0]["label"] == plain[0]
    assert set(data[0]["probabilities"]) == set(labels)


def test_an_edited_program_says_so_until_it_is_graded_again(folder, tmp_path):
    program, data = load(folder / "m.lp"), str(folder / "loans.csv")
    edited, new = str(tmp_path / "edited.lp"), str(tmp_path / "new.lp")
    save(remove_clause(program, 0), edited)
    for command in (("predict", edited, data, "--probabilities"), ("score", edited, data)):
        assert "the grade is of the program before it was edited" in run(*command).stderr
    assert "before it was edited" in run("explain", edited, data, "--row", "0").stdout
    assert "lines of points" in run("grade", edited, data, "-o", new).stderr
    assert "before it was edited" not in run("score", new, data).stderr
    assert load(new).clauses == load(edited).clauses


def test_a_program_without_a_grade_gives_no_probabilities(folder, tmp_path):
    bare = tmp_path / "bare.lp"
    lines = (folder / "m.lp").read_text(encoding="utf-8").splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if not line.startswith("%@ grade")), encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["predict", str(bare), str(folder / "loans.csv"), "--probabilities"])
    assert "the program has no grade" in str(said.exception)
    assert "reliability" not in json.loads(run("score", str(bare), str(folder / "loans.csv"), "--json").stdout)


def test_columns_can_be_forbidden(folder):
    said = run("grade", str(folder / "m.lp"), str(folder / "loans.csv"), "--forbid", "income,history").stdout
    points = [line for line in said.splitlines() if line.startswith("%@ grade") and " points " in line]
    assert points
    assert not any("income" in line or "history" in line for line in points)
