"""`unless explain`, `unless ask` and the plain words of `unless rules`, from the command line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unless.cli.app import make_app
from unless.errors import UnlessError

EXAMPLES = Path(__file__).parents[2] / "examples"
ADULT, PEOPLE = str(EXAMPLES / "adult.lp"), str(EXAMPLES / "people.csv")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(make_app(), list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_explain_by_number_and_by_id():
    by_id = run("explain", ADULT, PEOPLE, "--id", "id", "--row", "30", "--style", "paper")
    assert by_id.startswith("'income' holds (for 30, and '=<50k'), because\n")
    by_number = run("explain", ADULT, PEOPLE, "--row", "0", "--style", "paper")
    assert by_number == by_id.replace("30,", "0,").replace("30)", "0)")


def test_explain_in_plain_words():
    assert run("explain", ADULT, PEOPLE, "--row", "0").startswith("Row 0: =<50k, by rule 1: marital status is ")
    assert "exception 1.1 does not apply, because" in run("explain", ADULT, PEOPLE, "--row", "0", "--full")
    assert run("explain", ADULT, PEOPLE, "--row", "0", "--language", "de").startswith("Zeile 0: =<50k, nach Regel 1")


def test_explain_says_the_risk(tmp_path):
    table, model = str(tmp_path / "loans.csv"), str(tmp_path / "loans.lp")
    run("demo", "--save", table)
    run("learn", table, "--target", "loan", "-o", model)
    said = " ".join(run("explain", model, table, "--row", "3", "--row", "5").split())
    assert said.count("Probability of approved: ") == 2
    risk = json.loads(run("explain", model, table, "--row", "3", "--json"))["risk"]
    assert f"from {risk['points']} points of its grade; of {risk['training']['rows']} training rows with" in said
    assert sum(award["points"] for award in risk["awards"]) == risk["points"]
    assert "Wahrscheinlichkeit von" in run("explain", model, table, "--row", "3", "--language", "de")
    page = tmp_path / "proof.html"
    run("explain", model, table, "--row", "3", "--html", str(page))
    assert "Probability of" in page.read_text()
    told = json.loads(run("explain", model, table, "--row", "3", "--json"))
    tested = {
        re.split(r" (?:if|unless) ", line)[1].split()[0]
        for line in Path(model).read_text().splitlines()
        if line.startswith("%@ grade") and " points " in line
    }
    assert tested - {"decided"} <= set(told["values"])
    assert all(f">{name}</th>" in page.read_text() for name in told["values"])
    assert json.loads(run("explain", ADULT, PEOPLE, "--row", "1", "--json"))["risk"] is None


def test_explain_as_json():
    assert json.loads(run("explain", ADULT, PEOPLE, "--row", "1", "--json"))["label"] == ">50k"
    one = json.loads(run("explain", ADULT, PEOPLE, "--row", "1", "--json", "--language", "de"))
    assert one["sentences"][0] == "Zeile 1: >50k."
    assert {step["kind"] for step in one["steps"]} >= {"label", "clause", "literal"}
    both = json.loads(run("explain", ADULT, PEOPLE, "--row", "0", "--row", "1", "--json"))
    assert [proof["row"] for proof in both] == [0, 1]


def test_explain_as_a_page(tmp_path):
    page = tmp_path / "proof.html"
    run("explain", ADULT, PEOPLE, "--row", "1", "--row", "0", "--html", str(page))
    assert page.read_text().count("<table>") == 2


@pytest.mark.skipif(shutil.which("scasp") is None, reason="s(CASP) is not installed")
def test_explain_by_scasp():
    arguments = ("explain", ADULT, PEOPLE, "--id", "id", "--row", "33", "--row", "31", "--row", "30", "--all-rules")
    arguments = (*arguments, "--style", "paper")
    assert run(*arguments, "--engine", "scasp") == run(*arguments)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--row", "4"), "numbered from 0 to 3"),
        (("--row", "x"), "not the number of a row"),
        (("--row", "x", "--id", "id"), "no row has 'x'"),
        (("--row", "x", "--id", "idd"), "Did you mean 'id'"),
        (("--row", "0", "--engine", "clingo"), "engines: unless, scasp"),
        (("--row", "0", "--language", "tlh"), "languages: de, en"),
        (("--row", "0", "--style", "poem"), "styles: plain, paper"),
    ],
)
def test_explain_wrong_input(arguments, problem):
    with pytest.raises(UnlessError, match=problem):
        run("explain", ADULT, PEOPLE, *arguments)


def test_ask():
    assert run("ask", ADULT, PEOPLE, "income(X,Y)", "--id", "id", "--brief") == "X = 30, Y = '=<50k'\n"
    assert run("ask", ADULT, PEOPLE, "income(1,Y)").startswith("no\n  Row 1: no rule for =<50k applies.")
    paper = run("ask", ADULT, PEOPLE, "income(1,Y)", "--style", "paper")
    assert paper.startswith("no\n  there is no evidence that 'income' holds")
    assert run("ask", ADULT, PEOPLE, "age(X,A), A > 99") == "no row\n"
    assert run("ask", ADULT, PEOPLE, "not ab4(0)") == "yes\n  Row 0: capital gain is 0 (not above 6,849).\n"
    assert "exception 1.1 does not apply" in run("ask", ADULT, PEOPLE, "not ab4(0)", "--full")


def test_ask_as_json_lines():
    lines = run("ask", ADULT, PEOPLE, "age(X,A), A > 20", "--json").splitlines()
    assert [json.loads(line)["bindings"] for line in lines] == [{"X": 1, "A": 45.0}, {"X": 2, "A": 52.0}]
    assert json.loads(lines[0])["proof"]["label"] is None


def test_rules_in_plain_words(tmp_path):
    assert "1.1  unless capital gain above 6,849" in run("rules", ADULT, "--english")
    assert "es sei denn" in run("rules", ADULT, "--language", "de")
    run("rules", ADULT, "--html", str(tmp_path / "rules.html"))
    assert "<details" in (tmp_path / "rules.html").read_text()
