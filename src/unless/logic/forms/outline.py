"""A program as people read it: rules numbered 1, 2, ..., under each its exceptions 1.1, 1.2, ..., and no helper.

In: a program. Out: a tuple of `Entry` trees. What a helper is good for is seen from its clauses, never from its name:

- tests of one column, however many clauses they fill, are one `ColumnTest`: a set of words, a range;
- a helper that is asked for and has one clause is part of the body that asks; with several clauses it is an `Either`;
- a helper that is denied is an exception for each of its clauses; a denied set of words is a test of the column;
- a sum of points is a `PointsTable`, the heaviest case first;
- clauses of which each asks for a helper and denies those of all labels before it are rules in order: the first one
  that holds decides.

A helper that several clauses call stands under each of them, because what it does differs from one to the other.
Beyond `MAX_ENTRIES` or `MAX_DEPTH` it is left out (`cut`, `LeftOut`), so that no program makes the tree explode.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unless.logic.clause import Call, Points
from unless.logic.forms.entries import ColumnTest, Either, Entry, LeftOut, PointsTable
from unless.logic.forms.value_sets import ValueSet, one_column_helpers
from unless.logic.program import same_label
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.logic.clause import Clause, Goal
    from unless.logic.forms.entries import EntryCondition, EntryKind
    from unless.logic.program import Program
    from unless.logic.rules import Label

MAX_ENTRIES = 2000
MAX_DEPTH = 12


def outline(program: Program) -> tuple[Entry, ...]:
    """Return the rules of a program, in the order in which the first that holds decides."""
    kept: dict[str, tuple[Entry, ...]] = vars(program)
    if "_outline" not in kept:  # kept with the program, as its cached properties are
        kept["_outline"] = tuple(_Grower(program).rules())
    return kept["_outline"]


def ordered_helpers(program: Program) -> tuple[str, ...]:
    """Return, of rules in order, the helper of each clause that concludes a label; else nothing.

    >>> from unless.logic.text.parser import parse
    >>> ordered_helpers(parse("t(X,'a') :- p(X). t(X,'b') :- q(X), not p(X). p(X) :- c(X,'d'). q(X) :- c(X,'e')."))
    ('p', 'q')
    """
    earlier: list[tuple[Label | None, str]] = []
    for clause in program.clauses:
        if clause.name is not None:
            continue
        asked = [call.name for call in clause.calls if not call.negated]
        denied = {name for label, name in earlier if not same_label(label, clause.label)}
        if len(asked) != 1 or set(clause.body) != {Call(asked[0], False), *map(Call, denied)}:
            return ()
        earlier.append((clause.label, asked[0]))
    labels = {clause.label for clause in program.clauses if clause.name is None}
    return tuple(name for _, name in earlier) if len(labels) > 1 else ()


@dataclass(slots=True)
class _Parts:
    """What a body is made of, as it is gathered."""

    tests: dict[str, ValueSet] = field(default_factory=dict)
    others: dict[Goal, None] = field(default_factory=dict)
    goals: dict[Goal, None] = field(default_factory=dict)
    denied: dict[str, None] = field(default_factory=dict)

    def narrow(self, column: str, values: ValueSet, goal: Goal) -> None:
        """Add a test of a column to those of the same column."""
        self.tests[column] = self.tests.get(column, ValueSet()) & values
        self.goals[goal] = None


class _Grower:
    """Grows the tree and keeps count of its entries."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # What is not shared always finds room.
        self.left = MAX_ENTRIES + len(program.clauses)
        self.one_column = one_column_helpers(program)
        self.columns = {column.name: column for column in program.columns}
        tested = (literal for clause in program.clauses for literal in clause.literals)
        self.with_words = {literal.column for literal in tested if isinstance(literal.value, str)}
        self.templated = {template.name for template in program.templates if template.subject == "helper"}

    def rules(self) -> Iterator[Entry]:
        """Yield the rules, numbered."""
        program, number = self.program, 0
        in_order = ordered_helpers(program)
        concluding = [clause for clause in program.clauses if clause.name is None]
        if not in_order:
            concluding = [clause for label in program.target.labels for clause in program.clauses_for(label)]
        for clause, helper in zip(concluding, in_order or (None,) * len(concluding), strict=True):
            assert clause.label is not None
            for body in (clause,) if helper is None else program.helpers[helper]:
                number += 1
                goals = body.body if helper is None else (*body.body, *(c for c in clause.calls if c.negated))
                yield self._entry(str(number), "rule", body, clause.label, True, goals, depth=0)

    def _entry(
        self, number: str, kind: EntryKind, clause: Clause, label: Label, supports: bool, when: tuple[Goal, ...],
        *, depth: int,
    ) -> Entry:  # fmt: skip
        parts = self._gather(clause)
        conditions = tuple(self._conditions(parts, label, supports, depth))
        # A helper of one column is one exception, any other is an exception for each of its clauses.
        below: list[tuple[str, Clause]] = []
        for name in parts.denied:
            clauses = self.program.helpers[name]
            below += [(name, clause) for clause in (clauses[:1] if name in self.one_column else clauses)]
        cut = bool(below) and (self.left < len(below) or depth >= MAX_DEPTH)
        self.left -= 0 if cut else len(below)
        entries = [] if cut else [
            self._exception(f"{number}.{i}" if number else "", name, clause, label, not supports, depth + 1)
            for i, (name, clause) in enumerate(below, 1)
        ]  # fmt: skip
        goals = tuple(parts.goals)
        return Entry(
            number, kind, clause, label, supports, conditions, goals, when, tuple(entries), clause.name, cut=cut
        )

    def _exception(self, number: str, name: str, clause: Clause, label: Label, supports: bool, depth: int) -> Entry:
        if name not in self.one_column:
            return self._entry(number, "exception", clause, label, supports, clause.body, depth=depth)
        goal = Call(name, negated=False)
        conditions = (self._test(*self.one_column[name]),)
        return Entry(number, "exception", clause, label, supports, conditions, (goal,), (goal,), helper=name)

    def _gather(self, clause: Clause) -> _Parts:
        """Sort the goals of a clause, and of the helpers of one clause that it asks for."""
        parts, waiting, inside = _Parts(), [clause], {clause.name}
        while waiting:
            for goal in waiting.pop(0).body:
                if isinstance(goal, Literal):
                    parts.narrow(goal.column, ValueSet.of(goal), goal)
                elif isinstance(goal, Points):
                    parts.others[goal] = parts.goals[goal] = None
                elif self._is_said_as_test(goal):
                    column, values = self.one_column[goal.name]
                    parts.narrow(column, ~values if goal.negated else values, goal)
                elif goal.negated:
                    parts.denied[goal.name] = None
                elif len(self.program.helpers[goal.name]) == 1 and goal.name not in self.templated:
                    if goal.name not in inside:
                        inside.add(goal.name)
                        waiting.append(self.program.helpers[goal.name][0])
                else:
                    parts.others[goal] = parts.goals[goal] = None
        return parts

    def _is_said_as_test(self, call: Call) -> bool:
        """Tell whether a call is a test of a column where it stands: any that is asked for, a set that is denied."""
        if call.name not in self.one_column or call.name in self.templated:
            return False
        values = self.one_column[call.name][1]
        return not call.negated or (values.only_words and len(values.words) > 1)

    def _conditions(self, parts: _Parts, label: Label, supports: bool, depth: int) -> Iterator[EntryCondition]:
        yield from (self._test(column, values) for column, values in parts.tests.items())
        for goal in parts.others:
            names = [case for _, case in goal.awards] if isinstance(goal, Points) else [goal.name]  # type: ignore[union-attr]
            needed = sum(len(self.program.helpers[name]) for name in names)
            if self.left < needed or depth >= MAX_DEPTH:
                yield LeftOut(goal)
                continue
            self.left -= needed
            if isinstance(goal, Points):
                cases = (self.case(name, label, supports, depth + 1) for name in names)
                yield self._table(goal, [(points, case) for (points, _), case in zip(goal.awards, cases, strict=True)])
            else:
                yield Either(names[0], tuple(self._clauses(names[0], label, supports, depth + 1)))

    def _table(self, goal: Points, awards: list[tuple[int, Entry]]) -> PointsTable:
        """Sort the cases: the heaviest first; where all weigh the same, in the order of the columns."""
        is_count = len({points for points, _ in awards}) == 1
        columns = list(self.columns)

        def rank(award: tuple[int, Entry]) -> tuple[int, int]:
            first = award[1].conditions[0] if award[1].conditions else None
            in_order = is_count and isinstance(first, ColumnTest)
            return -award[0], columns.index(first.column.name) if in_order else 0  # type: ignore[union-attr]

        return PointsTable(goal, tuple(sorted(awards, key=rank)))

    def case(self, name: str, label: Label, supports: bool, depth: int) -> Entry:
        """Return a case of points as one entry."""
        goal, first = Call(name, negated=False), self.program.helpers[name][0]
        if name in self.one_column:
            test = self._test(*self.one_column[name])
            return Entry("", "case", first, label, supports, (test,), (goal,), (goal,), helper=name)
        if len(self.program.helpers[name]) == 1:
            return self._entry("", "case", first, label, supports, (goal,), depth=depth)
        either = Either(name, tuple(self._clauses(name, label, supports, depth)))
        return Entry("", "case", first, label, supports, (either,), (goal,), (goal,), helper=name)

    def _clauses(self, name: str, label: Label, supports: bool, depth: int) -> Iterator[Entry]:
        for clause in self.program.helpers[name]:
            yield self._entry("", "case", clause, label, supports, clause.body, depth=depth)

    def _test(self, column: str, values: ValueSet) -> ColumnTest:
        beside = self.program.thresholds.get(column, ())
        return ColumnTest(self.columns[column], values, column in self.with_words, beside)


def helper_entry(program: Program, name: str) -> Entry:
    """Return what a helper says, as an entry: an exception with its number where it is one, else without."""
    found = (entry for rule in outline(program) for entry in rule.walk() if entry.helper == name)
    numbered = next((entry for entry in found if len(program.helpers[name]) == 1), None)
    return numbered or _Grower(program).case(name, program.target.labels[0], supports=True, depth=0)
