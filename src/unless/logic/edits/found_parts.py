"""Finding a part of a program by the number of its rule, and making it that rule's own.

In: a program and a number such as `1.2`, as the outline counts. Out: the program in which no other rule shares the
clauses on the way there (those that were shared are copied under a new name, so nothing else changes its meaning), and
the entry in it. Helpers that an edit leaves without a caller are dropped by `tidy`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from unless.errors import ProgramError, listing
from unless.logic.clause import Call, Clause, Points
from unless.logic.edits.value_goals import GoalWriter
from unless.logic.forms.flatten import helpers_used
from unless.logic.forms.outline import ordered_helpers, outline
from unless.logic.forms.value_sets import one_column_helpers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.clause import Goal
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program

NOTHING_ASKED = "it would hold for every row; remove the rule itself, or give it another condition first."


def entry_of(program: Program, number: str) -> Entry:
    """Return the rule or exception that has a number."""
    entries = [entry for rule in outline(program) for entry in rule.walk()]
    found = next((entry for entry in entries if entry.number == number), None)
    if found is None:
        msg = f"there is no rule or exception {number}; there are {listing(entry.number for entry in entries)}."
        raise ProgramError(msg)
    return found


def named(number: str) -> str:
    """Name a rule or exception by its number, as people do: a bare number at the start of a sentence is none."""
    return f"exception {number}" if "." in number else f"rule {number}"


def own_entry(program: Program, number: str) -> tuple[Program, Entry]:
    """Return the program in which the clauses on the way to an entry are only its own, and the entry there."""
    parts = number.split(".")
    for depth in range(1, len(parts)):
        above, below = ".".join(parts[:depth]), ".".join(parts[: depth + 1])
        helper = entry_of(program, below).helper
        assert helper is not None
        program = own_goal(program, above, Call(helper))
        callers = Counter(name for clause in program.clauses for name in clause.called)
        if callers[helper] > 1:
            program = _copied(program, entry_of(program, above).clause, helper)
    return program, entry_of(program, number)


def own_goal(program: Program, number: str, goal: Goal) -> Program:
    """Return the program in which a goal of an entry stands in its own clause, and in no helper that it asks for."""
    while asked := _asked_with(program, entry_of(program, number).clause, goal):
        clause = entry_of(program, number).clause
        inside = {Call(name, negated=False): program.helpers[name][0].body for name in asked}
        body = (*(g for g in clause.body if g not in inside), *(g for goals in inside.values() for g in goals))
        program = put(program, clause, (replace(clause, body=body),))
    if goal not in entry_of(program, number).clause.body:
        msg = f"this part of {named(number)} is written in a way that only the text can change."
        raise ProgramError(msg)
    return program


def _asked_with(program: Program, clause: Clause, goal: Goal) -> list[str]:
    """Return the helpers of one clause that a clause asks for and that have a goal, themselves or in what they ask."""
    found, tests = [], one_column_helpers(program)
    for call in clause.calls:
        if not call.negated and call.name not in tests and len(program.helpers[call.name]) == 1:
            (inside,) = program.helpers[call.name]
            if goal in inside.body or _asked_with(program, inside, goal):
                found.append(call.name)
    return found


def put(program: Program, clause: Clause, new: Iterable[Clause], further: Iterable[Clause] = ()) -> Program:
    """Put clauses in the stead of one, and further ones below them; helpers that nothing calls any more go."""
    index = next(i for i, each in enumerate(program.clauses) if each is clause)
    clauses = (*program.clauses[:index], *new, *further, *program.clauses[index + 1 :])
    return tidy(program, clauses)


def tidy(before: Program, clauses: tuple[Clause, ...]) -> Program:
    """Return the program with other clauses, without the helpers that only the old ones called, and their templates."""
    was = _reached(before.clauses, set())
    gone = was - _reached(clauses, {*before.helpers} - was)
    kept = tuple(clause for clause in clauses if clause.name not in gone)
    helpers = {clause.name for clause in kept}
    templates = tuple(t for t in before.templates if t.subject != "helper" or t.name in helpers)
    return replace(before, clauses=kept, templates=templates)


def swapped(clause: Clause, old: Goal, *new: Goal) -> Clause:
    """Return a clause with other goals in the stead of one."""
    body = [each for goal in clause.body for each in (new if goal == old else (goal,))]
    if not body:
        raise ProgramError(NOTHING_ASKED)
    return replace(clause, body=tuple(body))


def helper_of(program: Program, name: str) -> tuple[Clause, ...]:
    """Return the clauses of a helper and of all that it calls."""
    return helpers_used([name], program.clauses)


def is_in_order(program: Program) -> bool:
    """Tell whether the first rule that holds decides."""
    return bool(ordered_helpers(program))


def _copied(program: Program, caller: Clause, helper: str) -> Program:
    """Copy a helper that is an exception under a new name for one of its callers; who asks for it is left alone."""
    writer = GoalWriter(program)
    name = writer.free("ab" if helper.startswith("ab") else f"{helper}_copy")
    renamed = [Call(name) if goal == Call(helper) else goal for goal in caller.body]
    copies = [replace(clause, name=name) for clause in program.helpers[helper]]
    return put(program, caller, (replace(caller, body=tuple(renamed)),), copies)


def renamed_goal(goal: Goal, names: Mapping[str, str]) -> Goal:
    """Return a goal that calls helpers by their new names."""
    if isinstance(goal, Call):
        return Call(names.get(goal.name, goal.name), goal.negated)
    if isinstance(goal, Points):
        return Points(tuple((n, names.get(case, case)) for n, case in goal.awards), goal.threshold)
    return goal


def _reached(clauses: tuple[Clause, ...], further: set[str]) -> set[str]:
    """Return the helpers that the rules ask for, or some further helpers do, directly or not."""
    called = [name for clause in clauses if clause.name is None or clause.name in further for name in clause.called]
    return {clause.name for clause in helpers_used(called, clauses) if clause.name is not None}
