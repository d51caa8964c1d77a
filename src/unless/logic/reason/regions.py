"""What literals leave possible: the set of values that a column may have where they hold.

In: literals of one column. Out: a `Region`, an interval of numbers beside a set of words beside missing; exactly the
truth table of `holds`, so `x =< 3` and `x > 3` share no value and yet are no complements (a word, and missing, are in
neither). A `Box` gives a region to each column, everything where it names none. `Verdicts` says which helper
predicates always hold in a box, and which never do; what it cannot tell it leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from unless.logic.clause import Points
from unless.logic.readings import can_hold
from unless.logic.rules import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.clause import Call, Clause, Goal
    from unless.logic.program import Program

LARGEST = math.nextafter(math.inf, 0.0)


@dataclass(frozen=True, slots=True)
class Region:
    """The numbers from `low` to `high`, both included; the words in `words`, or all others; perhaps missing."""

    low: float = -LARGEST
    high: float = LARGEST
    words: frozenset[str] = frozenset()
    others: bool = True
    missing: bool = True

    @property
    def has_numbers(self) -> bool:
        """Tell whether a number is possible."""
        return self.low <= self.high

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is possible."""
        return not (self.has_numbers or self.words or self.others or self.missing)

    def __contains__(self, value: object) -> bool:
        if value is None:
            return self.missing
        if isinstance(value, str):
            return (value in self.words) != self.others
        return isinstance(value, float) and self.low <= value <= self.high

    def __and__(self, other: Region) -> Region:
        words, others = _common_words(self, other)
        return Region(
            max(self.low, other.low),
            min(self.high, other.high),
            words,
            others,
            self.missing and other.missing,
        )

    def __le__(self, other: Region) -> bool:
        """Tell whether every value of this region is in the other."""
        numbers = not self.has_numbers or (other.low <= self.low and self.high <= other.high)
        return numbers and _words_within(self, other) and (other.missing or not self.missing)


ANYTHING = Region()
NO_NUMBERS = Region(low=1.0, high=0.0)


@lru_cache(maxsize=10_000)
def region_of(literal: Literal) -> Region:
    """Return the values for which a literal holds."""
    value, test = literal.value, OPERATORS[literal.op]
    if isinstance(value, str):
        word = frozenset({value})
        return Region(words=word) if test.is_denial else Region(1.0, 0.0, word, others=False, missing=False)
    inwards = -math.inf if test.bound == "upper" else math.inf
    edge = math.nextafter(value, inwards) if test.is_strict else value
    low, high = (-LARGEST, edge) if test.bound == "upper" else (edge, LARGEST)
    return Region(low, high, others=False, missing=False)


def _common_words(a: Region, b: Region) -> tuple[frozenset[str], bool]:
    if a.others and b.others:
        return a.words | b.words, True
    if a.others:
        return b.words - a.words, False
    return (a.words - b.words if b.others else a.words & b.words), False


def _words_within(a: Region, b: Region) -> bool:
    if a.others:
        return b.others and b.words <= a.words
    return not (a.words & b.words) if b.others else a.words <= b.words


@dataclass(frozen=True, slots=True)
class Box:
    """A region for each column that is narrowed; the others may hold anything."""

    regions: Mapping[str, Region]

    @staticmethod
    def of(literals: Iterable[Literal]) -> Box:
        """Return the rows for which some literals hold."""
        return EVERYWHERE.where(literals)

    @property
    def is_empty(self) -> bool:
        """Tell whether no row is in the box."""
        return any(region.is_empty for region in self.regions.values())

    def where(self, literals: Iterable[Literal]) -> Box:
        """Return the part of the box in which some literals hold."""
        regions = dict(self.regions)
        for literal in literals:
            regions[literal.column] = regions.get(literal.column, ANYTHING) & region_of(literal)
        return Box(regions)

    def ensures(self, literal: Literal) -> bool:
        """Tell whether a literal holds for all rows of the box."""
        return self.regions.get(literal.column, ANYTHING) <= region_of(literal)

    def verdict(self, literal: Literal) -> bool | None:
        """Tell whether a literal holds for all rows of the box (True), for none (False), or neither."""
        if self.ensures(literal):
            return True
        here, there = self.regions.get(literal.column, ANYTHING), region_of(literal)
        return False if (here & there).is_empty else None


EVERYWHERE = Box({})


def everywhere(program: Program) -> Box:
    """Return the box of all rows: a categorical column holds no number, and no column a word that none is read as."""
    columns = {column.name: column for column in program.columns}
    asked = {(x.column, x.value) for clause in program.clauses for x in clause.literals if isinstance(x.value, str)}
    never: dict[str, set[str]] = {}
    for name, word in asked:
        if not can_hold(columns[name], word, program.missing):
            never.setdefault(name, set()).add(word)
    regions = {name: NO_NUMBERS if column.kind == "categorical" else ANYTHING for name, column in columns.items()}
    return Box(
        {
            name: replace(region, words=frozenset(never.get(name, ())))
            for name, region in regions.items()
            if region is NO_NUMBERS or name in never
        }
    )


@dataclass(frozen=True)
class Verdicts:
    """What always or never holds in a box; `given` are calls taken as true beforehand."""

    program: Program
    box: Box
    given: tuple[Call, ...] = ()

    @cached_property
    def helpers(self) -> dict[str, bool | None]:
        """Return the verdict on each helper predicate; many questions are answered without."""
        given = {call.name: not call.negated for call in self.given}
        known: dict[str, bool | None] = {}
        for name in self.program.order:
            clauses = self.program.helpers[name]
            known[name] = given[name] if name in given else _any(self._clause(c, known) for c in clauses)
        return known

    def goal(self, goal: Goal) -> bool | None:
        """Tell whether a goal always or never holds."""
        return self.box.verdict(goal) if isinstance(goal, Literal) else _goal(goal, self.helpers)

    def clause(self, clause: Clause) -> bool | None:
        """Tell whether a clause always or never holds."""
        return self._clause(clause, self.helpers)

    def holds_always(self, clause: Clause) -> bool:
        """Tell whether a clause always holds; quicker, as the first goal that may fail settles it."""
        literals = all(self.box.ensures(literal) for literal in clause.literals)
        return literals and all(self.goal(goal) is True for goal in clause.body if not isinstance(goal, Literal))

    def _clause(self, clause: Clause, known: Mapping[str, bool | None]) -> bool | None:
        if self.box.where(clause.literals).is_empty:
            return False
        others = [_goal(goal, known) for goal in clause.body if not isinstance(goal, Literal)]
        if False in others:
            return False
        certain = None not in others and all(self.box.ensures(literal) for literal in clause.literals)
        return True if certain else None


def _goal(goal: Call | Points, known: Mapping[str, bool | None]) -> bool | None:
    if isinstance(goal, Points):
        if goal.total({case: known[case] is True for _, case in goal.awards}) >= goal.threshold:
            return True
        most = goal.total({case: known[case] is not False for _, case in goal.awards})
        return False if most < goal.threshold else None
    holds = known[goal.name]
    return holds if holds is None else holds != goal.negated


def _any(verdicts: Iterable[bool | None]) -> bool | None:
    found = list(verdicts)
    if True in found:
        return True
    return None if None in found else False
