import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import DENSE_COLUMNS, WORLD, dense_literals, dense_programs
from unless.logic.clause import Clause
from unless.logic.holds import clause_holds, helpers_hold, literal_holds
from unless.logic.program import Program, Target
from unless.logic.reason.regions import Box, Verdicts, everywhere, region_of
from unless.logic.rules import Literal


def holding(literals):
    return {(row["n"], row["c"]) for row in WORLD if all(literal_holds(x, row[x.column]) for x in literals)}


@pytest.mark.parametrize(
    ("one", "other", "empty"),
    [
        (Literal("n", "=<", 3), Literal("n", ">", 3), True),
        (Literal("n", "=<", 3), Literal("n", ">=", 3), False),
        (Literal("n", "<", 3), Literal("n", ">=", 3), True),
        (Literal("n", "=", "a"), Literal("n", ">", 3), True),
        (Literal("n", "!=", "a"), Literal("n", ">", 3), False),
        (Literal("n", "=", "a"), Literal("n", "!=", "a"), True),
        (Literal("n", ">", 1.7976931348623157e308), Literal("n", "!=", "a"), True),
    ],
)
def test_two_literals_meet_or_not(one, other, empty):
    assert (region_of(one) & region_of(other)).is_empty is empty


def test_complements_of_numbers_are_no_complements():
    """A word, and missing, are neither at most 3 nor more than 3."""
    at_most, more = region_of(Literal("n", "=<", 3)), region_of(Literal("n", ">", 3))
    assert not at_most.missing
    assert not more.missing
    assert region_of(Literal("n", "!=", "a")).missing


@given(st.lists(dense_literals, max_size=4), dense_literals)
def test_a_box_says_what_the_world_says(literals, literal):
    box = everywhere(Program(Target("t", ("x",), "z"), DENSE_COLUMNS, ())).where(literals)
    held = holding(literals)
    assert box.is_empty == (not held)
    if held:
        both = holding([*literals, literal])
        assert box.verdict(literal) == (True if both == held else False if not both else None)


@settings(max_examples=50)
@given(dense_programs, st.lists(dense_literals, max_size=2))
def test_verdicts_never_lie(program, literals):
    verdicts = Verdicts(program, everywhere(program).where(literals))
    for row in WORLD:
        if all(literal_holds(x, row[x.column]) for x in literals):
            known = helpers_hold(program, row)
            for name, verdict in verdicts.helpers.items():
                assert verdict in (None, known[name])
            for clause in program.clauses:
                assert verdicts.clause(clause) in (None, clause_holds(clause, row, known))


def test_an_unnamed_column_may_hold_anything():
    assert Box({}).verdict(Literal("n", "=<", 3)) is None
    assert Verdicts(Program(Target("t", ("x",), "z"), DENSE_COLUMNS, ()), Box({})).clause(
        Clause(None, "x", (Literal("n", ">", 3), Literal("n", "=<", 1)))
    ) is False  # fmt: skip
