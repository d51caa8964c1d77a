"""A `Proof`: the tree that says why a label holds for a row, or why none does.

It has four kinds of node, and whoever shows a proof knows nothing else of it:

`LiteralNode`    one test with the row's value (None is missing), and whether it holds;
`ClauseNode`     one clause, by number. If it holds: all its goals. If not: the first goal that fails, which is enough;
`PredicateNode`  a label of the target, or a helper such as `ab4`. If it holds: a clause that does. If not: all clauses;
`PointsNode`     a sum of points, with all its cases, since each counts whether it holds or not.

A helper that is used twice is one node that stands twice; `walk` shows it in full the first time and marks it `again`
afterwards. Nothing here recurses, so the length of a chain of exceptions does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from unless.showing import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.evaluate.row_risk import Risk
    from unless.logic.clause import Clause, Points
    from unless.logic.program import Program
    from unless.logic.rules import Label, Literal, Value


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
    label" (see `explain.proof.ask`) has no label. `risk` is what the grade of the program says of the row, if any.
    `witnesses` are, for conjunctions over relations that hold, the things that make them so, by what they are.

    >>> from unless import parse, prove
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
    risk: Risk | None = None
    witnesses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def walk(self) -> Iterator[Line]:
        """Yield the nodes, each before its reasons."""
        return walk(self.reasons)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Proof):
            return NotImplemented
        mine, theirs = ((p.program, p.row_name, p.values, p.label, p.holds, p.risk) for p in (self, other))
        return mine == theirs and list(map(_flat, self.walk())) == list(map(_flat, other.walk()))

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return show("proof as text", self)

    def __repr__(self) -> str:
        return f"<Proof of {self.label!r}: {sum(1 for _ in self.walk())} steps>"

    def _repr_html_(self) -> str:
        return show("proof as html", self)


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
