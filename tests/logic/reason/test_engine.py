"""The engine: diagrams and solver give the answer of brute force, and a budget that ends gives none."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import DENSE, literals, programs
from unless.logic.check.findings import check
from unless.logic.reason.column_cells import space_of
from unless.logic.reason.compiled_programs import ORDERS, Compiled
from unless.logic.reason.difference import difference
from unless.logic.reason.questions import All, Any, BodyHolds, Decides, Differs, Not, Within
from unless.logic.reason.reasoner import Engine, holds_for
from unless.logic.reason.recourse import Advisor, ChangeLimits, Known
from unless.logic.reason.regions import region_of
from unless.logic.reason.sufficient import smallest_hitting, sufficient
from unless.logic.rules import Literal
from unless.logic.text.parser import parse


@st.composite
def questions(draw, some):
    """Draw a question about some programs."""
    program = draw(st.sampled_from(some))
    simple = [Decides(program, label) for label in (*program.target.labels, program.target.default)]
    simple += [BodyHolds(program, clause) for clause in program.clauses]
    simple += [Differs(some[0], some[-1])]
    one = st.sampled_from(simple) | literals(program.columns, DENSE).map(holding)
    parts = st.lists(one | one.map(Not), min_size=1, max_size=3).map(tuple)
    return draw(one | parts.map(All) | parts.map(Any))


def holding(literal):
    return Within(literal.column, region_of(literal))


def rows_of(space):
    return (space.row(cells) for cells in product(*(range(len(cells)) for cells in space.cells.values())))


def forms(some, asked):
    """Return the engine, and the engine whose diagrams never fit."""
    by_solver = Engine(some, _literals(asked))
    by_solver.compiled = None
    return Engine(some, _literals(asked)), by_solver


def _literals(asked):
    match asked:
        case Within(column, region) if region.words:
            return [Literal(column, "=", word) for word in region.words]
        case Within(column, region):
            return [Literal(column, ">=", region.low), Literal(column, "=<", region.high)]
        case Not(inner):
            return _literals(inner)
        case All(inner) | Any(inner):
            return [literal for each in inner for literal in _literals(each)]
    return []


@settings(deadline=None)
@given(st.lists(programs(DENSE, at_least=1), min_size=1, max_size=2), st.data())
def test_both_ways_answer_like_brute_force(some, data):
    asked = data.draw(questions(some))
    for engine in forms(some, asked):
        answer = engine.find(asked)
        expected = any(holds_for(asked, row) for row in rows_of(engine.space))
        assert answer.verdict == ("yes" if expected else "no")
        assert answer.row is None or holds_for(asked, answer.row)


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.data())
def test_both_ways_find_the_same_least_cost(program, data):
    asked = Decides(program, data.draw(st.sampled_from(program.target.labels)))
    first, second = forms([program], asked)
    price = st.sampled_from((0.5, 1.0, 2.0, 3.25, float("inf")))
    costs = {c: [0.0, *(data.draw(price) for _ in cells[1:])] for c, cells in first.space.cells.items()}
    answers = [engine.find(asked, [costs[c] for c in engine.space.columns]) for engine in (first, second)]
    assert answers[0].verdict == answers[1].verdict
    assert answers[0].cost == pytest.approx(answers[1].cost)


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.sampled_from(("c", "n")), st.booleans())
def test_both_ways_find_a_pair_exactly_where_there_is_one(program, column, rising):
    label = program.target.labels[0]
    one, other = Decides(program, label), Not(Decides(program, label))
    for engine in forms([program], one):
        answer = engine.find_pair(one, other, column, rising=rising)
        expected = column in engine.space.level and any(
            holds_for(one, row) and holds_for(other, {**row, column: cell.value})
            for row in rows_of(engine.space)
            for cell in engine.space.cells[column]
            if not rising
            or (isinstance(row[column], float) and isinstance(cell.value, float) and row[column] < cell.value)
        )
        assert answer.verdict == ("yes" if expected else "no")


PROGRAM = """
%@ target t: 'x' else 'z'
%@ numerical n
t(X,'x') :- n(X,N), N > 1.0.
"""


def test_a_budget_that_ends_is_not_decided_and_no_answer_is_taken_for_yes_or_no():
    program = parse(PROGRAM)
    engine = Engine([program], seconds=0.0)
    engine.compiled = None
    answer = engine.find(Decides(program, "x"))
    assert answer.verdict == "not decided"
    with pytest.raises(TypeError, match="yes, no or not decided"):
        bool(answer)


@pytest.mark.parametrize(
    "rule",
    [
        "age_is(X,'30')",
        "age_is(X,'-999.0')",
        "town(X,'?')",
        "town(X,' Rome ')",
        "town(X,'')",
        "age(X,N), N >= -999.0, N =< -999.0",
    ],
)
def test_what_no_cell_is_read_as_is_no_row(rule):
    """A word that means missing, or a number among words, was a row of its own: shown as a difference, and advised."""
    text = (
        "%@ target loan: 'yes' else 'no'\n%@ categorical town\n%@ numerical age\n%@ missing '?', '-999'\n"
        "loan(X,'yes') :- age(X,N), N > 30.0.\n"
    )
    old, new = parse(text), parse(f"{text}loan(X,'yes') :- {rule}.")
    assert difference(old, new).verdict == "no"
    assert [finding.at.line for finding in check(new)] == [6]
    advisor = Advisor(new, ChangeLimits(only_down=("age",)), {"town": Known(("Ulm",))})
    assert advisor.ways({"age": 20.0, "town": "Ulm"}, "yes").verdict == "no"


def test_a_number_that_means_missing_stands_for_no_cell():
    """Of all numbers up to 7, 0 was shown, which the file says is a blank cell."""
    program = parse(
        "%@ target t: 'y' else 'z'\n%@ numerical n\n%@ missing '0'\nt(X,'y') :- n(X,N), N > -1.0, N =< 1.0."
    )
    values = [cell.value for cell in space_of([program]).cells["n"]]
    assert 0.0 not in values
    assert len(values) == 5  # three intervals, another word, missing


def _chain(n):
    """Write a program of n exceptions, each to the one before it."""
    clauses = [f"ab{i}(X) :- n(X,N), N > {i}.0, not ab{i + 1}(X)." for i in range(1, n)]
    last = f"ab{n}(X) :- n(X,N), N > {n}.0."
    return parse("\n".join(["%@ target t: 'y' else 'z'\n%@ numerical n", "t(X,'y') :- not ab1(X).", *clauses, last]))


def test_exceptions_to_exceptions_may_be_deep():
    """Each level of a chain took levels of Python's own stack, and a thousand of them ended in a traceback."""
    program = _chain(1200)
    assert Compiled([program], space_of([program])).helper(program, "ab1") > 1
    assert [order([program], space_of([program])) for order in ORDERS] == [["n"]] * len(ORDERS)


def test_helpers_that_are_called_twice_are_looked_at_once():
    """The columns below a rule were gone through on every way of calls, of which there are 2^40 here."""
    pairs = [
        f"h{i}(X) :- n{i}(X,N), N > 1.0, h{i - 1}(X).\nh{i}(X) :- n{i}(X,N), N < 0.0, not h{i - 1}(X)."
        for i in range(1, 40)
    ]
    columns = ", ".join(f"n{i}" for i in range(40))
    first = f"%@ target t: 'y' else 'z'\n%@ numerical {columns}\nt(X,'y') :- h39(X).\nh0(X) :- n0(X,N), N > 1.0."
    program = parse("\n".join([first, *pairs]))
    assert ORDERS[1]([program], space_of([program])) == [f"n{i}" for i in range(39, -1, -1)]


def test_a_reason_of_many_values_is_found():
    """All sets of a dozen of two dozen columns were tried one after the other, and no limit of time held."""
    columns = [f"n{i:02}" for i in range(24)]
    rules = [f"t(X,'y') :- {one}(X,N), N > 1.0, {two}(X,M), M > 1.0." for one, two in pairwise(columns)]
    rules += [
        f"t(X,'y') :- {one}(X,N), N > 1.0, {two}(X,M), M > 1.0." for one, two in zip(columns, columns[3:], strict=False)
    ]
    program = parse("\n".join(["%@ target t: 'y' else 'z'", f"%@ numerical {', '.join(columns)}", *rules]))
    row = dict.fromkeys(columns, 0.0)
    found = sufficient(Engine([program]), program, row)
    assert found is not None
    assert all(
        one in found or two in found for one, two in [*pairwise(columns), *zip(columns, columns[3:], strict=False)]
    )


@given(st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), max_size=7))
def test_the_fewest_names_are_the_first_of_their_size(demands):
    names = sorted(set().union(*demands))
    sizes = (combinations(names, size) for size in range(len(names) + 1))
    assert smallest_hitting(demands) == next(
        chosen for each in sizes for chosen in each if all(demand.intersection(chosen) for demand in demands)
    )
