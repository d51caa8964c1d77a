"""What commands say of files in the wrong place, without rows or without a column's values, and of closed output."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from unless.cli.app import make_app

LOANS = "income,note,housing,ok\n" + "".join(
    f"{1000 + 37 * i},,{'own' if i % 3 else 'rent'},{'yes' if i > 30 else 'no'}\n" for i in range(60)
)


@pytest.fixture
def learned(tmp_path):
    table, model = tmp_path / "loans.csv", tmp_path / "loans.lp"
    table.write_text(LOANS, encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["learn", str(table), "--target", "ok", "--no-check", "-o", str(model)])
    assert said.exit_code == 0, said.stderr
    return table, model, said.stdout


def refused(*words):
    result = CliRunner().invoke(make_app(), [str(word) for word in words], catch_exceptions=True)
    import unless.errors

    assert isinstance(result.exception, unless.errors.UnlessError)
    return str(result.exception)


def test_a_table_in_place_of_a_model_file(learned):
    """It was said what the grammar of programs expects after the first name of a column."""
    table, model, _ = learned
    said = refused("explain", table, model, "--row", "0")
    assert "this looks like no model file; commands take the model file first, then the table" in said
    assert "expected:" not in said


def test_a_row_by_name_wants_the_column_of_names(learned):
    """The hint spoke of "the id column", which is no option."""
    table, model, _ = learned
    assert "by --id COLUMN" in refused("explain", model, table, "--row", "A-17")


def test_no_cases_yet(learned):
    """It was said that a file that nobody had named cannot be read."""
    _, model, _ = learned
    assert "has no cases yet" in refused("test", model)


def test_a_table_without_rows_has_no_scores(learned):
    """Its accuracy was 0.0000, and of two programs 0 of 0 rows flipped."""
    table, model, _ = learned
    table.write_text(LOANS.partition("\n")[0] + "\n", encoding="utf-8")
    assert "has no rows: there is nothing to score" in refused("score", model, table)
    assert "has no rows: there is nothing to compare" in refused("compare", model, model, table)


def test_a_blank_column_has_no_value(learned):
    """It was said to have the same value in every row."""
    said = " ".join(learned[2].split())
    assert "note: no value in any row, so never tested: note." in said
    assert "the same value in every row" not in said


def test_a_program_that_is_printed_is_said_not_to_be_kept(learned):
    """The next steps named a file MODEL.lp that there is not."""
    table, _, kept = learned
    said = CliRunner().invoke(make_app(), ["learn", str(table), "--target", "ok", "--no-check"])
    assert "The program was printed, not kept. The same with -o MODEL.lp" in " ".join(said.stderr.split())
    assert "not kept" not in kept


def test_merged_cells_are_said_when_learning(tmp_path):
    """A department that only the first row of each block names was never tested, and only `look` said why."""
    table = tmp_path / "staff.csv"
    rows = (
        f"{'IT' if i == 0 else 'HR' if i == 300 else ''},{i % 7},{'yes' if i % 7 > 3 else 'no'}" for i in range(600)
    )
    table.write_text("\n".join(["department,days,ok", *rows]), encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["learn", str(table), "--target", "ok", "--no-check"])
    assert "words in a few rows only, else blank: department. If these are merged" in " ".join(said.stderr.split())


def test_labels_in_a_column_of_another_name_are_pointed_out(learned):
    """`watch` compared shares alone, without a word, where next month's file calls the labels otherwise."""
    table, model, _ = learned
    new = table.with_name("new.csv")
    new.write_text(LOANS.replace(",ok", ",okay", 1), encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["watch", str(model), str(table), str(new)]).stderr
    assert "there is no column 'ok', so nothing is compared with labels. If they stand in 'okay', give it" in said


def test_closed_output_is_no_defect(learned):
    """`unless rules loans.lp >&-` ended in a traceback."""
    command = f"'{sys.executable}' -m unless rules '{learned[1]}' >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
