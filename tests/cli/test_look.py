"""`unless look`, and the options of `unless learn` that say how columns are read."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from ugly_tables import UGLY
from unless import load, look
from unless.cli.app import make_app
from unless.errors import DataError
from unless.explain.faces.look_report import finding_text, look_text
from unless.explain.words.language import language
from visible_words import fixed_words, long_words

ALL = UGLY / "all.csv"


def invoke(*arguments):
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def test_look_shows_every_column_and_what_to_type_next():
    said = invoke("look", ALL, "--target", "decision")
    assert said.exit_code == 0, said.output
    assert max(map(len, said.stdout.splitlines()[:-1])) <= 80
    assert "amount                   numbers, as 1.234,56 €" in said.stdout
    assert "start                    dates, as dd.mm.yyyy" in said.stdout
    assert "! it counts the rows, from 1 to 120: --drop 'lfd. Nr.'" in said.stdout
    assert said.stdout.splitlines()[-1] == f"Next: unless learn {ALL} --target decision"


def test_look_without_a_target_says_how_to_name_one(tmp_path):
    assert invoke("look", ALL).stdout.splitlines()[-1] == (
        f"Next: unless look {ALL} --target COLUMN, where COLUMN is what is to be predicted."
    )
    empty = tmp_path / "empty.csv"
    empty.write_text("a,b\n", encoding="utf-8")
    assert invoke("look", empty).stdout.splitlines()[-1] == "There are no rows."


def test_look_as_json_and_with_options():
    said = invoke(
        "look", ALL, "--json", "--categorical", "minutes", "--read", "start=dd.mm.yyyy hh:mm", "--missing", "DE"
    )
    columns = {column["name"]: column for column in json.loads(said.stdout)["columns"]}
    assert columns["minutes"]["content"] == "words"
    assert columns["start"]["reading"] == "dd.mm.yyyy hh:mm"
    assert columns["country"]["n_missing"] == 120


def test_learn_says_how_columns_are_read_and_the_user_says_otherwise(tmp_path):
    model = tmp_path / "model.lp"
    said = invoke("learn", ALL, "--target", "decision", "-o", model)
    assert said.exit_code == 0, said.output
    notes = " ".join(said.stdout.split())
    assert "note: column 'amount' is read as numbers: 1.234,56 €." in notes
    left_out = "left out: lfd. Nr. (it counts the rows, from 1 to 120). To learn from it: --keep-column 'lfd. Nr.'"
    assert f"note: {left_out}" in notes
    assert "lfd. Nr." not in load(model).kinds
    options = ["--keep-column", "lfd. Nr.", "--read", "amount=1.234,56 €", "--parts", "start=weekday,age@2024-01-01"]
    said = invoke("learn", ALL, "--target", "decision", *options, "-o", model)
    assert said.exit_code == 0, said.output
    columns = {column.name: column for column in load(model).columns}
    assert columns["lfd. Nr."].kind == "numerical"
    assert columns["amount"].reading == "1.234,56 €"
    assert columns["start weekday"].kind == "categorical"
    assert columns["start age"].reading == "age@2024-01-01 of start as dd.mm.yyyy"
    scored = invoke("score", model, ALL, "--json")
    assert json.loads(scored.stdout)["accuracy"] > 0.9


def test_a_reading_that_reads_nothing_is_said():
    said = invoke("learn", ALL, "--target", "decision", "--read", "amount=1,234.56 €")
    assert said.exit_code == 0
    note = "column 'amount' is to be read as 1,234.56 €, but most of its values are not written so, such as"
    assert note in " ".join(said.output.split())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--read", "amount"], "--read amount: write COLUMN=VALUE."),
        (["--read", "amount=euros"], "'euros' is not a way to read a column"),
        (["--read", "sum=1,234"], "column 'sum' is not in the table"),
        (["--parts", "town=weekday"], "column 'town' has no parts"),
        (["--keep-column", "nothing"], "column 'nothing' is not in the table"),
    ],
)
def test_what_is_typed_wrong_is_said_in_one_sentence(options, problem):
    said = invoke("learn", ALL, "--target", "decision", *options)
    assert isinstance(said.exception, DataError)
    assert problem in str(said.exception)
    assert "\n" not in str(said.exception)


EVERY = sorted(path for path in UGLY.iterdir() if path.suffix in (".csv", ".txt", ".tsv"))


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_a_finding_says_the_same_by_its_phrase(path):
    """What is odd is said twice, as a message and for other languages: English must not drift apart."""
    try:
        seen = look(str(path))
    except DataError:
        return
    for finding in (finding for column in seen.columns for finding in column.findings):
        said = finding_text(finding, language("en"))
        assert said.replace("100.0 %", "100 %").replace(" %", "%") == finding.evidence


def test_every_finding_is_said_in_every_language():
    rows = 40
    odd = {
        "key": [f"k{i}" for i in range(rows)],
        "nr": [str(i) for i in range(rows)],
        "same": ["a"] * rows,
        "none": [None] * rows,
        "zip": [str(10000 + i % 3) for i in range(rows)],
        "twin": ["Bonn", "bonn"] * (rows // 2),
        "gone": ["?", "x"] * (rows // 2),
        "copy": ["?", "x"] * (rows // 2),
        "wide": [" a", "b"] * (rows // 2),
        "day": [f"{1 + i % 12:02}.{1 + i % 12:02}.{20 + i % 9}" for i in range(rows)],
        "label": ["yes", "no"] * (rows // 2),
    }
    seen = look(odd, "label")
    phrases = {finding.phrase for column in seen.columns for finding in column.findings}
    assert phrases >= {"word", "same", "empty", "look_alike", "perhaps_missing", "repeats", "blanks", "alone"}
    said = re.sub("--(drop|missing|categorical|numerical|read)", "", look_text(seen, lang="de"))
    shown = {*long_words(" ".join(str(value) for column in odd.values() for value in column)), *odd}
    english = fixed_words("en") - fixed_words("de") - shown
    assert not [word for word in long_words(said) if word in english]


def test_what_to_type_next_is_quoted_for_the_shell(tmp_path):
    """A path with blanks, or the address of a database with & in it, was printed as it is."""
    table = tmp_path / "my loans & more.csv"
    table.write_text((UGLY / "all.csv").read_text(encoding="utf-8"), encoding="utf-8")
    assert f"unless learn '{table}' --target" in invoke("look", table, "--target", "decision").stdout
    said = invoke("learn", table, "--target", "decision", "--no-check", "-o", tmp_path / "a model.lp").stdout
    assert f"unless explain '{tmp_path / 'a model.lp'}' '{table}' --row 0" in said


AMOUNTS = [f"{i}.{i + 100},50 €" for i in range(1, 60)]


@pytest.mark.parametrize(
    ("cells", "seen", "said"),
    [
        (
            [*AMOUNTS, "100,00"],
            "! 1 cell without '€', read like the others.",
            "column 'a' is read as numbers: 1.234,56 €; 1 of 60 cells stands without '€', and is read alike.",
        ),
        (
            [*AMOUNTS, "100,00 EUR"],
            "! words with digits among the numbers, in 1 row: '100,00 EUR'.",
            "column 'a' is read as numbers: 1.234,56 €; 1 of 60 cells is not written so, such as '100,00 EUR': "
            "it is a word.",
        ),
        (
            [*AMOUNTS[:40], *(cell.replace("€", "EUR") for cell in AMOUNTS[40:])],
            "! 40 of 59 cells are numbers, written 1.234,56 €, the others are not, such as '41.141,50 EUR': "
            "--read 'a=1.234,56 €'",
            "column 'a': 40 of 59 cells are numbers, written 1.234,56 €, 19 are not, such as '41.141,50 EUR': it is "
            "taken as words. To have it read so: --read 'a=1.234,56 €'",
        ),
        (
            [*AMOUNTS[:40], *(cell.removesuffix(" €") for cell in AMOUNTS[40:])],
            "! 40 of 59 cells are numbers, written 1.234,56 €, the others stand without '€': --read 'a=1.234,56 €'",
            "column 'a': 40 of 59 cells are numbers, written 1.234,56 €, 19 stand without '€': it is taken as words. "
            "To have it read so: --read 'a=1.234,56 €'",
        ),
    ],
)
def test_look_and_learn_say_which_cells_are_not_written_as_the_others(cells, seen, said, tmp_path):
    """A column of amounts was left out as a name of its rows for one cell in another currency, without a word."""
    table = tmp_path / "table.csv"
    rows = [f"{cell};{i % 3};{'yes' if i > 30 else 'no'}" for i, cell in enumerate(cells)]
    table.write_text("\n".join(["a;b;ok", *rows]), encoding="utf-8")
    assert seen in " ".join(invoke("look", table, "--target", "ok").stdout.split())
    for finding in look(str(table), target="ok").columns[0].findings[:1]:
        assert finding_text(finding, language("en")) == finding.evidence
        assert finding_text(finding, language("de")) != finding.evidence
    learned = invoke("learn", table, "--target", "ok", "-o", tmp_path / "model.lp").stdout
    assert f"note: {said}" in " ".join(learned.split())
    assert "--read" not in learned or "--read 'a=1.234,56 €'" in learned


def test_a_label_called_like_its_column_is_no_repeated_header(tmp_path):
    """197 rows of fraud in a column Fraud were taken for headers that were pasted in."""
    rows = [f"{i},{i % 7},{'Fraud' if i % 25 == 0 else 'ok'}" for i in range(500)]
    table = tmp_path / "table.csv"
    for more, is_header in (([], False), (["amount,days,Fraud"], True)):
        table.write_text("\n".join(["amount,days,Fraud", *rows, *more]), encoding="utf-8")
        said = invoke("look", table, "--target", "Fraud").stdout
        assert ("its own name in 1 row, perhaps the header once more" in said) == is_header
        assert "its own name in 2" not in said


def test_the_next_command_reads_the_table_alike(tmp_path):
    """It lacked --missing, --read and kinds of columns, so that learning read the table otherwise than look."""
    table = tmp_path / "t.csv"
    lines = [
        f"{i % 5},{'leer' if i % 3 else i},{'k.A.' if i % 4 else 'a'},{'yes' if i % 2 else 'no'}" for i in range(40)
    ]
    table.write_text("\n".join(["code,n,w,ok", *lines]) + "\n")
    typed = ["--target", "ok", "--missing", "leer", "--categorical", "code", "--read", "n=1234.56"]
    said = CliRunner().invoke(make_app(), ["look", str(table), *typed]).stdout
    options = "--target ok --categorical code --read n=1234.56 --missing leer,k.A."
    assert f"unless learn {table} {options}" in said
