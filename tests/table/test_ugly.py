"""Tidy and ugly files of one table give the same cells and the same program, up to how they are read."""

from __future__ import annotations

import numpy as np
import pytest

from ugly_tables import TIDY, TRAPS, UGLY, text
from unless import parse
from unless.evaluate.predict import predict
from unless.learn.front import files_task, learn
from unless.learn.learners import FoldRPPSettings, UnlessSettings
from unless.learn.screening import Screening
from unless.table.columns import cells
from unless.table.formats import read_file
from unless.table.kinds import KindRule, read_columns
from unless.table.labels import read_label_texts
from unless.table.pieces import open_files

TARGET = "decision"


def file(trap):
    return str(UGLY / f"{trap}.csv")


def values(trap):
    table, _ = read_file(file(trap))
    columns = read_columns(table.without([TARGET]), KindRule("content"))
    return {name: cells(table.column(name), c.kind, (), c.reading) for name, c in columns.items()}


def learned(trap, settings):
    task = files_task(open_files([file(trap)]), TARGET, positive="granted", screening=Screening(leaves_out=True))
    return learn(task, settings).program


def spelled(program, names):
    """Return the clauses, and what the columns of the tidy table are."""
    kinds = {column.name: column.kind for column in program.columns if column.name in names}
    return {(clause.name, clause.label, clause.body) for clause in program.clauses}, kinds


@pytest.mark.parametrize("trap", [TIDY, *TRAPS])
def test_files_are_those_that_are_written(trap):
    assert (UGLY / f"{trap}.csv").read_text(encoding="utf-8") == text(trap)


@pytest.mark.parametrize("trap", TRAPS)
def test_ugly_cells_are_the_tidy_ones(trap):
    tidy, ugly = values(TIDY), values(trap)
    for name, column in tidy.items():
        other = ugly[name]
        if column.numbers is not None:
            np.testing.assert_array_equal(other.numbers, column.numbers, err_msg=name)
        assert (other.words is None) == (column.words is None), name
        if column.words is not None:
            assert other.words.lexicon == column.words.lexicon
            np.testing.assert_array_equal(other.words.codes, column.words.codes)
    labels = [read_label_texts(read_file(file(each))[0].column(TARGET)) for each in (TIDY, trap)]
    assert labels[0] == labels[1]


@pytest.mark.parametrize("settings", [FoldRPPSettings(), UnlessSettings()], ids=["fold-r++", "unless"])
def test_ugly_files_give_the_tidy_program(settings):
    tidy = learned(TIDY, settings)
    assert tidy.n_literals >= 4
    names = set(tidy.kinds)
    table, _ = read_file(file(TIDY))
    for trap in TRAPS:
        program = learned(trap, settings)
        assert spelled(program, names) == spelled(tidy, names), trap
        # What is saved reads each table as its own, and both programs predict alike on their own files.
        again = parse(str(program))
        assert again == program
        assert predict(again, read_file(file(trap))[0]) == predict(tidy, table), trap


def test_identifiers_are_left_out_and_said(caplog):
    program = learned("identifiers", FoldRPPSettings())
    assert {"row", "Antrags Nr."}.isdisjoint(program.kinds)
    assert "left out: Antrags Nr. (a different word in every row)" in caplog.text
    assert "left out: row (it counts the rows, from 1 to 120)" in caplog.text
