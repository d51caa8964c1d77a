"""Hypothesis strategies for columns, programs and rows, with all that is awkward: mixed, missing, unseen, quoted."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies import points
from unless.logic.program import Call, Clause, Goal, Program, Target
from unless.logic.rules import Column, Literal

NAMES = ("age", "pay_0", "hours per week", "Größe", "is", "ab1", "n_x", "x_is", "o'clock")
WORDS = (
    "a",
    "b",
    "it's",
    "grp_1",
    "grp_2",
    "n_a",
    "d_a",
    "c_a",
    "_a",
    "null",
    "true",
    "pi",
    "inf",
    "?",
    "a, b",
    "=<50k",
    "é",
)
NUMBERS = (-1e20, -3.5, -1.0, 0.0, 0.1, 1.0, 3.0, 12.0, 26.3875, 1e16)
UNSEEN = ("never seen", "zzz_9")
LABELS = ("yes", "no", "=<50k", "grp_1", "it's")

values = st.one_of(st.none(), st.sampled_from(NUMBERS), st.sampled_from(WORDS + UNSEEN))


@st.composite
def columns(draw: st.DrawFn, max_size: int = 4) -> tuple[Column, ...]:
    """Draw columns of both kinds, with names that need care."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=max_size, unique=True))
    return tuple(Column(name, draw(st.sampled_from(("numerical", "categorical")))) for name in names)


@st.composite
def literals(draw: st.DrawFn, of: tuple[Column, ...]) -> Literal:
    """Draw a test on one of the columns."""
    column = draw(st.sampled_from(of))
    if column.kind == "numerical" and draw(st.booleans()):
        return Literal(column.name, draw(st.sampled_from(("=<", ">", "<", ">="))), draw(st.sampled_from(NUMBERS)))
    return Literal(column.name, draw(st.sampled_from(("=", "!="))), draw(st.sampled_from(WORDS)))


@st.composite
def programs(draw: st.DrawFn, max_labels: int = 3) -> Program:
    """Draw a stratified program: helpers call earlier helpers only, some have two clauses."""
    of = draw(columns())
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=max_labels, unique=True))
    helpers = [f"ab{i + 1}" for i in range(draw(st.integers(0, 4)))]
    clauses = []
    for label in labels:
        clauses += [Clause(None, label, draw(_bodies(of, helpers))) for _ in range(draw(st.integers(0, 3)))]
    for i, name in enumerate(helpers):
        clauses += [Clause(name, None, draw(_bodies(of, helpers[:i]))) for _ in range(draw(st.integers(1, 2)))]
    return Program(
        Target("target", tuple(labels), "none of them"), of, tuple(clauses), draw(st.sampled_from(((), ("?",))))
    )


@st.composite
def _bodies(draw: st.DrawFn, of: tuple[Column, ...], helpers: list[str]) -> tuple[Goal, ...]:
    tests = draw(st.lists(literals(of), min_size=0 if helpers else 1, max_size=3))
    calls = []
    if helpers:
        chosen = draw(st.lists(st.sampled_from(helpers), min_size=0 if tests else 1, max_size=3))
        calls = [Call(name, draw(st.sampled_from((True, True, False)))) for name in chosen]
    sums = draw(st.lists(points(helpers), max_size=1)) if len(helpers) > 1 else []
    return (*tests, *calls, *sums)


@st.composite
def rows(draw: st.DrawFn, program: Program) -> dict[str, object]:
    """Draw a row of raw cells: numbers, also as text, words, unseen ones, missing in every spelling, absent columns."""
    row: dict[str, object] = {}
    for column in program.columns:
        cell = draw(st.one_of(values, st.sampled_from(("", "  ", float("nan"), "12", " 0.1 ", True, 3))))
        if column.kind == "numerical" and cell == "inf":
            cell = None  # infinite numbers are refused, which is another test's business
        if draw(st.integers(0, 9)):
            row[column.name] = cell
    return row


programs_with_rows = programs().flatmap(lambda p: st.tuples(st.just(p), st.lists(rows(p), min_size=1, max_size=4)))
