"""Changing the conditions of one rule or exception: its tests of columns, and its points.

In: a program, a number as the outline counts, what is to change. Out: a new program, in which all other rules mean what
they meant. Tests are named by their column (an entry has one test of each), points by the case's position in the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.clause import Call, Clause, Points
from unless.logic.edits.found_parts import NOTHING_ASKED, entry_of, named, own_entry, own_goal, put, swapped
from unless.logic.edits.value_goals import GoalWriter
from unless.logic.forms.entries import ColumnTest, PointsTable
from unless.logic.forms.value_sets import one_column_helpers
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from unless.logic.clause import Goal
    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.forms.value_sets import ValueSet
    from unless.logic.program import Program


def change_test(program: Program, number: str, column: str, values: ValueSet) -> Program:
    """Let other values of a column through in a rule or exception; where it has no test of the column, add one."""
    return _with_test(program, number, column, values)


def drop_test(program: Program, number: str, column: str) -> Program:
    """Drop the test of a column from a rule or exception."""
    if column_test(entry_of(program, number), column) is None:
        msg = f"{named(number)} has no test of {column!r}."
        raise ProgramError(msg)
    return _with_test(program, number, column, None)


def column_test(entry: Entry, column: str) -> ColumnTest | None:
    """Return the test of a column that an entry has, if any."""
    tests = (condition for condition in entry.conditions if isinstance(condition, ColumnTest))
    return next((test for test in tests if test.column.name == column), None)


def points_of(entry: Entry) -> PointsTable:
    """Return the points of an entry."""
    tables = [condition for condition in entry.conditions if isinstance(condition, PointsTable)]
    if not tables:
        msg = f"{named(entry.number)} adds up no points."
        raise ProgramError(msg)
    return tables[0]


def drop_other(program: Program, number: str, condition: EntryCondition) -> Program:
    """Drop a condition that is no test of a column: points, or one of several cases."""
    if isinstance(condition, ColumnTest):
        return drop_test(program, number, condition.column.name)
    goal: Goal | None = getattr(condition, "goal", None)
    if goal is None:
        goal = Call(condition.helper, negated=False)  # type: ignore[union-attr]
    program, entry = own_entry(program, number)
    program = own_goal(program, entry.number, goal)
    clause = entry_of(program, number).clause
    return put(program, clause, (swapped(clause, goal),))


def _with_test(program: Program, number: str, column: str, values: ValueSet | None) -> Program:
    program, entry = own_entry(program, number)
    if is_one_column(entry):
        program = in_one_clause(program, entry)
        clause = entry_of(program, number).clause
        known = one_column_helpers(program)
        gone = set(clause.body) if known[str(entry.helper)][0] == column else set()
    else:
        for goal in _goals_of(program, entry, column):
            program = own_goal(program, number, goal)
        entry = entry_of(program, number)
        clause, gone = entry.clause, set(_goals_of(program, entry, column))
    writer = GoalWriter(program)
    new = () if values is None else writer.goals(column, values)
    at = next((i for i, goal in enumerate(clause.body) if goal in gone), len(clause.body))
    body = (*clause.body[:at], *new, *(goal for goal in clause.body[at:] if goal not in gone))
    if not body:
        raise ProgramError(f"without its test of {column!r} {named(number)} asks for nothing: " + NOTHING_ASKED)
    return put(program, clause, (replace(clause, body=body),), writer.clauses)


def _goals_of(program: Program, entry: Entry, column: str) -> list[Goal]:
    """Return the goals that make up the test of a column."""
    known = one_column_helpers(program)
    said = [goal for goal in entry.goals if isinstance(goal, Literal) and goal.column == column]
    calls = [goal for goal in entry.goals if isinstance(goal, Call) and goal.name in known]
    return [*said, *(goal for goal in calls if known[goal.name][0] == column)]


def is_one_column(entry: Entry) -> bool:
    """Tell whether an entry is an exception that stands for all clauses of a helper of one column."""
    return entry.helper is not None and entry.goals == (Call(entry.helper, negated=False),)


def in_one_clause(program: Program, entry: Entry) -> Program:
    """Write such an exception as one clause, which calls what its clauses say."""
    assert entry.helper is not None
    clauses = program.helpers[entry.helper]
    if len(clauses) == 1:
        return program
    name = GoalWriter(program).free(f"{entry.helper}_case")
    one = Clause(entry.helper, None, (Call(name, negated=False),))
    changed = []
    for clause in program.clauses:
        changed += [one] if clause is clauses[0] else []
        changed.append(replace(clause, name=name) if clause.name == entry.helper else clause)
    return replace(program, clauses=tuple(changed))


# Points.


def change_needed(program: Program, number: str, threshold: int) -> Program:
    """Ask for more or fewer points."""
    return _with_points(program, number, list(points_of(entry_of(program, number)).goal.awards), threshold)


def change_points(program: Program, number: str, case: int, points: int) -> Program:
    """Give a case of a table other points."""
    table, awards = _awards(program, number, case)
    name = table.goal.awards[awards][1]
    changed = [(points if other == name else n, other) for n, other in table.goal.awards]
    return _with_points(program, number, changed, table.goal.threshold)


def drop_case(program: Program, number: str, case: int) -> Program:
    """Drop a case of a table."""
    table, at = _awards(program, number, case)
    kept = [award for i, award in enumerate(table.goal.awards) if i != at]
    return _with_points(program, number, kept, table.goal.threshold)


def change_case(program: Program, number: str, case: int, column: str, values: ValueSet) -> Program:
    """Let a case of a table test other values."""
    table, at = _awards(program, number, case)
    return _with_case(program, number, table, at, table.goal.awards[at][0], column, values)


def add_case(program: Program, number: str, points: int, column: str, values: ValueSet) -> Program:
    """Add a case to a table of points."""
    table = points_of(entry_of(program, number))
    return _with_case(program, number, table, len(table.goal.awards), points, column, values)


def _awards(program: Program, number: str, case: int) -> tuple[PointsTable, int]:
    """Return the table of an entry, and which of its awards as written is the case at a position as read."""
    table = points_of(entry_of(program, number))
    if not 0 <= case < len(table.awards):
        msg = f"there is no case {case + 1}; {named(number)} has {len(table.awards)} of them."
        raise ProgramError(msg)
    names = [name for _, name in table.goal.awards]
    helper = table.awards[case][1].helper
    return table, names.index(helper) if helper in names else case


def _with_case(
    program: Program, number: str, table: PointsTable, at: int, points: int, column: str, values: ValueSet
) -> Program:
    writer = GoalWriter(program)
    name = writer.case(column, values)
    awards = list(table.goal.awards)
    if name in (other for i, (_, other) in enumerate(awards) if i != at):
        msg = f"{named(number)} gives points for that already; change those."
        raise ProgramError(msg)
    awards[at : at + 1] = [(points, name)]
    return _with_points(program, number, awards, table.goal.threshold, tuple(writer.clauses))


def _with_points(
    program: Program, number: str, awards: list[tuple[int, str]], threshold: int, further: tuple[Clause, ...] = ()
) -> Program:
    total = sum(points for points, _ in awards)
    if total < threshold:
        msg = f"all cases together give {total} points, and {threshold} are needed: {named(number)} could never hold."
        raise ProgramError(msg)
    old = points_of(entry_of(program, number)).goal
    program, _ = own_entry(program, number)
    program = own_goal(program, number, old)
    clause = entry_of(program, number).clause
    new = Call(awards[0][1], negated=False) if len(awards) == 1 else Points(tuple(awards), threshold)
    return put(program, clause, (swapped(clause, old, new),), further)
