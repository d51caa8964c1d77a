"""Recourse and sufficient reasons: never wrong, never beyond the limits, and the best of all, by brute force."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import DENSE, WORLD, programs
from unless.errors import DataError
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.recourse import Advisor, ChangeLimits, Known
from unless.logic.reason.sufficient import sufficient
from unless.logic.text.parser import parse

NUMBERS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
WORDS = ("a", "b", "new")
KNOWN = {"c": Known(WORDS), "n": Known(WORDS, NUMBERS)}
LOANS = parse("""
%@ target loan: 'approved' else 'refused'
%@ categorical housing
%@ numerical income, age
loan(X,'approved') :- income(X,N1), N1 > 30.0, not ab1(X).
loan(X,'approved') :- housing(X,'owner'), age(X,N2), N2 > 40.0.
ab1(X) :- age(X,N2), N2 =< 25.0.
""")


def allowed(limits, before, after):
    """Tell whether a change of one row to another keeps the limits."""
    for column, value in after.items():
        old = before[column]
        if value == old:
            continue
        rises = isinstance(value, float) and isinstance(old, float) and value > old
        falls = isinstance(value, float) and isinstance(old, float) and value < old
        if column in limits.frozen or value is None:
            return False
        if isinstance(value, str) and (column in limits.only_up or column in limits.only_down):
            return False
        if (rises and column in limits.only_down) or (falls and column in limits.only_up):
            return False
        if isinstance(value, str) and value not in limits.words.get(column, WORDS):
            return False
    return True


DIRECTIONS = st.sampled_from(({}, {"frozen": ("n",)}, {"only_up": ("n",)}, {"only_down": ("n",)}))
limits = st.builds(
    lambda frozen, directions, words, prices: ChangeLimits(
        words=words, prices=prices, **{**directions, "frozen": (*frozen, *directions.get("frozen", ()))}
    ),
    st.sampled_from(((), ("c",))), DIRECTIONS, st.sampled_from(({}, {"c": ("a",)})), st.sampled_from(({}, {"c": 2.0})),
)  # fmt: skip


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.sampled_from(WORLD), limits)
def test_ways_are_valid_within_the_limits_and_found_whenever_there_is_one(program, row, limits):
    advisor = Advisor(program, limits, KNOWN)
    for want in program.target.labels:
        found = advisor.ways(row, want)
        reachable = [r for r in WORLD if same_label(decide(program, r), want) and allowed(limits, row, r)]
        assert found.verdict == ("yes" if reachable else "no")
        for way in found.ways:
            assert same_label(decide(program, way.row), want)
            assert allowed(limits, row, way.row)
            for change in way.changes:
                assert change.value in change.region
                assert way.row[change.column] == change.value
        fewest = [sum(limits.prices.get(c, 1.0) for c in r if r[c] != row[c]) for r in reachable]
        if found.ways:
            floors = [sum(limits.prices.get(c.column, 1.0) for c in way.changes) for way in found.ways]
            assert floors[0] <= min(fewest) * 2  # the share of numbers passed at most doubles a price
            assert [way.cost for way in found.ways] == sorted(way.cost for way in found.ways)


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.sampled_from(WORLD))
def test_every_value_of_a_change_gives_the_label(program, row):
    advisor = Advisor(program, ChangeLimits(), KNOWN)
    for way in chain.from_iterable(advisor.ways(row, label).ways for label in program.target.labels):
        label = decide(program, way.row)
        for values in product(*([v for v in (*NUMBERS, *WORDS) if v in change.region] for change in way.changes)):
            changed = {**row, **{c.column: v for c, v in zip(way.changes, values, strict=True)}}
            assert same_label(decide(program, changed), label)


@settings(deadline=None)
@given(programs(DENSE, at_least=1), st.sampled_from(WORLD))
def test_a_sufficient_reason_is_the_smallest_that_fixes_the_decision(program, row):
    label = decide(program, row)

    def fixes(kept):
        return all(same_label(decide(program, {**r, **{c: row[c] for c in kept}}), label) for r in WORLD)

    found = sufficient(Engine([program]), program, row)
    assert found is not None
    assert fixes(found)
    smaller = chain.from_iterable(combinations(("c", "n"), size) for size in range(len(found)))
    assert not any(fixes(kept) for kept in smaller)


def test_a_change_is_a_condition_and_ways_differ():
    row = {"income": 20.0, "age": 45.0, "housing": "tenant"}
    ways = Advisor(LOANS, ChangeLimits()).ways(row, "approved").ways
    assert [[change.column for change in way.changes] for way in ways[:2]] in (
        [["income"], ["housing"]],
        [["housing"], ["income"]],
    )
    income = next(change for way in ways for change in way.changes if change.column == "income")
    assert income.region.low > 30.0
    assert income.region.high > 1e300


def test_no_allowed_change_helps_is_proved():
    row = {"income": 20.0, "age": 20.0, "housing": "tenant"}
    limits = ChangeLimits(frozen=("income",), only_down=("age",))
    assert Advisor(LOANS, limits).ways(row, "approved").verdict == "no"


@pytest.mark.parametrize(("change", "says"), [
    ({"limits": ChangeLimits(frozen=("incom",))}, "incom"),
    ({"limits": ChangeLimits(prices={"income": -1.0})}, "from 0"),
    ({"want": "yes"}, "labels: approved, refused"),
    ({"limits": ChangeLimits(only_up=("housing",))}, "'housing' holds words only, which do not rise or fall"),
    ({"limits": ChangeLimits(only_up=("age",), only_down=("age",))}, "say one thing of a column"),
    ({"limits": ChangeLimits(frozen=("age",), only_down=("age",))}, "'age' is frozen and is limited again"),
    ({"limits": ChangeLimits(words={"age": ["30"]})}, "'30' is a number of 'age'; allowed are words"),
    ({"limits": ChangeLimits(words={"housing": [""]})}, "no cell of 'housing' is read as the word ''"),
])  # fmt: skip
def test_bad_limits_and_labels_get_a_sentence(change, says):
    with pytest.raises(DataError, match=says):
        Advisor(LOANS, change.get("limits", ChangeLimits())).ways({"income": 1.0}, change.get("want", "approved"))


def test_a_change_that_costs_nothing_is_made_only_where_it_helps():
    """Columns of price 0 were changed in ways that hold without it."""
    row = {"income": 20.0, "age": 20.0, "housing": "tenant"}
    limits = ChangeLimits(prices=dict.fromkeys(row, 0.0))
    ways = Advisor(LOANS, limits, {"housing": Known(("owner", "tenant"))}).ways(row, "approved", 5).ways
    assert ways
    for way in ways:
        for change in way.changes:
            assert decide(LOANS, {**way.row, change.column: change.before}) != "approved"


def test_with_a_date_its_parts_are_frozen():
    """A way of a row whose date of birth was frozen asked for another age."""
    program = parse("""
%@ target ok: 'yes' else 'no'
%@ numerical x, born_age
%@ read born_age: 'age@2024-06-30 of born as dd.mm.yyyy'
ok(X,'yes') :- born_age(X,N1), N1 > 43.0.
ok(X,'yes') :- x(X,N2), N2 > 5.0.
""")
    known = {"x": Known((), (1.0, 6.0)), "born_age": Known((), (36.0, 50.0))}
    row = {"x": 1.0, "born_age": 36.0}
    found = Advisor(program, ChangeLimits(frozen=("born",)), known).ways(row, "yes")
    assert [[change.column for change in way.changes] for way in found.ways] == [["x"]]
