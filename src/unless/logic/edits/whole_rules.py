"""Adding, removing, moving, switching off and taking apart whole rules and exceptions.

In: a program and numbers as the outline counts. Out: new programs. A rule switched off is kept as `SwitchedOff`
and can be put back, as long as what it was an exception to is still there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.clause import Call, Clause
from unless.logic.edits.found_parts import (
    entry_of,
    helper_of,
    is_in_order,
    named,
    own_entry,
    own_goal,
    put,
    renamed_goal,
    swapped,
    tidy,
)
from unless.logic.edits.rule_parts import in_one_clause, is_one_column
from unless.logic.edits.value_goals import GoalWriter
from unless.logic.forms.flatten import helpers_used
from unless.logic.forms.outline import outline
from unless.logic.names import label_stem
from unless.logic.program import Program, label_text, same_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.clause import Goal
    from unless.logic.forms.entries import Entry
    from unless.logic.forms.value_sets import ValueSet
    from unless.logic.rules import Label

    Tests = Mapping[str, ValueSet]


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A rule (`above` is empty) or an exception to the entry with the number and the clause above, with its helpers."""

    above: str
    above_clause: Clause | None
    label: Label | None
    clauses: tuple[Clause, ...]


def add_rule(program: Program, label: Label, tests: Tests) -> Program:
    """Add a rule for a label, after those that are there."""
    if not any(same_label(label, each) for each in program.target.labels):
        known = ", ".join(label_text(each) for each in program.target.labels)
        msg = f"rules conclude {known}; where none holds it is {label_text(program.target.default)} anyway."
        raise ProgramError(msg)
    writer = GoalWriter(program)
    body = _body(writer, tests)
    if is_in_order(program):
        rules = [*_in_order(program), (label, Clause(None, label, body))]
        return _ordered(program, rules, tuple(writer.clauses))
    rule = Clause(None, label, body)
    if rule in program.clauses:
        msg = "the program has this rule already."
        raise ProgramError(msg)
    return replace(program, clauses=(*program.clauses, rule, *writer.clauses))


def add_exception(program: Program, number: str, tests: Tests) -> Program:
    """Add an exception to a rule or to an exception."""
    program, entry = own_entry(program, number)
    if is_one_column(entry):
        program = in_one_clause(program, entry)
        entry = entry_of(program, number)
    writer = GoalWriter(program)
    name = writer.exception(_body(writer, tests))
    clause = entry.clause
    if Call(name) in clause.body:
        msg = f"{named(number)} has this exception already."
        raise ProgramError(msg)
    return put(program, clause, (replace(clause, body=(*clause.body, Call(name))),), _definitions_first(writer, name))


def remove_entry(program: Program, number: str) -> Program:
    """Remove a rule with its exceptions, or an exception."""
    if "." in number:
        return _without_exception(program, number)
    entry = entry_of(program, number)
    if is_in_order(program):
        return _ordered(program, [rule for rule in _in_order(program) if rule[1] is not entry.clause])
    return put(program, entry.clause, ())


def move_rule(program: Program, number: str, by: int) -> Program:
    """Move a rule up (-1) or down (+1) among the others."""
    rules = outline(program)
    at = next((i for i, rule in enumerate(rules) if rule.number == number), None)
    if at is None or not 0 <= at + by < len(rules):
        msg = f"rule {number} cannot be moved further; there are {len(rules)} rules."
        raise ProgramError(msg)
    if is_in_order(program):
        order = _in_order(program)
        order.insert(at + by, order.pop(at))
        return _ordered(program, order)
    one, other = rules[at], rules[at + by]
    if not same_label(one.label, other.label):
        msg = "rules of one label stand together; which label counts first is said in the program's first lines."
        raise ProgramError(msg)
    swap = {id(one.clause): other.clause, id(other.clause): one.clause}
    return replace(program, clauses=tuple(swap.get(id(clause), clause) for clause in program.clauses))


def only_rules(program: Program, numbers: Sequence[str]) -> Program:
    """Return a program of some of the rules, as they are: what can be locked."""
    if is_in_order(program):
        msg = "rules in order cannot be kept one by one: each one counts only where none before it holds."
        raise ProgramError(msg)
    tops = [entry_of(program, number).clause for number in numbers]
    kept = [clause for clause in program.clauses if any(clause is top for top in tops)]
    used = helpers_used([name for clause in kept for name in clause.called], program.clauses)
    helpers = {clause.name for clause in used}
    templates = tuple(t for t in program.templates if t.subject != "helper" or t.name in helpers)
    return replace(program, clauses=(*kept, *used), templates=templates, grade=None, unseen=None)


def switch_off(program: Program, number: str) -> tuple[Program, SwitchedOff]:
    """Take a rule or an exception out, and keep it to be put back."""
    if "." not in number:
        if is_in_order(program):
            msg = "a rule in order cannot be switched off and on again; remove it, and undo that."
            raise ProgramError(msg)
        top = entry_of(program, number)
        return remove_entry(program, number), SwitchedOff("", None, top.label, only_rules(program, [number]).clauses)
    owned, entry = own_entry(program, number)
    above = number.rpartition(".")[0]
    without = _without_exception(owned, number)
    assert entry.helper is not None
    clauses = (entry.clause, *helpers_used(entry.clause.called, owned.clauses))
    if is_one_column(entry):
        clauses = helper_of(owned, entry.helper)
    return without, SwitchedOff(above, entry_of(without, above).clause, None, clauses)


def switch_on(program: Program, off: SwitchedOff) -> Program:
    """Put a rule or exception back."""
    renamed = _renamed_apart(program, off.clauses)
    if off.above_clause is None:
        new = tuple(clause for clause in renamed if clause not in program.clauses)
        return replace(program, clauses=(*program.clauses, *new))
    entry = _above(program, off)
    name = renamed[0].name
    assert name is not None
    new = tuple(clause for clause in renamed if clause not in program.clauses)
    clause = entry.clause
    return put(program, clause, (replace(clause, body=(*clause.body, Call(name))),), new)


def _above(program: Program, off: SwitchedOff) -> Entry:
    """Find what an exception was an exception to."""
    entries = [entry for rule in outline(program) for entry in rule.walk()]
    same = [entry for entry in entries if entry.clause == off.above_clause]
    near = [entry for entry in same if entry.number == off.above] or same
    if not near:
        msg = f"what this was an exception to ({off.above}) has changed since; undo that first, or add it anew."
        raise ProgramError(msg)
    return own_entry(program, near[0].number)[1]


def _body(writer: GoalWriter, tests: Tests) -> tuple[Goal, ...]:
    body = tuple(goal for column, values in tests.items() for goal in writer.goals(column, values))
    if not body:
        msg = "it needs at least one condition."
        raise ProgramError(msg)
    return Clause(None, None, body).body


def _definitions_first(writer: GoalWriter, name: str) -> list[Clause]:
    """Order new clauses to be read: the exception itself, then the helpers that it asks for."""
    return sorted(writer.clauses, key=lambda clause: clause.name != name)


def _without_exception(program: Program, number: str) -> Program:
    program, entry = own_entry(program, number)
    helper, above = entry.helper, number.rpartition(".")[0]
    assert helper is not None
    if not is_one_column(entry) and len(program.helpers[helper]) > 1:
        return put(program, entry.clause, ())
    program = own_goal(program, above, Call(helper))
    clause = entry_of(program, above).clause
    return put(program, clause, (swapped(clause, Call(helper)),))


def _in_order(program: Program) -> list[tuple[Label, Clause]]:
    return [(rule.label, rule.clause) for rule in outline(program)]


def _ordered(
    program: Program, rules: Sequence[tuple[Label, Clause]], further: tuple[Clause, ...] = ()
) -> Program:  # fmt: skip
    """Write rules in an order again: those of one label that follow each other share a helper."""
    writer = GoalWriter(program)
    own = {clause.name for _, clause in _in_order(program)}
    runs: list[tuple[Label, list[Clause]]] = []
    for label, clause in rules:
        if runs and same_label(runs[-1][0], label):
            runs[-1][1].append(clause)
        else:
            runs.append((label, [clause]))
    used: set[str] = set()
    tops: list[Clause] = []
    bodies: list[Clause] = []
    for label, clauses in runs:
        kept = (clause.name for clause in clauses if clause.name is not None and clause.name not in used)
        name = next(kept, None) or writer.free(label_stem(label_text(label)))
        used.add(name)
        earlier = [Call(top.body[0].name) for top in tops if not same_label(top.label, label)]  # type: ignore[union-attr]
        tops.append(Clause(None, label, (Call(name, negated=False), *earlier)))
        bodies += [replace(clause, name=name, label=None) for clause in clauses]
    rest = [clause for clause in program.clauses if clause.name is not None and clause.name not in own]
    labels = tuple(dict.fromkeys(label for label, _ in rules)) or program.target.labels
    changed = tidy(program, (*tops, *bodies, *further, *rest))
    return replace(changed, target=replace(program.target, labels=labels))


def _renamed_apart(program: Program, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Rename the helpers of clauses whose names mean something else by now."""
    writer, names = GoalWriter(program), {}
    for name in dict.fromkeys(clause.name for clause in clauses if clause.name is not None):
        own = [clause for clause in clauses if clause.name == name]
        there = program.helpers.get(name)
        if there is not None and list(there) != own:
            names[name] = writer.free(f"{name}_again")
    if not names:
        return clauses
    return tuple(
        replace(
            clause,
            name=names.get(clause.name or "", clause.name),
            body=tuple(renamed_goal(goal, names) for goal in clause.body),
        )
        for clause in clauses
    )
