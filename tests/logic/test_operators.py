"""The table of operators agrees with itself, and everything that is made from it with the table."""

from __future__ import annotations

import math
from itertools import product
from typing import get_args

import pytest

from unless.errors import ProgramSyntaxError
from unless.explain.words.brief import brief_literal
from unless.explain.words.language import language
from unless.logic.background.predicates import read_background
from unless.logic.holds import literal_holds
from unless.logic.reason.regions import region_of
from unless.logic.rules import NUMBER_OPS, OPERATORS, Column, Literal, Op, word_op
from unless.logic.text.parser import parse

NUMBERS = (-1.0, 0.0, math.nextafter(0.0, 1.0), 2.5)
WORDS = ("a", "b", None)


def test_each_symbol_stands_in_the_type_and_in_the_table():
    assert tuple(OPERATORS) == get_args(Op)


@pytest.mark.parametrize("symbol", OPERATORS)
def test_an_opposite_is_true_where_the_test_fails_and_a_mirror_with_the_sides_exchanged(symbol):
    each = OPERATORS[symbol]
    opposite, mirror = OPERATORS[each.opposite], OPERATORS[each.mirror]
    assert (opposite.opposite, mirror.mirror) == (symbol, symbol)
    assert each.tests == opposite.tests == mirror.tests
    for a, b in product(NUMBERS if each.tests == "number" else WORDS, repeat=2):
        assert opposite.compare(a, b) is not each.compare(a, b)
        assert mirror.compare(b, a) is each.compare(a, b)


@pytest.mark.parametrize("symbol", NUMBER_OPS)
def test_a_bound_and_the_region_say_what_the_comparison_says(symbol):
    each = OPERATORS[symbol]
    assert each.compare(1.0, 2.0) is (each.bound == "upper")
    assert each.compare(2.0, 1.0) is (each.bound == "lower")
    assert each.compare(1.0, 1.0) is not each.is_strict
    for value, limit in product(NUMBERS, repeat=2):
        region = region_of(Literal("x", symbol, limit))
        assert literal_holds(Literal("x", symbol, limit), value) == (region.low <= value <= region.high)


def test_a_number_is_no_word_and_a_word_no_number():
    for symbol in NUMBER_OPS:
        assert not any(literal_holds(Literal("x", symbol, 1.0), value) for value in ("1", None))
    for negated in (False, True):
        assert [literal_holds(Literal("x", word_op(negated=negated), "1"), v) for v in ("1", "2", 1.0, None)] == [
            not negated,
            negated,
            negated,
            negated,
        ]


@pytest.mark.parametrize("symbol", OPERATORS)
def test_a_literal_of_any_operator_comes_back_from_text(symbol):
    value = "1.5" if symbol in NUMBER_OPS else "'w'"
    goal = f"x(X,N), N {symbol} {value}" if symbol in NUMBER_OPS else f"{'not ' * (symbol == '!=')}x(X,{value})"
    program = parse(f"y(X,'yes') :- {goal}.")
    (literal,) = program.clauses[0].literals
    assert literal.op == symbol
    assert parse(str(program)) == program
    assert brief_literal(literal, language("en")) == f"x {OPERATORS[symbol].sign} {value.strip(chr(39))}"


@pytest.mark.parametrize(
    ("spelling", "symbol"), [(text, symbol) for symbol in NUMBER_OPS for text in OPERATORS[symbol].spellings]
)
def test_background_knows_all_spellings_on_either_side(spelling, symbol):
    columns = [Column("x", "numerical")]
    (clause,) = read_background(f"p(R) :- x(R,N), N {spelling} 3.", "y", columns)
    assert clause.body == (Literal("x", symbol, 3.0),)
    (clause,) = read_background(f"p(R) :- x(R,N), 3 {spelling} N.", "y", columns)
    assert clause.body == (Literal("x", OPERATORS[symbol].mirror, 3.0),)


def test_a_program_is_not_written_with_the_spellings_of_others():
    with pytest.raises(ProgramSyntaxError, match=r"expected: .*an operator \(=<, >, <, >=\)"):
        parse("y(X,'yes') :- x(X,N), N = 3.")
