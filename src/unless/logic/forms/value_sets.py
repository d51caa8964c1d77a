"""Which values of one column pass: numbers in spans, words listed or all others, perhaps missing.

In: literals of one column, put together by and, or, not, or by the helpers of a program. Out: a `ValueSet`, exactly the
truth table of `holds`: what is not at most 3 is more than 3, or a word, or missing. Spans begin and end at cuts between
numbers, so that each bound keeps the number that was written and whether that number is in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from unless.logic.clause import Points
from unless.logic.rules import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.clause import Goal
    from unless.logic.program import Program
    from unless.logic.rules import Column, Value


class Cut(NamedTuple):
    """A point of the number line just before a number, or just after it."""

    number: float
    after: bool


class NumberSpan(NamedTuple):
    """The numbers between two cuts."""

    low: Cut
    high: Cut

    @property
    def has_low(self) -> bool:
        """Tell whether there is a bound below."""
        return self.low.number > -math.inf

    @property
    def has_high(self) -> bool:
        """Tell whether there is a bound above."""
        return self.high.number < math.inf


FIRST, LAST = Cut(-math.inf, False), Cut(math.inf, True)
EVERY_NUMBER = (NumberSpan(FIRST, LAST),)


@dataclass(frozen=True, slots=True)
class ValueSet:
    """The numbers in `spans`, from low to high; the words in `words`, or, with `others`, all but those; missing."""

    spans: tuple[NumberSpan, ...] = EVERY_NUMBER
    words: frozenset[str] = frozenset()
    others: bool = True
    missing: bool = True

    @staticmethod
    def of(literal: Literal) -> ValueSet:
        """Return the values for which a literal holds.

        >>> from unless.logic.rules import Literal
        >>> ValueSet.of(Literal("age", ">", 3)).has(3.5), ValueSet.of(Literal("age", ">", 3)).has(None)
        (True, False)
        """
        test, value = OPERATORS[literal.op], literal.value
        if isinstance(value, str):
            word = frozenset({value})
            return ValueSet(words=word) if test.is_denial else ValueSet((), word, others=False, missing=False)
        if test.bound == "upper":
            span = NumberSpan(FIRST, Cut(value, not test.is_strict))
        else:
            span = NumberSpan(Cut(value, test.is_strict), LAST)
        return ValueSet((span,), others=False, missing=False)

    def __and__(self, other: ValueSet) -> ValueSet:
        pairs = (NumberSpan(max(a.low, b.low), min(a.high, b.high)) for a in self.spans for b in other.spans)
        spans = tuple(sorted(span for span in pairs if span.low < span.high))
        words, others = _common_words(self, other)
        return ValueSet(spans, words, others, self.missing and other.missing)

    def __invert__(self) -> ValueSet:
        edges = [FIRST, *(cut for span in self.spans for cut in span), LAST]
        gaps = (NumberSpan(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True))
        return ValueSet(tuple(gap for gap in gaps if gap.low < gap.high), self.words, not self.others, not self.missing)

    def __or__(self, other: ValueSet) -> ValueSet:
        return ~(~self & ~other)

    def has(self, value: Value | None) -> bool:
        """Tell whether a value passes; None is missing."""
        if value is None:
            return self.missing
        if isinstance(value, str):
            return (value in self.words) != self.others
        return any(low <= (value, False) and (value, True) <= high for low, high in self.spans)

    @property
    def only_words(self) -> bool:
        """Tell whether nothing passes but some words that can be listed."""
        return not (self.spans or self.others or self.missing)


NOTHING = ~ValueSet()
FEW_NUMBERS = 3
"""Of a column of few whole numbers, so many that pass are named; of more the bounds are said."""


def named_numbers(column: Column, values: ValueSet) -> tuple[float, ...]:
    """Return the numbers that pass, where they are better named than bounded; else nothing.

    >>> from unless.logic.rules import Column
    >>> named_numbers(Column("thal", "numerical", values=(3, 6, 7)), ValueSet.of(Literal("thal", ">", 4.0)))
    (6.0, 7.0)
    """
    if values.spans and all(span.low.number == span.high.number for span in values.spans):
        return tuple(span.low.number for span in values.spans)
    passing = tuple(number for number in map(float, column.values) if values.has(number))
    return passing if values.spans != EVERY_NUMBER and len(passing) <= FEW_NUMBERS else ()


def _common_words(a: ValueSet, b: ValueSet) -> tuple[frozenset[str], bool]:
    if a.others and b.others:
        return a.words | b.words, True
    if a.others:
        return b.words - a.words, False
    return (a.words - b.words if b.others else a.words & b.words), False


def one_column_helpers(program: Program) -> dict[str, tuple[str, ValueSet]]:
    """Return the helpers that test one column only, with the values that they let through.

    A clause that denies something beside its tests has an exception, and stays one.
    """
    known: dict[str, tuple[str, ValueSet]] = {}
    for name in program.order:
        values, column = NOTHING, None
        for clause in program.helpers[name]:
            denies = len(clause.body) > 1 and any(call.negated for call in clause.calls)
            tests = [None] if denies else [_one_column(goal, known) for goal in clause.body]
            columns = {test[0] for test in tests if test is not None}
            if None in tests or len(columns | {column} - {None}) != 1:
                break
            (column,) = columns
            passing = ValueSet()
            for test in tests:
                passing &= test[1]  # type: ignore[index]
            values |= passing
        else:
            assert column is not None
            known[name] = column, values
    return known


def _one_column(goal: Goal, known: Mapping[str, tuple[str, ValueSet]]) -> tuple[str, ValueSet] | None:
    if isinstance(goal, Literal):
        return goal.column, ValueSet.of(goal)
    if isinstance(goal, Points) or goal.name not in known:
        return None
    column, values = known[goal.name]
    return column, ~values if goal.negated else values
