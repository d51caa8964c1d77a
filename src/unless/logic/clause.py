"""One clause of a program, and the goals of its body: a test of a column, a call of a helper, a sum of points."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError
from unless.logic.names import can_have_points
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.rules import Label

MAX_POINTS = 1_000_000
"""More points than this make no scorecard that a person reads."""


@dataclass(frozen=True, slots=True)
class Call:
    """A goal that asks whether a helper predicate holds, or, negated, that it does not."""

    name: str
    negated: bool = True


@dataclass(frozen=True, slots=True)
class Points:
    """A goal that holds when the points of the helper predicates that hold, its cases, reach the threshold.

    >>> Points(((2, "smoker"), (1, "over_sixty")), threshold=2).threshold
    2
    """

    awards: tuple[tuple[int, str], ...]
    threshold: int

    def __post_init__(self) -> None:
        if len(self.awards) < 2:
            msg = f"points are added up from at least two awards, not {len(self.awards)}; ask for the helper itself."
            raise ProgramError(msg)
        seen: set[str] = set()
        for points, case in self.awards:
            _check_points(points, f"{case!r} is worth")
            if case in seen:
                msg = f"{case!r} is awarded twice in one sum; give it all its points at once."
                raise ProgramError(msg)
            seen.add(case)
            if not can_have_points(case):
                msg = f"{case!r} cannot have points, because s(CASP) renames what ends in _ and a number; rename it."
                raise ProgramError(msg)
        _check_points(self.threshold, "the threshold of points is")

    def total(self, known: Mapping[str, bool]) -> int:
        """Add up the points of the cases that hold."""
        return sum(points for points, case in self.awards if known[case])


Goal = Literal | Call | Points


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `name` is the helper it defines, or None for the target, and then `label` is what it concludes.

    The goals are kept in one order, whatever order they were given in: literals, calls, points; the literals of one
    column together, nothing twice. So two clauses that print alike are equal.
    """

    name: str | None
    label: Label | None
    body: tuple[Goal, ...]
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        columns: dict[str, list[Goal]] = {}
        for goal in self.body:
            if isinstance(goal, Literal):
                columns.setdefault(goal.column, []).append(goal)
        object.__setattr__(self, "body", tuple(dict.fromkeys(chain(*columns.values(), self.calls, self.points))))

    @property
    def literals(self) -> Iterator[Literal]:
        """Yield the goals that test a column."""
        return (goal for goal in self.body if isinstance(goal, Literal))

    @property
    def calls(self) -> Iterator[Call]:
        """Yield the goals that ask for a helper predicate."""
        return (goal for goal in self.body if isinstance(goal, Call))

    @property
    def points(self) -> Iterator[Points]:
        """Yield the goals that add up points."""
        return (goal for goal in self.body if isinstance(goal, Points))

    @property
    def called(self) -> Iterator[str]:
        """Yield the names of the helper predicates that some goal asks for, or gives points to."""
        yield from (call.name for call in self.calls)
        yield from (case for points in self.points for _, case in points.awards)


def _check_points(points: object, what: str) -> None:
    if not isinstance(points, int) or isinstance(points, bool) or not 0 < points <= MAX_POINTS:
        msg = f"{what} {points!r}; points are whole numbers from 1 to {MAX_POINTS:,}."
        raise ProgramError(msg)


def as_dict(value: Any) -> Any:
    """Return a goal as plain data, for JSON."""
    if isinstance(value, Literal):
        return {"column": value.column, "op": value.op, "value": value.value}
    if isinstance(value, Points):
        return {"points": [{"points": n, "call": case} for n, case in value.awards], "threshold": value.threshold}
    assert isinstance(value, Call)
    return {"call": value.name, "negated": value.negated}
