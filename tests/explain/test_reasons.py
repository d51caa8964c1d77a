"""The values that fix a label: in a sentence, in a letter, from a classifier; each of them matters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from random_programs import DENSE, WORLD, programs
from unless import FoldRPPClassifier, save
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import UnlessError
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.reasons import reasons


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.sampled_from(WORLD))
def test_every_reason_matters(program, row):
    found = reasons(Engine([program]), program, row)
    label, columns = decide(program, row), [reason.column for reason in found]

    def fixed(kept):
        return all(
            same_label(decide(program, other), label) for other in WORLD if all(other[c] == row[c] for c in kept)
        )

    assert fixed(columns)
    assert not any(fixed([c for c in columns if c != column]) for column in columns)
    for reason in found:
        others = [other for other in WORLD if all(other[c] == row[c] for c in row if c != reason.column)]
        assert reason.alone == any(not same_label(decide(program, other), label) for other in others)


@pytest.fixture
def files(tmp_path):
    save(planted_theory(), tmp_path / "loans.lp")
    (tmp_path / "loans.csv").write_text(loans(20).write_csv())
    return [str(tmp_path / "loans.lp"), str(tmp_path / "loans.csv")]


def run(*arguments):
    result = CliRunner().invoke(make_app(), ["explain", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_in_a_sentence(files):
    said = run(*files, "--row", "6", "--short")
    assert max(map(len, said.splitlines())) <= 110  # it was one line, however long
    said = " ".join(said.split())
    assert said.startswith(
        "Row 6: refused. Whatever the other values are, this follows from: housing is tenant (another"
    )
    assert "debt ratio is 0.71" in said
    assert run(*files, "--row", "6", "--short", "--language", "de").startswith("Zeile 6: refused. Wie auch immer die")


@pytest.mark.parametrize(("asked", "problem"), [("--json", "--json is for proofs"), ("--html", "--html is for proofs")])
def test_text_is_not_asked_for_as_data(files, tmp_path, asked, problem):
    """The option was passed over, and text came."""
    more = [str(tmp_path / "page.html")] if asked == "--html" else []
    with pytest.raises(UnlessError, match=problem):
        run(*files, "--row", "6", "--short", asked, *more)


def test_in_a_letter(files, tmp_path):
    (tmp_path / "letter.txt").write_text("Application {row} was {label}. What decided:\n{reasons}\n")
    said = run(*files, "--row", "6", "--letter", str(tmp_path / "letter.txt"))
    assert said.startswith("Application 6 was refused. What decided:\n- Housing is tenant")


@pytest.mark.parametrize("gap", ["name", "row.x", "row.__class__", "label[a]", "row:{label.x}", ""])
def test_a_gap_of_a_letter_that_nothing_fills_is_named(files, tmp_path, gap):
    """A gap that asked something of a value ended in a traceback, or in what Python calls it."""
    (tmp_path / "letter.txt").write_text(f"Dear {{{gap}}}")
    with pytest.raises(UnlessError, match=r"gap that nothing fills \(.*\); gaps: \{row\}, \{label\}, \{reasons\}"):
        run(*files, "--row", "6", "--letter", str(tmp_path / "letter.txt"))


def test_from_a_classifier():
    found = FoldRPPClassifier.from_program(planted_theory()).sufficient(loans(20))
    assert found[6] == {"debt_ratio": 0.71, "housing": "tenant"}
    assert len(found) == 20
