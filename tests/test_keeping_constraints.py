"""What is learned under constraints keeps to them, rules and points, by the check that looks for what breaks them."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

from unless import parse
from unless.learn.front import learn, table_task
from unless.learn.grade_again import grade
from unless.learn.learners import UnlessSettings
from unless.logic.check.broken_constraints import broken_constraints
from unless.logic.grade import Both

NUMBERS, WORDS = ("n0", "n1", "n2", "n3", "mixed"), ("w0", "w1", "w2")
MANY = 60


def drawn_rows(seed, n_labels):
    """Draw rows with blanks and words among numbers, whose labels hang on columns alone and together."""
    r = np.random.default_rng(seed)
    rows = []
    for _ in range(800):
        row = {name: None if r.random() < 0.05 else round(float(r.normal()), 2) for name in NUMBERS}
        row["mixed"] = "none" if r.random() < 0.1 else float(r.integers(0, 9))
        rows.append(row | {name: "abcd"[r.integers(4)] for name in WORDS})
    heights = np.array([height(row) for row in rows]) + 0.5 * r.normal(size=len(rows))
    cuts = np.quantile(heights, np.linspace(0, 1, n_labels + 1)[1:-1])
    return [row | {"label": "xyz"[i]} for row, i in zip(rows, np.searchsorted(cuts, heights).tolist(), strict=True)]


def height(row):
    n0, n1, n2, n3, mixed = (value if isinstance(value := row[name], float) else 0.0 for name in NUMBERS)
    together = 2.5 * (n2 > 0 and row["w1"] in "ab")
    return n0 - n1 + 1.5 * (row["w0"] == "a") + together - 0.3 * mixed + 2.0 * (n3 > 1)


def drawn_settings(r, n_labels):
    """Draw constraints of each kind, and what makes exceptions, scorecards and pairs."""
    names = [*NUMBERS, *WORDS]
    asked = {
        "size_penalty": r.choice([0.3, 1.0]),
        "points": r.choice([True, False, "auto"]),
        "max_depth": r.choice([0, 2, 3]),
    }
    if r.random() < 0.5:
        asked["forbidden"] = r.sample(names, r.choice([1, 2]))
    if r.random() < 0.4:
        asked["apart"] = [tuple(r.sample(names, 2)) for _ in range(r.choice([1, 3]))]
    if n_labels == 2 and r.random() < 0.7:
        asked["monotonic_cst"] = {name: r.choice([1, -1]) for name in r.sample(NUMBERS, r.choice([1, 3]))}
    return UnlessSettings(**asked)


def drawn_program(seed):
    r = random.Random(seed)
    n_labels = r.choice([2, 2, 3])
    rows, settings = drawn_rows(seed, n_labels), drawn_settings(r, n_labels)
    options = {"positive": r.choice(["x", "y", None]), "directs_rules": r.random() < 0.5} if n_labels == 2 else {}
    without = [{name: value for name, value in row.items() if name != "label"} for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # under some constraints no rule pays
        program = learn(table_task(without, [row["label"] for row in rows], **options), settings).program
    return parse(str(program)), rows


def test_a_learned_program_never_breaks_its_constraints():
    seen = dict.fromkeys(("forbidden", "apart", "directions", "exception", "scorecard", "pair", "three labels"), 0)
    for seed in range(MANY):
        program, rows = drawn_program(seed)
        asked, clauses = program.constraints, program.clauses
        for each in (program, grade(program, rows, "label")):
            assert not [*broken_constraints(each)], (seed, str(each))
        seen["forbidden"] += bool(asked.forbidden)
        seen["apart"] += bool(asked.apart)
        seen["directions"] += bool(asked.directions)
        seen["exception"] += bool(asked) and any(call.negated for clause in clauses for call in clause.calls)
        seen["scorecard"] += bool(asked) and any([*clause.points] for clause in clauses)
        seen["pair"] += bool(asked) and any(isinstance(condition, Both) for condition in program.grade.conditions)
        seen["three labels"] += bool(asked) and len(program.grade.cards) == 3
    assert min(seen.values()) > 4, seen


@pytest.mark.parametrize(
    "asked", [{"forbidden": ["x"]}, {"monotonic_cst": {"x": 1}}, {"apart": [("x", "z"), ("y", "z")]}]
)
def test_background_knowledge_is_looked_into(asked):
    x = np.random.default_rng(5).normal(size=(400, 3)).round(2)
    rows = [dict(zip("xyz", map(float, cells), strict=True)) for cells in x]
    labels = np.where((x[:, 0] < 0) & (x[:, 1] < 1) & (x[:, 2] < 0.5), "a", "b")
    background = "low(X) :- x(X,N), N < 0. lower(X) :- low(X), y(X,M), M < 1."
    task = table_task(rows, labels, background=background, positive="a", directs_rules=True)
    assert learn(task, UnlessSettings(points=False)).program.helpers.keys() & {"low", "lower"}
    program = learn(task, UnlessSettings(points=False, size_penalty=0.3, **asked)).program
    assert program.constraints
    assert not [*broken_constraints(program)]
    clause = "\nlabel(X,'a') :- lower(X), z(X,N), N > 0.5.\n" + background.replace(". ", ".\n") + "\n"
    assert [*broken_constraints(parse(str(program) + clause))]


def test_rules_that_were_kept_as_they_are_may_break_them():
    rows = drawn_rows(0, 2)
    task = table_task(
        [{"n0": row["n0"], "w0": row["w0"]} for row in rows], [row["label"] for row in rows], positive="x"
    )
    program = learn(task, UnlessSettings(locked="label(X,'x') :- w0(X,'a').", forbidden=["w0"])).program
    (found,) = broken_constraints(program)
    assert (found.kind, found.about) == ("forbidden", {"rule": "1", "column": "w0"})
