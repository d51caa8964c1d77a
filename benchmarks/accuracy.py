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
from workloads import PAPER, count_rules, load, machine, versions, write_between

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


def row(table, n_folds, seeds):
    """Mean accuracy of each learner, and the mean size of the programs of UnlessClassifier."""
    right = {}
    sizes = []
    for seed in seeds:
        for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(table.text, table.labels):
            for label, (model, frame) in learners(table).items():
                model.fit(frame.iloc[train], table.labels.iloc[train])
                predicted = np.asarray(model.predict(frame.iloc[test])).astype(bool)
                right.setdefault(label, []).append(np.mean(predicted == table.labels.iloc[test]))
                if label == "unless":
                    sizes.append((count_rules(model.rules_), model.program_.n_literals))
    return {label: float(np.mean(scores)) for label, scores in right.items()}, np.array(sizes)


def report(tables, chosen, marker, command):
    """Measure each table, print the figures, and write them between the markers when asked to."""
    lines = [
        "| table | rows | FOLD-R++ | unless | XGBoost | rules | most | literals |",
        "|---|---|---|---|---|---|---|---|",
    ]
    means = []
    for name, table in tables.items():
        scores, sizes = row(table, chosen.folds, range(chosen.first_seed, chosen.first_seed + chosen.seeds))
        means.append(list(scores.values()))
        shown = " | ".join(f"{score:.4f}" for score in scores.values())
        n_rules, n_literals = sizes.mean(axis=0)
        most = sizes[:, 0].max()
        lines.append(f"| {name} | {len(table.labels):,} | {shown} | {n_rules:.1f} | {most} | {n_literals:.1f} |")
        print(lines[-1], flush=True)
    means = np.array(means)
    lines.append(f"| mean | | {' | '.join(f'{score:.4f}' for score in means.mean(axis=0))} | | | |")
    fold, ours, boosted = means.T
    about_means = (
        f"Beside FOLD-R++: better or equal on {(ours >= fold).sum()} of {len(ours)}, at worst "
        f"{100 * (ours - fold).min():+.2f} points. Ahead of XGBoost on {(ours > boosted).sum()}."
    )
    about = f"{command}  \n{machine()}; {versions('unless', 'xgboost')}"
    text = "\n".join([about, "", *lines, "", about_means])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", marker, text)


def arguments(about, datasets, into):
    """Read the command line."""
    options = argparse.ArgumentParser(description=about.splitlines()[0])
    options.add_argument("--datasets", default=",".join(datasets))
    options.add_argument("--folds", type=int, default=5)
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--first-seed", type=int, default=0)
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    options.add_argument("--into", default=into, help="the marker between which to write")
    return options.parse_args()


def run(chosen, load):
    """Measure the tables chosen; `load` reads one by its name."""
    tables = {name: load(name) for name in chosen.datasets.split(",")}
    report(tables, chosen, chosen.into, f"`python benchmarks/{Path(sys.argv[0]).name} {' '.join(sys.argv[1:])}`")


if __name__ == "__main__":
    run(arguments(__doc__, PAPER, "accuracy-small"), load)
