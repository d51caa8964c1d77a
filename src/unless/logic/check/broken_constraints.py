"""Constraints of a program that its own rules or points break: somebody edited them, or kept rules that did.

In: a program. Out: `Broken` values, rule by rule, then line by line of the grade. Constraints mean what they mean to
learning: no rule and no points test a forbidden column; a rule with all its exceptions, and the points for a label,
test at most one of two columns kept apart; a test of a column with a direction lets more of it speak one way only. An
exception argues against its rule, and `not` turns a test: so the way of a test is that of its bound, turned for each
denial above it. A word neither rises nor falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from unless.logic.clause import Call
from unless.logic.forms.outline import outline
from unless.logic.grade import cell_conditions
from unless.logic.program import same_label
from unless.logic.rules import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.logic.clause import Clause, Goal
    from unless.logic.forms.entries import Entry
    from unless.logic.grade import Award, Card
    from unless.logic.program import Program
    from unless.logic.rules import Label

    About = Mapping[str, Literal | Label]
    Pairs = set[tuple[str, str]]

BrokenKind = OneOf["forbidden", "combined", "contrary"]


@dataclass(frozen=True, slots=True)
class Broken:
    """A constraint that is broken: by a clause, or by a line of a card; the key of a sentence, and what fills its gaps.

    `rule` in `about` is the number of a rule or an exception.
    """

    kind: BrokenKind
    at: Clause | tuple[Card, Award]
    key: str
    about: About


def broken_constraints(program: Program) -> Iterator[Broken]:
    """Find what breaks the constraints of a program."""
    if program.constraints:
        yield from _broken_by_rules(program)
        yield from _broken_by_points(program)


def _broken_by_rules(program: Program) -> Iterator[Broken]:
    together = _Together(program)
    for rule in outline(program):
        yield from _combined(program, rule, together.pairs(rule.clause))
        for entry in rule.walk():
            clauses = list(_clauses(program, entry))
            for clause in {id(clause): clause for clause, _ in clauses}.values():
                yield from _forbidden(program, clause, entry.number)
            for clause, way in clauses:
                yield from _turned(program, clause, way, entry.number)


def _combined(program: Program, rule: Entry, pairs: Pairs) -> Iterator[Broken]:
    for one, other in program.constraints.apart:
        if (one, other) in pairs or (other, one) in pairs:
            yield Broken("combined", rule.clause, "combined", {"rule": rule.number, "column": one, "other": other})


def _forbidden(program: Program, clause: Clause, number: str) -> Iterator[Broken]:
    for column in dict.fromkeys(literal.column for literal in clause.literals):
        if column in program.constraints.forbidden:
            yield Broken("forbidden", clause, "forbidden", {"rule": number, "column": column})


def _turned(program: Program, clause: Clause, way: int, number: str) -> Iterator[Broken]:
    """Find tests against a direction in a clause that argues for the label (+1) or against it (-1)."""
    directions, label = dict(program.constraints.directions), program.target.labels[0]
    for literal in clause.literals:
        asked = directions.get(literal.column, 0)
        if asked and _way(literal) * way == -asked:
            yield Broken(
                "contrary",
                clause,
                "speaks_against" if asked > 0 else "speaks_for",
                {"rule": number, "test": literal, "column": literal.column, "label": label},
            )


def _clauses(program: Program, entry: Entry) -> Iterator[tuple[Clause, int]]:
    """Yield the clauses of a rule or an exception, but not of those below it: +1 where they argue for the label."""
    own = way_of(program, entry)
    below = {child.helper for child in entry.entries}
    waiting, seen = [(clause, own) for clause in _first(program, entry)], set()
    while waiting:
        clause, way = waiting.pop(0)
        if (id(clause), way) in seen:
            continue
        seen.add((id(clause), way))
        yield clause, way
        for name, turn in _called(clause):
            if not (turn < 0 and way == own and name in below):  # an exception has a number of its own
                waiting += [(called, way * turn) for called in program.helpers[name]]


def _first(program: Program, entry: Entry) -> tuple[Clause, ...]:
    """Return the clauses that an entry stands for: one; of an exception about one column, all."""
    call = Call(str(entry.helper), negated=False)
    return program.helpers[call.name] if entry.kind == "exception" and entry.when == (call,) else (entry.clause,)


def _called(clause: Clause) -> Iterator[tuple[str, int]]:
    """Yield the helpers that a clause calls, with -1 where it denies them."""
    yield from ((call.name, -1 if call.negated else 1) for call in clause.calls)
    yield from ((case, 1) for points in clause.points for _, case in points.awards)


class _Together:
    """Knows which columns stand in one rule with its exceptions, of those that are kept apart from some other.

    Several clauses of a helper that is asked for make rules of their own, each with the rest; those of a helper that is
    denied are exceptions to one rule, and the cases of points stand in one rule too.
    """

    def __init__(self, program: Program) -> None:
        self._apart = {name for pair in program.constraints.apart for name in pair}
        self._columns = program.helper_columns
        self._pairs: dict[str, Pairs] = {}
        for name in program.order if self._apart else ():  # those called come first
            self._pairs[name] = set().union(*map(self.pairs, program.helpers[name]))

    def pairs(self, clause: Clause) -> Pairs:
        """Return the pairs of columns that stand in one rule by a clause."""
        columns: set[str] = set()
        pairs: Pairs = set()
        for goal in clause.body if self._apart else ():
            tested = self._tested(goal)
            asked = self._pairs[goal.name] if isinstance(goal, Call) and not goal.negated else product(tested, tested)
            pairs |= {*asked, *product(columns, tested)}
            columns |= tested
        return pairs

    def _tested(self, goal: Goal) -> set[str]:
        if isinstance(goal, Literal):
            return {goal.column} & self._apart
        names = [goal.name] if isinstance(goal, Call) else [case for _, case in goal.awards]
        return self._apart & set().union(*(self._columns[name] for name in names))


def _broken_by_points(program: Program) -> Iterator[Broken]:
    for card in () if program.grade is None else program.grade.cards:
        tested: set[str] = set()
        for award in card.awards:
            parts = cell_conditions(award.condition)
            own = dict.fromkeys(part.column for part in parts)
            tested |= {*own}
            yield from _barred(program, card, award, own, tested)
            yield from _contrary(program, card, award)


def _barred(program: Program, card: Card, award: Award, own: Iterable[str], tested: set[str]) -> Iterator[Broken]:
    """Find forbidden columns in a line, and columns kept apart from others that it or a line above it tests."""
    for column in own:
        if column in program.constraints.forbidden:
            yield Broken("forbidden", (card, award), "forbidden_points", {"label": card.label, "column": column})
    for one, other in program.constraints.apart:
        if {one, other} <= tested and {one, other} & {*own}:
            yield Broken(
                "combined", (card, award), "combined_points", {"label": card.label, "column": one, "other": other}
            )


def _contrary(program: Program, card: Card, award: Award) -> Iterator[Broken]:
    """Find tests of a line by which more of a column speaks the other way than it may."""
    directions, label = dict(program.constraints.directions), program.target.labels[0]
    for part in cell_conditions(award.condition):
        asked = directions.get(part.column, 0)
        if not asked or not isinstance(part, Literal):
            continue
        gives = (1 if (award.points > 0) != award.unless else -1) * _sign(program, card.label)
        if _way(part) * gives == -asked:
            yield Broken(
                "contrary",
                (card, award),
                "points_speak_against" if asked > 0 else "points_speak_for",
                {"test": part, "column": part.column, "label": label},
            )


def way_of(program: Program, entry: Entry) -> int:
    """Return +1 for a rule or exception that argues for the label that directions are of, and -1 against it."""
    return (1 if entry.supports else -1) * _sign(program, entry.label)


def _sign(program: Program, label: Label) -> int:
    """Return +1 for the label that directions are of, and -1 for the other one of two."""
    return 1 if same_label(label, program.target.labels[0]) else -1


def _way(literal: Literal) -> int:
    """Return +1 where larger numbers pass a test, -1 where smaller ones do, and 0 for a test of words."""
    return {"lower": 1, "upper": -1, None: 0}[OPERATORS[literal.op].bound]
