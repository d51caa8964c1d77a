"""Nested rules become a program: each exception gets a name, and no meaning changes.

Exceptions are numbered innermost first, as in the paper; identical exceptions share a name. Within a clause redundant
bounds of a column are merged (`N > 3, N > 5` is `N > 5`), which is safe because all are tests of one number. `not` is
never pushed through a numeric test. A rule with an empty body and no exceptions never holds and is left out.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.names import name_predicates
from unless.logic.program import Call, Clause, Goal, Program, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.rules import Column, Literal, Rule

UPPER = ("=<", "<")
LOWER = (">", ">=")


def flatten(
    rules: Iterable[Rule],
    target: Target,
    columns: Sequence[Column],
    missing: Sequence[str] = (),
    background: Sequence[Clause] = (),
) -> Program:
    """Write nested rules as a flat program, with the background clauses that they use."""
    given = frozenset(clause.name for clause in background if clause.name is not None)
    flat = _Flat(given, name_predicates(target.column, ()).target)
    tops = [Clause(None, rule.head, body) for rule in rules if (body := flat.body(rule))]
    helpers = [Clause(name, None, body) for body, name in flat.names.items()]
    learned = (*dict.fromkeys(tops), *helpers)
    used = [call.name for clause in learned for call in clause.calls]
    return Program(target, tuple(columns), (*learned, *helpers_used(used, background)), tuple(missing))


def helpers_used(used: Iterable[str], background: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the background clauses of the helpers that are used, and of those that they call."""
    called: set[str] = set()
    waiting = list(used)
    while waiting:
        name = waiting.pop()
        if name not in called:
            called.add(name)
            waiting += [call.name for clause in background if clause.name == name for call in clause.calls]
    return tuple(clause for clause in background if clause.name in called)


class _Flat:
    """Names exceptions as it meets them; `given` are the helpers of the background."""

    def __init__(self, given: frozenset[str], target: str) -> None:
        self.given = given
        self.names: dict[tuple[Goal, ...], str] = {}
        self._free = (name for n in count(1) if (name := f"ab{n}") not in given and name != target)

    def body(self, rule: Rule) -> tuple[Goal, ...]:
        """Return the goals of a rule, naming its exceptions on the way."""
        goals: list[Goal] = [self._goal(literal) for literal in merge_bounds(rule.body)]
        for exception in rule.exceptions:
            body = self.body(exception)
            if body:
                if body not in self.names:
                    self.names[body] = next(self._free)
                goals.append(Call(self.names[body]))
        if rule.exceptions and not goals:
            msg = "a rule without a body, whose exceptions never hold, holds for every row; a program cannot say that."
            raise ProgramError(msg)
        return Clause(None, None, tuple(goals)).body

    def _goal(self, literal: Literal) -> Goal:
        """Return a literal as a goal: the learner tests a background helper as if it were a column."""
        return Call(literal.column, literal.op == "!=") if literal.column in self.given else literal


def merge_bounds(literals: Sequence[Literal]) -> list[Literal]:
    """Drop the literals that others of the same column imply.

    >>> merge_bounds([Literal("age", ">", 3), Literal("age", ">", 5)])
    [Literal(column='age', op='>', value=5.0)]
    """
    kept = list(dict.fromkeys(literals))
    return [one for one in kept if not any(other != one and _implies(other, one) for other in kept)]


def _implies(strong: Literal, weak: Literal) -> bool:
    """Tell whether one literal being true makes another one true, whatever the value."""
    if strong.column != weak.column:
        return False
    if weak.op == "!=":
        # A number, or another word, is not this word.
        return strong.op not in ("=", "!=") or (strong.op == "=" and strong.value != weak.value)
    for side in (UPPER, LOWER):
        if strong.op in side and weak.op in side:
            return _tighter(strong, weak, upper=side is UPPER)
    return False


def _tighter(strong: Literal, weak: Literal, *, upper: bool) -> bool:
    a, b = strong.value, weak.value
    assert isinstance(a, float)
    assert isinstance(b, float)
    if a == b:
        return strong.op in ("<", ">")  # the strict test implies the other
    return a < b if upper else a > b
