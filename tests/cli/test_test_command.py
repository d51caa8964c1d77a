"""`unless test`: cases and properties from files, outcomes as text, data and XML, and cases recorded from a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from unless import load, save
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import UnlessError
from unless.explain.faces.checks_report import ChecksReport
from unless.explain.words.language import languages
from unless.logic.reason.case_files import load_checks
from visible_words import fixed_words, long_words

DOCS = Path(__file__).parents[2] / "docs"
ROW = {"income": 42000, "debt_ratio": 0.2, "housing": "tenant", "history": "clean", "years_in_job": 5}
GOOD = {
    "cases": [{"name": "income is enough", "row": ROW, "expect": "approved", "rule": 1}],
    "properties": ["never depends on purpose", "approved only rises with income"],
}
BAD = {
    "cases": [
        {"name": "wrong label", "row": ROW, "expect": "approved", "rule": "2"},
        {"name": "wrong rule", "row": {**ROW, "history": "defaulted"}, "expect": "approved"},
    ],
    "properties": [
        "never depends on housing",
        "nobody with history is defaulted is approved",
        "same as new.lp where housing is owner",
        "same as new.lp where income above 40000",
    ],
}


@pytest.fixture
def model(tmp_path):
    save(planted_theory(), tmp_path / "loans.lp")
    (tmp_path / "new.lp").write_text(str(planted_theory()).replace("30000", "32000"))
    return tmp_path / "loans.lp"


def run(*arguments, code=0):
    result = CliRunner().invoke(make_app(), ["test", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def write(model, data, name="loans.cases.json"):
    (model.parent / name).write_text(json.dumps(data))
    return model.parent / name


def test_all_hold(model):
    write(model, GOOD)
    assert "3 passed, 0 failed, 0 not decided." in run(model)


def test_what_breaks_is_shown(model):
    write(model, BAD)
    said = " ".join(run(model, code=1).split())
    assert "FAILED wrong label: rule 2 is expected. This row: approved, by rule 1" in said
    assert "FAILED wrong rule: approved is expected. This row: refused" in said
    assert "FAILED never depends on housing: housing is owner" in said
    assert "passed same as new.lp where income above 40000" in said
    assert "1 passed, 5 failed, 0 not decided." in said
    data = json.loads(run(model, "--json", code=1))
    assert [each["outcome"] for each in data] == ["failed"] * 5 + ["passed"]
    assert data[2]["row"]["housing"] != data[2]["other"]["housing"]


def test_xml_for_build_servers(model, tmp_path):
    write(model, BAD)
    run(model, "--junit", tmp_path / "out.xml", code=1)
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("6", "5", "0")
    assert [case.find("failure") is not None for case in suite] == [True] * 5 + [False]
    assert "approved is expected" in suite[1].find("failure").get("message")


def test_yaml_and_toml_say_the_same(model):
    pytest.importorskip("yaml")
    yaml = (
        "cases:\n- {name: a, row: {income: 42000, history: clean}, expect: approved}\n"
        "properties: [never depends on purpose]\n"
    )
    toml = (
        'properties = ["never depends on purpose"]\n[[cases]]\nname = "a"\n'
        'row = {income = 42000, history = "clean"}\nexpect = "approved"\n'
    )
    for text, name in ((yaml, "a.yaml"), (toml, "a.toml")):
        (model.parent / name).write_text(text)
        assert run(model, model.parent / name) == (
            "passed  a\npassed  never depends on purpose\n2 passed, 0 failed, 0 not decided.\n"
        )


def test_words_of_yaml_stay_words(tmp_path):
    """`no` is false to YAML, and 08 is 8."""
    pytest.importorskip("yaml")
    (tmp_path / "m.lp").write_text("%@ target t: 'yes' else 'no'\n%@ categorical c\nt(X,'yes') :- c(X,'08').\n")
    (tmp_path / "m.cases.yaml").write_text("cases:\n- {row: {c: 08}, expect: yes}\n- {row: {c: no}, expect: no}\n")
    assert "2 passed" in run(tmp_path / "m.lp")


def test_not_decided_is_no_pass(model, monkeypatch):
    from unless.logic.reason import properties
    from unless.logic.reason.questions import NOT_DECIDED

    monkeypatch.setattr(properties.Property, "counterexample", lambda *_, **__: NOT_DECIDED)
    write(model, GOOD)
    assert "1 passed, 0 failed, 2 not decided." in run(model, code=2)
    run(model, "--junit", model.parent / "out.xml", code=2)
    assert ElementTree.parse(model.parent / "out.xml").getroot().get("errors") == "2"


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_cases_are_recorded_from_a_table(model, tmp_path, suffix):
    if suffix == "yaml":
        pytest.importorskip("yaml")
    table, cases = tmp_path / "loans.csv", tmp_path / f"recorded.{suffix}"
    table.write_text(loans(300).write_csv())
    run(model, cases, "--record", table, "--per-rule", "3")
    assert run(model, cases).endswith("9 passed, 0 failed, 0 not decided.\n")
    with pytest.raises(UnlessError, match="is there already"):
        run(model, cases, "--record", table)


AMOUNTS = """%@ target ok: 'yes' else 'no'
%@ numerical amount, start
%@ read amount: '1.234,56 €'
%@ read start: 'dd.mm.yyyy'
ok(X,'yes') :- not low(X).
low(X) :- amount(X,N0), N0 =< 1902.0.
low(X) :- start(X,N0), N0 =< 19130.0.
"""


def test_recorded_cells_are_in_the_format_of_their_column(tmp_path):
    """They were recorded as plain numbers, 1670.19, which a column of 1.234,56 € reads as words: most cases failed."""
    model, table, cases = tmp_path / "m.lp", tmp_path / "m.csv", tmp_path / "m.json"
    model.write_text(AMOUNTS, encoding="utf-8")
    table.write_text("amount;start\n1.670,19 €;28.11.2023\n2.000,00 €;28.11.2023\n2.000,50 €;\n", encoding="utf-8")
    run(model, cases, "--record", table)
    assert json.loads(cases.read_text(encoding="utf-8"))["cases"][0]["row"] == {
        "amount": "1.670,19 €",
        "start": "28.11.2023",
    }
    assert "3 passed, 0 failed" in run(model, cases)


def test_cells_of_cases_in_another_format_are_said(tmp_path, caplog):
    (tmp_path / "m.lp").write_text(AMOUNTS, encoding="utf-8")
    rows = [{"amount": "1670.19", "start": "28.11.2023"}, {"amount": 1670.19, "start": "soon"}]
    write(tmp_path / "m.lp", {"cases": [{"row": row, "expect": "no"} for row in rows]}, "m.cases.json")
    run(tmp_path / "m.lp", code=1)
    assert caplog.messages == [
        "column 'amount' is read as 1.234,56 €, and 1 of 2 cells is not written so, such as '1670.19': it is a word to "
        "the program. Write them alike."
    ]


@pytest.mark.parametrize("name", [name for name in languages() if name != "en"])
def test_no_english_in_another_language(model, name):
    checks = load_checks(model, write(model, BAD))
    said = ChecksReport(load(model), [check.run() for check in checks]).text(lang=name)
    names = {*long_words(str(planted_theory()).replace("_", " ")), *long_words(json.dumps(BAD).replace("_", " "))}
    assert not [word for word in long_words(said) if word in fixed_words("en") - names - fixed_words(name)]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"tests": []}, "a file of cases has 'cases'"),
        ({"cases": [{"row": ROW}]}, "case 1 needs a 'row' and what to 'expect'"),
        ({"cases": [{"row": {"incme": 3}, "expect": "approved"}]}, "case 1: column 'incme' is not in the program"),
        ({"cases": [{"row": ROW, "expect": "aproved"}]}, "'aproved' is no label of 'loan'"),
        (
            {"cases": [{"row": ROW, "expect": "approved"}, {"row": ROW, "expect": "refused"}]},
            "'case 1' and 'case 2' are the same row to the program, but expect 'approved' and 'refused'",
        ),
    ],
)
def test_bad_files_are_one_sentence(model, data, problem):
    write(model, data)
    with pytest.raises(UnlessError, match=problem):
        run(model)


def test_text_that_is_no_json_is_one_sentence(model):
    (model.parent / "loans.cases.json").write_text("{")
    with pytest.raises(UnlessError, match=r"loans.cases.json cannot be read: Expecting"):
        run(model)
    with pytest.raises(UnlessError, match=r"nowhere.json"):
        run(model, model.parent / "nowhere.json")


def test_the_pattern_for_pytest(model):
    """The file of docs/tests.md runs, and fails where a check does."""
    pattern = (DOCS / "tests.md").read_text(encoding="utf-8").split("<!-- test_loans.py -->\n```\n")[1].split("```")[0]
    (model.parent / "test_loans.py").write_text(pattern)
    for data, passed, failed in ((GOOD, 3, 0), (BAD, 1, 5)):
        write(model, data)
        said = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_loans.py"],
            cwd=model.parent, capture_output=True, text=True, check=False, timeout=120,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )  # fmt: skip
        assert f"{passed} passed" in said.stdout, said.stdout + said.stderr
        assert (said.returncode != 0) == bool(failed)
        assert f"{failed} failed" in said.stdout or not failed


def test_recorded_cases_are_called_in_the_language(model, tmp_path):
    """They were called "row 0" in German too."""
    loans(100).write_csv(tmp_path / "rows.csv")
    file = tmp_path / "made.json"
    run(model, file, "--record", tmp_path / "rows.csv", "--language", "de")
    assert {case["name"].split()[0] for case in json.loads(file.read_text())["cases"]} == {"Zeile"}
