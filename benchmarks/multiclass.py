"""More than two classes: accuracy and rule counts beside the best published or measured figures of FOLD-RM and FOLD-SE.

    python benchmarks/multiclass.py [--datasets wine,glass] [--splits 5] [--write]

Each split learns from 80 % of the rows, stratified; small tables are split eight times as often. `gain` is
FoldRPPClassifier with its defaults, `mgi` with FOLD-SE's heuristic and tail, `unless` UnlessClassifier, `one tree`
scikit-learn's with its size chosen by inner folds. Rules are those at the top, then with their exceptions. `--write`
puts the table into benchmarks/README.md. UNLESS_DATA names the folder of tables.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier
from workloads import count_rules, machine, versions, write_between

from unless import FoldRPPClassifier, UnlessClassifier

HERE = Path(__file__).parent
BEFORE = {
    "nursery": (0.97, 59.8, "FOLD-RM, published"), "page-blocks": (0.97, 72.3, "FOLD-RM, published"),
    "dry-bean": (0.91, 185.7, "FOLD-RM, published"), "wine": (0.951, 7.3, "FOLD-RM, its authors' code"),
    "glass": (0.63, None, "FOLD-RM, published"), "yeast": (0.527, 9.0, "FOLD-SE with repairs, reimplemented"),
}  # fmt: skip
"""The best accuracy known of FOLD-RM or FOLD-SE, and its rules. Published ones are of 10 folds (glass: of splits 2:1)
and rounded to two decimals, the others of splits 4:1; so they are a yardstick, not a paired comparison."""


SMALL, MORE = 1000, 8
"""Tables of so few rows are split so many times as often: a test set of 36 rows says little."""


def load(name):
    """Read a table: its frame, labels and categorical columns. Some lines of yeast have a comma doubled."""
    folder = Path(os.environ["UNLESS_DATA"])
    role = tomllib.loads((folder / "datasets.toml").read_text())[name]
    raw = (folder / role["file"]).read_bytes()
    text = (gzip.decompress(raw) if role["file"].endswith(".gz") else raw).decode()
    text = text.replace(",,", ",") if name == "yeast" else text
    frame = pd.read_csv(io.StringIO(text), dtype=dict.fromkeys(role["categorical"], str))
    return frame[[*role["categorical"], *role["numerical"]]], frame[role["label"]].astype(str), role["categorical"]


LEARNERS = {
    "gain": FoldRPPClassifier(),
    "mgi": FoldRPPClassifier(heuristic="mgi", tail=0.005),
    "unless": UnlessClassifier(),
}


def fit(learner, frame, labels, words):
    model = clone(LEARNERS[learner]).set_params(categorical_features=words).fit(frame, labels)
    return model, count_rules(model.rules_), len(model.rules_)


def row(name, n_splits):
    frame, labels, words = load(name)
    found = {learner: [] for learner in (*LEARNERS, "tree", "xgboost")}
    n_splits *= MORE if len(labels) < SMALL else 1
    for train, test in StratifiedShuffleSplit(n_splits, test_size=0.2, random_state=0).split(frame, labels):
        true = labels.iloc[test].to_numpy()
        for learner in LEARNERS:
            model, n_all, n_top = fit(learner, frame.iloc[train], labels.iloc[train], words)
            found[learner].append((np.mean(model.predict(frame.iloc[test]) == true), n_top, n_all))
        found["tree"].append((tree(frame, labels, words, train, test), np.nan, np.nan))
        found["xgboost"].append((xgboost(frame, labels, words, train, test), np.nan, np.nan))
    return len(labels), {learner: np.mean(pairs, axis=0) for learner, pairs in found.items()}


def tree(frame, labels, words, train, test):
    """A single decision tree, its size chosen by inner folds: what one model that can be read reaches otherwise."""
    table = pd.get_dummies(frame, columns=words)
    sizes = {"max_leaf_nodes": [4, 8, 16, 32, 64, 128]}
    folds = KFold(5, shuffle=True, random_state=0)  # some labels have fewer rows than there are folds
    model = GridSearchCV(DecisionTreeClassifier(random_state=0), sizes, cv=folds)
    model.fit(table.iloc[train], labels.iloc[train])
    return np.mean(model.predict(table.iloc[test]) == labels.iloc[test])


def xgboost(frame, labels, words, train, test):
    from xgboost import XGBClassifier

    classes, codes = np.unique(labels, return_inverse=True)
    table = frame.astype(dict.fromkeys(words, "category"))
    model = XGBClassifier(tree_method="hist", enable_categorical=True).fit(table.iloc[train], codes[train])
    return np.mean(classes[model.predict(table.iloc[test])] == labels.iloc[test])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets", default=",".join(BEFORE))
    options.add_argument("--splits", type=int, default=5)
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    lines = [
        "| table | rows | gain | mgi | unless | one tree | XGBoost | before |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in chosen.datasets.split(","):
        n_rows, found = row(name, chosen.splits)
        shown = ["{:.3f} / {:.1f} / {:.1f}".format(*found[learner]) for learner in LEARNERS]
        accuracy, n_rules, whose = BEFORE[name]
        published = f"{accuracy:g} / {'?' if n_rules is None else n_rules} {whose}"
        others = " | ".join(f"{found[other][0]:.3f}" for other in ("tree", "xgboost"))
        lines.append(f"| {name} | {n_rows:,} | {' | '.join(shown)} | {others} | {published} |")
        print(lines[-1], flush=True)
    command = f"`python benchmarks/multiclass.py {' '.join(sys.argv[1:])}`  "
    about = f"{machine()}; {versions('unless', 'xgboost')}"
    text = "\n".join([command, about, "", "Accuracy / rules / rules and exceptions.", "", *lines])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", "multiclass", text)


if __name__ == "__main__":
    main()
