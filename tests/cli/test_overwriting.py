"""No command writes over what it reads."""

from __future__ import annotations

import sqlite3

import pytest
import typer
from typer.testing import CliRunner

from unless.cli.app import COMMANDS, make_app
from unless.cli.overwriting import WRITTEN
from unless.datasets import loans


def invoke(*arguments):
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path):
    loans(60).write_csv(tmp_path / "loans.csv")
    said = invoke("learn", tmp_path / "loans.csv", "--target", "loan", "--no-check", "-o", tmp_path / "loans.lp")
    assert said.exit_code == 0, said.output
    return tmp_path


def refused(path, *arguments):
    """Tell whether a command is refused for writing over a file, which stays as it is."""
    before = path.read_bytes()
    said = invoke(*arguments)
    assert path.read_bytes() == before
    return said.exit_code != 0 and "would write over what is read" in str(said.exception)


def test_a_table_is_not_replaced_by_what_is_made_from_it(folder):
    table, model = folder / "loans.csv", folder / "loans.lp"
    link = folder / "link.csv"
    link.symlink_to(table)
    hard = folder / "hard.csv"
    hard.hardlink_to(table)
    for output in (table, link, hard):
        assert refused(table, "learn", table, "--target", "loan", "-o", output)
        assert refused(table, "predict", model, table, "-o", output)
        assert refused(table, "report", model, table, "-o", output)
        assert refused(table, "score", model, table, "--svg", output)
    assert refused(table, "learn", folder / "*.csv", "--target", "loan", "-o", table)
    assert refused(table, "learn", folder, "--target", "loan", "-o", table)
    assert refused(table, "predict", model, table.as_uri(), "-o", table)


def test_a_model_is_not_replaced_by_a_page_or_labels(folder):
    model = folder / "loans.lp"
    assert refused(model, "rules", model, "--html", model)
    assert refused(model, "predict", model, folder / "loans.csv", "-o", model)


def test_a_database_is_not_replaced(folder):
    path = folder / "loans.db"
    with sqlite3.connect(path) as database:
        loans(60).write_csv(folder / "other.csv")
        database.execute("CREATE TABLE loans (income REAL, loan TEXT)")
    assert refused(path, "predict", folder / "loans.lp", f"sqlite:///{path}?table=loans", "-o", path)


def test_a_model_may_replace_the_model_it_was_made_from(folder):
    said = invoke("grade", folder / "loans.lp", folder / "loans.csv", "-o", folder / "loans.lp")
    assert said.exit_code == 0, said.output


def test_what_cannot_be_written_is_said_before_the_work(folder, monkeypatch):
    """A folder that was not there was said after learning, and the program was lost."""
    monkeypatch.chdir(folder)
    (folder / "there").mkdir()
    refusals = {"absent/new.lp": "there is no folder absent", "-": "names no file", "there": "it is a folder"}
    for output, said in refusals.items():
        ran = invoke("learn", "no-such-table.csv", "--target", "loan", "-o", output)
        assert said in str(ran.exception)


def test_what_bench_writes_may_stand_beside_a_folder_of_that_name(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "there").mkdir()
    assert "no-such-table.csv" in str(invoke("bench", "no-such-table.csv", "--target", "loan", "-o", "there").exception)


def test_two_options_do_not_write_one_file(folder):
    """The checkpoint was written over by the program, and the next run could not go on from it."""
    output, link = folder / "new.lp", folder / "link.json"
    link.symlink_to(output)
    table = (folder / "loans.csv", "--target", "loan", "--algorithm", "fold-r++", "--no-check")
    for checkpoint in (output, link):
        said = invoke("learn", *table, "--checkpoint", checkpoint, "-o", output)
        assert "would both write" in str(said.exception)
        assert not output.exists()


def test_every_option_that_writes_is_known():
    commands = typer.main.get_command(make_app()).commands
    for name in set(COMMANDS) - {"bench"}:  # it adds endings to a stem and goes on with its own files
        for parameter in commands[name].params:
            helps = str(getattr(parameter, "help", ""))
            if helps.startswith(("Write ", "Also write", "Draw ")) and "cases" not in helps:
                assert parameter.name in WRITTEN, (name, parameter.name)
