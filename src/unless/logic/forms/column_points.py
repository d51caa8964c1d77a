"""The points of a card by column, as lenders print a scorecard: for each column the values, and what each of them gets.

In: a card, and the columns of its program. Out: `PointsByColumn`. Every number, every word, named or not, and a blank
cell stand in exactly one entry of their column, and the lowest entry of a column has 0 points. What that moves is in
`start`, so that start, entries and lines together are the card's own points, for every row: a person who adds them up
finds the total that explanations, servers, exports and the model file have. A line that asks two columns, and the
program's decision, stay lines.

>>> from unless.logic.grade import Award, Card
>>> card = Card("late", (Award(3, Literal("age", ">", 40)), Award(-1, Literal("age", ">", 60))), 0.5, -2.0)
>>> (by_age,) = points_by_column(card, [Column("age", "numerical")]).columns
>>> [by_age.entry(age).points for age in (20.0, 50.0, 70.0, "old", None)]
[0, 3, 2, 0, 0]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from unless.logic.forms.value_sets import EVERY_NUMBER, FIRST, LAST, NOTHING, NumberSpan, ValueSet
from unless.logic.grade import Blank, cell_conditions
from unless.logic.rules import Column, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.logic.grade import Award, Card, CellCondition, GradeCondition
    from unless.logic.rules import Value

BLANK_CELL = replace(NOTHING, missing=True)


@dataclass(frozen=True, slots=True)
class PointsEntry:
    """Values of a column, and the points that each of them gets."""

    points: int
    values: ValueSet


@dataclass(frozen=True, slots=True)
class ColumnPoints:
    """A column and its entries: numbers from low to high, words by their points, then all others, and blank cells."""

    column: Column
    entries: tuple[PointsEntry, ...]

    def entry(self, value: Value | None) -> PointsEntry:
        """Return the entry that a value falls under; None is a blank cell."""
        return next(entry for entry in self.entries if entry.values.has(value))


@dataclass(frozen=True, slots=True)
class PointsByColumn:
    """What every row begins with, the columns, those with the highest points first, and the lines that stay lines."""

    start: int
    columns: tuple[ColumnPoints, ...]
    lines: tuple[Award, ...]


def points_by_column(card: Card, columns: Iterable[Column]) -> PointsByColumn:
    """Sort the points of a card by column; a column all of whose values get the same is none."""
    found = [_column_points(column, _tests(card, column.name)) for column in columns if column.name in card.columns]
    lowest = [min(entry.points for entry in each.entries) for each in found]
    from_zero = [_less(each, low) for each, low in zip(found, lowest, strict=True) if len(each.entries) > 1]
    from_zero.sort(key=lambda each: -max(entry.points for entry in each.entries))
    lines = tuple(award for award in card.awards if _only_column(award.condition) is None)
    return PointsByColumn(sum(lowest), tuple(from_zero), lines)


def values_of(condition: CellCondition) -> ValueSet:
    """Return the values for which a condition of a grade holds."""
    if isinstance(condition, Literal):
        return ValueSet.of(condition)
    if isinstance(condition, Blank):
        return BLANK_CELL
    among = replace(NOTHING, words=frozenset(condition.words))
    return ~among if condition.negated else among


def _only_column(condition: GradeCondition) -> str | None:
    """Return the column that a condition asks, if it asks one: two conditions may ask the same."""
    asked = {part.column for part in cell_conditions(condition)}
    return asked.pop() if len(asked) == 1 else None


def _tests(card: Card, column: str) -> list[tuple[int, ValueSet]]:
    """Return what the card asks of one column alone, with the points for it."""
    return [(a.points, _values(a)) for a in card.awards if _only_column(a.condition) == column]


def _values(award: Award) -> ValueSet:
    """Return the values that get the points of a line which asks one column."""
    values = ValueSet()
    for part in cell_conditions(award.condition):
        values &= values_of(part)
    return ~values if award.unless else values


def _column_points(column: Column, tests: Sequence[tuple[int, ValueSet]]) -> ColumnPoints:
    numbers = [] if column.kind == "categorical" else list(_by_number(tests))
    words, others = _by_word(tests)
    if not numbers or (len(numbers) == 1 and numbers[0].points == others.points):
        numbers, others = [], replace(others, values=replace(others.values, spans=EVERY_NUMBER))
    blank = PointsEntry(sum(points for points, values in tests if values.missing), BLANK_CELL)
    rest = [others, blank]
    if others.points == blank.points:
        rest = [replace(others, values=replace(others.values, missing=True))]
    return ColumnPoints(column, (*numbers, *words, *rest))


def _by_number(tests: Sequence[tuple[int, ValueSet]]) -> Iterator[PointsEntry]:
    """Yield what numbers get, from low to high; neighbours with the same points are one span."""
    cuts = sorted({FIRST, LAST, *(cut for _, values in tests for span in values.spans for cut in span)})
    spans = [NumberSpan(low, high) for low, high in pairwise(cuts)]
    for points, same in groupby(spans, lambda span: sum(p for p, values in tests if _covers(values, span))):
        alike = list(same)
        yield PointsEntry(points, replace(NOTHING, spans=(NumberSpan(alike[0].low, alike[-1].high),)))


def _covers(values: ValueSet, span: NumberSpan) -> bool:
    """Tell whether the numbers of a span pass, of which either all do or none."""
    return any(each.low <= span.low and span.high <= each.high for each in values.spans)


def _by_word(tests: Sequence[tuple[int, ValueSet]]) -> tuple[list[PointsEntry], PointsEntry]:
    """Return what named words get, those with the most points first, and what all other words get."""
    named = sorted({word for _, values in tests for word in values.words})
    points_of = {word: sum(p for p, v in tests if (word in v.words) != v.others) for word in named}
    other = sum(points for points, values in tests if values.others)
    groups: dict[int, list[str]] = {}
    for word, points in points_of.items():
        if points != other:
            groups.setdefault(points, []).append(word)
    by_points = sorted(groups.items(), reverse=True)
    entries = [PointsEntry(points, replace(NOTHING, words=frozenset(group))) for points, group in by_points]
    said = frozenset().union(*groups.values())
    return entries, PointsEntry(other, replace(NOTHING, words=said, others=True))


def _less(column: ColumnPoints, points: int) -> ColumnPoints:
    entries = (replace(entry, points=entry.points - points) for entry in column.entries)
    return replace(column, entries=tuple(entries))
