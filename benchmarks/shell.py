"""Time commands as a person meets them: whole processes, one after the other in turns, beside a script with XGBoost.

    python benchmarks/shell.py [--repeat 5] [--first] [--before PYTHON] [--write]

Each line is a fresh process: `unless learn`, `predict`, `score`, `explain` and `--help` on adult, and the shortest
script that reads the same file with pandas, fits XGBoost's defaults and saves the model. Medians of seconds on the
clock and of seconds of the processor; the first turn is left out. `--first` also times the first fit ever of each
learner, with an empty cache of compiled kernels. `--before` is the Python of another installed version, which takes
its turns too. Both versions have their modules compiled to bytecode, as an installed package has, whatever the
environment says: in a folder of this run, which the first turn fills. `--write` puts the table into
benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from workloads import machine, versions, write_between

HERE = Path(__file__).parent

XGBOOST = """
import pandas, xgboost
table = pandas.read_csv("adult.csv")
label = table.pop("label") == ">50K"
for name in table.select_dtypes(exclude="number"):
    table[name] = table[name].astype("category")
xgboost.XGBClassifier(enable_categorical=True).fit(table, label).save_model("adult.json")
"""
FIRST = """
from unless import {0}
from unless.datasets import loans
table = loans()
{0}(categorical_features=["purpose", "housing", "history"]).fit(table.drop("loan"), table["loan"])
"""
COMMANDS = {
    "learn, fold-r++": "learn adult.csv --target label -o adult.lp --algorithm fold-r++",
    "learn, unless": "learn adult.csv --target label -o adult-unless.lp --algorithm unless",
    "predict": "predict adult.lp adult.csv",
    "score": "score adult.lp adult.csv",
    "explain": "explain adult.lp adult.csv --row 30",
    "--help": "--help",
}


def run(command, where, **environment):
    """Run a process; return its seconds on the clock and on the processor."""
    environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(where) / "bytecode")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=where, env={**os.environ, **environment}, check=True, capture_output=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def turns(before):
    """Name every process that takes turns: what is called, and the command."""
    found = {("XGBoost's script", ""): [sys.executable, "-c", XGBOOST]}
    for label, python in {"now": sys.executable, "before": before}.items():
        if python is not None:
            for name, arguments in COMMANDS.items():
                found[name, label] = [python, "-m", "unless", *arguments.split()]
    return found


def first_fits(before, where):
    """Time the first fit ever of each learner."""
    for name in ("FoldRPPClassifier", "UnlessClassifier"):
        for label, python in {"now": sys.executable, "before": before}.items():
            if python is not None:
                with tempfile.TemporaryDirectory() as cache:
                    command = [python, "-c", FIRST.format(name)]
                    yield (
                        (f"first fit, {name}", label),
                        run(command, where, UNLESS_CACHE_DIR=cache, NUMBA_CACHE_DIR=cache),
                    )


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--first", action="store_true", help="also the first fit ever, with nothing compiled")
    options.add_argument("--before", metavar="PYTHON", help="the Python of another installed version")
    options.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as where:
        (Path(where) / "adult.csv").write_bytes(
            gzip.decompress((Path(os.environ["UNLESS_DATA"]) / "adult.csv.gz").read_bytes())
        )
        times = {key: [] for key in turns(chosen.before)}
        for turn in range(chosen.repeat + 1):
            for key, command in turns(chosen.before).items():
                took = run(command, where)
                if turn:
                    times[key].append(took)
        medians = {key: tuple(map(statistics.median, zip(*taken, strict=True))) for key, taken in times.items()}
        if chosen.first:
            medians |= dict(first_fits(chosen.before, where))
    lines = table(medians, has_before=chosen.before is not None)
    said = " ".join(argument for argument in sys.argv[1:] if "/" not in argument)
    about = f"`python benchmarks/shell.py {said}`  \n{machine()}; {versions('unless', 'xgboost', 'llvmlite', 'polars')}"
    text = "\n".join([about, "", *lines])
    print(text)
    if chosen.write:
        write_between(HERE / "README.md", "shell", text)


def table(medians, *, has_before):
    """Write medians as a table: seconds, and what they are of XGBoost's script and of the version before."""
    script = medians["XGBoost's script", ""]
    head = "| process | seconds | processor | of XGBoost's script |"
    lines = [head + (" of the version before |" if has_before else ""), "|---|---|---|---|" + "---|" * has_before]
    lines.append(f"| XGBoost's script | {script[0]:.2f} | {script[1]:.2f} | 1.00 |" + " |" * has_before)
    for (name, label), (clock, processor) in medians.items():
        if label != "now":
            continue
        old = medians.get((name, "before"))
        of_old = "" if not has_before else f" {clock / old[0]:.2f} ({old[0]:.2f} s) |"
        lines.append(f"| {name} | {clock:.2f} | {processor:.2f} | {clock / script[0]:.2f} |{of_old}")
    return lines


if __name__ == "__main__":
    main()
