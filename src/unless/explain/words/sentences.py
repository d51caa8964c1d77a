"""A proof becomes sentences: which nodes are said, in which order and how deep.

In: a proof and a wording. Out: `ProofSentence`s in reading order; every text and page is made of them. A clause is said
only where there is a choice of clauses; several true tests of one number are one sentence; what was said is not said
again. Depth is limited for the eye: a chain of a thousand exceptions is said in full, but indented no further.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, TypeVar

from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode
from unless.logic.rules import NUMBER_OPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.explain.proof.tree import Node, Proof
    from unless.explain.words.wording import Wording

MAX_DEPTH = 30
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProofSentence:
    """One claim as a reader sees it. `holds` is of a rule, exception or label; a fact has no such mark."""

    depth: int
    text: str
    holds: bool | None
    again: bool
    number: int | None


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim to be said: a node, a run of tests on one number, or (no node) the default label."""

    nodes: tuple[Node, ...]
    reasons: tuple[_Claim, ...] | None = None


def sentences_of(proof: Proof, wording: Wording) -> Iterator[ProofSentence]:
    """Yield the sentences of a proof, each before its reasons."""
    shown: set[str] = set()
    stack = [(0, claim) for claim in reversed(_openings(proof, wording))]
    while stack:
        depth, claim = stack.pop()
        again = _is_again(claim, shown)
        reasons = () if again else _reasons(claim, wording)
        text = _text(claim, wording, proof)
        if text is not None:
            yield ProofSentence(min(depth, MAX_DEPTH), text, _holds(claim), again, _number(claim))
            depth += 1
        stack.extend((depth, reason) for reason in reversed(reasons))


def with_next(items: Sequence[T]) -> Iterator[tuple[T, T | None]]:
    """Yield each item with the one after it."""
    return zip_longest(items, items[1:])


def _openings(proof: Proof, wording: Wording) -> list[_Claim]:
    """Begin with the predicted label, then say why no other goes before it."""
    claims = [_Claim((node,)) for node in proof.reasons]
    if proof.label is None:
        return claims
    if proof.holds:
        return [claims[-1], *claims[:-1]]
    return claims if wording.default_claim(proof.label) is None else [_Claim((), tuple(claims))]


def _is_again(claim: _Claim, shown: set[str]) -> bool:
    node = claim.nodes[0] if claim.nodes else None
    if not isinstance(node, PredicateNode) or node.name is None:
        return False
    again = node.name in shown
    shown.add(node.name)
    return again


def _reasons(claim: _Claim, wording: Wording) -> tuple[_Claim, ...]:
    if claim.reasons is not None:
        return claim.reasons
    node = claim.nodes[0]
    if isinstance(node, PredicateNode):
        if len(node.children) != 1:
            return tuple(_Claim((child,)) for child in node.children)
        node = node.children[0]  # one clause decides: its goals are the reasons
    if isinstance(node, PointsNode):
        return tuple(_Claim((child,)) for child in node.children)
    return tuple(_grouped(node, wording)) if isinstance(node, ClauseNode) else ()


def _grouped(clause: ClauseNode, wording: Wording) -> Iterator[_Claim]:
    """Put true tests of one number together where the wording can say them so."""
    for _, run in groupby(clause.children, _together):
        nodes = tuple(run)
        tests = tuple(node for node in nodes if isinstance(node, LiteralNode))
        if len(tests) > 1 and wording.bounds(tests) is not None:
            yield _Claim(tests)
        else:
            yield from (_Claim((node,)) for node in nodes)


def _together(node: Node) -> object:
    """Tell apart what cannot share a sentence."""
    is_bound = isinstance(node, LiteralNode) and node.holds and node.literal.op in NUMBER_OPS
    return node.literal.column if is_bound else id(node)  # type: ignore[union-attr]


def _text(claim: _Claim, wording: Wording, proof: Proof) -> str | None:
    if not claim.nodes:
        assert proof.label is not None
        return wording.default_claim(proof.label)
    node = claim.nodes[0]
    if isinstance(node, PredicateNode):
        return wording.predicate(node, number=_number(claim) if node.holds else None)
    if isinstance(node, ClauseNode):
        return wording.clause_claim(node)
    if isinstance(node, PointsNode):
        return wording.points(node)
    if len(claim.nodes) > 1:
        return wording.bounds(claim.nodes)  # type: ignore[arg-type]
    return wording.literal(node)


def _holds(claim: _Claim) -> bool | None:
    node = claim.nodes[0] if claim.nodes else None
    return None if node is None or isinstance(node, LiteralNode) else node.holds


def _number(claim: _Claim) -> int | None:
    """Return the number of the clause that a sentence is about, if it is about one."""
    node = claim.nodes[0] if claim.nodes else None
    if isinstance(node, PredicateNode) and len(node.children) == 1:
        return node.children[0].number
    return node.number if isinstance(node, ClauseNode) else None
