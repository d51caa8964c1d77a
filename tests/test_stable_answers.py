"""What docs/policy.md promises: model files of earlier versions answer as they did, and JSON follows its schemas."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import unless
from unless.cli.app import make_app
from unless.datasets import loans
from unless.logic.row_program import RowProgram

ROOT = Path(__file__).parent.parent
FILES = Path(__file__).parent / "model_files"
SCHEMAS = ROOT / "docs" / "schemas"
OLD = sorted(FILES.rglob("*.lp"))


@pytest.mark.parametrize("file", OLD, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_model_files_of_earlier_versions_answer_as_they_did(file):
    program, answered = unless.load(file), json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    ready = RowProgram(program)
    decided = [ready.decide(ready.read(row)) for row in answered["rows"]]
    assert [each.label for each in decided] == answered["labels"]
    assert [unless.prove(program, row).label for row in answered["rows"]] == answered["labels"]
    assert unless.parse(str(program)) == program
    if "probabilities" in answered:
        assert [each.probabilities for each in decided] == answered["probabilities"]


def test_every_version_that_wrote_files_has_some():
    assert {file.parent.name for file in OLD} >= {"0.1.0", "0.2.0", "0.3.0"}


def test_drafts_with_sums_of_points_are_refused_in_a_sentence():
    """They were written before anything was released, and the policy says that they are not read."""
    with pytest.raises(unless.UnlessError, match=r"at_least\("):
        unless.parse("risk(X,'high') :- worth1(X,P1), worth2(X,P2), P1 + P2 >= 2.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stable")
    loans(300).write_csv(folder / "loans.csv")
    loans(300).filter(pl.col("loan") == "approved").write_csv(folder / "approved.csv")
    answered = json.loads((FILES / "0.2.0" / "iris.unless.json").read_text(encoding="utf-8"))
    rows = [{**row, "label": label} for row, label in zip(answered["rows"], answered["labels"], strict=True)]
    lines = [",".join(map(str, line)) for line in (rows[0], *(row.values() for row in rows))]
    (folder / "iris.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for name, case in {"loans": "loans.unless", "other": "loans.fold-r++", "iris": "iris.unless"}.items():
        (folder / f"{name}.lp").write_bytes((FILES / "0.2.0" / f"{case}.lp").read_bytes())
    text = (folder / "loans.lp").read_text(encoding="utf-8")
    asked = "\n%@ forbid purpose\n%@ apart income, housing\n%@ monotonic income=+1\n\n"
    (folder / "asked.lp").write_text(text.replace("\n\n", asked, 1), encoding="utf-8")
    return folder


ANSWERS = [
    ("program", "export loans.lp --to json"),
    ("program", "export iris.lp --to json"),
    ("program", "export asked.lp --to json"),
    ("rules", "rules loans.lp --json"),
    ("rules", "rules asked.lp --json"),
    ("rules", "rules iris.lp --json"),
    ("rules", "rules asked.lp loans.csv --check --json"),
    ("rules", "grade loans.lp loans.csv -o graded.lp --json"),
    ("learned", "learn loans.csv --target loan --algorithm fold-r++ --json"),
    ("learned", "learn loans.csv --target loan --algorithm fold-r++ --no-check --json"),
    ("proof", "explain loans.lp loans.csv --row 6 --json"),
    ("scores", "score loans.lp loans.csv --json"),
    ("scores", "score iris.lp iris.csv --json"),
    ("scores", "score loans.lp approved.csv --json"),
    ("comparison", "compare loans.lp other.lp loans.csv --json"),
    ("difference", "diff loans.lp other.lp --json"),
    ("recourse", "recourse loans.lp loans.csv --row 6 --want approved --json"),
]


@pytest.mark.parametrize(("schema", "command"), ANSWERS, ids=[command for _, command in ANSWERS])
def test_answers_in_json_follow_their_schemas(schema, command, folder, monkeypatch):
    """No figures of unseen rows (`--no-check`), and no AUC where all rows have one label, were against the schemas."""
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    monkeypatch.chdir(folder)
    said = CliRunner().invoke(make_app([command.split()[0], "demo"]), command.split())
    assert said.exit_code in {0, 1}, said.output
    rules = json.loads((SCHEMAS / f"{schema}-1.json").read_text(encoding="utf-8"))
    errors = [
        f"{error.instance_path}: {error.message}"
        for error in jsonschema_rs.validator_for(rules).iter_errors(json.loads(said.stdout))
    ]
    assert not errors


def test_a_schema_refuses_an_answer_that_lacks_a_field():
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    validator = jsonschema_rs.validator_for(json.loads((SCHEMAS / "recourse-1.json").read_text(encoding="utf-8")))
    assert validator.is_valid([])
    assert not validator.is_valid([{"changes": []}])


def test_the_policy_names_what_there_is():
    text = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    listed = re.search(r"lists:\n\n(.*?)\n\n", text, re.DOTALL)[1]
    assert re.findall(r"`(\w+)`", listed) == sorted(unless.__all__)
    named = set(re.findall(r"\(schemas/([\w.-]+)\)", text))
    assert named == {file.name for file in SCHEMAS.iterdir()}
    assert {f"{schema}-1.json" for schema, _ in ANSWERS} == named
