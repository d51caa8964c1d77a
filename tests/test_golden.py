"""Golden programs come out to the letter: those of the paper for every ratio, ours with constraints."""

from __future__ import annotations

import json
import tomllib

import polars as pl
import pytest

from golden_programs import CASES, GOLDEN, golden_file, is_there, learn_case
from shapes import plain
from unless import FoldRPPClassifier

OF_THE_PAPER = sorted((GOLDEN / "fold-r++").glob("*.json"))


def read(data_folder, name):
    roles = tomllib.loads((data_folder / "datasets.toml").read_text(encoding="utf-8"))[name]
    names = [*roles["categorical"], *roles["numerical"]]
    table = pl.read_csv(data_folder / roles["file"], infer_schema=False)
    return table.select(names), table[roles["label"]], roles


@pytest.mark.parametrize("file", OF_THE_PAPER, ids=lambda file: file.stem)
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


@pytest.mark.parametrize(
    ("learner", "table", "case", "options"),
    CASES,
    ids=[f"{learner}-{table}-{case}" for learner, table, case, _ in CASES],
)
def test_programs_are_golden(learner, table, case, options):
    if not is_there(table):
        pytest.skip("UNLESS_DATA is not set: the paper's data sets are elsewhere")
    assert learn_case(learner, table, options) == golden_file(learner, table, case).read_text(encoding="utf-8")


def test_every_golden_file_is_compared_with():
    assert len(OF_THE_PAPER) >= 8
    assert {golden_file(*case[:3]) for case in CASES} == set(GOLDEN.rglob("*.lp"))


def lower(rule):
    return {
        "default": [[column.lower(), op, value] for column, op, value in rule["default"]],
        "exceptions": [lower(exception) for exception in rule["exceptions"]],
    }
