"""Differences of learned programs: equality or a witness within ten seconds, and the regions of one-literal edits.

    UNLESS_DATA=FOLDER python benchmarks/differences.py --models MODELS [--edits 10] [TABLES]

The models are those of `benchmarks/learned_models.py`. Each pair of programs of one table is compared on all rows that
there can be, without data. Then one literal of each program is changed, drawn anew `--edits` times: a threshold to
another number of the table, a word to another word, or the literal dropped; the rows of the table that flip are counted
in at most ten regions. Seconds are of the wall.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from learned_models import TABLES
from recourse import read_table

from unless.evaluate.difference_counts import difference_on
from unless.evaluate.predict import present_cells
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.difference import difference
from unless.logic.rules import Literal
from unless.logic.text.files import load

ENOUGH = 0.95


def compare(old, new, seconds):
    """Return the verdict, the number of parts, and the time; every part's row is decided again."""
    begin = time.monotonic()
    found = difference(old, new, seconds=seconds)
    taken = time.monotonic() - begin
    assert all(not same_label(decide(old, part.row), decide(new, part.row)) for part in found.parts)
    return found, taken


def edited(program, cells, rng):
    """Return the program with one literal changed or dropped."""
    i = rng.choice([i for i, clause in enumerate(program.clauses) if any(True for _ in clause.literals)])
    clause = program.clauses[i]
    literal = rng.choice(list(clause.literals))
    rest = [goal for goal in clause.body if goal is not literal]
    column = cells.get(literal.column)
    if isinstance(literal.value, float) and column is not None and column.numbers is not None:
        numbers = [x for x in rng.choices(column.numbers.tolist(), k=50) if x == x and x != literal.value]
        changed = [Literal(literal.column, literal.op, numbers[0])] if numbers else []
    else:
        words = (
            [] if column is None or column.words is None else [w for w in column.words.lexicon if w != literal.value]
        )
        changed = [Literal(literal.column, literal.op, rng.choice(words))] if words else []
    if rest and rng.random() < 0.2:
        changed = []
    body = (*changed, *rest) or clause.body
    clauses = (*program.clauses[:i], replace(clause, body=body), *program.clauses[i + 1 :])
    return replace(program, clauses=clauses)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("tables", nargs="*", default=TABLES)
    arguments.add_argument("--models", type=Path, required=True)
    arguments.add_argument("--edits", type=int, default=10)
    arguments.add_argument("--seconds", type=float, default=10.0)
    arguments.add_argument("--most-clauses", type=int, default=10_000, help="Leave out larger programs.")
    given = arguments.parse_args()
    for name in given.tables:
        programs = {f.stem: replace(load(f), grade=None) for f in sorted(given.models.glob(f"{name}.*.lp"))}
        programs = {k: p for k, p in programs.items() if len(p.clauses) <= given.most_clauses}
        for (one, old), (other, new) in combinations(programs.items(), 2):
            found, taken = compare(old, new, given.seconds)
            print(
                f"pair  {one} {len(old.clauses)} / {other} {len(new.clauses)}: {found.verdict}, "
                f"{len(found.parts)} parts{'' if found.is_complete else ' of more'}, {taken:.2f} s", flush=True,
            )  # fmt: skip
        if not given.edits:
            continue
        table = read_table(name)
        for one, program in programs.items():
            print(edits_line(one, program, table, given), flush=True)


def edits_line(one, program, table, given):
    """Change a literal several times, and say what came out."""
    rng, cells = random.Random(1), present_cells(table, program)
    verdicts, shares, seconds = {"yes": 0, "no": 0, "not decided": 0}, [], []
    for _ in range(given.edits):
        begin = time.monotonic()
        found = difference_on(program, edited(program, cells, rng), table, seconds=given.seconds)
        seconds.append(time.monotonic() - begin)
        verdicts[found.verdict] += 1
        assert len(found.parts) <= 10
        if found.n_flips:
            shares.append(found.n_covered / found.n_flips)
    held = sum(share >= ENOUGH for share in shares)
    least = min(shares, default=1.0)
    return (
        f"edits {one} {len(program.clauses)}: {verdicts['yes']} differ, {verdicts['no']} equal, "
        f"{verdicts['not decided']} not decided; 95 % held in {held} of {len(shares)}, least {least:.3f}; "
        f"worst {max(seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
