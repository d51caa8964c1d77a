"""The JSON tree of s(CASP) becomes the reasons of a `Proof`.

The engine's program has a predicate for each clause and each test, so a node's name says what it is. In a refuted
clause s(CASP) shows the goals that hold and then the one that fails; a proof keeps only that one. What a tree says of
a test is compared with the definition of truth: where they differ, that is a disagreement, and an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.errors import DisagreementError, EngineError
from unless.explain.proof.tree import ClauseNode, LiteralNode, Node, PointsNode, PredicateNode
from unless.logic.holds import literal_holds
from unless.logic.names import guard
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.explain.proof.tree import Proof
    from unless.explain.scasp.writer import EngineProgram


def read_reasons(engine: EngineProgram, expected: Proof, tree: Mapping[str, Any]) -> tuple[Node, ...]:
    """Read the tree of the query that `EngineProgram.query` asked."""
    reader = _ProofReader(engine, expected)
    read = iter([reader.node(child) for child in tree["children"]])
    return tuple(_reasons(engine, expected, read))


def read_nodes(engine: EngineProgram, expected: Proof, tree: Mapping[str, Any], n: int) -> list[Node]:
    """Read the first nodes of the tree of a query about anything."""
    reader = _ProofReader(engine, expected)
    return [reader.node(child) for child in tree["children"][:n]]


def _reasons(engine: EngineProgram, expected: Proof, read: Iterator[Node]) -> Iterator[Node]:
    """Give each label its node: as read, or put together from the rules that were asked for one by one."""
    for i, node in enumerate(expected.reasons):
        if node.holds and len(node.children) > 1:
            rules = tuple(_clause(next(read)) for _ in node.children)
            yield PredicateNode(None, engine.program.target.labels[i], True, rules)
        elif engine.program.label_clauses[i]:
            yield next(read)
        else:
            yield node


class _ProofReader:
    """Reads one tree; a node that s(CASP) marks as proved before is the node that was read then."""

    def __init__(self, engine: EngineProgram, expected: Proof) -> None:
        self.engine = engine
        self.expected = expected
        self.known: dict[str, Node] = {}

    def node(self, tree: Mapping[str, Any]) -> Node:
        value = tree["node"]["value"]
        name = str(value["functor"])
        label = self._label(value) if name == self.engine.names.target and len(value["args"]) == 2 else None
        key = name if label is None else f"{name}({label!r})"
        if not (tree["node"].get("proved") and key in self.known):
            self.known[key] = self._read(tree, name, label)
        return self.known[key]

    def _read(self, tree: Mapping[str, Any], name: str, label: Any) -> Node:
        holds = tree["node"]["truth"] is True
        if name in self.engine.tests:
            return self._test(name, holds)
        if name in self.engine.points:
            return self._points(tree, name, holds)
        children = [self.node(child) for child in tree["children"]]
        if name in self.engine.rules:
            number = self.engine.rules[name]
            goals = children if holds else children[-1:]
            return ClauseNode(number, self.engine.program.clauses[number - 1], holds, tuple(map(_goal, goals)))
        if label is None and name not in self.engine.program.helpers:
            msg = f"the proof of s(CASP) speaks of {name!r}, which the program does not have."
            raise EngineError(msg)
        return PredicateNode(None if label is not None else name, label, holds, tuple(map(_clause, children)))

    def _points(self, tree: Mapping[str, Any], name: str, holds: bool) -> PointsNode:
        """Read a sum of points: the cases that the totals below ask for, one after the other."""
        points, cases, totals = self.engine.points[name], {}, [tree]
        while totals:
            for child in totals.pop()["children"]:
                functor = str(child["node"]["value"].get("functor"))
                if functor in self.engine.sums:
                    totals.append(child)
                elif functor in self.engine.program.helpers:
                    cases[functor] = _predicate(self.node(child))
        node = PointsNode(points, tuple(cases[case] for _, case in points.awards))
        if node.holds != holds:
            msg = (
                f"s(CASP) adds up other points than unless, {node.total}. This is a defect of unless: please report it."
            )
            raise DisagreementError(msg)
        return node

    def _test(self, name: str, holds: bool) -> LiteralNode:
        literal = self.engine.tests[name]
        value = self.expected.values.get(literal.column)
        if literal_holds(literal, value) != holds:
            msg = (
                f"s(CASP) takes {literal.column} {literal.op} {literal.value!r} as {'true' if holds else 'false'} of "
                f"{value!r} and unless does not. This is a defect of unless: please report it with the model file."
            )
            raise DisagreementError(msg)
        return LiteralNode(literal, value, holds)

    def _label(self, value: Mapping[str, Any]) -> Any:
        """Find the label that a node of the target is about."""
        word = value["args"][1].get("value")
        # The atoms null, true and false come back as the constants of JSON.
        word = {None: "null", True: "true", False: "false"}.get(word, word)
        for label in self.engine.program.target.labels:
            if guard(label_text(label)) == word:
                return label
        msg = f"the proof of s(CASP) speaks of the label {word!r}, which the program does not have."
        raise EngineError(msg)


def _predicate(node: Node) -> PredicateNode:
    assert isinstance(node, PredicateNode)
    return node


def _goal(node: Node) -> LiteralNode | PredicateNode | PointsNode:
    assert not isinstance(node, ClauseNode)
    return node


def _clause(node: Node) -> ClauseNode:
    assert isinstance(node, ClauseNode)
    return node
