"""The programs that the other benchmarks reason about: the paper's tables, each learned by all three learners.

    UNLESS_DATA=FOLDER python benchmarks/learned_models.py MODELS [TABLES]

writes `MODELS/heart.unless.lp`, `MODELS/heart.fold-r++.lp` and `MODELS/heart.fold-r.lp`, with the kinds of columns and
the positive label of `datasets.toml`, so that programs of one table read cells alike. Rows without
a label (NA, in rain) are left out. What is there is left alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl

TABLES = (
    "acute", "autism", "breast-w", "cars", "credit-a", "ecoli", "heart", "ionosphere", "kidney", "kr-vs-kp", "mushroom",
    "voting", "adult", "credit-card", "dry-bean", "rain-in-aus",
)  # fmt: skip
LEARNERS = ("unless", "fold-r++", "fold-r")
MANY_LABELS = ("dry-bean", "ecoli")


def roles_of(name):
    """Return the folder of the tables, and what is known of one."""
    folder = Path(os.environ["UNLESS_DATA"])
    return folder, tomllib.loads((folder / "datasets.toml").read_text(encoding="utf-8"))[name]


def learn(name, learner, into):
    """Learn one program, as a person would at the command."""
    folder, roles = roles_of(name)
    table = into.with_name(f"{name}.csv")
    if not table.exists():
        rows = pl.read_csv(folder / roles["file"], infer_schema=False)
        rows.filter(pl.col(roles["label"]) != "NA").write_csv(table)
    command = [sys.executable, "-m", "unless", "learn", str(table), "--target", roles["label"]]
    command += ["--algorithm", learner, "--no-check", "-o", str(into)]
    command += ["--positive", roles["positive"]] if name not in MANY_LABELS else []
    for kind in ("categorical", "numerical"):
        command += [f"--{kind}", ",".join(roles[kind])] if roles[kind] else []
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("models", type=Path)
    arguments.add_argument("tables", nargs="*", default=TABLES)
    given = arguments.parse_args()
    given.models.mkdir(parents=True, exist_ok=True)
    for name in given.tables or TABLES:
        for learner in LEARNERS[: 2 if name in MANY_LABELS else 3]:  # FOLD-R knows two labels only
            into = given.models / f"{name}.{learner}.lp"
            if not into.exists():
                learn(name, learner, into)


if __name__ == "__main__":
    main()
