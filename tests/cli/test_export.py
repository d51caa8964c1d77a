"""`unless export`: what is written, what is written beside it, and what is refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from export_programs import mixed
from real_engines import engine_of
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import DisagreementError, UnlessError
from unless.export.replay import on_python
from unless.export.replay.answers import EngineAnswer
from unless.export.sql.written_formats import READERS
from unless.export.targets import TARGETS

if TYPE_CHECKING:
    from unless.logic.program import Program


@pytest.fixture
def model(tmp_path):
    (tmp_path / "model.lp").write_text(str(planted_theory()), encoding="utf-8")
    (tmp_path / "loans.csv").write_text(loans(200).write_csv(), encoding="utf-8")
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(make_app(), ["export", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_prints_sql_over_the_table_named(model):
    said = run(model / "model.lp", "--to", "sql:duckdb", "--table", "risk.loans")
    assert 'FROM "risk"."loans"' in said
    assert "predicted" in said
    view = run(model / "model.lp", "--to", "sql:duckdb", "--table", "loans", "--form", "view")
    assert view.startswith('CREATE OR REPLACE VIEW "loans_predicted" AS')


def test_expression_decides_alike(model):
    expression = run(model / "model.lp", "--to", "sql:sqlite", "--form", "expression")
    select = run(model / "model.lp", "--to", "sql:sqlite", "--table", "loans").rstrip(";\n")
    frame = loans(200)
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE loans ({', '.join(frame.columns)})")
        connection.executemany(f"INSERT INTO loans VALUES ({', '.join('?' * frame.width)})", frame.rows())
        whole = [row[-2] for row in connection.execute(select)]
        assert [row[0] for row in connection.execute(f"SELECT {expression} FROM loans")] == whole
    assert len(set(whole)) == 2


def test_verified_module_brings_its_vectors_and_its_test(model):
    run(
        model / "model.lp",
        model / "loans.csv",
        "--to",
        "python",
        "-o",
        model / "rules.py",
        "--verify",
        "--vectors",
        "200",
    )
    vectors = json.loads((model / "rules.vectors.json").read_text(encoding="utf-8"))
    assert [group["cells"] for group in vectors["groups"]] == ["mixed", "table 1"]
    assert len(vectors["groups"][1]["rows"]) > 150
    test = [sys.executable, "-B", "test_rules.py"]  # bytecode of the same second would hide the change
    subprocess.run(test, cwd=model, check=True, timeout=60)
    broken = (model / "rules.py").read_text(encoding="utf-8").replace("isinstance(c1, float) and ", "")
    (model / "rules.py").write_text(broken.replace(">", "<"), encoding="utf-8")
    assert subprocess.run(test, cwd=model, check=False, capture_output=True, timeout=60).returncode


def test_node_runs_the_test_that_is_written(model):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    run(model / "model.lp", "--to", "javascript", "-o", model / "rules.mjs", "--verify", "--vectors", "200")
    subprocess.run(["node", "--test", "rules.test.mjs"], cwd=model, check=True, timeout=60, capture_output=True)


@pytest.mark.parametrize("to", ["sql:sqlite", "sql:duckdb"])
def test_sql_test_finds_nothing(tmp_path, to):
    if to == "sql:duckdb":
        duckdb = pytest.importorskip("duckdb")
    (tmp_path / "model.lp").write_text(str(mixed()), encoding="utf-8")
    run(
        tmp_path / "model.lp",
        "--to",
        to,
        "-o",
        tmp_path / "rules.sql",
        "--table",
        "my.t",
        "--verify",
        "--vectors",
        "300",
    )
    test = (tmp_path / "rules.test.sql").read_text(encoding="utf-8")
    connection = sqlite3.connect(":memory:") if to == "sql:sqlite" else duckdb.connect(":memory:")
    assert connection.execute(test).fetchall() == []
    assert len(connection.execute(test.replace("THEN 'bad'", "THEN 'ugly'")).fetchall()) > 0


@pytest.mark.parametrize(("to", "suffix"), [("prolog", ".pl"), ("clingo", ".lp")])
def test_logic_programs_bring_a_test(tmp_path, to, suffix):
    engine_of(to)
    (tmp_path / "model.lp").write_text(str(mixed()), encoding="utf-8")
    rules, test = tmp_path / f"rules{suffix}", tmp_path / f"rules.test{suffix}"
    run(tmp_path / "model.lp", "--to", to, "-o", rules, "--verify", "--vectors", "300")
    clingo = [sys.executable, "-m", "clingo", rules.name, test.name]
    command = ["swipl", "-q", test.name] if to == "prolog" else clingo
    for broken in (False, True):
        if broken:
            written = rules.read_text(encoding="utf-8")
            rules.write_text(written.replace("40.5", "39.5").replace("<= 2", "<= 1"), encoding="utf-8")
        said = subprocess.run(
            command, cwd=tmp_path, check=False, capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
        assert (said.returncode != 0 or b"UNSATISFIABLE" in said.stdout) is broken, said


def test_what_differs_is_not_written(model, monkeypatch):
    monkeypatch.setattr(
        on_python, "replay", lambda _p, _t, vectors, _o: [EngineAnswer("approved", "1")] * len(vectors.rows)
    )
    with pytest.raises(DisagreementError, match="nothing is written"):
        run(model / "model.lp", "--to", "python", "-o", model / "rules.py", "--verify")
    assert not (model / "rules.py").exists()


def test_unknown_targets_are_named(model):
    with pytest.raises(UnlessError, match="sql:duckdb"):
        run(model / "model.lp", "--to", "sql:duckdbb")
    with pytest.raises(UnlessError, match="forms: select, view, expression"):
        run(model / "model.lp", "--to", "sql:duckdb", "--form", "table")
    with pytest.raises(UnlessError, match="for SQL; an export to python has neither"):
        run(model / "model.lp", "--to", "python", "--table", "loans")
    with pytest.raises(UnlessError, match=r"loans\.csv is for --verify"):
        run(model / "model.lp", model / "loans.csv", "--to", "python")
    assert "Missing option '--to'" in run(model / "model.lp")


def test_targets_are_listed_without_a_model():
    assert all(name in run("--list") for name in TARGETS)


def test_programs_export_themselves():
    program: Program = mixed()
    assert program.to_sql("duckdb", table="t") == program.export("sql:duckdb", table="t")
    assert "def predict(row):" in program.export("python")


def test_what_cannot_be_read_here_is_read_elsewhere(tmp_path):
    """The hint named python and javascript only, though two databases read such amounts and dates."""
    model = tmp_path / "m.lp"
    head = "%@ target ok: 'yes' else 'no'\n%@ numerical amount\n%@ read amount: '1.234,56 €'\n"
    model.write_text(head + "ok(X,'yes') :- amount(X,N), N > 3.0.\n", encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["export", str(model), "--to", "sql:sqlite"])
    assert "Hint: export to sql:duckdb, sql:postgres, python or javascript, or learn" in str(said.exception)
    dialects = {
        name: import_module(f"unless.export.{TARGETS[name].writer}").DIALECT for name in TARGETS if "sql:" in name
    }
    assert tuple(name for name, dialect in dialects.items() if dialect.reads_formats) == READERS
    for target in ("sql:duckdb", "sql:postgres", "python", "javascript"):
        assert CliRunner().invoke(make_app(), ["export", str(model), "--to", target]).exit_code == 0
