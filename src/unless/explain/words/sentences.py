"""A proof becomes sentences in the paper's manner: which nodes are said, in which order and how deep.

In: a proof and its wording. Out: `ProofSentence`s in reading order. A clause is said only where there is a choice of
clauses; what was said is not said again. Depth is limited for the eye: a chain of a thousand exceptions is said in
full, but indented no further. The sentences of plain language are made by `full_proof`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.explain.proof.tree import Node, Proof
    from unless.explain.words.language import Language
    from unless.explain.words.paper import Paper

MAX_DEPTH = 30
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProofSentence:
    """One claim as a reader sees it. `holds` is of a rule, exception or label; a fact has no such mark.

    `number` is that of the clause in the program, `rule` that of the rule or exception as people count them. A line of
    a table of points has the `points` that the row was given.
    """

    depth: int
    text: str
    holds: bool | None
    again: bool
    number: int | None
    rule: str | None = None
    points: int | None = None

    def numbered(self, words: Language) -> str:
        """Return the text, of a line of points with those before it."""
        return (
            self.text if self.points is None else words.say("program", "numbered", number=self.points, text=self.text)
        )


def sentences_of(proof: Proof, wording: Paper) -> Iterator[ProofSentence]:
    """Yield the sentences of a proof, each before its reasons."""
    shown: set[str] = set()
    first = list(proof.reasons)
    if proof.label is not None and proof.holds:
        first = [first[-1], *first[:-1]]  # the predicted label, then why no other goes before it
    stack = [(0, node) for node in reversed(first)]
    while stack:
        depth, node = stack.pop()
        again = isinstance(node, PredicateNode) and node.name is not None and node.name in shown
        if isinstance(node, PredicateNode) and node.name is not None:
            shown.add(node.name)
        text = _text(node, wording)
        if text is not None:
            holds = None if isinstance(node, LiteralNode) else node.holds
            yield ProofSentence(min(depth, MAX_DEPTH), text, holds, again, _number(node))
            depth += 1
        if not again:
            stack.extend((depth, reason) for reason in reversed(_reasons(node)))


def with_next(items: Sequence[T]) -> Iterator[tuple[T, T | None]]:
    """Yield each item with the one after it."""
    return zip_longest(items, items[1:])


def _reasons(node: Node) -> Sequence[Node]:
    if isinstance(node, PredicateNode) and len(node.children) == 1:
        return node.children[0].children  # one clause decides: its goals are the reasons
    return node.children


def _text(node: Node, wording: Paper) -> str | None:
    if isinstance(node, PredicateNode):
        return wording.predicate(node)
    if isinstance(node, ClauseNode):
        return wording.clause(node)
    return wording.points(node) if isinstance(node, PointsNode) else wording.literal(node)


def _number(node: Node) -> int | None:
    """Return the number of the clause that a sentence is about, if it is about one."""
    if isinstance(node, PredicateNode) and len(node.children) == 1:
        return node.children[0].number
    return node.number if isinstance(node, ClauseNode) else None
