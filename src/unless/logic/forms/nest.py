"""A program becomes nested rules again: the way back from `flatten`, for programs that people wrote too.

In: any program. Out: rules that hold for the same rows. A denied helper becomes exceptions, one for each of its
clauses; a helper that is asked for becomes part of the body, one rule for each of its clauses; a sum of points becomes
one rule for each smallest set of cases that reaches the threshold. That multiplies rules, so there is a limit;
exceptions are shared, so there deep nesting costs nothing.
"""

from __future__ import annotations

from itertools import accumulate, chain, islice, product
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.clause import Clause, Points
    from unless.logic.program import Program
    from unless.logic.rules import Label

MAX_RULES = 10_000


def nest(program: Program) -> tuple[Rule, ...]:
    """Return the rules of a program, in the order of precedence of their labels.

    >>> from unless.logic.text.parser import parse
    >>> nest(parse("flies(X,'yes') :- bird(X,'yes'), not ab1(X). ab1(X) :- name(X,'tux').")) # doctest: +ELLIPSIS
    (Rule(head='yes', body=(Literal(...),), exceptions=(Rule(head=None, body=(Literal(...),), exceptions=()),)),)
    """
    known: dict[str, tuple[Rule, ...]] = {}
    for name in program.order:
        known[name] = tuple(rule for clause in program.helpers[name] for rule in _rules(clause, None, known))
    clauses = [(clause, label) for label in program.target.labels for clause in program.clauses_for(label)]
    return tuple(rule for clause, label in clauses for rule in _rules(clause, label, known))


def _rules(clause: Clause, head: Label | None, known: Mapping[str, tuple[Rule, ...]]) -> Iterator[Rule]:
    """Yield a clause as rules, one for each way in which the helpers it asks for may hold."""
    asked = [call.name for call in clause.calls if not call.negated]
    denied = [rule for call in clause.calls if call.negated for rule in known[call.name]]
    sums = (list(islice(_enough(points), MAX_RULES + 1)) for points in clause.points)
    ways = (dict.fromkeys(chain(asked, *cases)) for cases in product(*sums))
    for n, parts in enumerate(parts for names in ways for parts in product(*(known[name] for name in names))):
        if n == MAX_RULES:
            msg = f"written as nested rules the program has more than {MAX_RULES:,} of them; ask for fewer helpers."
            raise ProgramError(msg)
        body = (*clause.literals, *(literal for part in parts for literal in part.body))
        exceptions = (*denied, *(exception for part in parts for exception in part.exceptions))
        yield Rule(head, tuple(dict.fromkeys(body)), exceptions)


def _enough(points: Points) -> Iterator[tuple[str, ...]]:
    """Yield the smallest sets of cases that reach the threshold."""
    awards = sorted(points.awards, key=lambda award: -award[0])  # the last one taken is then the least
    left = list(accumulate((n_points for n_points, _ in reversed(awards)), initial=0))[::-1]
    stack: list[tuple[int, int, tuple[str, ...]]] = [(0, points.threshold, ())]
    while stack:
        index, wanted, cases = stack.pop()
        if wanted <= 0:
            yield cases
        elif left[index] >= wanted:
            n_points, case = awards[index]
            stack.append((index + 1, wanted, cases))
            stack.append((index + 1, wanted - n_points, (*cases, case)))
