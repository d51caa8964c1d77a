"""Headers that people really have: each works from learning to SQL and back, or is refused in one sentence."""

import csv
import random
import sqlite3

import polars as pl
import pytest
from typer.testing import CliRunner

from unless.cli.app import make_app

HEADERS = {
    "called alike": ["x", "x", "y", "y"],
    "without names": ["", "x", "", "y"],
    "of blanks": [" ", "x", "\u00a0", "y"],
    "line breaks": ["in\ncome", "x\ry", "a\r\nb", "tab\tname"],
    "but for blanks": ["x", "x ", "income", " income"],
    "numbers": ["2021", "2022", "1.5", "-3"],
    "quotes": ["o'brien", 'say "hi"', "back\\slash", "per%cent"],
    "words of SQL": ["select", "from", "order", "label"],
    "shown alike": ["a.b", "a b", "a_b", "a-b"],
    "comments": ["#id", "%x", "--y", ";z"],
    "other scripts": ["größe", "价格", "🙂", "ё"],
    "the target's": ["OK", "x", "ok?", "ok "],
    "long": ["a" * 300, "b" * 70 + "1", "b" * 70 + "2", "z"],
}


def run(*asked):
    found = CliRunner().invoke(make_app(), [*map(str, asked)])
    assert found.exit_code == 0, (found.output, found.exception)
    return found.stdout, found.stderr


def lines(header):
    """Make rows that two rules tell apart, which test all columns."""
    draw = random.Random(7)
    yield [*header, "ok"]
    for _ in range(200):
        a, b, c, d = draw.randint(1, 9), draw.choice("uvw"), draw.randint(1, 50), draw.choice("pq")
        yield [a, b, c, d, "yes" if (a > 5 and b != "u") or (c > 40 and d == "p") else "no"]


@pytest.mark.parametrize("kind", HEADERS)
def test_a_header_works_from_learning_to_exports(kind, tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.lp"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(lines(HEADERS[kind]))
    run("learn", table, "--target", "ok", "-o", model, "--no-check")
    first = model.read_text(encoding="utf-8")
    run("rules", model)
    predicted, _ = run("predict", model, table)
    actual = [row[-1] for row in lines(HEADERS[kind])]
    right = sum(a == b for a, b in zip(predicted.splitlines(), actual, strict=True))
    assert right > 0.97 * len(actual)
    run("explain", model, table, "--row", 3)
    for target in ("sql:duckdb", "sql:sqlite", "python", "json"):
        _, said = run("export", model, table, "--to", target, "--verify", "--vectors", 60)
        assert "as the program does" in said
    run("learn", table, "--target", "ok", "-o", model, "--no-check")
    assert model.read_text(encoding="utf-8") == first


def refused(*asked):
    found = CliRunner().invoke(make_app(), [*map(str, asked)])
    assert found.exit_code, found.output
    message = str(found.exception)
    assert "\n" not in message
    return message


def test_names_that_databases_take_for_one_are_refused_there(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.lp"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(lines(["x", "X", "income", "Income"]))
    said, _ = run("learn", table, "--target", "ok", "-o", model, "--no-check")
    assert "columns whose names look alike: 'x' and 'X', 'income' and 'Income'." in " ".join(said.split())
    assert "two columns are called 'x' but for capitals" in refused("export", model, "--to", "sql:duckdb")
    run("export", model, table, "--to", "python", "--verify")


def test_a_null_byte_is_refused(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a\0b,ok\n1,yes\n2,no\n")
    said = refused("learn", tmp_path / "t.csv", "--target", "ok", "-o", tmp_path / "m.lp")
    assert "holds a null byte: it is no text, nor any other table" in said


@pytest.mark.parametrize("kind", ["parquet", "sqlite"])
def test_typed_tables_may_have_a_column_without_a_name_which_sql_cannot_ask_for(kind, tmp_path):
    """SQLite's was called column_2 without a word, and the SQL that was written asked for that."""
    head, *rows = lines(["", " ", "x\ny", "z"])
    data = tmp_path / "t.parquet"
    pl.DataFrame(dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))).write_parquet(data)
    if kind == "sqlite":
        with sqlite3.connect(tmp_path / "t.db") as database:
            database.execute('create table t ("", " ", "x\ny", z, ok)')
            database.executemany("insert into t values (?, ?, ?, ?, ?)", rows)
        data = f"sqlite:///{tmp_path}/t.db?table=t"
    model = tmp_path / "m.lp"
    said, _ = run("learn", data, "--target", "ok", "-o", model, "--no-check")
    assert "'' above 5" in said
    assert "' ' is not u" in said
    run("export", model, data, "--to", "python", "--verify")
    assert refused("export", model, "--to", "sql:sqlite").startswith("column '' cannot be named in SQLite")
