"""Time `fit` of UnlessClassifier beside XGBoost's defaults, one after the other in one process.

    python benchmarks/race.py [--datasets adult,rain-in-aus] [--repeat 5] [--write]

Both get the same pandas DataFrame with category columns and numbers. Medians; the first, compiling fit is left out.
`--write` puts the table into benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

from workloads import LARGE, load, machine, versions, write_between

from unless import UnlessClassifier

HERE = Path(__file__).parent


def race(name, repeat):
    from xgboost import XGBClassifier

    table = load(name)
    models = {
        "unless": UnlessClassifier(categorical_features=list(table.categorical)),
        "XGBoost": XGBClassifier(tree_method="hist", enable_categorical=True),
    }
    times = {label: [] for label in models}
    for turn in range(repeat + 1):
        for label, model in models.items():
            start = time.perf_counter()
            model.fit(table.frame, table.labels)
            if turn:
                times[label].append((time.perf_counter() - start) * 1e3)
    return [statistics.median(times[label]) for label in models]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets", default=",".join(LARGE))
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    lines = ["| table | rows | unless ms | XGBoost ms | ratio |", "|---|---|---|---|---|"]
    for name in chosen.datasets.split(","):
        ours, theirs = race(name, chosen.repeat)
        lines.append(f"| {name} | {len(load(name).labels):,} | {ours:.0f} | {theirs:.0f} | {ours / theirs:.2f} |")
        print(lines[-1], flush=True)
    about = f"`python benchmarks/race.py {' '.join(sys.argv[1:])}`  \n{machine()}; {versions('unless', 'xgboost-cpu')}"
    text = "\n".join([about, "", *lines])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", "race", text)


if __name__ == "__main__":
    main()
