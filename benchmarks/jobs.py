"""Time by the clock of `fit` of UnlessClassifier with one thread and with two, table by table, in turns.

    python benchmarks/jobs.py [--datasets cars,ring] [--rows 1000000] [--repeat 9] [--write]

Of each the median of the turns after the first, which compiles, and the programs are compared: they must be the same.
`--rows` adds tables of planted.py. Both cores must be idle: a process beside it takes the second thread's. `--write`
puts the table into benchmarks/README.md. The folder of tables is named by UNLESS_DATA, KEEL's by UNLESS_KEEL.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import warnings
from pathlib import Path

import planted
import polars as pl
import race
from workloads import machine, versions, write_between

from unless import UnlessClassifier

HERE = Path(__file__).parent
TABLES = "heart,credit-a,cars,digits,telco,phoneme,ring,pendigits-odd,eeg,adult,credit-card"


def table_of(name):
    """Read a table, or draw one of so many rows; returns columns, labels and which columns are words."""
    if not name.isdigit():
        table = race.table_of(name)
        return table.frame, table.labels, list(table.categorical)
    n_rows = int(name)
    parts = [
        planted.chunk(i, min(n_rows - first, planted.CHUNK)) for i, first in enumerate(range(0, n_rows, planted.CHUNK))
    ]
    drawn = pl.concat(parts).to_pandas()
    return drawn.drop(columns=planted.LABEL), drawn[planted.LABEL], list(planted.CATEGORICAL)


def measure(name, repeat):
    """Return the rows of a table, and milliseconds with one thread and with two."""
    frame, labels, words = table_of(name)
    models = [UnlessClassifier(categorical_features=words, n_jobs=n_jobs) for n_jobs in (1, 2)]
    times = [[], []]
    for turn in range(repeat + 1):
        for model, mine in zip(models, times, strict=True):
            start = time.perf_counter()
            model.fit(frame, labels)
            if turn:
                mine.append((time.perf_counter() - start) * 1e3)
    assert str(models[0].program_) == str(models[1].program_)
    return len(labels), *map(statistics.median, times)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--datasets", default=TABLES)
    options.add_argument("--rows", default="200000,1000000")
    options.add_argument("--repeat", type=int, default=9)
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    lines = ["| table | rows | one thread, ms | two threads, ms | ratio |", "|---|---|---|---|---|"]
    for name in filter(None, [*chosen.datasets.split(","), *chosen.rows.split(",")]):
        n_rows, one, two = measure(name, chosen.repeat)
        shown = "planted" if name.isdigit() else name
        lines.append(f"| {shown} | {n_rows:,} | {one:.0f} | {two:.0f} | {two / one:.2f} |")
        print(lines[-1], flush=True)
    about = f"`python benchmarks/jobs.py {' '.join(sys.argv[1:])}`  \n{machine()}; {versions('unless')}"
    if chosen.write:
        write_between(HERE / "README.md", "jobs", "\n".join([about, "", *lines]))


if __name__ == "__main__":
    main()
