"""Print the processor seconds of `unless learn` on a table that is far wider than long, as laboratories send them.

    python benchmarks/wide.py --rows 200 --columns 15000

Columns are normal noise with three decimals; two of them decide the label. The command reads text, learns, grades, and
learns five times more for its check on unseen rows.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl


def write_table(path, n_rows, n_columns):
    """Write a table whose label hangs on its first two columns."""
    cells = np.random.default_rng(0).normal(size=(n_rows, n_columns)).round(3)
    labels = np.where((cells[:, 0] > 0) | (cells[:, 1] > 1), "sick", "well")
    columns = {f"gene_{j}": cells[:, j] for j in range(n_columns)}
    pl.DataFrame({**columns, "state": labels}).write_csv(path)


def cpu_seconds(*arguments):
    """Run the command and return the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "unless", *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--columns", type=int, default=15_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder) / "wide.csv", Path(folder) / "wide.lp"
        write_table(table, asked.rows, asked.columns)
        learn = ("learn", str(table), "--target", "state", "-o", str(model))
        print("| rows | columns | command | CPU seconds |\n|---|---|---|---|")
        for name, arguments in {
            "unless look": ("look", str(table), "--target", "state"),
            "unless learn --no-check": (*learn, "--no-check"),
            "unless learn": learn,
        }.items():
            print(f"| {asked.rows:,} | {asked.columns:,} | `{name}` | {cpu_seconds(*arguments):.1f} |")


if __name__ == "__main__":
    main()
