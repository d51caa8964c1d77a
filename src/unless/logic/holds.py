"""The one definition of truth: when a literal, a predicate, a program holds for a row.

    value of the row      =< t      > t      = w         != w
    number v              v <= t    v > t    false       true
    word u                false     false    u is w      u is not w
    missing               false     false    false       true

A negated call is true when the predicate does not hold; `not` is never pushed through a numeric test, because
"not (x =< 3)" is true of a missing x and "x > 3" is not. Points hold when those of the cases that hold reach the
threshold. The learner, the fast predictor, the prover and every export must agree with this module; tests hold them
to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.clause import Points
from unless.logic.grade import Blank, Decided, cell_conditions
from unless.logic.program import same_label
from unless.logic.readings import read_part_cell
from unless.logic.rules import OPERATORS, Literal, Negated, OneOf, Scorecard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.clause import Clause, Goal
    from unless.logic.grade import Award, Card, CellCondition
    from unless.logic.program import Program
    from unless.logic.rules import Condition, Label, Rule, Value


def literal_holds(literal: Literal, value: Value | None) -> bool:
    """Tell whether a literal holds for a value; None is missing."""
    test = OPERATORS[literal.op]
    if test.tests == "number":
        return isinstance(value, float) and bool(test.compare(value, literal.value))
    return bool(test.compare(value if isinstance(value, str) else None, literal.value))


def condition_holds(condition: Condition, row: Mapping[str, Value | None]) -> bool:
    """Tell whether a condition of a nested rule holds."""
    match condition:
        case Literal(column):
            return literal_holds(condition, row.get(column))
        case Negated(literal):
            return not condition_holds(literal, row)
        case OneOf(column, words, negated):
            value = row.get(column)
            return (isinstance(value, str) and value in words) != negated
        case Scorecard(awards, threshold):
            return sum(points for points, part in awards if condition_holds(part, row)) >= threshold


def rule_holds(rule: Rule, row: Mapping[str, Value | None]) -> bool:
    """Tell whether a nested rule holds: its body does and no exception does."""
    if not rule.body and not rule.exceptions:
        return False
    body = all(condition_holds(condition, row) for condition in rule.body)
    return body and not any(rule_holds(exception, row) for exception in rule.exceptions)


def goal_holds(goal: Goal, row: Mapping[str, Value | None], known: Mapping[str, bool]) -> bool:
    """Tell whether a goal holds, given the truth of the helper predicates."""
    if isinstance(goal, Literal):
        return literal_holds(goal, row.get(goal.column))
    if isinstance(goal, Points):
        return goal.total(known) >= goal.threshold
    return known[goal.name] != goal.negated


def clause_holds(clause: Clause, row: Mapping[str, Value | None], known: Mapping[str, bool]) -> bool:
    """Tell whether every goal of a clause holds."""
    return all(goal_holds(goal, row, known) for goal in clause.body)


def helpers_hold(program: Program, row: Mapping[str, Value | None]) -> dict[str, bool]:
    """Return the truth of every helper predicate, those called first."""
    known: dict[str, bool] = {}
    for name in program.order:
        known[name] = any(clause_holds(clause, row, known) for clause in program.helpers[name])
    return known


def decide(program: Program, row: Mapping[str, Value | None]) -> Label:
    """Return the label that the program predicts for a row of values."""
    known = helpers_hold(program, row)
    for label in program.target.labels:
        if any(clause_holds(clause, row, known) for clause in program.clauses_for(label)):
            return label
    return program.target.default


def awards_that_hold(card: Card, row: Mapping[str, Value | None], decided: Label) -> tuple[Award, ...]:
    """Return the lines of a grade that hold for a row, given the label that the program decides for."""
    return tuple(award for award in card.awards if _award_holds(award, card, row, decided))


def _award_holds(award: Award, card: Card, row: Mapping[str, Value | None], decided: Label) -> bool:
    if isinstance(award.condition, Decided):
        return same_label(card.label, decided)
    return award.unless != all(_cell_holds(condition, row) for condition in cell_conditions(award.condition))


def _cell_holds(condition: CellCondition, row: Mapping[str, Value | None]) -> bool:
    return row.get(condition.column) is None if isinstance(condition, Blank) else condition_holds(condition, row)


def read_row(
    program: Program, row: Mapping[str, object], columns: Iterable[str] | None = None
) -> dict[str, Value | None]:
    """Read the cells of a row as the program's columns see them; a column that the row lacks is missing."""
    by_name = {column.name: column for column in program.columns}
    names = by_name if columns is None else columns
    return {name: read_part_cell(by_name[name], row, program.missing) for name in names}
