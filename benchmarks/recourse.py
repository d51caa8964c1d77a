"""Recourse on the paper's tables: validity, cost, breaches of limits, share proved, and time.

    UNLESS_DATA=FOLDER python benchmarks/recourse.py --models MODELS --rows 200 acute heart

The models are those of `benchmarks/learned_models.py`. Rows that do not have the first label of the program ask for it.
One column that the program tests is frozen and one numerical column may only rise, drawn for each table. Each way is
decided again: the row that it gives, and one more row whose numbers are drawn from inside the conditions. No way is
counted as proved. Times are of the processor, since a machine may be busy; the worst has compiling in it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

from learned_models import TABLES, roles_of

from unless.evaluate.recourse_rows import TableRecourse
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.recourse import ChangeLimits
from unless.logic.text.files import load
from unless.table.formats import read_file


def read_table(name):
    folder, roles = roles_of(name)
    table, _ = read_file(str(folder / roles["file"]))
    return table


def moved_wrong(limits, before, after):
    """Count the columns that changed beyond the limits."""
    wrong = 0
    for column, value in after.items():
        if value == before[column]:
            continue
        falls = isinstance(value, float) and isinstance(before[column], float) and value < before[column]
        is_word = isinstance(value, str) or value is None
        wrong += column in limits.frozen or value is None or (column in limits.only_up and (falls or is_word))
    return wrong


def inside(way, rng):
    """Return the row of a way with its numbers drawn anew from inside the conditions."""
    row = dict(way.row)
    for change in way.changes:
        if isinstance(change.value, float):
            low = max(change.region.low, change.value - abs(change.value) - 1)
            high = min(change.region.high, change.value + abs(change.value) + 1)
            row[change.column] = min(max(rng.uniform(low, high), change.region.low), change.region.high)
    return row


def measure(program, table, n_rows, rng, most=1):
    tested = list(program.used_columns)
    numbers = [name for name in tested if program.kinds[name] == "numerical"]
    frozen = rng.sample(tested, min(1, len(tested) - 1))
    limits = ChangeLimits(frozen=frozen, only_up=rng.sample(numbers, min(1, len(numbers))))
    found = TableRecourse(program, table, limits)
    want = program.target.labels[0]
    rows = rng.sample(range(table.n_rows), table.n_rows)
    asked = list(islice((i for i in rows if not same_label(decide(program, found.row(i)), want)), n_rows))
    seconds, costs, verdicts = [], [], {"yes": 0, "no": 0, "not decided": 0}
    wrong = breaches = 0
    for i in asked:
        begin = time.process_time()
        answer = found.ways(i, want, most)
        seconds.append(time.process_time() - begin)
        verdicts[answer.verdict] += 1
        for way in answer.ways:
            costs.append(way.cost)
            wrong += any(not same_label(decide(program, row), want) for row in (way.row, inside(way, rng)))
            breaches += moved_wrong(limits, found.row(i), way.row)
    return seconds, costs, verdicts, wrong, breaches


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("tables", nargs="*", default=TABLES)
    arguments.add_argument("--rows", type=int, default=1000)
    arguments.add_argument("--most-clauses", type=int, default=400, help="Leave out larger programs.")
    arguments.add_argument("--ways", type=int, default=1)
    arguments.add_argument("--models", type=Path, required=True, help="A folder of model files, TABLE.LEARNER.lp.")
    given = arguments.parse_args()
    print(
        "| model | clauses | rows | way | proved none | not decided | wrong | breaches | cost | median CPU ms | worst |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in given.tables:
        table = read_table(name)
        for file in sorted(given.models.glob(f"{name}.*.lp")):
            program = replace(load(file), grade=None)
            if len(program.clauses) > given.most_clauses:
                continue
            seconds, costs, verdicts, wrong, breaches = measure(
                program, table, given.rows, random.Random(1), given.ways
            )
            if seconds:
                shown = [
                    file.stem, len(program.clauses), len(seconds), *verdicts.values(), wrong, breaches,
                    f"{statistics.mean(costs):.2f}" if costs else "",
                    f"{1000 * statistics.median(seconds):.1f}", f"{1000 * max(seconds):.0f}",
                ]  # fmt: skip
                print("| " + " | ".join(map(str, shown)) + " |", flush=True)


if __name__ == "__main__":
    main()
