"""What may be combined: the predicates of a search with the types of their arguments, given or seen in the facts.

In: `bias.pl` as Popper's users write it (`body_pred(has_car,2)`, `type(has_car,(train,car))`, `direction(f,(in,out))`),
or nothing: then two arguments are of one type where the facts have a thing in both. Out: `Bias`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from unless.logic.terms import Predicate, Term
    from unless.table.facts import Facts

DECLARED = re.compile(r"(head_pred|body_pred)\(\s*(\w+)\s*,\s*(\d+)\s*\)\s*\.")
LISTED = re.compile(r"(type|direction)\(\s*(\w+)\s*,\s*\(([^()]*)\)\s*\)\s*\.")
COMMENT = re.compile(r"%[^\n]*")
NAME = re.compile(r"\w+")


@dataclass(frozen=True)
class Bias:
    """The types of the arguments of each predicate, those that must be bound before (`needs`), and the type of rows.

    `spoken` are the types that have a name; those that were seen in the facts have none.
    """

    types: Mapping[Predicate, tuple[str, ...]]
    needs: Mapping[Predicate, tuple[bool, ...]]
    row_type: str
    spoken: frozenset[str] = frozenset()


def read_bias(text: str, facts: Facts, target: str, rows: Collection[Term]) -> Bias:
    """Read a bias file, or none; what it leaves open comes from the facts."""
    plain = COMMENT.sub("", text)
    declared = [(what, (name, int(n))) for what, name, n in DECLARED.findall(plain)]
    heads = [predicate for what, predicate in declared if what == "head_pred"]
    if heads and heads != [(target, 1)]:
        found = ", ".join(f"{name}/{n}" for name, n in heads)
        msg = f"the bias is for {found}; the examples are about {target}/1."
        raise DataError(msg)
    body = [predicate for what, predicate in declared if what == "body_pred"]
    seen = _seen(facts, body or sorted(facts.frames), {facts.codes[row] for row in rows if row in facts.codes})
    listed = [(what, name, tuple(NAME.findall(inside))) for what, name, inside in LISTED.findall(plain)]
    given = {(name, len(words)): words for what, name, words in listed if what == "type"}
    needs = {(name, len(words)): tuple(w == "in" for w in words) for what, name, words in listed if what == "direction"}
    types = {predicate: given.get(predicate, own) for predicate, own in seen.types.items()}
    return Bias(
        types,
        {predicate: needs.get(predicate, own) for predicate, own in seen.needs.items()},
        given.get((target, 1), (_row_type(seen, types),))[0],
        frozenset(word for words in given.values() for word in words),
    )


def _row_type(seen: Bias, types: Mapping[Predicate, tuple[str, ...]]) -> str:
    """Return what the rows' type is called where arguments of it have a name."""
    pairs = (pair for predicate, own in seen.types.items() for pair in zip(own, types[predicate], strict=True))
    return next((name for own, name in pairs if own == seen.row_type), seen.row_type)


def _seen(facts: Facts, predicates: Iterable[Predicate], rows: set[int]) -> Bias:
    """See in the facts which arguments are of one type: those that have a thing in common, directly or by others."""
    known = [predicate for predicate in predicates if predicate in facts.frames]
    groups: list[tuple[set[int], list[tuple[Predicate, int]]]] = [(set(rows), [])]
    for predicate in known:
        for position in range(predicate[1]):
            own = set(facts.frames[predicate][str(position)].to_list())
            touching = [group for group in groups if group[0] & own]
            groups = [group for group in groups if group not in touching]
            members = [argument for group in touching for argument in group[1]]
            groups.append((own.union(*(group[0] for group in touching)), [*members, (predicate, position)]))
    type_of = {argument: f"type {n}" for n, (_, arguments) in enumerate(groups) for argument in arguments}
    row_type = next((f"type {n}" for n, (things, _) in enumerate(groups) if things & rows), "row")
    types = {predicate: tuple(type_of[predicate, i] for i in range(predicate[1])) for predicate in known}
    return Bias(types, {predicate: (False,) * predicate[1] for predicate in known}, row_type)
