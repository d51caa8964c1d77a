"""The rules of the golden files come out exactly, for every ratio."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import polars as pl
import pytest

from shapes import plain
from unless import FoldRPPClassifier

DATA = os.environ.get("UNLESS_DATA")
GOLDEN = sorted((Path(DATA).parent / "golden").glob("*.json")) if DATA else []


def read(data_folder, name):
    roles = tomllib.loads((data_folder / "datasets.toml").read_text(encoding="utf-8"))[name]
    names = [*roles["categorical"], *roles["numerical"]]
    table = pl.read_csv(data_folder / roles["file"], infer_schema=False)
    return table.select(names), table[roles["label"]], roles


@pytest.mark.skipif(not GOLDEN, reason="UNLESS_DATA is not set, or has no golden folder beside it")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_rules_are_golden(file, data_folder):
    table, labels, roles = read(data_folder, file.stem)
    positive = (labels == roles["positive"]).to_numpy()  # some tables have several classes: one against the rest
    for case in json.loads(file.read_text(encoding="utf-8")):
        model = FoldRPPClassifier(case["ratio"], positive=True, categorical_features=roles["categorical"])
        told = model.fit(table, positive).predict(table)
        assert [lower(plain(rule)) for rule in model.rules_] == case["rules"]
        assert table.height == case["rows"]
        assert int(told.sum()) == case["covered"]
        assert float((told == positive).mean()) == pytest.approx(case["train_accuracy"], abs=1e-12)


def test_there_is_a_golden_file_to_compare_with(data_folder):
    assert len(GOLDEN) >= 8


def lower(rule):
    return {
        "default": [[column.lower(), op, value] for column, op, value in rule["default"]],
        "exceptions": [lower(exception) for exception in rule["exceptions"]],
    }
