"""A program and a row give a `Proof`: the tree that says why a label holds, or why none does.

The tree has four kinds of node, and whoever shows a proof knows nothing else of it:

`LiteralNode`    one test with the row's value (None is missing), and whether it holds;
`ClauseNode`     one clause, by number. If it holds: all its goals. If not: the first goal that fails, which is enough;
`PredicateNode`  a label of the target, or a helper such as `ab4`. If it holds: a clause that does. If not: all clauses;
`PointsNode`     a sum of points, with all its cases, since each counts whether it holds or not.

A helper that is used twice is one node in two places; `walk` shows it in full the first time and marks it `again`
afterwards. Nothing here recurses, so the length of a chain of exceptions does not matter. The label is always the one
that `holds.decide` gives; a property test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from unless.logic.holds import literal_holds, read_row
from unless.logic.program import Call, Points
from unless.rules import Label, Literal, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.logic.program import Clause, Goal, Program


class LiteralNode(NamedTuple):
    """A test on a column, with the value that the row has there."""

    literal: Literal
    value: Value | None
    holds: bool

    @property
    def children(self) -> tuple[Node, ...]:
        """A test stands on its own."""
        return ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClauseNode:
    """A clause, numbered from 1 in the order of the program, with the goals that decide it."""

    number: int
    clause: Clause
    holds: bool
    children: tuple[LiteralNode | PredicateNode | PointsNode, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PredicateNode:
    """A label of the target (`name` is None) or a helper predicate, with the clauses that decide it."""

    name: str | None
    label: Label | None
    holds: bool
    children: tuple[ClauseNode, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointsNode:
    """A sum of points, with the helper predicate of each award in order."""

    points: Points
    children: tuple[PredicateNode, ...]

    @property
    def total(self) -> int:
        """Add up the points of the cases that hold."""
        return sum(earned for earned, _ in self.earned)

    @property
    def holds(self) -> bool:
        """Tell whether the points reach the threshold."""
        return self.total >= self.points.threshold

    @property
    def earned(self) -> tuple[tuple[int, str], ...]:
        """Return the points that the row has for each case, 0 where the case does not hold."""
        pairs = zip(self.points.awards, self.children, strict=True)
        return tuple((points if node.holds else 0, case) for (points, case), node in pairs)


Node = LiteralNode | ClauseNode | PredicateNode | PointsNode


class Line(NamedTuple):
    """One node where it stands in the tree; `again` says that its own reasons were already given."""

    depth: int
    node: Node
    again: bool


@dataclass(frozen=True, eq=False, repr=False)
class Proof:
    """Why a row has its label, and why no label that goes before it.

    `reasons` are the labels in order of precedence: those that do not hold, then the one that does, if any. Then
    `holds` is true and `label` is that one; else `label` is the default. An answer to another question than "which
    label" (see `unless.ask`) has no label. `confidence`, where a fitted classifier gave it, is the smoothed share of
    the label among the training rows that are decided in the same way.

    >>> from unless.logic.parser import parse
    >>> proof = prove(parse("flies(X,'yes') :- bird(X,'yes'), not ab1(X). ab1(X) :- name(X,'tweety')."),
    ...               {"bird": "yes", "name": "robin"})
    >>> proof.holds, proof.label
    (True, 'yes')
    """

    program: Program
    row_name: int | str | None
    values: Mapping[str, Value | None]
    label: Label | None
    holds: bool
    reasons: tuple[Node, ...]
    confidence: float | None = None

    def walk(self) -> Iterator[Line]:
        """Yield the nodes, each before its reasons."""
        return walk(self.reasons)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Proof):
            return NotImplemented
        mine, theirs = ((p.program, p.row_name, p.values, p.label, p.holds, p.confidence) for p in (self, other))
        return mine == theirs and list(map(_flat, self.walk())) == list(map(_flat, other.walk()))

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        from unless.explain.as_text import proof_text

        return proof_text(self)

    def __repr__(self) -> str:
        return f"<Proof of {self.label!r}: {sum(1 for _ in self.walk())} steps>"

    def _repr_html_(self) -> str:
        from unless.explain.as_html import proof_fragment

        return proof_fragment(self)


def prove(
    program: Program, row: Mapping[str, object], *, row_name: int | str | None = None, all_rules: bool = False
) -> Proof:
    """Prove which label a row has; `all_rules` shows every clause of that label that holds, not just the first."""
    values = read_row(program, row, program.used_columns)
    return prove_values(program, values, row_name=row_name, all_rules=all_rules)


def prove_values(
    program: Program,
    values: Mapping[str, Value | None],
    *,
    row_name: int | str | None = None,
    all_rules: bool = False,
) -> Proof:
    """Prove which label a row has, given the values of the columns that the program tests."""
    prover = Prover(program, values, all_rules=all_rules)
    label, holds, reasons = program.target.default, False, []
    for place, candidate in enumerate(program.target.labels):
        node = prover.label(place)
        reasons.append(node)
        if node.holds:
            label, holds = candidate, True
            break
    return Proof(program, row_name, values, label, holds, tuple(reasons))


class Prover:
    """Proves labels and helpers of one program for one row; each helper is proved at most once."""

    def __init__(self, program: Program, values: Mapping[str, Value | None], *, all_rules: bool = False) -> None:
        self.program = program
        self.values = values
        self.all_rules = all_rules
        self.proved: dict[str, PredicateNode] = {}

    def label(self, place: int) -> PredicateNode:
        """Prove or refute the label at a place of the target's labels."""
        label = self.program.target.labels[place]
        return self._predicate(None, label, self.program.label_clauses[place], all_of_them=self.all_rules)

    def helper(self, name: str) -> PredicateNode:
        """Prove or refute a helper; what it calls first, without recursion."""
        waiting = [name]
        while waiting:
            top = waiting[-1]
            needed = [] if top in self.proved else [n for n in self.program.calls[top] if n not in self.proved]
            if needed:
                # Reversed: the first call is proved first. Calls form no cycle, so this ends.
                waiting.extend(reversed(needed))
                continue
            waiting.pop()
            if top not in self.proved:
                self.proved[top] = self._predicate(top, None, self.program.helper_clauses[top])
        return self.proved[name]

    def literal(self, literal: Literal) -> LiteralNode:
        """Test a literal."""
        value = self.values.get(literal.column)
        return LiteralNode(literal, value, literal_holds(literal, value))

    def _predicate(
        self, name: str | None, label: Label | None, numbers: Iterable[int], *, all_of_them: bool = False
    ) -> PredicateNode:
        holding, failing = [], []
        for number in numbers:
            node = self.clause(number)
            if not node.holds:
                failing.append(node)
                continue
            holding.append(node)
            if not all_of_them:
                break
        return PredicateNode(name, label, bool(holding), tuple(holding or failing))

    def clause(self, number: int) -> ClauseNode:
        """Prove or refute a clause by its number."""
        clause = self.program.clauses[number - 1]
        values = self.values
        for goal in clause.body:
            # Most goals are tests that need no node of their own: one is made for the test that fails, or for all.
            if isinstance(goal, Literal):
                if not literal_holds(goal, values.get(goal.column)):
                    return ClauseNode(number, clause, False, (self.literal(goal),))
                continue
            node = self._goal(goal)
            if node.holds == (isinstance(goal, Call) and goal.negated):
                return ClauseNode(number, clause, False, (node,))
        return ClauseNode(number, clause, True, tuple(map(self._goal, clause.body)))

    def _goal(self, goal: Goal) -> LiteralNode | PredicateNode | PointsNode:
        if isinstance(goal, Literal):
            return self.literal(goal)
        if isinstance(goal, Points):
            return PointsNode(goal, tuple(self._called(case) for _, case in goal.awards))
        return self._called(goal.name)

    def _called(self, name: str) -> PredicateNode:
        return self.proved.get(name) or self.helper(name)


def walk(roots: Iterable[Node]) -> Iterator[Line]:
    """Yield the nodes below some roots, each before its reasons; a helper met again comes without them."""
    shown: set[str] = set()
    stack = [(0, node) for node in reversed(tuple(roots))]
    while stack:
        depth, node = stack.pop()
        again = isinstance(node, PredicateNode) and node.name in shown
        yield Line(depth, node, again)
        if isinstance(node, PredicateNode) and node.name is not None:
            shown.add(node.name)
        if not again:
            stack.extend((depth + 1, child) for child in reversed(node.children))


def _flat(line: Line) -> tuple[object, ...]:
    """Return what one line says, without its reasons."""
    node = line.node
    if isinstance(node, LiteralNode):
        return line.depth, *node
    if isinstance(node, ClauseNode):
        return line.depth, node.number, node.holds
    if isinstance(node, PointsNode):
        return line.depth, node.points, node.holds
    return line.depth, node.name, node.label, node.holds, line.again
