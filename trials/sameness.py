"""Learn from the same rows in other ways: frame libraries, hash seeds, threads, jobs, clusters. One program comes out.

    python trials/sameness.py --times 100

Each way is a process of its own, which learns from the same random tables by both learners and says what programs came
out; a table counts as failed where one way differs from the first.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from fits import labels_of, random_rows  # noqa: E402
from record import next_seed, record  # noqa: E402

ONE = {"PYTHONHASHSEED": "0", "NUMBA_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
WAYS: dict[str, dict[str, str]] = {
    "polars": ONE,
    "pandas": ONE,
    "pyarrow": ONE,
    "rows shuffled": ONE,
    "polars, hash seed 1": {**ONE, "PYTHONHASHSEED": "1"},
    "polars, hash seed 4242": {**ONE, "PYTHONHASHSEED": "4242"},
    "polars, all threads": {"PYTHONHASHSEED": "2"},
    "polars, two jobs": {**ONE, "JOBS": "2"},
    "dask": ONE,
}


def frame_of(rows: list[dict[str, Any]], labels: list[str], words: list[str], way: str) -> tuple[Any, Any]:
    """Return rows and labels as a library has them: words, and numbers with words among them, as text."""
    import polars as pl

    order = list(range(len(rows)))
    if way == "rows shuffled":
        random.Random(7).shuffle(order)
    columns = {
        name: [None if rows[i][name] is None else str(rows[i][name]) for i in order]
        if name in words or any(isinstance(row[name], str) for row in rows)
        else [rows[i][name] for i in order]
        for name in rows[0]
    }
    frame, answers = pl.DataFrame(columns, strict=False), pl.Series("label", [labels[i] for i in order])
    if way == "pandas":
        return frame.to_pandas(), answers.to_pandas()
    if way == "pyarrow":
        return frame.to_arrow(), answers.to_list()
    if way == "dask":
        import dask.dataframe as dd

        whole = dd.from_pandas(frame.with_columns(answers).to_pandas(), npartitions=3)
        return whole.drop(columns="label"), whole["label"]
    return frame, answers


def programs(seed: int, way: str, *, is_elsewhere: bool) -> list[str]:
    """Learn from a random table by both learners; return marks of the programs.

    Rows that are elsewhere give FOLD-R++ a grade of its decisions only, so there its rules are compared, not its grade.
    """
    from unless import FoldRPPClassifier, UnlessClassifier

    rng = random.Random(seed)
    rows, kinds = random_rows(rng, rng.randint(20, 300))
    labels = ["yes" if label else "no" for label in labels_of(rows, rng)]
    words = [name for name, kind in kinds.items() if kind == "categorical"]
    X, y = frame_of(rows, labels, words, way.partition(",")[0])
    jobs = {"n_jobs": int(os.environ["JOBS"])} if "JOBS" in os.environ else {}
    found = []
    for learner in (FoldRPPClassifier, UnlessClassifier):
        options = {name: value for name, value in jobs.items() if name in learner().get_params()}
        model = learner(positive="yes", categorical_features=words, **options).fit(X, y)
        text = str(model.program_)
        if learner is FoldRPPClassifier and is_elsewhere:
            text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("%@ grade"))
        found.append(hashlib.sha256(text.encode()).hexdigest())
    return found


def child(way: str, first: int, times: int) -> None:
    """Learn from all tables one way; print the marks as JSON."""
    logging.disable()
    warnings.simplefilter("ignore")
    seeds = range(first, first + times)
    if way == "dask":
        from dask.distributed import Client

        with Client(processes=False, dashboard_address=None, n_workers=1, threads_per_worker=1):
            print(json.dumps([programs(seed, way, is_elsewhere=True) for seed in seeds]))
        return
    print(
        json.dumps(
            [[*programs(seed, way, is_elsewhere=False), *programs(seed, way, is_elsewhere=True)] for seed in seeds]
        )
    )


def main() -> None:
    """Read the arguments and learn all ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100, help="how many tables")
    parser.add_argument("--seed", type=int, help="of the first table; else those never tried")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    first = next_seed("sameness") if asked.seed is None else asked.seed
    if asked.way:
        child(asked.way, first, asked.times)
        return
    found = {}
    for way, settings in WAYS.items():
        command = [sys.executable, __file__, "--way", way, "--times", str(asked.times), "--seed", str(first)]
        done = subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True, check=True)
        found[way] = json.loads(done.stdout.splitlines()[-1])
    differing = 0
    for at, expected in enumerate(found["polars"]):
        others = [way for way, marks in found.items() if marks[at] != (expected[2:] if way == "dask" else expected)]
        differing += bool(others)
        if others:
            print(f"table {first + at}: another program by {others}", file=sys.stderr)
    counts = {"tried": asked.times * len(WAYS), "failed": differing}
    what = f"both learners give one program, whatever the way ({'; '.join(WAYS)})"
    record("sameness", what, counts, command="python trials/sameness.py", seeds=(first, first + asked.times - 1))
    print(counts)


if __name__ == "__main__":
    main()
