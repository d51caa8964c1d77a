"""Columns of few whole numbers say which: those that a program tests, and only those."""

from __future__ import annotations

import numpy as np
import pytest

from unless import parse
from unless.learn.front import learn, table_task
from unless.learn.learners import FoldRPPSettings, UnlessSettings
from unless.logic.rules import Column

ROWS = [
    {"pain": i % 4 + 1, "flag": i % 2, "size": i, "half": (i % 3) / 2, "age": "?" if i % 5 else 40} for i in range(48)
]


@pytest.mark.parametrize("settings", [UnlessSettings(), FoldRPPSettings()], ids=lambda settings: settings.name)
def test_a_tested_column_of_few_whole_numbers_has_its_values(settings):
    program = learn(table_task(ROWS, ["ill" if row["pain"] > 3 else "well" for row in ROWS]), settings).program
    values = {column.name: column.values for column in program.columns}
    assert values == {"pain": (1, 2, 3, 4), "flag": (), "size": (), "half": (), "age": ()}
    assert "%@ values pain: 1, 2, 3, 4" in str(program)
    assert "1. ill, if pain is 4." in str(program)
    assert parse(str(program)) == program


@pytest.mark.parametrize("settings", [UnlessSettings(), FoldRPPSettings()], ids=lambda settings: settings.name)
def test_numbers_that_only_rows_of_no_weight_have_were_not_there(settings):
    """Rules said "pain is 3 or 4" where no row with 4 had counted: the file was not that of the table without them."""
    labels, weights = ["ill" if row["pain"] > 2 else "well" for row in ROWS], np.array([r["pain"] < 4 for r in ROWS])
    kept = [i for i, weight in enumerate(weights) if weight]
    weighed = learn(table_task(ROWS, labels, weights=weights.astype(float)), settings).program
    without = learn(table_task([ROWS[i] for i in kept], [labels[i] for i in kept]), settings).program
    assert "%@ values pain: 1, 2, 3\n" in str(weighed)
    assert str(weighed) == str(without)


@pytest.mark.parametrize("column", ["size", "half"])
def test_measurements_and_many_numbers_have_none(column):
    rows = [{column: row[column]} for row in ROWS]
    limit = 20 if column == "size" else 0.4
    program = learn(table_task(rows, [row[column] > limit for row in rows]), UnlessSettings()).program
    assert program.columns == (Column(column, "numerical"),)
