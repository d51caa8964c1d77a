"""Programs as values: each function takes a program and returns a new one, checked by `Program` as any other.

A clause is named by its index (0 is the first), by itself, or by its text; what is put in may be a value or text in
the program's own words, such as `income(X,'low') :- age(X,N), N =< 20.0.` for a clause and `age(X,N), N =< 20.0` for
goals. A goal is a literal, a call such as `not ab1(X)`, or a sum of points. Text that cannot be read raises an error
with a caret.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.clause import Call, Clause, Goal, Points
from unless.logic.text.parser import parse_clauses
from unless.logic.text.printer import clause_text, spelling_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.logic.program import Program

WhichClause = int | str | Clause
Clauses = str | Clause
Goals = str | Goal


def add_clauses(program: Program, clauses: Clauses, at: int | None = None) -> Program:
    """Add one or more clauses, at the end or before the clause at an index.

    >>> from unless.logic.text.parser import parse
    >>> p = parse("flies(X,'yes') :- bird(X,'yes').")
    >>> print(str(add_clauses(p, "flies(X,'yes') :- bird(X,'bat').")).splitlines()[-1])
    flies(X,'yes') :- bird(X,'bat').
    """
    index = len(program.clauses) if at is None else at
    kept = program.clauses
    return replace(program, clauses=(*kept[:index], *_read(program, clauses), *kept[index:]))


def remove_clause(program: Program, which: WhichClause) -> Program:
    """Remove one clause; the last clause of a predicate that is still called cannot go, see `remove_helper`."""
    return _put(program, find_clause(program, which), ())


def replace_clause(program: Program, which: WhichClause, clauses: Clauses) -> Program:
    """Replace one clause by one or more."""
    return _put(program, find_clause(program, which), _read(program, clauses))


def remove_helper(program: Program, name: str) -> Program:
    """Remove a helper predicate, such as an exception, with every goal that calls it, its awards and its templates."""
    if name not in program.helpers:
        known = ", ".join(program.helpers) or "none"
        msg = f"no clause defines {name!r}; helper predicates: {known}."
        raise ProgramError(msg)
    kept = [clause for clause in program.clauses if clause.name != name]
    bodies = [tuple(_without(clause.body, name)) for clause in kept]
    changed = (replace(clause, body=body) for clause, body in zip(kept, bodies, strict=True))
    templates = tuple(t for t in program.templates if not (t.subject == "helper" and t.name == name))
    return replace(program, clauses=tuple(changed), templates=templates)


def _without(body: Iterable[Goal], name: str) -> Iterator[Goal]:
    for goal in body:
        if isinstance(goal, Points):
            yield Points(tuple(award for award in goal.awards if award[1] != name), goal.threshold)
        elif not (isinstance(goal, Call) and goal.name == name):
            yield goal


def add_goals(program: Program, which: WhichClause, goals: Goals) -> Program:
    """Add one or more goals to a clause."""
    index = find_clause(program, which)
    clause = program.clauses[index]
    return _put(program, index, (replace(clause, body=(*clause.body, *_goals(program, goals))),))


def remove_goals(program: Program, which: WhichClause, goals: Goals) -> Program:
    """Remove goals from a clause; each must be there."""
    return _swap_goals(program, find_clause(program, which), _goals(program, goals), ())


def replace_goals(program: Program, which: WhichClause, goals: Goals, by: Goals) -> Program:
    """Replace goals of a clause by others; each of those must be there."""
    return _swap_goals(program, find_clause(program, which), _goals(program, goals), _goals(program, by))


def find_clause(program: Program, which: WhichClause) -> int:
    """Return the index of a clause named by its index, its value or its text."""
    if isinstance(which, int):
        if not -len(program.clauses) <= which < len(program.clauses):
            msg = f"there is no clause {which}; the program has {len(program.clauses)}, from 0."
            raise ProgramError(msg)
        return which % len(program.clauses)
    read = _read(program, which)
    if len(read) != 1:
        msg = f"the text has {len(read)} clauses; one names the clause to change."
        raise ProgramError(msg)
    if read[0] not in program.clauses:
        msg = f"the program has no such clause: {_text(program, read[0])}"
        raise ProgramError(msg)
    return program.clauses.index(read[0])


def _swap_goals(program: Program, index: int, gone: tuple[Goal, ...], new: tuple[Goal, ...]) -> Program:
    clause = program.clauses[index]
    for goal in gone:
        if goal not in clause.body:
            text = _text(program, replace(clause, body=(goal,))).split(" :- ")[1].rstrip(".")
            msg = f"{text} is not a goal of the clause: {_text(program, clause)}"
            raise ProgramError(msg)
    first = clause.body.index(gone[0])
    kept = [goal for goal in clause.body[first:] if goal not in gone]
    body = (*(goal for goal in clause.body[:first] if goal not in gone), *new, *kept)
    return _put(program, index, (replace(clause, body=body),))


def _put(program: Program, index: int, clauses: Iterable[Clause]) -> Program:
    return replace(program, clauses=(*program.clauses[:index], *clauses, *program.clauses[index + 1 :]))


def _read(program: Program, clauses: Clauses) -> tuple[Clause, ...]:
    """Read clauses; lines of the text are not lines of the program and are forgotten."""
    if isinstance(clauses, Clause):
        return (clauses,)
    return tuple(replace(clause, line=0) for clause in parse_clauses(clauses, program))


def _goals(program: Program, goals: Goals) -> tuple[Goal, ...]:
    if not isinstance(goals, str):
        return (goals,)
    (clause,) = parse_clauses(f"goals(X) :- {goals.strip().removesuffix('.')}.", program)
    return clause.body


def _text(program: Program, clause: Clause) -> str:
    return clause_text(clause, spelling_of(program))
