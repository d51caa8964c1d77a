"""CPU of `fit` of UnlessClassifier against XGBoost's on one thread, table by table, in turns.

    python benchmarks/race.py [--datasets cars,digits] [--fewest 100] [--most 10000] [--repeat 5] [--into race]
        [--write]

Both get the same pandas DataFrame, categories and numbers, ready made, and one thread, polars, which reads columns for
ours, too (its idle threads cost some milliseconds a fit otherwise); what is counted is the time of the processor
(user and system), since the machine may be shared, and the median of the turns after the first, which compiles. Without
`--datasets`: the tables of the paper, of the folder `more`, of held_out.py and of scikit-learn with so many rows.
`--write` puts the table into benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
import warnings
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import choices
import held_out
import pandas as pd
from workloads import PAPER, Table, machine, versions, write_between
from xgboost import XGBClassifier

from unless import UnlessClassifier

HERE = Path(__file__).parent
SKLEARN = ("iris", "breast_cancer", "digits")


def table_of(name):
    """Read a table; those of scikit-learn with more than two labels keep them."""
    if name not in ("iris", "digits"):
        return choices.table_of(name)
    from sklearn import datasets

    frame, labels = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
    return Table(frame, frame, pd.Series(labels), (), tuple(frame.columns))


def race(name, repeat):
    """Return the rows of a table, and the CPU milliseconds of both."""
    table = table_of(name)
    models = {
        "unless": UnlessClassifier(categorical_features=list(table.categorical)),
        "XGBoost": XGBClassifier(tree_method="hist", enable_categorical=True, n_jobs=1),
    }
    times = {label: [] for label in models}
    for turn in range(repeat + 1):
        for label, model in models.items():
            start = time.process_time()
            model.fit(table.frame, table.labels)
            if turn:
                times[label].append((time.process_time() - start) * 1e3)
    return len(table.labels), *(statistics.median(times[label]) for label in models)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets")
    options.add_argument("--fewest", type=int, default=100)
    options.add_argument("--most", type=int, default=10_000)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--into", default="race", help="the marker between which to write")
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    known = dict.fromkeys([*PAPER, *choices.more(), *held_out.OURS, *SKLEARN])
    names = chosen.datasets.split(",") if chosen.datasets else list(known)
    lines = ["| table | rows | unless CPU ms | XGBoost CPU ms | ratio |", "|---|---|---|---|---|"]
    ratios = []
    for name in names:
        if not chosen.datasets and not chosen.fewest <= len(table_of(name).labels) <= chosen.most:
            continue
        n_rows, ours, theirs = race(name, chosen.repeat)
        ratios.append(ours / theirs)
        lines.append(f"| {name} | {n_rows:,} | {ours:.0f} | {theirs:.0f} | {ratios[-1]:.2f} |")
        print(lines[-1], flush=True)
    about = f"`python benchmarks/race.py {' '.join(sys.argv[1:])}`  \n{machine()}; {versions('unless', 'xgboost')}"
    above = sum(ratio > 2 for ratio in ratios)
    said = f"Median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}; above 2 on {above} of {len(ratios)}."
    text = "\n".join([about, "", *lines, "", said])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", chosen.into, text)


if __name__ == "__main__":
    main()
