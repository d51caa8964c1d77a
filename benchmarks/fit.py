"""Time `fit` and `predict` of FoldRPPClassifier beside XGBoost, LightGBM and the authors' `foldrpp`, in one run.

    python benchmarks/fit.py [--datasets adult,rain-in-aus] [--repeat 5] [--foldrpp] [--write]

Ours gets the frame that `pandas.read_csv` gives, as it is ("from read_csv"), and beside it the frame that the boosters
get: category columns and numbers (NaN where a numerical cell holds a word), prepared outside the timed call, as are
the rows that the authors' package wants. One thread each, polars included, and the time of the processor (user and
system), since the machine may be shared; medians, taken in turns, the first of which compiles and does not count. First
fits and imports, at the end, are of the clock. Ratios are to the fit from read_csv. `--write` puts the table into
benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

from workloads import LARGE, PAPER, load, load_csv, machine, versions, write_between

HERE = Path(__file__).parent


def milliseconds(function):
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1e3


def foldrpp_ms(table):
    """Time the authors' package once; None where it is not installed."""
    try:
        from foldrpp.foldrpp import Foldrpp
    except ImportError:
        return None
    rows = table.rows_for_foldrpp()
    attributes = [name for name in rows[0] if name != "label"]
    n_words = len(table.categorical)
    model = Foldrpp(attributes[:n_words], attributes[n_words:], "label", "yes")
    return milliseconds(lambda: model.fit(rows))


def read_csv_ms(table, repeat):
    """Time polars reading the same table from a CSV file."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        table.text.assign(label=table.labels).to_csv(path, index=False)
        return [milliseconds(lambda: pl.read_csv(path, infer_schema_length=None)) for _ in range(repeat)]


class Timed:
    """Our learner on the frame that pandas read; notes how much of each fit is reading and coding the table."""

    def __init__(self, model, frame):
        self.model, self.frame, self.reading = model, frame, []

    def fit(self, _, y):
        from unless.learn import front

        read_task = front.read_task

        def timed(*arguments):
            start = time.process_time()
            found = read_task(*arguments)
            self.reading.append((time.process_time() - start) * 1e3)
            return found

        front.read_task = timed
        try:
            self.model.fit(self.frame, y)
        finally:
            front.read_task = read_task

    def predict(self, _):
        return self.model.predict(self.frame)


def row(name, repeat, with_foldrpp):
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    from unless import FoldRPPClassifier

    taken = {}
    table = load(name)
    X, y = table.frame, table.labels
    ours = FoldRPPClassifier(categorical_features=list(table.categorical))
    as_read = Timed(FoldRPPClassifier(), load_csv(name))
    xgb = XGBClassifier(tree_method="hist", enable_categorical=True, n_jobs=1)
    lgb = LGBMClassifier(verbose=-1, n_jobs=1)
    for turn in range(repeat + 1):  # in turns, so that a slow minute of the machine is everyone's
        for label, model in (("csv", as_read), ("ours", ours), ("xgb", xgb), ("lgb", lgb)):
            fit, predict = milliseconds(lambda m=model: m.fit(X, y)), milliseconds(lambda m=model: m.predict(X))
            if turn:  # the first compiles and warms up
                taken.setdefault(label, []).append(fit)
                taken.setdefault(label + " predict", []).append(predict)
    taken["read"] = read_csv_ms(table, repeat)
    taken["reading"] = as_read.reading[1:]
    figures = {label: statistics.median(values) for label, values in taken.items()}
    figures["foldrpp"] = foldrpp_ms(table) if with_foldrpp else None
    return figures


def times(figure, ours):
    return "–" if figure is None else f"{figure:,.0f} ({figure / ours:.1f}×)"


def first_fit_seconds():
    """Time the first fit of a fresh process without, then with, the compiled kernels in the cache."""
    code = (
        "import time; import numpy as np; from unless import FoldRPPClassifier\n"
        "X = [{'a': i % 7, 'b': 'xyz'[i % 3]} for i in range(200)]; y = [i % 2 for i in range(200)]\n"
        "start = time.perf_counter(); FoldRPPClassifier().fit(X, y); print(time.perf_counter() - start)"
    )
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "UNLESS_CACHE_DIR": cache}
        command = [sys.executable, "-c", code]
        runs = [subprocess.run(command, env=env, capture_output=True, text=True, check=True) for _ in range(2)]
    return [float(run.stdout) for run in runs]


def import_seconds(code):
    best = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *code], check=True, capture_output=True)
        best.append(time.perf_counter() - start)
    return statistics.median(best)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets", default=",".join(PAPER))
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--foldrpp", action="store_true", help="also the authors' package (slow)")
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    lines = [
        "| table | rows | unless fit ms from read_csv | of it reading | from categories "
        "| XGBoost | LightGBM | foldrpp | polars reads the CSV "
        "| unless predict ms | XGBoost | LightGBM |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in chosen.datasets.split(","):
        f = row(name, chosen.repeat, chosen.foldrpp and name in LARGE)
        predict = f["csv predict"]
        lines.append(
            f"| {name} | {len(load(name).labels):,} | {f['csv']:.1f} | {f['reading']:.1f} | {f['ours']:.1f} | "
            f"{times(f['xgb'], f['csv'])} | {times(f['lgb'], f['csv'])} | {times(f['foldrpp'], f['csv'])} | "
            f"{times(f['read'], f['csv'])} | {predict:.1f} | "
            f"{times(f['xgb predict'], predict)} | {times(f['lgb predict'], predict)} |"
        )
        print(lines[-1], flush=True)
    cold, warm = first_fit_seconds()
    imported = import_seconds(["-c", "import unless"]) - import_seconds(["-c", "pass"])
    helped = import_seconds(["-m", "unless", "--help"])
    text = "\n".join(
        [
            f"`python benchmarks/fit.py {' '.join(sys.argv[1:])}`  ",
            f"{machine()}; {versions('unless', 'llvmlite', 'polars', 'pandas', 'xgboost', 'lightgbm', 'foldrpp')}",
            "",
            *lines,
            "",
            f"In brackets: how many times the time of unless. First fit ever on a machine {cold:.1f} s (compiles), "
            f"first fit of a later process {warm:.2f} s; `import unless` {imported:.2f} s, "
            f"`unless --help` {helped:.2f} s.",
        ]
    )
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", "fit", text)


if __name__ == "__main__":
    main()
