"""The difference of two programs: parts never hold a row that does not flip, and together hold all that do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from random_programs import DENSE, WORLD, edited
from unless.errors import DataError
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason import difference as module
from unless.logic.reason.difference import difference
from unless.logic.reason.engine import Engine
from unless.logic.text.parser import parse


def check(old, new, found, *, complete=True):
    flips = [row for row in WORLD if not same_label(decide(old, row), decide(new, row))]
    assert found.verdict == ("yes" if flips else "no")
    for part in found.parts:
        assert part.row in part
        for row in [row for row in WORLD if row in part]:
            assert same_label(decide(old, row), part.old)
            assert same_label(decide(new, row), part.new)
    if complete and found.is_complete:
        assert all(any(row in part for part in found.parts) for row in flips)
    assert found.n_flips == len(flips)
    assert found.n_covered == sum(any(row in part for part in found.parts) for row in flips)


@settings(deadline=None)
@given(edited(DENSE))
def test_parts_hold_exactly_rows_that_flip(pair):
    check(*pair, difference(*pair, WORLD, most=50))


@settings(deadline=None, max_examples=25)
@given(edited(DENSE))
def test_so_they_do_where_diagrams_do_not_fit(pair):
    class WithoutDiagrams(Engine):
        compiled = None

    before, module.Engine = module.Engine, WithoutDiagrams
    try:
        check(*pair, difference(*pair, WORLD, most=50))
    finally:
        module.Engine = before


def test_another_target_is_refused():
    old = parse("%@ target t: 'x' else 'z'\n%@ numerical n\nt(X,'x') :- n(X,N), N > 1.0.")
    new = parse("%@ target u: 'x' else 'z'\n%@ numerical n\nu(X,'x') :- n(X,N), N > 1.0.")
    with pytest.raises(DataError, match="only one target"):
        difference(old, new)
