"""What of a program's outline holds for one row: which rule decides, what stops the others, which comes nearest.

In: a program and a row's values. Out: answers about entries and conditions. The truth is that of `logic.holds`; the
outline only says what is asked about.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from unless.logic.forms.entries import ColumnTest, Either, LeftOut, PointsTable
from unless.logic.forms.outline import outline
from unless.logic.holds import goal_holds, helpers_hold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.program import Program
    from unless.logic.rules import Value


class RowTruth:
    """Answers about one row; helpers are decided once."""

    def __init__(self, program: Program, values: Mapping[str, Value | None]) -> None:
        self.program = program
        self.values = values

    @cached_property
    def helpers(self) -> dict[str, bool]:
        """Return which helpers hold."""
        return helpers_hold(self.program, self.values)

    @cached_property
    def rules(self) -> tuple[Entry, ...]:
        """Return the rules of the outline."""
        return outline(self.program)

    def holds(self, entry: Entry) -> bool:
        """Tell whether an entry holds: its conditions do, and no exception."""
        return all(goal_holds(goal, self.values, self.helpers) for goal in entry.when)

    def meets(self, condition: EntryCondition) -> bool:
        """Tell whether a condition holds."""
        if isinstance(condition, ColumnTest):
            return condition.values.has(self.values.get(condition.column.name))
        if isinstance(condition, Either):
            return self.helpers[condition.helper]
        assert isinstance(condition, PointsTable | LeftOut)
        return goal_holds(condition.goal, self.values, self.helpers)

    def total(self, table: PointsTable) -> int:
        """Add up the points of the cases that hold."""
        return table.goal.total(self.helpers)

    def failing(self, entry: Entry) -> list[EntryCondition]:
        """Return the conditions that do not hold."""
        return [condition for condition in entry.conditions if not self.meets(condition)]

    def applying(self, entry: Entry) -> list[Entry]:
        """Return the exceptions that hold."""
        return [below for below in entry.entries if self.holds(below)]

    def lifted(self, entry: Entry) -> list[Entry]:
        """Return the exceptions whose conditions hold, and that one of their own exceptions stops."""
        return [below for below in entry.entries if not self.failing(below) and not self.holds(below)]

    def nearest(self, entries: Iterable[Entry]) -> Entry | None:
        """Return, of entries that do not hold, the one with the fewest conditions failing; then the most that hold."""

        def distance(entry: Entry) -> tuple[int, int, int]:
            n_failing = len(self.failing(entry))
            return n_failing, n_failing - len(entry.conditions), len(self.applying(entry))

        return min(entries, key=distance, default=None)
