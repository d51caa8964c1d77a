"""Who has no way out, and which rule locks them.

In: an advisor and rows. Out: for each row whether it has the label, a way to it, or none; and of those with none a rule
or exception against the label that holds whatever is changed within the limits. Rows in the same cells have the same
answer, which is worked out once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from unless.logic.clause import Clause
from unless.logic.forms.outline import outline
from unless.logic.holds import decide, goal_holds, helpers_hold
from unless.logic.program import same_label
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.questions import All, BodyHolds, Not
from unless.logic.reason.recourse import label_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program
    from unless.logic.reason.questions import Question, Row
    from unless.logic.reason.recourse import Advisor
    from unless.logic.rules import Label

Outcome = OneOf["has it", "way", "no way", "not decided"]


@dataclass(frozen=True, slots=True)
class WayOut:
    """What becomes of a row; `lock` is the number of the rule that holds whatever is changed, if one does alone."""

    outcome: Outcome
    lock: str = NO_RULE


def ways_out(advisor: Advisor, rows: Iterable[Row], want: Label) -> Iterator[WayOut]:
    """Yield what becomes of each row."""
    want = label_named(advisor.program, want)
    known: dict[tuple[int, ...], WayOut] = {}
    for row in rows:
        cells = advisor.engine.space.indices(row)
        if cells not in known:
            known[cells] = _way_out(advisor, row, want)
        yield known[cells]


def _way_out(advisor: Advisor, row: Row, want: Label) -> WayOut:
    if same_label(decide(advisor.program, row), want):
        return WayOut("has it")
    verdict = advisor.ways(row, want, 1).verdict
    if verdict != "no":
        return WayOut("way" if verdict == "yes" else "not decided")
    return WayOut("no way", lock_of(advisor, row, want))


def lock_of(advisor: Advisor, row: Row, want: Label) -> str:
    """Return the first rule or exception against a label that holds for a row and that no allowed change stops."""
    program = advisor.program
    known, costs = helpers_hold(program, row), advisor.costs(row)
    possible: tuple[Question, ...] = () if advisor.limits.condition is None else (advisor.limits.condition,)
    for entry in against(program, want):
        if all(goal_holds(goal, row, known) for goal in entry.when):
            stopped = Not(BodyHolds(program, Clause(None, entry.label, entry.when)))
            if advisor.engine.find(All((stopped, *possible)), costs).verdict == "no":
                return entry.number
    return NO_RULE


def against(program: Program, want: Label) -> Iterator[Entry]:
    """Yield what speaks against a label: rules of other labels, and exceptions to its own."""
    for rule in outline(program):
        is_own = same_label(rule.label, want)
        yield from (entry for entry in rule.walk() if entry.number and entry.supports != is_own)
