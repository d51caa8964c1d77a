"""Real tables: those that scikit-learn ships, and, where UNLESS_DATA names them, those of the paper."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn import datasets

from unless import FoldRPPClassifier, parse
from unless.evaluate.predict import predict, present_cells, row_values
from unless.logic.holds import decide, read_row
from unless.table.frames import raw_table

SHIPPED = {
    "breast_cancer": (datasets.load_breast_cancer, {0}),
    "iris": (datasets.load_iris, {1}),
    "wine": (datasets.load_wine, {0}),
    "digits": (datasets.load_digits, {8}),
}
DATA = os.environ.get("UNLESS_DATA")
DESCRIBED = tomllib.loads((Path(DATA) / "datasets.toml").read_text(encoding="utf-8")) if DATA else {}
ROLES = {name: roles for name, roles in DESCRIBED.items() if "positive" in roles}  # the others have many classes


def check(model, table, labels, n_rows=300):
    """Check what holds for every model: better than the majority, the text is the model, rows agree."""
    told = model.predict(table)
    majority = np.unique(np.asarray(labels), return_counts=True)[1].max() / len(labels)
    assert (told == np.asarray(labels)).mean() > majority
    program = parse(str(model.program_))
    assert program == model.program_
    raw = raw_table(table)
    read = present_cells(raw, program)
    assert [decide(program, row_values(read, i)) for i in range(min(raw.n_rows, n_rows))] == told[:n_rows].tolist()
    assert predict(program, table) == told.tolist()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("ratio", [0.5, 0.1])
def test_shipped_tables(name, ratio):
    read, positive = SHIPPED[name]
    found = read(as_frame=True)
    labels = found.target.isin(positive).to_numpy()
    model = FoldRPPClassifier(ratio, positive=True).fit(found.data, labels)
    check(model, found.data, labels)
    row = found.data.iloc[0].to_dict()
    assert decide(model.program_, read_row(model.program_, row)) == model.predict(found.data.iloc[:1])[0]


@pytest.mark.skipif(not ROLES, reason="UNLESS_DATA is not set: the paper's data sets are elsewhere")
@pytest.mark.parametrize("name", sorted(ROLES))
def test_tables_of_the_paper(name):
    roles = ROLES[name]
    table = pl.read_csv(Path(DATA) / roles["file"], infer_schema=False)
    labels = (table[roles["label"]] == roles["positive"]).to_numpy()
    features = table.select([*roles["categorical"], *roles["numerical"]])
    model = FoldRPPClassifier(positive=True, categorical_features=roles["categorical"]).fit(features, labels)
    check(model, features, labels)
