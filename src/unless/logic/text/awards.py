"""Points as written: the clauses that say what each case is worth, and the sums that add them up.

    loan(X,'refused') :- worth1(X,P1), worth2(X,P2), P1 + P2 >= 2.
    worth1(X,1) :- case1(X).
    worth1(X,0) :- not case1(X).

In: clauses as written. Out: `Points`, and the clauses that are left when those of the awards are taken away. Each award
has exactly these two clauses, so a scorecard that a person edited is either whole or refused by line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.program import MAX_POINTS, Points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.text.written import ProgramText, RawClause, RawGoal

Award = tuple[int, str]


def split_awards(
    clauses: Sequence[RawClause], reader: ProgramText, known: Mapping[str, Award]
) -> tuple[dict[str, Award], list[RawClause]]:
    """Return what each award is worth, by its predicate, and the other clauses; `known` are awards from elsewhere."""
    found: dict[str, list[RawClause]] = {name: [] for clause in clauses for name in clause.added}
    rest: list[RawClause] = []
    for clause in clauses:
        is_award = clause.head_label is not None and clause.head_name in found
        (found[clause.head_name] if is_award else rest).append(clause)
    awards = {name: _award(some, reader) if some else known.get(name) for name, some in found.items()}
    return {name: award for name, award in awards.items() if award is not None}, rest


def read_points(
    goal: RawGoal, bound: Mapping[str, RawGoal], awards: Mapping[str, Award], reader: ProgramText
) -> Points:
    """Read a sum of points; `bound` are the goals that give its variables their numbers."""
    added = []
    for variable in goal.added:
        binder = bound.get(variable)
        if binder is None:
            problem = f"unsafe: {variable} is added but no goal such as worth1(X,{variable}) binds it"
            raise reader.error(goal.tree, problem)
        if binder.name not in awards:
            wanted = f"{binder.name}(X,1) :- case1(X).", f"{binder.name}(X,0) :- not case1(X)."
            raise reader.error(binder.tree, f"no clause says what {binder.name} is worth", *wanted)
        added.append(awards[binder.name])
    threshold = goal.value
    assert isinstance(threshold, float)
    if goal.name != ">=" or not threshold.is_integer():
        problem = f"points are compared by >= with a whole number, not by {goal.name} with {threshold:g}"
        raise reader.error(goal.tree, problem)
    try:
        return Points(tuple(added), int(threshold))
    except ProgramError as error:
        raise reader.error(goal.tree, str(error).rstrip(".")) from None


def _award(clauses: Sequence[RawClause], reader: ProgramText) -> Award:
    """Read the two clauses of one award."""
    name = clauses[0].head_name
    found: dict[bool, Award] = {}
    for clause in clauses:
        award = _award_clause(clause, reader)
        if bool(award[0]) in found:
            raise reader.error(
                clause.tree, f"{name} says twice what it is worth; it has one clause with points and one with 0"
            )
        found[bool(award[0])] = award
    last = clauses[-1].tree
    if len(found) == 1:
        ((is_positive, (_, case)),) = found.items()
        wanted = f"{name}(X,0) :- not {case}(X)." if is_positive else f"{name}(X,1) :- {case}(X)."
        raise reader.error(last, f"{name} needs two clauses, one with points and one with 0", wanted)
    if found[True][1] != found[False][1]:
        problem = f"{name} gives points for {found[True][1]!r} and 0 without {found[False][1]!r}; both name one case"
        raise reader.error(last, problem)
    return found[True]


def _award_clause(clause: RawClause, reader: ProgramText) -> Award:
    """Read one clause of an award: so many points for a case, or 0 without it."""
    name, points = clause.head_name, clause.head_value
    if not isinstance(points, float) or not points.is_integer() or not 0 <= points <= MAX_POINTS:
        given = f"{points:g}" if isinstance(points, float) else f"the word {points!r}"
        problem = f"{name} is worth {given}; points are whole numbers from 0 to {MAX_POINTS:,}, without quotes"
        raise reader.error(clause.tree, problem)
    goal = clause.goals[0] if len(clause.goals) == 1 else None
    if goal is None or goal.arity != 1 or goal.row != clause.row or goal.negated == bool(points):
        wanted = f"case1({clause.row})" if points else f"not case1({clause.row})"
        raise reader.error(clause.tree, f"the condition of {name} is one helper predicate", wanted)
    return int(points), goal.name
