"""`--monotonic`: of which label it speaks, in `learn`, in `grade` and in the studio; and errors that name options."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from unless import load
from unless.cli.app import make_app
from unless.errors import DataError
from unless.learn.front import learn, table_task
from unless.learn.learners import UnlessSettings
from unless.web.learning_settings import LearningOrder, StudioSettings, learn_program
from unless.web.open_table import TableOrigin, open_table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a table: the poor commit fraud, which is rare and not the last of the labels."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{i},{i * 7 % 13},{'Fraud' if i < 60 and i % 9 else 'OK'}" for i in range(300)]
    (tmp_path / "t.csv").write_text("\n".join(["income,noise,case", *lines]) + "\n")
    three = [f"{i},{i % 5},{'abc'[i // 100]}" for i in range(300)]
    (tmp_path / "three.csv").write_text("\n".join(["income,noise,case", *three]) + "\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(make_app(), list(arguments))


def learned(*arguments):
    said = run("learn", "t.csv", "--target", "case", "--keep-column", "income", "-o", "m.lp", *arguments)
    assert said.exit_code == 0, said.output
    return said.output, load("m.lp")


def test_directions_are_of_the_label_of_the_rules(folder):
    """Without --positive they were of the last label, against what the rules are for, and nothing said so."""
    said, program = learned("--monotonic", "income=-1")
    assert "Learned 1 rule for 'Fraud'" in said
    assert "More of income may only speak against 'Fraud'." in said
    assert any(literal.column == "income" for clause in program.clauses for literal in clause.literals)
    _, same = learned("--monotonic", "income=-1", "--positive", "Fraud")
    assert same.clauses == program.clauses
    turned, other = learned("--monotonic", "income=+1")
    assert "More of income may only speak for 'Fraud'." in turned
    assert other.clauses != program.clauses
    assert "Mehr von income darf nur gegen ‚Fraud‘ sprechen." in learned("--monotonic=income=-1", "--language=de")[0]
    assert "may only speak" not in learned()[0]


def test_learning_and_grading_mean_the_same_label(folder):
    learned("--monotonic", "income=-1")
    said = run("grade", "m.lp", "t.csv", "-o", "g.lp", "--monotonic", "income=-1,noise=+1")
    assert "More of noise may only speak for 'Fraud'.\nMore of income may only speak against 'Fraud'.\n" in said.output


def test_the_frontier_says_directions(folder):
    said, _ = learned("--frontier", "--max-rules", "2", "--monotonic", "income=-1")
    assert "More of income may only speak against 'Fraud'." in said


def test_in_python_directions_are_of_the_last_label(folder):
    """As in scikit-learn."""
    rows = [{"income": float(i)} for i in range(200)]
    task = table_task(rows, ["Fraud" if i < 40 else "OK" for i in range(200)])
    assert learn(task, UnlessSettings(monotonic_cst={"income": 1})).program.clauses
    with pytest.warns(UserWarning, match="no rule pays"):
        assert not learn(task, UnlessSettings(monotonic_cst={"income": -1})).program.clauses


def test_the_studio_means_the_label_that_rules_conclude(folder):
    """Its page says "more speaks for it" below the label; unasked, it was the other way."""
    opened = open_table(TableOrigin("file", "t.csv", "t.csv"))
    kinds = {"income": "numerical", "noise": "numerical", "case": "categorical"}
    settings = StudioSettings(kinds, target="case", directions={"income": -1})
    found = learn_program(LearningOrder(opened, settings, np.ones(300, dtype=bool)), lambda _: None)
    assert found.target.labels == ("Fraud",)
    assert any(literal.column == "income" for clause in found.clauses for literal in clause.literals)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("three.csv", "--monotonic", "income=+1"), "--monotonic is for two labels, not for 3: 'a', 'b', 'c'."),
        (("three.csv", "--positive", "a"), "--positive 'a' is for two labels, not for 3"),
        (("t.csv", "--positive", "FRAUD"), "--positive 'FRAUD' is not a label; labels: 'Fraud', 'OK'."),
        (("t.csv", "--cost-of", "perhaps=3"), "--cost-of names 'perhaps', which is not a label"),
        (("t.csv", "--checkpoint", "c.json"), "--checkpoint is not for unless, which optimises"),
        (("t.csv", "--frontier", "--positive", "FRAUD"), "--positive 'FRAUD' is not a label"),
    ],
)
def test_errors_name_the_options_that_were_typed(folder, arguments, message):
    """They named what the settings are called in Python: monotonic_cst, positive=, costs."""
    said = run("learn", "--target", "case", *arguments)
    assert isinstance(said.exception, DataError)
    assert message in str(said.exception)
    assert "monotonic_cst" not in str(said.exception)


def test_three_labels_are_graded(folder):
    """Grading refused every program of three labels, for directions that nobody gave."""
    run("learn", "three.csv", "--target", "case", "--keep-column", "income", "-o", "m.lp")
    said = run("grade", "m.lp", "three.csv", "-o", "g.lp")
    assert said.exit_code == 0, said.output
    assert load("g.lp").grade is not None
