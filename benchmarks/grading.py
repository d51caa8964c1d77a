"""How well probabilities rank and how true they are: UnlessClassifier's grade beside boosted trees, on the same folds.

    python benchmarks/grading.py [--datasets telco,heart] [--folds 5] [--kept 2] [--set more]

For each table the means over `--kept` of `--folds` stratified folds: accuracy, AUC, log-loss, Brier score, lines of
points, and the CPU seconds of `fit`, in turns, one thread each. All have their defaults; the stumps are LightGBM's, 20
trees of one condition at a learning rate of 0.3. Tables: those of the paper (`--set paper`), or those that the file
`more/index.json` of the folder named by UNLESS_DATA describes (`--set more`). Grading was chosen on `more`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from workloads import PAPER, Table, load, machine, versions

from unless import UnlessClassifier

MEASURES = ("accuracy", "AUC", "log-loss", "Brier", "lines", "CPU s")


def more():
    """Describe the tables that are not the paper's."""
    return {each["name"]: each for each in json.loads((folder() / "index.json").read_text())}


def folder():
    return Path(os.environ["UNLESS_DATA"]) / "more"


def load_more(name):
    """Read one of those tables; the rarer label is the one to grade."""
    roles = more()[name]
    text = pd.read_csv(folder() / f"{name}.csv.gz", dtype=str, keep_default_na=False)
    labels = (text[roles["label"]] == roles["positive"]).rename("label")
    text = text[roles["categorical"] + roles["numerical"]]
    frame = text.copy()
    frame[roles["categorical"]] = frame[roles["categorical"]].astype("category")
    frame[roles["numerical"]] = frame[roles["numerical"]].apply(pd.to_numeric, errors="coerce")
    return Table(frame, text, labels, tuple(roles["categorical"]), tuple(roles["numerical"]))


def learners(table):
    """Return each learner with the table as it wants it."""
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    quiet = {"n_jobs": 1, "verbose": -1}
    stumps = LGBMClassifier(n_estimators=20, num_leaves=2, learning_rate=0.3, **quiet)
    return {
        "unless": (UnlessClassifier(categorical_features=list(table.categorical), n_jobs=1), table.text),
        "XGBoost": (XGBClassifier(enable_categorical=True, n_jobs=1), table.frame),
        "LightGBM": (LGBMClassifier(**quiet), table.frame),
        "20 stumps": (stumps, table.frame),
    }


def measured(model, frame, labels, train, test):
    """Fit on some rows and measure on others."""
    began = time.process_time()
    model.fit(frame.iloc[train], labels[train])
    seconds = time.process_time() - began
    chance = model.predict_proba(frame.iloc[test])[:, 1]
    predicted = np.asarray(model.predict(frame.iloc[test])).astype(bool)
    program = getattr(model, "program_", None)
    n_lines = np.nan if program is None else len(program.grade.cards[0].awards)
    seen = labels[test]
    return (
        np.mean(predicted == seen),
        roc_auc_score(seen, chance),
        log_loss(seen, chance, labels=[False, True]),
        brier_score_loss(seen, chance),
        n_lines,
        seconds,
    )


def row(table, n_folds, n_kept):
    """Return the mean measures of each learner on a table."""
    labels = table.labels.to_numpy().astype(bool)
    labels = labels if labels.mean() <= 0.5 else ~labels
    folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(labels, labels))[:n_kept]
    found = {name: [] for name in learners(table)}
    for train, test in folds:
        for name, (model, frame) in learners(table).items():
            found[name].append(measured(model, frame, labels, train, test))
    return {name: np.mean(lines, axis=0) for name, lines in found.items()}


def main():
    """Measure table after table, and print the means of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets")
    parser.add_argument("--set", choices=["more", "paper"], default="more")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--kept", type=int, default=2)
    chosen = parser.parse_args()
    known, read = (list(more()), load_more) if chosen.set == "more" else (PAPER, load)
    names = chosen.datasets.split(",") if chosen.datasets else known
    print(f"{machine()}; {versions('unless', 'xgboost-cpu', 'lightgbm')}")
    print(f"| table | learner | {' | '.join(MEASURES)} |\n|{'---|' * (2 + len(MEASURES))}")
    every = {}
    for name in names:
        for learner, values in row(read(name), chosen.folds, chosen.kept).items():
            every.setdefault(learner, []).append(values)
            print(line(name, learner, values), flush=True)
    for learner, values in every.items():
        print(line("mean", learner, np.mean(values, axis=0)))


def line(name, learner, values):
    """Write the measures of one learner on one table."""
    cells = [f"{value:.4f}" for value in values[:4]]
    lines = "" if np.isnan(values[4]) else f"{values[4]:.1f}"
    return f"| {name} | {learner} | {' | '.join(cells)} | {lines} | {values[5]:.3f} |"


if __name__ == "__main__":
    main()
