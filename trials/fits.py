"""Learn from random tables: FOLD-R++ is its naive twin rule by rule, and whole programs keep what was asked of them.

    python trials/fits.py twins --times 10000
    python trials/fits.py constraints --times 1000

Constraints are checked on the program, not on rows: columns that are forbidden or apart, sizes, rules to keep; that a
label only rises or falls with a column is proved for all rows by the engine of `unless test`.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from record import next_seed, record  # noqa: E402

import naive  # noqa: E402
from shapes import as_lists, plain  # noqa: E402
from unless import FoldRPPClassifier, UnlessClassifier, parse  # noqa: E402
from unless.logic.reason.properties import read_property  # noqa: E402

PORTION = 100
"""After so many tables the record is written."""
WORDS = ["a", "b", "c", "d"]


def random_rows(rng: random.Random, n_rows: int) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Make a table of numbers, words and both, with blanks."""
    kinds = {f"x{i}": rng.choice(("numerical", "categorical", "mixed")) for i in range(rng.randint(1, 5))}
    blank = rng.choice((0.0, 0.1, 0.4))
    spread = rng.choice((3, 8, 1000))

    def cell(kind: str) -> Any:
        if rng.random() < blank:
            return None
        if kind == "categorical" or (kind == "mixed" and rng.random() < 0.3):
            return rng.choice(WORDS)
        return float(rng.randint(-spread, spread)) / rng.choice((1, 1, 4))

    rows = [{name: cell(kind) for name, kind in kinds.items()} for _ in range(n_rows)]
    for name in [name for name, kind in kinds.items() if kind == "categorical"]:
        rows[0][name] = "a"
    return rows, kinds


def labels_of(rows: list[dict[str, Any]], rng: random.Random) -> list[bool]:
    """Label rows by something that can be learned, with noise; both labels occur."""
    name = rng.choice(list(rows[0]))
    noise = rng.choice((0.0, 0.1, 0.5))
    labels = [(row[name] in {"a", "b"} or (isinstance(row[name], float) and row[name] > 1)) for row in rows]
    labels = [label != (rng.random() < noise) for label in labels]
    labels[0], labels[-1] = True, False
    return labels


def try_twin(seed: int) -> None:
    """Compare the rules with those of the naive twin."""
    rng = random.Random(seed)
    rows, kinds = random_rows(rng, rng.randint(2, 60))
    labels = labels_of(rows, rng)
    ratio = rng.choice((0.0, 0.2, 0.5, 1.0))
    words = [name for name, kind in kinds.items() if kind == "categorical"]
    model = FoldRPPClassifier(ratio, positive=True, categorical_features=words).fit(rows, labels)
    expected = list(map(as_lists, naive.learn(rows[0], rows, labels, ratio)))
    assert [plain(rule) for rule in model.rules_] == expected


def try_constraints(seed: int) -> None:
    """Learn under random constraints and look whether each is kept."""
    rng = random.Random(seed)
    rows, kinds = random_rows(rng, rng.randint(20, 400))
    labels = labels_of(rows, rng)
    names = list(kinds)
    words = [name for name in names if kinds[name] == "categorical"]
    numbers = [name for name in names if name not in words]
    asked: dict[str, Any] = {
        "max_rules": rng.choice((None, 1, 3)),
        "max_literals": rng.choice((1, 2, 5)),
        "max_depth": rng.choice((0, 1, 2)),
        "points": rng.choice((False, False, True, "auto")),
        "class_weight": rng.choice((None, None, "balanced", {True: 3.0})),
        "allow_not_equal": rng.random() < 0.7,
        "size_penalty": rng.choice((0.2, 1.0)),
        "time_limit": rng.choice((None, None, None, 0.0, 0.05)),
    }
    if len(names) > 2:
        asked["forbidden"] = [rng.choice(names)]
        asked["apart"] = [tuple(rng.sample(names, 2))]
    if numbers:
        asked["monotonic_cst"] = {rng.choice(numbers): rng.choice((-1, 1))}
    if rng.random() < 0.2 and numbers:
        asked["locked"] = f"label(X,'True') :- {numbers[0]}(X,N), N > 2.5."
        asked.pop("monotonic_cst", None)
        asked.pop("apart", None)
        asked.pop("forbidden", None)
        asked["class_weight"] = None
    if rng.random() < 0.2 and numbers:
        asked["background"] = f"high(X) :- {numbers[-1]}(X,N), N > 1."
    options = {name: value for name, value in asked.items() if name not in {"locked"}}
    if "locked" in asked:
        options["locked"] = asked["locked"]
    model = UnlessClassifier(positive=True, categorical_features=words, **options).fit(rows, labels)
    check(model, asked)


def check(model: Any, asked: dict[str, Any]) -> None:
    """Look whether a program keeps what was asked."""
    program = model.program_
    assert parse(str(program)) == program
    tested = set(_columns(program))
    assert not tested & set(asked.get("forbidden", ())), "a forbidden column is tested"
    for one, other in asked.get("apart", ()):
        for rule in model.rules_:
            assert not {one, other} <= _reach(rule), f"{one} and {other} stand in one rule"
    for name, way in (asked.get("monotonic_cst") or {}).items():
        sentence = f"True only {'rises' if way > 0 else 'falls'} with {name}"
        answer = read_property(sentence, program).counterexample(seconds=20)
        assert answer.verdict == "no", f"{sentence}: {answer}"
    if "locked" in asked:
        assert "> 2.5" in str(program), "a rule to keep is gone"
    if asked["max_rules"] is not None and "locked" not in asked and asked["points"] is False:
        assert _count(model.rules_) <= asked["max_rules"]
    if asked["points"] is False and "locked" not in asked:
        for depth, rule in _flat(model.rules_):
            assert len(rule.body) <= asked["max_literals"]
            assert depth <= asked["max_depth"]


def _columns(program: Any) -> list[str]:
    graded = [c.column for c in program.grade.conditions if hasattr(c, "column")] if program.grade else []
    return [literal.column for clause in program.clauses for literal in clause.literals] + graded


def _flat(rules: Any, depth: int = 0) -> Any:
    for rule in rules:
        yield depth, rule
        yield from _flat(rule.exceptions, depth + 1)


def _count(rules: Any) -> int:
    return sum(1 for _ in _flat(rules))


def _reach(rule: Any) -> set[str]:
    """Return the columns that a rule and its exceptions test."""
    found = {name for each in rule.body for name in _tested(each)}
    return found.union(*(_reach(exception) for exception in rule.exceptions))


def _tested(condition: Any) -> list[str]:
    if hasattr(condition, "column"):
        return [condition.column]
    parts = getattr(condition, "parts", None) or getattr(condition, "awards", None) or ()
    return [name for part in parts for name in _tested(part[1] if isinstance(part, tuple) else part)]


KINDS = {
    "twins": (try_twin, "FOLD-R++ learns the rules of its naive twin, from random tables"),
    "constraints": (try_constraints, "the learner of whole programs keeps random constraints"),
}


def main() -> None:
    """Read the arguments and learn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="of the first table; each has the next one; else those never tried")
    asked = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    first = next_seed(f"fits {asked.kind}") if asked.seed is None else asked.seed
    for begin in range(first, first + asked.times, PORTION):
        seeds = range(begin, min(begin + PORTION, first + asked.times))
        counts = {"tried": len(seeds), "failed": sum(not survives(asked.kind, seed) for seed in seeds)}
        ends = (seeds[0], seeds[-1])
        record(
            f"fits {asked.kind}",
            KINDS[asked.kind][1],
            counts,
            command=f"python trials/fits.py {asked.kind}",
            seeds=ends,
        )
        print(ends, counts, flush=True)


def survives(kind: str, seed: int) -> bool:
    """Learn once; say what went wrong."""
    try:
        KINDS[kind][0](seed)
    except Exception:  # whatever it is, it is a finding
        print(f"{kind} {seed}: {traceback.format_exc(limit=-2)}", file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    main()
