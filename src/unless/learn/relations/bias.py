"""What may be combined: the predicates of a search with the types of their arguments, given or seen in the facts.

In: `bias.pl` as Popper's users write it (`body_pred(has_car,2)`, `type(has_car,(train,car))`, `direction(f,(in,out))`),
or nothing: then two arguments are of one type where the facts have a thing in both. Out: `Bias`. A sentence that is
nearly one of these is refused, and what else stands there is named.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.errors import DataError, listing, meant

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from unless.logic.terms import Predicate, Term
    from unless.table.facts import Facts

log = logging.getLogger("unless")

SENTENCE = re.compile(r"\s*(.+?)\s*\.(?=\s|$)|\s*(\S.*)", re.DOTALL)
"""A sentence up to its dot, or the rest of the text, which has none."""
DECLARED = re.compile(r"(head_pred|body_pred)\(\s*(\w+)\s*,\s*(\d+)\s*\)")
LISTED = re.compile(r"(type|direction)\(\s*(\w+)\s*,\s*\(([^()]*)\)\s*\)")
WRITTEN = {
    "head_pred": "head_pred(east,1).",
    "body_pred": "body_pred(has_car,2).",
    "type": "type(has_car,(train,car)).",
    "direction": "direction(has_car,(in,out)).",
}
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


@dataclass(frozen=True)
class _Said:
    """What a bias file says."""

    heads: tuple[Predicate, ...]
    body: tuple[Predicate, ...]
    types: Mapping[Predicate, tuple[str, ...]]
    directions: Mapping[Predicate, tuple[str, ...]]


def read_bias(text: str, facts: Facts, target: str, rows: Collection[Term]) -> Bias:
    """Read a bias file, or none; what it leaves open comes from the facts."""
    said = _said(text)
    if said.heads and said.heads != ((target, 1),):
        found = ", ".join(f"{name}/{n}" for name, n in said.heads)
        msg = f"the bias is for {found}; the examples are about {target}/1."
        raise DataError(msg)
    _check_arguments(said)
    _note_absent(said.body, facts)
    seen = _seen(facts, said.body or sorted(facts.frames), {facts.codes[row] for row in rows if row in facts.codes})
    names = _names(seen, said.types)
    types = {
        predicate: said.types.get(predicate, tuple(names.get(kind, kind) for kind in own))
        for predicate, own in seen.types.items()
    }
    needs = {predicate: tuple(word == "in" for word in words) for predicate, words in said.directions.items()}
    return Bias(
        types,
        {predicate: needs.get(predicate, own) for predicate, own in seen.needs.items()},
        said.types.get((target, 1), (names.get(seen.row_type, seen.row_type),))[0],
        frozenset(word for words in said.types.values() for word in words),
    )


def _said(text: str) -> _Said:
    """Read the sentences; one that is nearly understood is refused, what is for others only is named."""
    plain = COMMENT.sub("", text)
    heads: list[Predicate] = []
    body: list[Predicate] = []
    listed: dict[str, dict[Predicate, tuple[str, ...]]] = {"type": {}, "direction": {}}
    others: dict[str, None] = {}
    for match in SENTENCE.finditer(plain):
        sentence = match[1] or match[2]
        declared, types = DECLARED.fullmatch(sentence), LISTED.fullmatch(sentence)
        begins = NAME.match(sentence)
        if match[1] and declared:
            (heads if declared[1] == "head_pred" else body).append((declared[2], int(declared[3])))
        elif match[1] and types:
            words = tuple(NAME.findall(types[3]))
            listed[types[1]][types[2], len(words)] = words
        elif begins and begins[0] in WRITTEN:
            line = plain.count("\n", 0, plain.index(sentence, match.start())) + 1
            shown = sentence.partition("\n")[0][:80]
            msg = f"bias, line {line}: {shown} is not understood; it is written so, with its dot: {WRITTEN[begins[0]]}"
            raise DataError(msg)
        else:
            others[begins[0] if begins else "constraints"] = None
    if others:
        log.warning("of the bias is not used: %s.", listing(others))
    return _Said(tuple(heads), tuple(body), listed["type"], listed["direction"])


def _check_arguments(said: _Said) -> None:
    """Refuse types and directions of another number of arguments than their predicate is declared with."""
    declared = dict((*said.heads, *said.body))
    for what, listed in (("types", said.types), ("directions", said.directions)):
        for name, n in listed:
            if declared.get(name, n) != n:
                msg = f"the bias gives {name}/{declared[name]} {n} {what}; it has {declared[name]} arguments."
                raise DataError(msg)


def _note_absent(body: Iterable[Predicate], facts: Facts) -> None:
    """Say which predicates may be combined of which there is no fact."""
    for name, n in body:
        if (name, n) not in facts.frames:
            hint = meant(name, (other for other, _ in facts.frames if other != name))
            log.warning("the bias speaks of %s/%d, of which the background has no fact.%s", name, n, hint)


def _names(seen: Bias, given: Mapping[Predicate, tuple[str, ...]]) -> dict[str, str]:
    """Name types that were seen in the facts, where the arguments of such a type that are named agree."""
    found: dict[str, set[str]] = {}
    for predicate, own in seen.types.items():
        for kind, name in zip(own, given.get(predicate, ()), strict=False):
            found.setdefault(kind, set()).add(name)
    return {kind: names.pop() for kind, names in found.items() if len(names) == 1}


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
