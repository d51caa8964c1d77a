"""Golden programs: which learners on which tables with which parameters, and how their files are written anew.

`python tests/golden_programs.py --write` learns every case and writes `tests/golden/LEARNER/TABLE.CASE.lp`. Do so
only when a change of a learner is meant to change programs, and say so: a refactoring must leave every file as it is.
Tables of the paper need the folder that UNLESS_DATA names; the others are made here or come with scikit-learn.
"""

from __future__ import annotations

import os
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import polars as pl
from sklearn import datasets

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier
from unless.datasets import loans

GOLDEN = Path(__file__).parent / "golden"
LEARNERS = {"fold-r": FoldRClassifier, "fold-r++": FoldRPPClassifier, "unless": UnlessClassifier}
DATA = os.environ.get("UNLESS_DATA")

DEFAULTS = (
    "loans", "breast_cancer", "iris",
    "acute", "adult", "autism", "breast-w", "cars", "credit-a", "ecoli", "glass", "heart", "ionosphere",
    "kidney", "kr-vs-kp", "mushroom", "voting", "wine",
)  # fmt: skip
"""The tables that `UnlessClassifier` learns at its defaults."""

CONSTRAINED = {
    "loans": {
        "small": {"max_rules": 3, "max_literals": 2, "max_depth": 1},
        "apart": {"apart": [("income", "debt_ratio")], "forbidden": ["purpose"]},
        "monotone": {"monotonic_cst": {"income": 1, "debt_ratio": -1}, "positive": "approved"},
        "locked": {"locked": "loan(X,'approved') :- income(X,N), N > 50000.0.", "positive": "approved"},
        "background": {"background": "rich(X) :- income(X,N), N > 60000.0.", "background_columns": ["purpose"]},
    },
    "breast_cancer": {"points": {"points": True}, "balanced": {"class_weight": "balanced", "points": False}},
    "iris": {"plain": {"points": False, "size_penalty": 0.5}},
    "adult": {"short": {"size_penalty": 4.0, "forbidden": ["relationship", "sex"]}},
    "credit-a": {"equal": {"allow_not_equal": False, "points": False}},
    "heart": {
        "monotone": {"monotonic_cst": {"oldpeak": 1, "age": 1}, "positive": "present"},
        "cheap": {"size_penalty": 0.3, "max_rules": 30},
    },
    "cars": {"deep": {"max_depth": 4, "points": False}},
    "kr-vs-kp": {"flat": {"max_depth": 0}},
    "voting": {"balanced": {"class_weight": "balanced"}},
    "glass": {"small": {"max_rules": 6, "points": False}},
    "ionosphere": {"points": {"points": True, "max_literals": 3}},
}
"""Learned with constraints, by table and by the name of the case."""

REFUSED, BENIGN = {"positive": "refused"}, {"positive": "benign"}
FOLD = {
    "fold-r": {"loans": {"default": REFUSED}, "breast_cancer": {"default": BENIGN}},
    "fold-r++": {
        "loans": {
            "default": REFUSED,
            "long": {"ratio": 0.1, **REFUSED},
            "fold-se": {"heuristic": "mgi", "tail": 0.005, **REFUSED},
        },
        "breast_cancer": {"default": BENIGN},
        "iris": {"default": {}},
    },
}
"""What FOLD-R and FOLD-R++ learn from tables that every clone has; those of the paper stand in JSON files."""

CASES = [
    ("unless", table, case, options)
    for table in DEFAULTS
    for case, options in {"default": {}, **CONSTRAINED.get(table, {})}.items()
] + [
    (learner, table, case, options)
    for learner, tables in FOLD.items()
    for table, cases in tables.items()
    for case, options in cases.items()
]
SHIPPED = {"breast_cancer": datasets.load_breast_cancer, "iris": datasets.load_iris}


def is_there(table: str) -> bool:
    """Tell whether a table can be had: made here, shipped with scikit-learn, or in the folder of the paper's."""
    return table == "loans" or table in SHIPPED or DATA is not None


def learn_case(learner: str, table: str, options: dict[str, object]) -> str:
    """Learn one case and return the text of its program, without its grade: grading has tests of its own."""
    rows, labels, categorical = read_table(table)
    model = LEARNERS[learner](categorical_features=categorical, **options).fit(rows, labels)
    return str(replace(model.program_, grade=None))


def golden_file(learner: str, table: str, case: str) -> Path:
    """Return where the program of a case is kept."""
    return GOLDEN / learner / f"{table}.{case}.lp"


def read_table(table: str) -> tuple[object, object, list[str]]:
    """Return the rows, the labels, and the categorical columns."""
    if table == "loans":
        frame = loans()
        return frame.drop("loan"), frame["loan"], ["purpose", "housing", "history"]
    if table in SHIPPED:
        found = SHIPPED[table](as_frame=True)
        return found.data, found.target_names[found.target], []
    folder = Path(str(DATA))
    roles = tomllib.loads((folder / "datasets.toml").read_text(encoding="utf-8"))[table]
    frame = pl.read_csv(folder / roles["file"], infer_schema=False)
    return frame.select([*roles["categorical"], *roles["numerical"]]), frame[roles["label"]], roles["categorical"]


def main() -> None:
    """Write every golden program that can be learned here."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for learner, table, case, options in CASES:
        if is_there(table):
            file = golden_file(learner, table, case)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(learn_case(learner, table, options), encoding="utf-8")


if __name__ == "__main__":
    main()
