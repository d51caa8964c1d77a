"""Files that an office makes by hand, each with a trap: what a look at it says, or the sentence that refuses it."""

from __future__ import annotations

import random

import polars as pl
import pytest
from typer.testing import CliRunner

from unless import UnlessClassifier, look
from unless.cli.app import make_app
from unless.errors import DataError
from unless.table import databases

HEAD = "Betrag;Quote;Ort;Zusage"


def rows():
    """Yield amounts, quotas, towns and a decision that hangs on the first two."""
    dice = random.Random(3)
    for _ in range(60):
        amount, quota, town = dice.randrange(500, 200000), round(dice.uniform(0.1, 30), 1), dice.choice(("Ulm", "Köln"))
        yield amount, quota, town, "ja" if amount < 90000 and quota < 20 else "nein"


def lines(write=lambda i, amount, quota, town, label: (amount, quota, town, label)):
    return [";".join(map(str, write(i, *row))) for i, row in enumerate(rows())]


def lakhs(number):
    """Write a number as in India: 1,23,456."""
    text = str(number)
    first, last = text[:-3], text[-3:]
    pairs = [first[max(0, i - 2) : i] for i in range(len(first), 0, -2)][::-1]
    return ",".join([*pairs, last]) + ".00"


PLAIN = lines()
TRAPS = {
    "a line for Excel": ["sep=;", HEAD, *PLAIN],
    "the header once more": [HEAD, *PLAIN[:30], HEAD, *PLAIN[30:]],
    "cells that Excel cannot work out": [
        HEAD, *lines(lambda i, a, q, t, x: (a if i % 9 else "#DIV/0!", q if i % 11 else "#NV", t, x)),
    ],
    "a delimiter at the end": [f"{HEAD};", *(f"{line};" for line in PLAIN)],
    "footnotes": [HEAD, *lines(lambda i, a, q, t, x: (f"{a}*" if i % 5 == 0 else a, q, t, x))],
    "below the limit": [HEAD, *lines(lambda i, a, q, t, x: (a, "<1" if q < 1 else q, t, x))],
    "labels in capitals": [HEAD, *lines(lambda i, a, q, t, x: (a, q, t, f"{x.upper()} " if i % 4 == 0 else x))],
    "exponents with a comma": [HEAD, *lines(lambda i, a, q, t, x: (f"{a:.4E}".replace(".", ","), q, t, x))],
    "lakhs": [HEAD, *lines(lambda i, a, q, t, x: (lakhs(a), q, t, x))],
    "lines in cells": ['"Betrag\n(Euro)";Quote;Ort;Zusage', *lines(lambda i, a, q, t, x: (a, q, f'"{t}\n(D)"', x))],
}  # fmt: skip


def looked_at(trap, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(TRAPS[trap]) + "\n", encoding="utf-8")
    seen = look(str(path), "Zusage")
    return seen, {column.name.split("\n")[0]: column for column in seen.columns}


@pytest.mark.parametrize("trap", TRAPS)
def test_numbers_stay_numbers_and_every_row_is_there(trap, tmp_path):
    seen, columns = looked_at(trap, tmp_path)
    assert seen.n_rows == 60 + (trap == "the header once more")
    assert columns["Betrag"].content.startswith("numbers")
    assert columns["Quote"].content.startswith("numbers")
    assert "identifier" not in {finding.what for finding in columns["Betrag"].findings}
    assert all(len(line) <= 80 and line.isprintable() for line in str(seen).splitlines())


@pytest.mark.parametrize(
    ("trap", "column", "says"),
    [
        ("the header once more", "Betrag", "its own name in 1 row, perhaps the header once more"),
        ("cells that Excel cannot work out", "Betrag", "perhaps missing: '#DIV/0!' in 7 rows"),
        ("cells that Excel cannot work out", "Quote", "perhaps missing: '#NV' in 6 rows"),
        ("a delimiter at the end", "column_5", "no value in any row"),
        ("footnotes", "Betrag", "words with digits among the numbers, in 12 rows"),
        ("below the limit", "Quote", "words with digits among the numbers"),
    ],
)
def test_what_is_odd_is_said(trap, column, says, tmp_path):
    findings = looked_at(trap, tmp_path)[1][column].findings
    assert any(finding.evidence.startswith(says) for finding in findings), findings


def test_labels_that_look_alike_are_said(tmp_path):
    seen, _ = looked_at("labels in capitals", tmp_path)
    assert [finding.evidence for finding in seen.label_findings] == [
        "words that look alike: 'JA' and 'ja'; 'NEIN' and 'nein'"
    ]
    assert "! words that look alike: 'JA' and 'ja'" in str(seen)


@pytest.mark.parametrize("trap", ["exponents with a comma", "lakhs"])
def test_the_numbers_are_the_same(trap, tmp_path):
    _, columns = looked_at(trap, tmp_path)
    low, high = (min(row[0] for row in rows()), max(row[0] for row in rows()))
    shown = [float(value.replace(",", "")) for value in columns["Betrag"].values]
    assert shown == pytest.approx([low, high], rel=1e-4)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n".join([HEAD, *PLAIN]).replace("Ulm", "Ulm\0"), "null byte"),
        ("\n".join([HEAD, *PLAIN[:9], "1;2;3;4;5;6", *PLAIN[9:]]), "line 11"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(text, problem, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        look(str(path), "Zusage")


def test_no_password_of_a_database_is_printed(monkeypatch):
    """The summary of learning and the command to type next had it in clear."""
    table = pl.DataFrame({"a": [1, 2, 3, 4] * 10, "t": ["x", "x", "y", "y"] * 10})
    monkeypatch.setattr(databases, "_from_other", lambda question: table)
    address = "postgresql://me:s3cret@host/db?table=t"
    for command in (["look", address, "--target", "t"], ["learn", address, "--target", "t", "--no-check"]):
        said = CliRunner().invoke(make_app(), command)
        assert said.exit_code == 0, said.output
        assert "s3cret" not in said.output
    assert "me:***@host" in said.output


def test_a_frame_with_lines_in_its_names_is_learned_from():
    frame = pl.DataFrame({"a\nb": [1, 2, 3, 4] * 10, "t": ["x", "x", "y", "y"] * 10})
    assert UnlessClassifier().fit(frame.drop("t"), frame["t"]).score(frame.drop("t"), frame["t"]) == 1.0
