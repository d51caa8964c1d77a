"""`unless diff`: equal, different or not decided, in words, as data and as a page; and inside git."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import UnlessError
from unless.evaluate.compare import compare
from unless.explain.words.language import languages
from unless.logic.holds import decide, read_row
from unless.logic.program import Program
from unless.logic.text.files import load
from unless.logic.text.parser import parse
from visible_words import Visible, fixed_words, long_words

SOURCE = Path(__file__).parents[2] / "src"
OLD = str(planted_theory())
NEW = OLD.replace("30000", "32000")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "old.lp").write_text(OLD)
    (tmp_path / "new.lp").write_text(NEW)
    (tmp_path / "loans.csv").write_text(loans(500).write_csv())
    return [str(tmp_path / name) for name in ("old.lp", "new.lp", "loans.csv")]


def run(*arguments, code=0):
    result = CliRunner().invoke(make_app(), ["diff", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def test_equal_is_proved(files, tmp_path):
    assert "decide every possible row alike; this is proved" in run(files[0], files[0])
    program = load(files[0])
    shuffled = Program(program.target, program.columns, tuple(reversed(program.clauses)))
    (tmp_path / "shuffled.lp").write_text(str(shuffled))
    assert json.loads(run(files[0], str(tmp_path / "shuffled.lp"), "--json"))["answer"] == "equal"


def test_rows_without_a_label_are_left_out_and_that_is_said(files, caplog):
    """`diff` refused a table that `compare` took."""
    lines = loans(500).write_csv().splitlines()
    lines[1:4] = [line.rpartition(",")[0] + "," for line in lines[1:4]]
    Path(files[2]).write_text("\n".join(lines) + "\n")
    run(*files, code=1)
    assert "3 rows have no label in column 'loan', and are left out." in caplog.text


def test_a_threshold_that_moved_is_named(files):
    said = run(*files[:2], code=1)
    assert "income above 30,000 up to 32,000" in said
    assert "approved -> refused" in said
    assert "before: This row: approved, by rule 1" in said


def test_every_witness_is_decided_as_said(files):
    old, new = map(load, files[:2])
    data = json.loads(run(*files[:2], "--json", code=1))
    assert data["answer"] == "different"
    assert data["complete"]
    for region in data["regions"]:
        row = read_row(old, region["row"])
        assert (decide(old, row), decide(new, row)) == (region["before"], region["after"])


def test_rows_of_a_table_are_counted(files):
    data = json.loads(run(*files, "--json", code=1))
    flips = compare(load(files[0]), load(files[1]), loans(500)).flips
    assert (data["rows"], data["flips"], data["covered"]) == (500, len(flips), len(flips))
    assert sum(region["verdicts"].get("worse", 0) for region in data["regions"]) >= sum(
        flip.verdict == "worse" for flip in flips
    )
    assert {region["row_number"] for region in data["regions"] if region["rows"]} <= {flip.row for flip in flips}
    assert f"{len(flips)} of 500 rows flip" in run(*files, code=1)


def test_out_of_time_is_no_answer(files, monkeypatch):
    from unless.logic.reason import boxes
    from unless.logic.reason import reasoner as engine

    monkeypatch.setattr(boxes, "likely_rows", lambda *_: iter(()))
    monkeypatch.setattr(engine, "compile_all", lambda *_, **__: (_ for _ in ()).throw(engine.OutOfBudgetError))
    monkeypatch.setattr(engine.Engine, "_by_solver", lambda *_: engine.NOT_DECIDED)
    assert run(*files[:2], code=2).startswith("- ")
    assert "Not decided" in run(*files[:2], code=2)


def test_a_page(files, tmp_path):
    page = tmp_path / "diff.html"
    assert not run(*files, "--html", str(page), code=1)
    assert "income above 30,000 up to 32,000" in page.read_text()


@pytest.mark.parametrize("name", [name for name in languages() if name != "en"])
def test_no_english_in_another_language(files, tmp_path, name):
    page = tmp_path / "diff.html"
    run(*files[:2], "--html", str(page), "--language", name, code=1)
    shown = long_words(" ".join(Visible(page.read_text()).said))
    names = {*long_words(OLD.replace("_", " ")), *fixed_words(name)}
    assert not [word for word in shown if word in fixed_words("en") - names]


def test_another_target_is_one_sentence(files, tmp_path):
    (tmp_path / "other.lp").write_text(NEW.replace("target loan", "target credit").replace("loan(", "credit("))
    with pytest.raises(UnlessError, match="only one target can be compared"):
        run(files[0], str(tmp_path / "other.lp"))


# Inside git, as docs/diff.md says.

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
DRIVER = 'sh -c \'unless diff "$2" "$5" || true\' --'
HOOK = (Path(__file__).parents[2] / "docs" / "diff.md").read_text(encoding="utf-8").split("```sh\n")[-1].split("```")[0]


@pytest.fixture
def repository(tmp_path, monkeypatch):
    folder = tmp_path / "repository"
    (folder / "bin").mkdir(parents=True)
    command = folder / "bin" / "unless"
    command.write_text(f'#!/bin/sh\nexec env PYTHONPATH={SOURCE} {shlex.quote(sys.executable)} -m unless "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")

    def git(*arguments, code=0):
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        said = subprocess.run(
            ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120
        )
        assert said.returncode == code, said.stderr + said.stdout
        return said.stdout + said.stderr

    git("init", "-q")
    (folder / "loans.lp").write_text(OLD)
    git("add", "loans.lp")
    git("commit", "-q", "-m", "first")
    return folder, git


@needs_git
def test_git_shows_the_difference_of_programs(repository):
    folder, git = repository
    (folder / ".gitattributes").write_text("*.lp diff=rules\n")
    git("config", "diff.rules.command", DRIVER)
    (folder / "loans.lp").write_text(NEW)
    assert "income above 30,000 up to 32,000" in git("diff", "loans.lp")
    page = (Path(__file__).parents[2] / "docs" / "diff.md").read_text(encoding="utf-8")
    assert DRIVER.replace('"', r"\"") in page


@needs_git
def test_the_hook_lets_through_only_what_decides_as_before(repository):
    folder, git = repository
    hook = folder / ".git" / "hooks" / "pre-commit"
    hook.write_text(HOOK)
    hook.chmod(0o755)
    (folder / "loans.lp").write_text(f"% a remark\n{parse(OLD)}")
    git("commit", "-q", "-a", "-m", "only a remark")
    (folder / "loans.lp").write_text(NEW)
    assert "income above 30,000 up to 32,000" in git("commit", "-a", "-m", "a threshold", code=1)
    git("commit", "-q", "-a", "--no-verify", "-m", "a threshold, on purpose")
