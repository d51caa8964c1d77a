"""What inner choices cost and give: accuracy, rules, conditions and CPU of UnlessClassifier, table by table.

    python benchmarks/choices.py [--datasets cars] [--folds 5] [--few 2] [--shuffles 1] [--balanced] [--beside FILE]
        [--into FILE] [--section weighed] [--write]

One thread each, the same stratified folds for all, CPU (user and system) of `fit` in turns with XGBoost's: the machine
may be shared. `--balanced` weighs both labels alike and sets a balanced tree of 16 leaves beside it. Tables of more
than 20,000 rows get `--few` folds. `--shuffles` says how often a table is divided anew: one division of few rows moves
by points. `--into` keeps the figures, `--beside` shows former ones, of another installed version perhaps, with the
mean difference and its standard error over the shuffles. `--write` puts those of `--balanced` or `--beside` into
benchmarks/README.md, in the section of that name or of the one that `--section` names. The tables are the paper's,
those of held_out.py (with UNLESS_KEEL, KEEL's too), and those of the folder `more` of UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
import warnings
from itertools import islice
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import held_out
import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from workloads import PAPER, Table, count_rules, load, machine, versions, write_between

from unless import UnlessClassifier

RARE = ("stroke", "hmda", "pecarn-csi", "email", "caravan")
LARGE = 20_000


def more():
    """Return what is said of the tables in the folder `more`, by name."""
    index = Path(os.environ["UNLESS_DATA"]) / "more" / "index.json"
    return {one["name"]: one for one in json.loads(index.read_text())} if index.exists() else {}


def table_of(name):
    """Read a table of any of the three kinds."""
    if name in PAPER:
        return load(name)
    roles = more().get(name)
    if roles is None:
        return held_out.load(name)
    path = Path(os.environ["UNLESS_DATA"]) / "more" / f"{name}.csv.gz"
    text = pd.read_csv(path, dtype=str, keep_default_na=False)
    words, numbers = roles["categorical"], roles["numerical"]
    labels = (text[roles["label"]] == roles["positive"]).rename("label")
    text = text[words + numbers]
    frame = text.copy()
    frame[words] = frame[words].astype("category")
    frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce")
    return Table(frame, text, labels, tuple(words), tuple(numbers))


def timed(model, frame, labels):
    """Fit, and return the CPU seconds of this process that it took."""
    began = time.process_time()
    model.fit(frame, labels)
    return time.process_time() - began


def measure(name, chosen):
    """Return the figures of one table."""
    table = table_of(name)
    labels = table.labels.to_numpy()
    frame = table.frame
    n_folds = chosen.few if len(labels) > LARGE else chosen.folds
    figures = {"rows": len(labels)}
    for train, test in divisions(frame, labels, n_folds, chosen.shuffles):
        actual = labels[test]
        ours = UnlessClassifier(
            categorical_features=list(table.categorical), class_weight="balanced" if chosen.balanced else None
        )
        other = beside(chosen, table)
        cpu, cpu_other = (timed(model, frame.iloc[train], labels[train]) for model in (ours, other))
        predicted, rival = ours.predict(frame.iloc[test]), np.asarray(other.predict(frame.iloc[test])).astype(bool)
        one = {
            "accuracy": np.mean(predicted == actual),
            "balanced": balanced_accuracy_score(actual, predicted),
            "rules": count_rules(ours.rules_),
            "conditions": ours.program_.n_literals,
            "cpu": cpu,
            "other": balanced_accuracy_score(actual, rival) if chosen.balanced else np.mean(rival == actual),
            "other_cpu": cpu_other,
            "splits": getattr(other, "n_splits", 0),
        }
        for key, value in one.items():
            figures.setdefault(key, []).append(float(value))
    each = np.mean(np.reshape(figures["accuracy"], (chosen.shuffles, n_folds)), axis=1).tolist()
    means = {key: value if key == "rows" else float(np.mean(value)) for key, value in figures.items()}
    return means | {"by_shuffle": each}


def divisions(frame, labels, n_folds, n_shuffles):
    """Give the first folds of each shuffle."""
    for seed in range(n_shuffles):
        yield from islice(StratifiedKFold(5, shuffle=True, random_state=seed).split(frame, labels), n_folds)


class BalancedTree:
    """A tree of 16 leaves at most that weighs both labels alike; words are one column each."""

    def __init__(self, words):
        self.words = list(words)

    def _coded(self, frame):
        return pd.get_dummies(frame, columns=self.words, dtype=float).reindex(columns=self.columns, fill_value=0.0)

    def fit(self, frame, labels):
        self.columns = pd.get_dummies(frame, columns=self.words, dtype=float).columns
        self.tree = DecisionTreeClassifier(class_weight="balanced", max_leaf_nodes=16, random_state=0)
        self.tree.fit(self._coded(frame), labels)
        self.n_splits = self.tree.get_n_leaves() - 1

    def predict(self, frame):
        return self.tree.predict(self._coded(frame))


def beside(chosen, table):
    """Return what to set beside ours."""
    if chosen.balanced:
        return BalancedTree(table.categorical)
    from xgboost import XGBClassifier

    return XGBClassifier(tree_method="hist", enable_categorical=True, n_jobs=1)


def line(name, now, before):
    """Say the figures of a table, and the former ones where they are known."""
    key = "balanced" if now.get("splits") else "accuracy"
    shown = [name, f"{now['rows']:,}", f"{now[key]:.4f}", f"{now['rules']:.1f}", f"{now['conditions']:.1f}"]
    shown += [f"{1000 * now['cpu']:.0f}", f"{now['other']:.4f}", f"{1000 * now['other_cpu']:.0f}"]
    shown += [f"{now['cpu'] / now['other_cpu']:.2f}", f"{now['splits']:.1f}"]
    if before:
        shown += [f"{before[key]:.4f}", f"{before['rules']:.1f}", f"{before['conditions']:.1f}"]
        shown += [f"{1000 * before['cpu']:.0f}", f"{100 * (now[key] - before[key]):+.2f}"]
        shown.append(f"{spread(now, before):.2f}")
    return f"| {' | '.join(shown)} |"


def spread(now, before):
    """Return the standard error of a difference, in points; none of one shuffle."""
    apart = 100 * np.subtract(now["by_shuffle"], before.get("by_shuffle", now["by_shuffle"]))
    return np.std(apart, ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else math.nan


def beside_page(figures, before):
    """Write accuracy, conditions and CPU beside those of the other version, what lost most first."""
    lines = [
        f"`python benchmarks/choices.py {' '.join(sys.argv[1:])}`  ",
        f"{machine()}; {versions('unless')}",
        "",
        "| table | rows | accuracy | before | points | standard error | conditions | before | ms | before |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    both = {name: 100 * (one["accuracy"] - before[name]["accuracy"]) for name, one in figures.items() if name in before}
    for name in sorted(both, key=both.__getitem__):
        now, old = figures[name], before[name]
        shown = [name, f"{now['rows']:,}", f"{now['accuracy']:.4f}", f"{old['accuracy']:.4f}", f"{both[name]:+.2f}"]
        shown += [f"{spread(now, old):.2f}", f"{now['conditions']:.1f}", f"{old['conditions']:.1f}"]
        shown += [f"{1000 * one['cpu']:.0f}" for one in (now, old)]
        lines.append(f"| {' | '.join(shown)} |")
    lost = sum(points <= -1 for points in both.values())
    mean = np.mean(list(both.values()))
    return "\n".join([*lines, "", f"Mean {mean:+.2f} points; {lost} of {len(both)} tables lose a point or more."])


def balanced_page(figures):
    """Write balanced accuracy and conditions beside those of the tree."""
    lines = [
        f"`python benchmarks/choices.py {' '.join(sys.argv[1:])}`  ",
        f"{machine()}; {versions('unless', 'scikit-learn')}",
        "",
        "| table | rows | unless | conditions | tree of 16 leaves | splits |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in figures.items():
        lines.append(
            f"| {name} | {one['rows']:,} | {one['balanced']:.4f} | {one['conditions']:.1f} | {one['other']:.4f} | "
            f"{one['splits']:.1f} |"
        )
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets")
    options.add_argument("--folds", type=int, default=5)
    options.add_argument("--few", type=int, default=2)
    options.add_argument("--shuffles", type=int, default=1)
    options.add_argument("--balanced", action="store_true")
    options.add_argument("--beside", type=Path)
    options.add_argument("--into", type=Path)
    options.add_argument("--section", help="the marker between which to write")
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    if chosen.write and chosen.balanced == bool(chosen.beside):
        options.error("--write is for --balanced or for --beside.")
    keel = held_out.KEEL if "UNLESS_KEEL" in os.environ else ()
    everything = list(dict.fromkeys([*more(), *PAPER, *held_out.OURS, "breast_cancer", *keel]))
    names = chosen.datasets.split(",") if chosen.datasets else list(RARE) if chosen.balanced else everything
    before = json.loads(chosen.beside.read_text()) if chosen.beside else {}
    print("| table | rows | accuracy | rules | conditions | ms | other | ms | times | splits | former ... |")
    figures = {}
    warnings.simplefilter("ignore")
    warm = load("heart")
    UnlessClassifier(categorical_features=list(warm.categorical)).fit(warm.frame, warm.labels)
    beside(chosen, warm).fit(warm.frame, warm.labels)
    for name in names:
        figures[name] = measure(name, chosen)
        print(line(name, figures[name], before.get(name)), flush=True)
        if chosen.into:
            chosen.into.write_text(json.dumps(figures, indent=1))
    if chosen.write:
        page = balanced_page(figures) if chosen.balanced else beside_page(figures, before)
        section = chosen.section or ("balanced" if chosen.balanced else "beside")
        write_between(Path(__file__).parent / "README.md", section, page)
    ratios = [one["cpu"] / one["other_cpu"] for one in figures.values()]
    print(
        f"mean accuracy {np.mean([one['accuracy'] for one in figures.values()]):.4f}, "
        f"CPU against the other: median {np.median(ratios):.2f}, worst {max(ratios):.2f}"
    )


if __name__ == "__main__":
    main()
