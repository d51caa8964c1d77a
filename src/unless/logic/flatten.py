"""Nested rules become a program: each exception gets a name, and no meaning changes.

Exceptions are numbered innermost first, as in the paper; identical exceptions share a name. Within a clause redundant
bounds of a column are merged (`N > 3, N > 5` is `N > 5`), which is safe because all are tests of one number. `not` is
never pushed through a numeric test. A rule with an empty body and no exceptions never holds and is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.program import Call, Clause, Goal, Program, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.rules import Column, Literal, Rule

UPPER = ("=<", "<")
LOWER = (">", ">=")


def flatten(rules: Iterable[Rule], target: Target, columns: Sequence[Column], missing: Sequence[str] = ()) -> Program:
    """Write nested rules as a flat program."""
    names: dict[tuple[Goal, ...], str] = {}
    tops = [Clause(None, rule.head, body) for rule in rules if (body := _body(rule, names))]
    helpers = [Clause(name, None, body) for body, name in names.items()]
    return Program(target, tuple(columns), (*dict.fromkeys(tops), *helpers), tuple(missing))


def _body(rule: Rule, names: dict[tuple[Goal, ...], str]) -> tuple[Goal, ...]:
    """Return the goals of a rule, naming its exceptions on the way."""
    calls = []
    for exception in rule.exceptions:
        body = _body(exception, names)
        if body:
            calls.append(Call(names.setdefault(body, f"ab{len(names) + 1}")))
    goals = Clause(None, None, (*merge_bounds(rule.body), *calls)).body
    if rule.exceptions and not goals:
        msg = "a rule without a body, whose exceptions never hold, holds for every row; a program cannot say that."
        raise ProgramError(msg)
    return goals


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
