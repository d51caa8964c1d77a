"""A small world: one numerical and one categorical column with few values, so that clauses meet, clash and repeat.

`WORLD` holds a row for every case that a program of this world can tell apart, so a property can be checked on all.
"""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from strategies import points
from unless.logic.program import Call, Clause, Goal, Program, Target
from unless.logic.rules import Column, Literal

NUMBERS = (1.0, 2.0, 3.0)
WORDS = ("a", "b")
COLUMNS = (Column("c", "categorical"), Column("n", "numerical"))
CELLS = {"n": (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, "a", "b", "new", None), "c": ("a", "b", "new", None)}
WORLD = [{"n": n, "c": c} for n, c in product(CELLS["n"], CELLS["c"])]
NEVER = (Literal("c", "=", "a"), Literal("c", "=", "b"))

tests = st.one_of(
    st.builds(Literal, st.just("n"), st.sampled_from(("=<", ">", "<", ">=")), st.sampled_from(NUMBERS)),
    st.builds(Literal, st.sampled_from(("n", "c")), st.sampled_from(("=", "!=")), st.sampled_from(WORDS)),
)


@st.composite
def bodies(draw: st.DrawFn, helpers: list[str]) -> tuple[Goal, ...]:
    body: list[Goal] = list(draw(st.lists(tests, min_size=1, max_size=3)))
    if helpers:
        called = draw(st.lists(st.sampled_from(helpers), max_size=2))
        body += [Call(name, draw(st.sampled_from((True, True, False)))) for name in called]
    if len(helpers) > 1:
        body += draw(st.lists(points(helpers), max_size=1))
    return tuple(body)


@st.composite
def dense_programs(draw: st.DrawFn, max_labels: int = 2) -> Program:
    helpers = [f"ab{i}" for i in range(1, 1 + draw(st.integers(0, 3)))]
    labels = ("x", "y")[: draw(st.integers(1, max_labels))]
    clauses = [
        Clause(None, draw(st.sampled_from(labels)), draw(bodies(helpers))) for _ in range(draw(st.integers(1, 4)))
    ]
    for i, name in enumerate(helpers):
        clauses += [Clause(name, None, draw(bodies(helpers[:i]))) for _ in range(draw(st.integers(1, 2)))]
    default = draw(st.sampled_from(("z", *labels)))
    return Program(Target("t", labels, default), COLUMNS, tuple(clauses))
