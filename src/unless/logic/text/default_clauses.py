"""The default of more than one label, in logic: clauses at the end of the text that conclude it where no rule decides.

They follow from the program, and are no part of it: the printer writes them anew, and the parser leaves them out, so an
edit of them is lost, and an edit of a rule needs none. Without them plain s(CASP) proves nothing of such a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.clause import Call, Clause

if TYPE_CHECKING:
    from unless.logic.clause import Goal
    from unless.logic.program import Program

DECIDES = "some_rule_decides"
"""The helper that holds where some rule concludes a label; no other helper has this name."""


def default_clauses(program: Program) -> tuple[Clause, ...]:
    """Return the clauses that conclude the default; none for one label, whose default is that it is not concluded.

    Of rules in an order each asks for its helper, and that those before it do not hold; here its helper is enough:
    where it holds, it or one before it decides.
    """
    tops = [clause for clause in program.clauses if clause.name is None]
    if len(program.target.labels) < 2 or not tops:
        return ()
    first: set[str] = set()
    bodies: dict[tuple[Goal, ...], None] = {}
    for clause in tops:
        goal, *others = clause.body
        if isinstance(goal, Call) and not goal.negated and all(_denies(other, first) for other in others):
            first.add(goal.name)
            bodies[(goal,)] = None
        else:
            bodies[clause.body] = None
    decides = (Clause(DECIDES, None, body) for body in bodies)
    return (Clause(None, program.target.default, (Call(DECIDES),)), *decides)


def _denies(goal: Goal, names: set[str]) -> bool:
    """Tell whether a goal asks that one of these helpers does not hold."""
    return isinstance(goal, Call) and goal.negated and goal.name in names
