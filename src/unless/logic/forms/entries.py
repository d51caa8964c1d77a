"""The parts of a program as people read it: rules and exceptions with numbers, and the conditions that they have.

An `Entry` is a clause where it stands. A condition is a test of one column (a set of words, a range), a table of
points, or one of several cases; none of them has a helper's name in it but to look up its truth or a person's template.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from typing import Literal as OneOf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from unless.logic.clause import Clause, Goal, Points
    from unless.logic.forms.value_sets import ValueSet
    from unless.logic.rules import Column, Label

EntryKind = OneOf["rule", "exception", "case"]


@dataclass(frozen=True, slots=True)
class ColumnTest:
    """A test of one column; `is_mixed` tells that the program knows words among the column's numbers.

    `beside` are the numbers that the program compares the column with: those of this test must not look like others.
    """

    column: Column
    values: ValueSet
    is_mixed: bool = False
    beside: Collection[float] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PointsTable:
    """A sum of points; each case is an entry of its own, the heaviest first."""

    goal: Points
    awards: tuple[tuple[int, Entry], ...]

    @property
    def equal_points(self) -> int | None:
        """Return the points of each case if all have the same: then the cases are counted."""
        points = {points for points, _ in self.awards}
        return points.pop() if len(points) == 1 else None

    @property
    def n_needed(self) -> int | None:
        """Return how many cases are needed, if all have the same points."""
        each = self.equal_points
        return None if each is None else -(-self.goal.threshold // each)


@dataclass(frozen=True, slots=True)
class Either:
    """A helper said where it is asked for: one of the cases holds."""

    helper: str
    cases: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A condition that is not said, because too much is nested in it."""

    goal: Goal


EntryCondition: TypeAlias = ColumnTest | PointsTable | Either | LeftOut


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause where it stands: a rule, an exception to what stands above it, or a case of a condition (no number).

    `supports` tells whether it speaks for the label of its rule (a rule, an exception to an exception) or against it.
    Its conditions say what `goals` test; it holds when `when` does: the goals, none of the exceptions in `entries`,
    and, of a rule in order, no rule of another label before it.
    """

    number: str
    kind: EntryKind
    clause: Clause
    label: Label
    supports: bool
    conditions: tuple[EntryCondition, ...]
    goals: tuple[Goal, ...]
    when: tuple[Goal, ...]
    entries: tuple[Entry, ...] = ()
    helper: str | None = None
    cut: bool = False

    @property
    def depth(self) -> int:
        """Count the clauses above this one."""
        return self.number.count(".")

    def walk(self) -> Iterator[Entry]:
        """Yield this entry and all exceptions below it, in reading order."""
        yield self
        for entry in self.entries:
            yield from entry.walk()
