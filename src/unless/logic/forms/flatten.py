"""Nested rules become a program: each exception gets a name, and no meaning changes.

Exceptions are numbered innermost first, as in the paper; identical exceptions share a name. Within a clause redundant
bounds of a column are merged (`N > 3, N > 5` is `N > 5`), which is safe because all are tests of one number. `not` is
never pushed through a numeric test. Other helpers are named after what they hold: a set of words is `town_set1`, with
one clause per word; the complement of a literal is `not` of a helper `age_high1` or `age_low1`; a scorecard adds up the
points of helpers such as these, heaviest first, and of `town_is_bath` or `town_not_bath`. What a rule calls stands
below it. A rule with an empty body and no exceptions never holds and is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.clause import Call, Clause, Goal, Points
from unless.logic.names import can_have_points, helper_stem, label_stem, name_predicates, word_stem
from unless.logic.program import Program, Target, label_text, same_label
from unless.logic.rules import NUMBER_OPS, OPERATORS, Literal, Negated, OneOf, Scorecard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.logic.rules import Column, Condition, Label, Rule, Simple


def flatten(
    rules: Iterable[Rule],
    target: Target,
    columns: Sequence[Column],
    missing: Sequence[str] = (),
    background: Sequence[Clause] = (),
    kept: Sequence[Clause] = (),
) -> Program:
    """Write nested rules as a flat program, after the kept clauses, with the background clauses that they use."""
    flat = _Flat(target, columns, _helper_names(background), _helper_names(kept))
    tops = [Clause(None, rule.head, body) for rule in rules if (body := flat.body(rule))]
    learned = (*dict.fromkeys(kept), *flat.below(top for top in dict.fromkeys(tops) if top not in kept))
    used = [name for clause in learned for name in clause.called]
    return Program(target, tuple(columns), (*learned, *helpers_used(used, background)), tuple(missing))


def flatten_ordered(
    rules: Sequence[Rule],
    target: Target,
    columns: Sequence[Column],
    missing: Sequence[str] = (),
    background: Sequence[Clause] = (),
) -> Program:
    """Write rules in an order, of which the first that holds decides, as a program that needs no order.

    The rules of one label that follow each other share a helper such as `setosa_rule1`; the label is concluded when it
    holds and no helper of another label before it does. So a row has at most one label. The target's own labels are
    replaced by those that are concluded, in order; its default stays.
    """
    flat = _Flat(target, columns, _helper_names(background))
    runs: list[tuple[Label, list[tuple[Goal, ...]]]] = []
    for rule in rules:
        body, label = flat.body(rule), rule.head
        assert label is not None
        if body and runs and same_label(runs[-1][0], label):
            runs[-1][1].append(body)
        elif body:
            runs.append((label, [body]))
    named = [(label, flat.name(label_stem(label_text(label)), tuple(dict.fromkeys(bodies)))) for label, bodies in runs]
    tops = []
    for index, (label, name) in enumerate(named):
        earlier = (Call(other) for other_label, other in named[:index] if not same_label(other_label, label))
        tops.append(Clause(None, label, (Call(name, negated=False), *earlier)))
    learned = tuple(flat.below(tops))
    used = [name for clause in learned for name in clause.called]
    clauses = (*learned, *helpers_used(used, background))
    concluded = tuple(dict.fromkeys(label for label, _ in named)) or (target.default,)
    return Program(replace(target, labels=concluded), tuple(columns), clauses, tuple(missing))


def _helper_names(clauses: Iterable[Clause]) -> frozenset[str]:
    return frozenset(clause.name for clause in clauses if clause.name is not None)


def helpers_used(used: Iterable[str], background: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the background clauses of the helpers that are used, and of those that they call."""
    called: set[str] = set()
    waiting = list(used)
    while waiting:
        name = waiting.pop()
        if name not in called:
            called.add(name)
            waiting += [called for clause in background if clause.name == name for called in clause.called]
    return tuple(clause for clause in background if clause.name in called)


class _Flat:
    """Names exceptions and conditions as it meets them.

    `given` are the helpers of the background, which rules may call; `taken` are further names that are not free.
    """

    def __init__(
        self, target: Target, columns: Sequence[Column], given: frozenset[str], taken: frozenset[str] = frozenset()
    ) -> None:
        self.given = given
        predicates = name_predicates(target.column, columns)
        self._predicates = predicates.numbers_or_words
        self._reserved = {predicates.target, *self._predicates.values(), *given, *taken}
        self.names: dict[tuple[tuple[Goal, ...], ...], str] = {}
        self._numbers: Counter[str] = Counter()

    def below(self, tops: Iterable[Clause]) -> Iterator[Clause]:
        """Yield clauses, and below each those of the helpers that it is the first to call."""
        waiting = {name: [Clause(name, None, body) for body in bodies] for bodies, name in self.names.items()}
        for top in tops:
            yield top
            yield from _called([top], waiting)

    def body(self, rule: Rule) -> tuple[Goal, ...]:
        """Return the goals of a rule, naming its exceptions on the way."""
        goals = [self._goal(literal) for literal in merge_bounds(rule.literals)]
        goals += [self._goal(condition) for condition in rule.body if not isinstance(condition, Literal)]
        for exception in rule.exceptions:
            body = self.body(exception)
            if body:
                goals.append(Call(self.name("ab", (body,))))
        if rule.exceptions and not goals:
            msg = "a rule without a body, whose exceptions never hold, holds for every row; a program cannot say that."
            raise ProgramError(msg)
        return Clause(None, None, tuple(goals)).body

    def _goal(self, condition: Condition) -> Goal:
        """Return a condition as a goal: the learner tests a background helper as if it were a column."""
        match condition:
            case Literal(column, op) if column in self.given:
                return Call(column, OPERATORS[op].is_denial)
            case OneOf(column, words, negated):
                bodies = tuple((Literal(column, "=", word),) for word in words)
                return Call(self.name(helper_stem(self._predicates[column], "set"), bodies), negated)
            case Negated(literal):
                return Call(self._test(literal), True)
            case Scorecard(awards, threshold):
                return self._points(awards, threshold)
            case Literal():
                return condition

    def _points(self, awards: Iterable[tuple[int, Simple]], threshold: int) -> Goal:
        """Return a scorecard as a sum of points, heaviest first; each case is a helper."""
        total: Counter[str] = Counter()
        for points, condition in awards:
            total[self._case(self._goal(condition))] += points
        if len(total) == 1:
            return Call(next(iter(total)), False)
        heaviest = sorted(total.items(), key=lambda case: -case[1])
        return Points(tuple((points, case) for case, points in heaviest), threshold)

    def _case(self, goal: Goal) -> str:
        """Return the helper that holds when a goal does: itself, if it is one that can have points."""
        if isinstance(goal, Literal):
            return self._test(goal)
        assert isinstance(goal, Call)
        if not goal.negated and can_have_points(goal.name):
            return goal.name
        stem = f"{'not' if goal.negated else 'is'}_{goal.name}"
        return self.name(stem if can_have_points(stem) else f"{stem}_case", ((goal,),), numbered=False)

    def _test(self, literal: Literal) -> str:
        """Return the helper that is one literal."""
        column, test = self._predicates[literal.column], OPERATORS[literal.op]
        if test.bound is None:
            stem = word_stem(column, str(literal.value), negated=test.is_denial)
            return self.name(stem, ((literal,),), numbered=False)
        return self.name(helper_stem(column, "high" if test.bound == "lower" else "low"), ((literal,),))

    def name(self, stem: str, bodies: tuple[tuple[Goal, ...], ...], *, numbered: bool = True) -> str:
        """Return the name of the helper that holds when one of the bodies does."""
        if bodies not in self.names:
            name = "" if numbered else stem
            while not name or name in self._reserved:
                self._numbers[stem] += 1
                name = f"{stem}{self._numbers[stem]}"
            self._reserved.add(name)
            self.names[bodies] = name
        return self.names[bodies]


def _called(clauses: Iterable[Clause], waiting: dict[str, list[Clause]]) -> Iterator[Clause]:
    """Yield the helpers that clauses call and that are still waiting, each with what it calls itself below it."""
    for name in (name for clause in clauses for name in clause.called):
        if name in waiting:
            found = waiting.pop(name)
            yield from found
            yield from _called(found, waiting)


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
        return strong.op in NUMBER_OPS or (strong.op == "=" and strong.value != weak.value)
    side = OPERATORS[strong.op].bound
    return side is not None and side == OPERATORS[weak.op].bound and _tighter(strong, weak)


def _tighter(strong: Literal, weak: Literal) -> bool:
    a, b = strong.value, weak.value
    assert isinstance(a, float)
    assert isinstance(b, float)
    if a == b:
        return OPERATORS[strong.op].is_strict  # the strict test implies the other
    return a < b if OPERATORS[strong.op].bound == "upper" else a > b
