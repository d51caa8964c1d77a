"""Cross-validate UnlessClassifier beside FoldRPPClassifier and XGBoost, all with their defaults, on the same folds.

    python benchmarks/accuracy.py [--datasets adult,heart] [--folds 5] [--seeds 1] [--write]

Ours get the table as text with its kinds of columns, XGBoost the same as categories and numbers (NaN where a numerical
cell holds a word). `--write` puts the table into benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold
from workloads import PAPER, load, machine, versions, write_between

from unless import FoldRPPClassifier, UnlessClassifier

HERE = Path(__file__).parent


def learners(table):
    from xgboost import XGBClassifier

    words = list(table.categorical)
    return {
        "FOLD-R++": (FoldRPPClassifier(categorical_features=words), table.text),
        "unless": (UnlessClassifier(categorical_features=words), table.text),
        "XGBoost": (XGBClassifier(tree_method="hist", enable_categorical=True), table.frame),
    }


def row(name, n_folds, n_seeds):
    """Mean accuracy of each learner, and the mean size of the programs of UnlessClassifier."""
    table = load(name)
    right = {}
    sizes = []
    for seed in range(n_seeds):
        for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(table.text, table.labels):
            for label, (model, frame) in learners(table).items():
                model.fit(frame.iloc[train], table.labels.iloc[train])
                told = np.asarray(model.predict(frame.iloc[test])).astype(bool)
                right.setdefault(label, []).append(np.mean(told == table.labels.iloc[test]))
                if label == "unless":
                    sizes.append((count(model.rules_), model.program_.n_literals))
    return {label: float(np.mean(scores)) for label, scores in right.items()}, np.mean(sizes, axis=0)


def count(rules):
    return sum(1 + count(rule.exceptions) for rule in rules)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets", default=",".join(PAPER))
    options.add_argument("--folds", type=int, default=5)
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    lines = ["| table | rows | FOLD-R++ | unless | XGBoost | rules | literals |", "|---|---|---|---|---|---|---|"]
    means = []
    for name in chosen.datasets.split(","):
        scores, (n_rules, n_literals) = row(name, chosen.folds, chosen.seeds)
        means.append(list(scores.values()))
        shown = " | ".join(f"{score:.4f}" for score in scores.values())
        lines.append(f"| {name} | {len(load(name).labels):,} | {shown} | {n_rules:.1f} | {n_literals:.1f} |")
        print(lines[-1], flush=True)
    shown = " | ".join(f"{score:.4f}" for score in np.mean(means, axis=0))
    lines.append(f"| mean | | {shown} | | |")
    about = (
        f"`python benchmarks/accuracy.py {' '.join(sys.argv[1:])}`  \n{machine()}; {versions('unless', 'xgboost-cpu')}"
    )
    text = "\n".join([about, "", *lines])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", "accuracy", text)


if __name__ == "__main__":
    main()
