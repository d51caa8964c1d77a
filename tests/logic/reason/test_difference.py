"""The difference of two programs: parts never hold a row that does not flip, and together hold all that do."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import DENSE, WORLD, edited
from unless.errors import DataError
from unless.logic.clause import Clause, Points
from unless.logic.holds import decide
from unless.logic.program import Program, Target, same_label
from unless.logic.reason.boxes import boxes_of
from unless.logic.reason.deciding import deciding_rule
from unless.logic.reason.difference import difference
from unless.logic.reason.questions import NOT_DECIDED, Differs
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.rule_changes import rule_changes
from unless.logic.rules import Column, Literal
from unless.logic.text.parser import parse


def scorecard(threshold):
    """Return a program of eight columns, of which so many must be 1."""
    names = "abcdefgh"
    cases = tuple(Clause(f"is_{c}", None, (Literal(c, "=", "1"),)) for c in names)
    rule = Clause(None, "x", (Points(tuple((1, f"is_{c}") for c in names), threshold),))
    columns = tuple(Column(c, "categorical") for c in names)
    return Program(Target("t", ("x",), "z"), columns, (rule, *cases))


def check(old, new, found, *, complete=True):
    flips = [row for row in WORLD if not same_label(decide(old, row), decide(new, row))]
    assert found.verdict == ("yes" if flips else "no")
    for part in found.parts:
        assert part.rules is None
        assert part.row in part
        for row in [row for row in WORLD if row in part]:
            assert same_label(decide(old, row), part.old)
            assert same_label(decide(new, row), part.new)
    if complete and found.is_complete:
        assert all(any(row in part for part in found.parts) for row in flips)
    assert found.n_flips == len(flips)
    assert found.n_covered == sum(any(row in part for part in found.parts) for row in flips)


def boxes(pair, engine=Engine):
    flips = [row for row in WORLD if not same_label(decide(pair[0], row), decide(pair[1], row))]
    return boxes_of(engine(pair), flips, most=50, until=time.monotonic() + 60)


@settings(deadline=None)
@given(edited(DENSE))
def test_boxes_hold_exactly_rows_that_flip(pair):
    check(*pair, boxes(pair))


@settings(deadline=None, max_examples=25)
@given(edited(DENSE))
def test_so_they_do_where_diagrams_do_not_fit(pair):
    class WithoutDiagrams(Engine):
        compiled = None

    check(*pair, boxes(pair, WithoutDiagrams))


@settings(deadline=None, max_examples=50)
@given(edited(DENSE))
def test_a_difference_is_found_exactly_where_there_is_one(pair):
    old, new = pair
    found = difference(old, new, WORLD, most=50)
    flips = [row for row in WORLD if not same_label(decide(old, row), decide(new, row))]
    assert found.verdict == ("yes" if flips else "no")
    assert found.n_covered == found.n_flips == len(flips)
    for part in found.parts:
        assert part.row in part
        assert (decide(old, part.row), decide(new, part.row)) == (part.old, part.new)


@pytest.mark.parametrize("with_rows", [False, True])
@settings(deadline=None)
@given(edited(DENSE))
def test_parts_by_rules_hold_every_row_that_flips_once(with_rows, pair):
    old, new = pair
    flips = [row for row in WORLD if not same_label(decide(old, row), decide(new, row))]
    engine = Engine(pair)
    found = rule_changes(engine, flips if with_rows else (), most=1000, until=time.monotonic() + 60)
    if not flips:
        assert found.verdict == "no"
        return
    expected = {(decide(old, r), decide(new, r), deciding_rule(old, r), deciding_rule(new, r)) for r in flips}
    assert len(found.parts) == len(expected)
    assert {(part.old, part.new, *part.rules) for part in found.parts} == expected
    for row in flips:  # the cells of a part hold all its rows
        key = (decide(old, row), decide(new, row), deciding_rule(old, row), deciding_rule(new, row))
        assert all(row in part for part in found.parts if (part.old, part.new, *part.rules) == key)
    assert found.is_complete
    assert sum(part.n_rows for part in found.parts) == (len(flips) if with_rows else 0)
    if not with_rows:
        node = engine.node(engine.compiled, Differs(old, new))
        assert sum(part.share for part in found.parts) == pytest.approx(engine.compiled.diagrams.share(node))


@settings(deadline=None, max_examples=50)
@given(edited(DENSE), st.booleans())
def test_a_difference_is_one_even_when_no_time_is_left_to_show_it(pair, fits):
    """The boxes that there was no time to grow were once taken for a proof that there is no difference."""

    class WithoutDiagrams(Engine):
        compiled = None

    flips = [row for row in WORLD if not same_label(decide(pair[0], row), decide(pair[1], row))]
    for rows in (flips, []):
        found = boxes_of((Engine if fits else WithoutDiagrams)(pair), rows, most=10, until=0.0)
        assert found.verdict == ("yes" if flips else "no")
        assert bool(found.parts) == bool(flips)
        for part in found.parts:
            assert not same_label(decide(pair[0], part.row), decide(pair[1], part.row))


def test_where_boxes_are_too_many_the_rules_are_named():
    """Two scorecards of eight columns: the boxes are very many, the rules are two."""
    old, new = scorecard(4), scorecard(5)
    found = difference(old, new)
    assert [part.rules for part in found.parts] == [("1", "")]
    assert found.is_complete
    assert found.parts[0].share > 0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("numerical n\n%@ missing '?'", "numerical n", "missing is '[?]' in one program and no word in the other"),
        ("numerical n", "categorical n", "'n' is numerical in one program and categorical in the other"),
    ],
)
def test_programs_that_read_cells_differently_are_refused(old, new, problem):
    texts = [f"%@ target t: 'x' else 'z'\n%@ {kind}\n" for kind in (old, new)]
    bodies = ["n_is(X,'a')" if "numerical" in text else "n(X,'a')" for text in texts]
    programs = [parse(f"{text}t(X,'x') :- {body}.") for text, body in zip(texts, bodies, strict=True)]
    with pytest.raises(DataError, match=problem):
        difference(*programs)


def test_another_target_is_refused():
    old = parse("%@ target t: 'x' else 'z'\n%@ numerical n\nt(X,'x') :- n(X,N), N > 1.0.")
    new = parse("%@ target u: 'x' else 'z'\n%@ numerical n\nu(X,'x') :- n(X,N), N > 1.0.")
    with pytest.raises(DataError, match="only one target"):
        difference(old, new)


def test_clauses_in_another_order_are_equal_however_large_the_program():
    """Of programs that no diagram holds, equality after sorting was not decided."""

    class WithoutDiagrams(Engine):
        compiled = None

    old = scorecard(4)
    new = replace(old, clauses=old.clauses[::-1])
    assert boxes_of(WithoutDiagrams([old, new], seconds=0.0), [], most=1, until=0.0).verdict == "no"


def test_a_difference_that_is_plain_to_see_takes_no_solver():
    """Two programs of a thousand clauses were not decided: writing them down for the solver took all the time."""

    class WithoutAll(Engine):
        compiled = None

        def find(self, *_, **__):
            return NOT_DECIDED

    found = rule_changes(WithoutAll([scorecard(4), scorecard(1)]), [], most=3, until=time.monotonic() + 60)
    assert found.verdict == "yes"
    assert not found.is_complete
