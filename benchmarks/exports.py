"""Exports on the real engines: how many rows they decide otherwise than the program, and how long they take.

    python benchmarks/exports.py replay --vectors 100000 sql:sqlite sql:duckdb python
    UNLESS_DATA=FOLDER python benchmarks/exports.py speed

`replay` takes 20 programs of `tests/golden` and of `tests/export_programs.py`, gives each engine so many rows of every
kind that it takes (text, typed, mixed), and compares labels and deciding rules with what `unless` predicts for whole
columns; rows that are refused (infinite numbers) are left out. `speed` is DuckDB on a million rows of adult: the bare
scan of the columns that the program tests, the exported SELECT, and `unless predict` in memory, in turns.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
from importlib import import_module
from pathlib import Path

import polars as pl

from unless.evaluate.predict import predict
from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.view import View
from unless.export.options import ExportOptions
from unless.export.replay.answers import same_constant
from unless.export.targets import TARGETS, dialect_of, export_program
from unless.export.vectors import INFINITE_CELLS, Vectors
from unless.export.verify import MAKERS, held
from unless.logic.text.files import load
from unless.table.formats import read_file
from unless.table.frames import raw_table

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
GOLDEN = [
    "acute.default",
    "adult.default",
    "adult.short",
    "autism.default",
    "breast_cancer.points",
    "cars.deep",
    "credit-a.default",
    "ecoli.default",
    "glass.default",
    "heart.default",
    "ionosphere.points",
    "kidney.default",
    "loans.background",
    "mushroom.default",
    "voting.default",
    "wine.default",
]


def programs():
    """Return 20 programs by name."""
    from export_programs import PROGRAMS

    found = {name: load(ROOT / "tests" / "golden" / "unless" / f"{name}.lp") for name in GOLDEN}
    return found | {name: PROGRAMS[name] for name in ("mixed", "guarded", "hostile", "graded, two labels")}


def finite(vectors):
    rows = tuple(row for row in vectors.rows if not any(cell in INFINITE_CELLS for cell in row if cell is not None))
    return Vectors(vectors.columns, rows, vectors.typed)


def expected(program, vectors):
    """Return the labels and rules of rows, worked out column by column."""
    rows = [
        {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in row.items()}
        for row in vectors.as_dicts()
    ]
    view = View(program, raw_table(rows))
    labels = [view.labels[i] for i in view.truth.decided]
    return labels, deciding_rules(view).tolist()


def replay(targets, n_vectors, models):
    chosen = dict(list(programs().items())[:models])
    for to in targets:
        engine = import_module(f"unless.export.{TARGETS[to].replayer}")
        n_rows = n_different = 0
        seconds = 0.0
        for name, program in chosen.items():
            text = export_program(program, to)
            for kind in engine.KINDS:
                vectors = held(engine, finite(MAKERS[kind](program, n_vectors)))
                labels, rules = expected(program, vectors)
                started = time.perf_counter()
                answers = engine.replay(program, text, vectors, ExportOptions())
                seconds += time.perf_counter() - started
                different = sum(
                    a.is_refused or not same_constant(label, a.label) or (a.rule or "") != rule
                    for a, label, rule in zip(answers, labels, rules, strict=True)
                )
                n_rows += len(answers)
                n_different += different
                if different:
                    print(f"  {to} {name} {kind}: {different} different", flush=True)
        print(f"{engine.version()}: {len(chosen)} programs, {n_rows:,} rows, {n_different} different, "
              f"{seconds:.0f} s", flush=True)  # fmt: skip


def speed(n_rows, repeats):
    program = load(ROOT / "tests" / "golden" / "unless" / "adult.default.lp")
    table, _ = read_file(str(Path(os.environ["UNLESS_DATA"]) / "adult.csv.gz"))
    names = program.used_columns
    text = pl.DataFrame(
        {n: c.numbers if (c := table.columns[n]).numbers is not None and c.text is None else c.text for n in names}
    )
    numerical = [c.name for c in program.columns if c.kind == "numerical" and c.name in names]
    typed = text.with_columns(pl.col(name).cast(pl.Float64, strict=False) for name in numerical)
    for how, one in (("typed", typed), ("text", text)):
        many = pl.concat([one] * (n_rows // one.height + 1)).head(n_rows)
        for name, seconds in measured(program, many, repeats).items():
            print(f"{how} columns, {n_rows:,} rows: {name} {seconds:.2f} s of CPU", flush=True)


def measured(program, rows, repeats):
    """Return the median CPU seconds of each way to go over some rows, in turns."""
    import duckdb

    connection = duckdb.connect(":memory:")
    connection.execute("SET threads = 1")
    connection.register("arriving", rows.to_arrow())
    connection.execute("CREATE TABLE data AS SELECT * FROM arriving")
    columns = [dialect_of("sql:duckdb").quoted(name) for name in program.used_columns]
    scan = f"SELECT {', '.join(f'count({c}), max({c})' for c in columns)} FROM data"
    select = export_program(program, "sql:duckdb").rstrip(";\n")
    decided = f"SELECT predicted, rule, count(*) FROM ({select}) GROUP BY ALL"
    jobs = {
        "bare scan": lambda: connection.execute(scan).fetchall(),
        "exported SELECT": lambda: connection.execute(decided).fetchall(),
        "unless predict, in memory": lambda: predict(program, rows),
    }
    times = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            started = time.process_time()
            job()
            times[name].append(time.process_time() - started)
    connection.close()
    return {name: statistics.median(found) for name, found in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["replay", "speed"])
    parser.add_argument("targets", nargs="*", default=["sql:sqlite", "sql:duckdb", "python", "javascript"])
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_intermixed_args()
    if given.what == "speed":
        speed(given.rows, given.repeats)
    else:
        replay(given.targets, given.vectors, given.models)


if __name__ == "__main__":
    main()
