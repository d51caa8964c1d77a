"""Which rule decides a row, by its number as people count rules, and the same as a question about all rows.

In: a program. Out: its rules in the order in which the first that holds decides, those of the label that is predicted;
`NO_RULE` where the default is decided because none holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.clause import Clause
from unless.logic.forms.outline import outline
from unless.logic.holds import decide, goal_holds, helpers_hold
from unless.logic.program import same_label
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.questions import All, BodyHolds, Decides, Not

if TYPE_CHECKING:
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program
    from unless.logic.reason.questions import Question, Row
    from unless.logic.rules import Label


def rules_of(program: Program, label: Label) -> list[Entry]:
    """Return the rules that conclude a label."""
    return [entry for entry in outline(program) if same_label(entry.label, label)]


def deciding_rule(program: Program, row: Row) -> str:
    """Return the number of the rule that decides a row."""
    known = helpers_hold(program, row)
    for entry in rules_of(program, decide(program, row)):
        if all(goal_holds(goal, row, known) for goal in entry.when):
            return entry.number
    return NO_RULE


def decided_by(program: Program, label: Label, number: str) -> Question:
    """Return the question whether a rule decides for a label."""
    asked: list[Question] = [Decides(program, label)]
    for entry in rules_of(program, label):
        holds = BodyHolds(program, Clause(None, label, entry.when))
        if entry.number == number:
            asked.append(holds)
            break
        asked.append(Not(holds))
    return All(tuple(asked))
