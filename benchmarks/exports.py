"""Exports on the real engines: how many rows they decide otherwise than the program, and how long they take.

    python benchmarks/exports.py replay --vectors 100000 sql:sqlite sql:duckdb python
    python benchmarks/exports.py table
    UNLESS_DATA=FOLDER python benchmarks/exports.py speed

`replay` takes 20 programs of `tests/golden` and of `tests/export_programs.py`, gives each engine so many rows of each
program (of every kind that it takes: text, typed, mixed), and compares labels, deciding rules and, of a graded program,
probabilities with what `unless` predicts for whole columns; a row that `unless` refuses must be refused. Each program
that is done goes into `benchmarks/exports.json`, so a run that was broken off goes on where it was; a program whose
export has changed is replayed again. `table` prints that record, and names what in it is of an export that has changed.
`speed` is DuckDB on a million rows of adult: the bare scan of the columns that the program tests, the exported SELECT,
and `unless predict` in memory, in turns.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import polars as pl

from unless.evaluate.predict import predict
from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.view import View
from unless.export.options import ExportOptions
from unless.export.replay.answers import EngineAnswer, agree, expected_answer
from unless.export.targets import TARGETS, dialect_of, export_program
from unless.export.vectors import INFINITE_CELLS, Vectors
from unless.export.verify import MAKERS, says_probabilities
from unless.logic.text.files import load
from unless.table.formats import read_file
from unless.table.frames import raw_table

ROOT = Path(__file__).parent.parent
RECORD = Path(__file__).with_suffix(".json")
MORE = {"text": 1.3, "typed": 1.05, "mixed": 2.0}
"""How many times the rows are made: engines cannot hold some (truth values)."""
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


def replay(targets, n_vectors, models, record, batch):
    """Replay programs on engines; what the record has already, of the same text and engine, is left out."""
    kept = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    for name, program in list(programs().items())[:models]:
        made = {}
        for to in targets:
            engine = import_module(f"unless.export.{TARGETS[to].replayer}")
            text = export_program(program, to)
            for kind in engine.KINDS:
                n_rows = -(-n_vectors // len(engine.KINDS))
                mark = mark_of(text, engine.version(), MAKERS[kind](program, 2000))
                key = f"{to} | {name} | {kind}"
                if kept.get(key, {}).get("mark") == mark and kept[key]["rows"] >= n_rows:
                    continue
                if (kind, n_rows) not in made:
                    made[kind, n_rows] = with_answers(program, kind, n_rows)
                found = compared(program, text, engine, *made[kind, n_rows], n_rows, batch)
                kept[key] = {"engine": engine.version(), **found, "mark": mark}
                record.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
                print(key, found, flush=True)
    print(markdown(kept))


def mark_of(text, version, vectors):
    """Return what the record knows a replay by: the export, the engine and the first rows, in an order of their own."""
    rows = f"{vectors.columns} {vectors.rows} {sorted(vectors.typed)}"
    return sha256(f"{text}\n{version}\n{rows}".encode()).hexdigest()[:16]


def with_answers(program, kind, n_rows):
    """Return more rows of a kind than are wanted, since engines cannot hold all, and what the program says of them."""
    vectors = MAKERS[kind](program, int(n_rows * MORE[kind]))
    rows = [
        {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in row.items()}
        for row in vectors.as_dicts()
    ]
    numerical = {column.name for column in program.columns if column.kind == "numerical"}
    refused = [any(row[name] in INFINITE_CELLS for name in row if name in numerical) for row in rows]
    finite = [dict.fromkeys(row) if is_refused else row for row, is_refused in zip(rows, refused, strict=True)]
    view = View(program, raw_table(finite))
    rules = deciding_rules(view).tolist()
    answers = [
        EngineAnswer(None, is_refused=True) if is_refused else EngineAnswer(view.labels[i], rule)
        for i, rule, is_refused in zip(view.truth.decided, rules, refused, strict=True)
    ]
    if program.grade is not None:
        graded = (None if a.is_refused else expected_answer(program, row) for a, row in zip(answers, rows, strict=True))
        answers = [
            a if g is None else replace(a, probability=g.probability) for a, g in zip(answers, graded, strict=True)
        ]
    return vectors, answers


def compared(program, text, engine, vectors, answers, n_rows, batch):
    """Replay the first rows that an engine can hold, some at a time, and count what differs."""
    can = engine.can_hold(vectors) if hasattr(engine, "can_hold") else [True] * len(answers)
    chosen = [n for n, is_held in enumerate(can) if is_held][:n_rows]
    grades = says_probabilities(engine, program)
    n_different = 0
    started = time.perf_counter()
    for start in range(0, len(chosen), batch):
        some = chosen[start : start + batch]
        rows = Vectors(vectors.columns, tuple(vectors.rows[n] for n in some), vectors.typed)
        found = engine.replay(program, text, rows, ExportOptions())
        n_different += sum(not agree(answers[n], said, grades=grades) for n, said in zip(some, found, strict=True))
    return {"rows": len(chosen), "different": n_different, "seconds": round(time.perf_counter() - started, 1)}


def changed(kept):
    """Name what is on record of exports that are others today."""
    vectors, now = {}, programs()
    for key, each in kept.items():
        to, name, kind = key.split(" | ")
        if (name, kind) not in vectors:
            vectors[name, kind] = MAKERS[kind](now[name], 2000)
        if mark_of(export_program(now[name], to), each["engine"], vectors[name, kind]) != each["mark"]:
            yield key


def markdown(kept):
    """Write what was replayed as a table, a line for an engine."""
    lines = [
        "| engine | programs | rows of each at least | rows in all | different | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for to in TARGETS:
        found = {key: each for key, each in kept.items() if key.startswith(f"{to} | ")}
        if not found:
            continue
        by_program = Counter()
        for key, each in found.items():
            by_program[key.split(" | ")[1]] += each["rows"]
        kinds = ", ".join(sorted({key.split(" | ")[2] for key in found}))
        engines = " and ".join(sorted({each["engine"] for each in found.values()}))
        different, seconds = (sum(each[what] for each in found.values()) for what in ("different", "seconds"))
        lines.append(
            f"| {engines} ({kinds}) | {len(by_program)} | {min(by_program.values()):,} | {by_program.total():,} "
            f"| {different} | {seconds:,.0f} |"
        )
    return "\n".join(lines)


def speed(n_rows, repeats):
    program = load(ROOT / "tests" / "golden" / "unless" / "adult.default.lp")
    table, _ = read_file(str(Path(os.environ["UNLESS_DATA"]) / "adult.csv.gz"))
    names = program.used_columns
    one = pl.DataFrame({name: table.columns[name].text for name in names})
    many = pl.concat([one] * (n_rows // one.height + 1)).head(n_rows)
    with tempfile.TemporaryDirectory() as folder:
        many.write_csv(f"{folder}/adult.csv")
        typed = pl.read_csv(f"{folder}/adult.csv")
        for how, rows, options in (("read_csv's types", typed, ""), ("text", many, ", all_varchar = true")):
            found = measured(program, f"read_csv('{folder}/adult.csv'{options})", rows, repeats)
            scan, select, own = found.values()
            said = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in found.items())
            print(f"{how}, {n_rows:,} rows, CPU: {said}; {select / (scan + own):.2f} of scan and predict", flush=True)


def measured(program, source, rows, repeats):
    """Return the median CPU seconds of each way to go over some rows, in turns."""
    import duckdb

    connection = duckdb.connect(":memory:")
    connection.execute("SET threads = 1")
    connection.execute(f"CREATE TABLE data AS SELECT * FROM {source}")
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
    parser.add_argument("what", choices=["replay", "table", "speed"])
    parser.add_argument("targets", nargs="*", default=["sql:sqlite", "sql:duckdb", "python", "javascript"])
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--batch", type=int, default=25_000)
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_intermixed_args()
    if given.what == "speed":
        speed(given.rows, given.repeats)
    elif given.what == "table":
        kept = json.loads(given.record.read_text(encoding="utf-8"))
        print(markdown(kept))
        print(*(f"changed since, to be replayed: {key}" for key in changed(kept)), sep="\n")
    else:
        replay(given.targets, given.vectors, given.models, given.record, given.batch)


if __name__ == "__main__":
    main()
