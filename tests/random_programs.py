"""Random programs, rules and rows: one generator, and four vocabularies to draw them from.

`TRICKY` has every name, word, number and label that has ever hurt a printer or a parser. `AWKWARD` has what provers and
explanations meet: mixed columns, quotes, words that Prolog or s(CASP) reads in its own way, cells missing or unseen.
`DENSE` has two columns of few values, so that clauses meet, clash and repeat; `WORLD` holds a row for every case that
such a program can tell apart, so a property can be checked on all. `SPREAD` has six, at most a million combinations of
cells, which an array of all of them still holds. All draw several labels, helpers that are exceptions
or conditions, defined in one clause or two, and sums of points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from strategies import cell_words, labels, names, numbers, words
from unless.logic.clause import Call, Clause, Points
from unless.logic.forms.flatten import flatten, flatten_ordered
from unless.logic.names import can_have_points, name_predicates
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal, Negated, OneOf, Rule, Scorecard

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

KINDS = ("numerical", "categorical")
UNSEEN = ("never seen", "zzz_9")
BLANKS = ("", "  ", float("nan"))


@dataclass(frozen=True)
class Vocabulary:
    """What a random program speaks of. `targets` takes the columns, whose names are taken."""

    columns: SearchStrategy[tuple[Column, ...]]
    targets: Callable[[tuple[Column, ...]], SearchStrategy[Target]]
    words: SearchStrategy[str]
    numbers: SearchStrategy[float]
    helpers: SearchStrategy[list[str]]
    missing: SearchStrategy[tuple[str, ...]]


def columns_named(some_names, max_size=4):
    """Draw columns of both kinds."""
    column = st.builds(Column, some_names, st.sampled_from(KINDS))
    return st.lists(column, min_size=1, max_size=max_size, unique_by=lambda column: column.name).map(tuple)


@st.composite
def tricky_targets(draw, columns):
    """Draw a target with one or two labels of any type beside the default, or a yes-or-no one."""
    taken = {column.name for column in columns}
    name = draw(names.filter(lambda name: name not in taken))
    found = draw(
        st.lists(
            labels, min_size=2, max_size=3, unique_by=lambda label: label if isinstance(label, str) else repr(label)
        )
    )
    if not any(isinstance(label, bool) for label in found):
        return Target(name, tuple(found[:-1]), found[-1])
    return Target(name, (True,), False)


def _some(pool, min_size=0, max_size=4):
    return st.lists(st.sampled_from(pool), min_size=min_size, max_size=max_size, unique=True)


def _numbered(most):
    return st.integers(0, most).map(lambda n: [f"ab{i + 1}" for i in range(n)])


TRICKY = Vocabulary(
    columns_named(names), tricky_targets, words, numbers,
    helpers=_some(["ab1", "ab2", "rich", "age", "is_old", "aB_3", "at_leas"]),
    missing=st.lists(words, max_size=2, unique=True).map(tuple),
)  # fmt: skip

AWKWARD_WORDS = (
    "a", "b", "it's", "grp_1", "grp_2", "n_a", "d_a", "c_a", "_a", "null", "true", "pi", "inf", "?", "a, b", "=<50k",
    "é",
)  # fmt: skip
AWKWARD_NUMBERS = (-1e20, -3.5, -1.0, 0.0, 0.1, 1.0, 3.0, 12.0, 26.3875, 1e16)
AWKWARD = Vocabulary(
    columns_named(st.sampled_from(
        ("age", "pay_0", "hours per week", "Größe", "is", "ab1", "n_x", "x_is", "o'clock")
    )),
    lambda columns: st.builds(
        Target, st.just("target"),
        _some(("yes", "no", "=<50k", "grp_1", "it's"), min_size=1, max_size=3).map(tuple),
        st.just("none of them"),
    ),
    st.sampled_from(AWKWARD_WORDS), st.sampled_from(AWKWARD_NUMBERS),
    helpers=_numbered(4),
    missing=st.sampled_from(((), ("?",))),
)  # fmt: skip

DENSE_COLUMNS = (Column("c", "categorical"), Column("n", "numerical"))
DENSE = Vocabulary(
    st.just(DENSE_COLUMNS),
    lambda columns: st.sampled_from(
        [Target("t", found, default) for found in (("x",), ("x", "y")) for default in ("z", *found)]
    ),
    st.sampled_from(("a", "b")), st.sampled_from((1.0, 2.0, 3.0)),
    helpers=_numbered(3),
    missing=st.just(()),
)  # fmt: skip
WORLD = [
    {"n": n, "c": c}
    for n, c in product((0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, "a", "b", "new", None), ("a", "b", "new", None))
]
SPREAD = Vocabulary(
    st.just(tuple(Column(name, "categorical" if name in "cde" else "numerical") for name in "cdenmo")),
    lambda columns: st.sampled_from(
        [Target("t", found, default) for found in (("x",), ("x", "y"), ("y", "w", "x")) for default in ("z", found[-1])]
    ),
    st.sampled_from(("a", "b", "it's")), st.sampled_from((-2.5, 1.0, 1.0000000000000002, 3.0)),
    helpers=_numbered(4),
    missing=st.sampled_from(((), ("?",))),
)  # fmt: skip
NEVER = (Literal("c", "=", "a"), Literal("c", "=", "b"))


def literals(columns, of=TRICKY):
    """Draw a test on one of the columns."""
    return st.sampled_from(columns).flatmap(lambda column: _tests_on(column, of))


def _tests_on(column, of):
    word_test = st.builds(Literal, st.just(column.name), st.sampled_from(("=", "!=")), of.words)
    if column.kind == "categorical":
        return word_test
    return word_test | st.builds(
        Literal, st.just(column.name), st.sampled_from(("=<", ">", "<", ">=")), of.numbers
    )  # fmt: skip


dense_literals = literals(DENSE_COLUMNS, DENSE)


def points(helpers):
    """Draw a sum of points of some helpers; the threshold may be out of reach."""
    awards = st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from(helpers)), min_size=2, max_size=4, unique_by=lambda award: award[1]
    )
    return st.builds(Points, awards.map(tuple), st.integers(1, 6))


@st.composite
def _bodies(draw, columns, helpers, of):
    """Draw goals, at least one: tests, calls of either sign, perhaps sums of points."""
    calls = draw(st.lists(st.builds(Call, st.sampled_from(helpers), st.booleans()), max_size=3)) if helpers else []
    cases = [helper for helper in helpers if can_have_points(helper)]
    sums = draw(st.lists(points(cases), max_size=2)) if len(cases) > 1 else []
    tests = draw(st.lists(literals(columns, of), min_size=0 if calls or sums else 1, max_size=3))
    return (*tests, *calls, *sums)


@st.composite
def programs(draw, of=TRICKY, at_least=0):
    """Draw a program such as a person might write: helpers call only those before them, clauses in any order.

    `at_least` is the least number of clauses of the first label.
    """
    columns = draw(of.columns)
    target = draw(of.targets(columns))
    helpers = draw(of.helpers)
    if True in target.labels:  # its clauses are written without a value, so no helper has its name
        helpers = [name for name in helpers if name != name_predicates(target.column, ()).target]
    clauses = []
    for i, name in enumerate(helpers):
        bodies = draw(st.lists(_bodies(columns, helpers[:i], of), min_size=1, max_size=2))
        clauses += [Clause(name, None, body) for body in bodies]
    for i, label in enumerate(target.labels):
        bodies = draw(st.lists(_bodies(columns, helpers, of), min_size=0 if i else at_least, max_size=3))
        clauses += [Clause(None, label, body) for body in bodies]
    return Program(target, columns, tuple(draw(st.permutations(clauses))), draw(of.missing))


dense_programs = programs(DENSE, at_least=1)


@st.composite
def composed(draw, of=SPREAD):
    """Draw a program as learners write them: sets, complements, scorecards, exceptions, background, labels in order."""
    columns = draw(of.columns)
    target, missing = draw(of.targets(columns)), draw(of.missing)
    background = [Clause("known", None, draw(_bodies(columns, [], of))) for _ in range(draw(st.integers(0, 2)))]
    some = [draw(_composed_rules(columns, of, draw(st.sampled_from(target.labels)))) for _ in range(draw(_few))]
    asks = [Clause(None, target.labels[0], (Call("known", draw(st.booleans())), draw(literals(columns, of))))]
    kept = asks if background else []
    if draw(st.booleans()):
        return flatten(some, target, columns, missing, background, kept)
    return flatten_ordered([rule for rule in some if rule.body], target, columns, missing)


_few = st.integers(1, 4)


@st.composite
def _conditions(draw, columns, of, *, simple=False):
    literal, column = draw(literals(columns, of)), draw(st.sampled_from(columns)).name
    some = st.lists(of.words, min_size=2, max_size=3, unique=True).map(tuple)
    kind = draw(st.integers(0, 3 if simple else 4))
    if kind == 1:
        return OneOf(column, draw(some), draw(st.booleans()))
    if kind == 2 and isinstance(literal.value, float):
        return Negated(literal)
    if kind == 4:
        parts = draw(st.lists(_conditions(columns, of, simple=True), min_size=2, max_size=4, unique=True))
        return Scorecard(tuple((draw(_few), part) for part in parts), draw(st.integers(1, 5)))
    return literal


def _composed_rules(columns, of, head, depth=2):
    exceptions = st.lists(_composed_rules(columns, of, None, depth - 1), max_size=2) if depth else st.just([])
    body = st.lists(_conditions(columns, of), min_size=1, max_size=3)
    return st.builds(lambda body, inner: Rule(head, tuple(body), tuple(inner)), body, exceptions)


def edited(of):
    """Draw a program and the same with one literal changed or added."""
    return edits(programs(of, at_least=1), of)


@st.composite
def edits(draw, some_programs, of):
    """Draw one of some programs, and the same with one literal changed or added."""
    program = draw(some_programs.filter(lambda program: program.clauses))
    i = draw(st.integers(0, len(program.clauses) - 1))
    clause = program.clauses[i]
    test = draw(literals(program.columns, of))
    tests = list(clause.literals)
    if tests and draw(st.booleans()):
        tests[draw(st.integers(0, len(tests) - 1))] = test
    else:
        tests.append(test)
    body = (*tests, *(goal for goal in clause.body if not isinstance(goal, Literal)))
    clauses = (*program.clauses[:i], replace(clause, body=body), *program.clauses[i + 1 :])
    return program, replace(program, clauses=clauses)


def rules(columns, head=None, depth=2):
    """Draw a nested rule, perhaps with an empty body."""
    exceptions = st.lists(rules(columns, None, depth - 1), max_size=2) if depth else st.just([])
    drawn = st.builds(
        lambda body, inner: Rule(head, tuple(body), tuple(inner)), st.lists(literals(columns), max_size=4), exceptions
    )
    return drawn.filter(lambda rule: not _holds_always(rule))


def _holds_always(rule):
    """Tell whether a rule has nothing but exceptions that never hold: no program can say so."""
    return not rule.body and bool(rule.exceptions) and not any(e.body or e.exceptions for e in rule.exceptions)


@st.composite
def learned_programs(draw, of=TRICKY):
    """Draw nested rules and their flat program."""
    columns = draw(of.columns)
    target = draw(of.targets(columns))
    nested = draw(st.lists(rules(columns, target.labels[0]), max_size=3))
    return nested, flatten(nested, target, columns, draw(of.missing))


@st.composite
def rows_for(draw, columns, literals_at_hand=()):
    """Draw a row of values, often the very values that literals compare with."""
    row = {}
    for column in columns:
        near = [literal.value for literal in literals_at_hand if literal.column == column.name]
        choices = [st.none(), cell_words]
        if column.kind == "numerical":
            choices.append(numbers)
            near += [value * 1.0000001 for value in near if isinstance(value, float) and abs(value) < 1e300]
        if near:
            choices.append(st.sampled_from(near))
        row[column.name] = draw(st.one_of(choices))
    return row


@st.composite
def raw_rows(draw, columns, of=AWKWARD):
    """Draw a row of raw cells: numbers, also as text, words, unseen ones, missing in every spelling, absent columns."""
    values = st.one_of(st.none(), of.numbers, of.words | st.sampled_from(UNSEEN))
    row = {}
    for column in columns:
        cell = draw(values | st.sampled_from((*BLANKS, "12", " 0.1 ", True, 3)))
        if column.kind == "numerical" and cell == "inf":
            cell = None  # infinite numbers are refused, which is another test's business
        if draw(st.integers(0, 9)):
            row[column.name] = cell
    return row


programs_with_rows = programs(AWKWARD).flatmap(
    lambda program: st.tuples(st.just(program), st.lists(raw_rows(program.columns), min_size=1, max_size=4))
)
