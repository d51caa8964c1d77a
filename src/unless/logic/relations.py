"""Conjunctions over relations: what facts say of the things that a row has to do with.

A conjunction such as `has_car(X,Car), long(Car), roof_closed(Car)` is a column of a program, `Column.atoms`, whose one
word is true where some things make it hold; its name is its text. It stands in clauses of helpers as it is, so that
s(CASP) runs it beside the facts. `describe` takes it apart for people: a tree of things, each with what is said of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unless.logic.names import can_have_points, is_plain
from unless.logic.rules import Literal
from unless.logic.terms import Variable
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from unless.logic.rules import Column
    from unless.logic.terms import Atom, Term

TRUE = "true"
ROW = Variable("X")
"""The variable that stands for the row."""
LONGEST_NAME = 40
NUMBERED = re.compile(r"(.*?)(\d*)\Z")


def related_literal(column: Column) -> Literal:
    """Return the test that a conjunction holds."""
    return Literal(column.name, "=", TRUE)


def helper_name(atoms: Sequence[Atom], taken: set[str]) -> str:
    """Name the helper of a conjunction after its predicates, and take the name."""
    names = list(dict.fromkeys(map(_name_with_words, atoms)))
    stem = "_".join(n for n, after in zip(names, [*names[1:], ""], strict=True) if not after.startswith(f"{n}_"))
    if len(stem) > LONGEST_NAME:
        stem = f"{atoms[0].name}_and_more"
    stem = stem if is_plain(stem) and can_have_points(stem) else f"some_{stem}_related"
    name, n = stem, 1
    while name in taken:
        n += 1
        name = f"{stem}{n}"
    taken.add(name)
    return name


def _name_with_words(atom: Atom) -> str:
    words = [re.sub(r"\W+", "_", term.lower()).strip("_") for term in atom.terms if isinstance(term, str)]
    return "_".join((atom.name, *filter(str.isascii, filter(None, words))))


def with_spoken_names(atoms: Sequence[Atom], types: Mapping[str, str]) -> tuple[Atom, ...]:
    """Name the variables after the types of the things, or after the relations that bring them in."""
    names: dict[Variable, Variable] = {ROW: ROW}
    used: Counter[str] = Counter()
    for atom in atoms:
        for position, term in enumerate(atom.terms):
            if isinstance(term, Variable) and term not in names:
                word = types.get(term.name) or (_noun(atom.name) if position else "thing")
                stem = re.sub(r"[^A-Za-z0-9]", "", word.title()).rstrip("0123456789") or "Thing"
                stem = stem if re.match(r"[A-Z][a-z]", stem) else f"Thing{stem}"
                used[stem] += 1
                names[term] = Variable(stem if used[stem] == 1 else f"{stem}{used[stem]}")
    return tuple(
        replace(atom, terms=tuple(names[t] if isinstance(t, Variable) else t for t in atom.terms)) for atom in atoms
    )


def _noun(relation: str) -> str:
    return relation.removeprefix("has_").removeprefix("is_")


@dataclass(frozen=True, slots=True)
class RelatedName:
    """A table beside the table: its predicate, its column that names rows, and the main table's column of names."""

    name: str
    key: str
    column: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of a conjunction and what is said of it.

    `relation` is how it is reached, `is_shared` from its second argument; `words` are predicates of it alone, `values`
    pairs of a relation and a value, `things` those reached from it, `closing` relations back to the row.
    """

    noun: str
    relation: str
    is_shared: bool
    words: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    things: tuple[Thing, ...]
    closing: tuple[str, ...]


def said_of_row(atoms: Sequence[Atom], wording: Mapping[str, str], *, holds: bool = True) -> str:
    """Say that a conjunction holds of the row, or that it does not; with facts of three things, as it is written.

    What `bond(X,A,B,2)` says of its arguments no wording knows.
    """
    if all(len(atom.terms) <= 2 for atom in atoms):
        return say(describe(atoms), wording, holds=holds)
    written = ", ".join(f"{a.name}({','.join(map(_written, a.terms))})" for a in atoms)
    return wording["some_written" if holds else "no_written"].format(written=written)


def _written(term: Term) -> str:
    return term.name if isinstance(term, Variable) else _value_text(term)


def describe(atoms: Sequence[Atom]) -> Thing:
    """Take a conjunction apart, from the row."""
    return _thing(ROW, "", list(atoms), {ROW}, is_shared=False)


def _thing(variable: Variable, relation: str, atoms: list[Atom], known: set[Variable], *, is_shared: bool) -> Thing:
    own = [atom for atom in atoms if variable in atom.terms]
    words, values, things, closing = [], [], [], []
    for atom in own:
        if atom not in atoms:
            continue
        others = [term for term in atom.terms if term != variable]
        new = [term for term in others if isinstance(term, Variable) and term not in known]
        atoms.remove(atom)
        known.update(new)
        if not others:
            words.append(_said(atom.name, relation))
        elif new:
            shared = atom.terms.index(variable) > 0
            things += [_thing(each, atom.name, atoms, known, is_shared=shared) for each in new]
        elif not any(isinstance(term, Variable) for term in others):
            values.append((_said(atom.name, relation), " ".join(map(_value_text, others))))
        else:
            closing.append(_said(atom.name))
    noun = noun_of(variable.name)
    said = _said(_noun(relation))
    return Thing(noun, said, is_shared, tuple(words), tuple(values), tuple(things), tuple(closing))


def noun_of(variable: str) -> str:
    """Say what a variable stands for.

    >>> noun_of("Car"), noun_of("Car2")
    ('car', 'car 2')
    """
    name, number = NUMBERED.fullmatch(variable).groups()  # type: ignore[union-attr]
    return f"{name.lower()} {number}".strip()


def _said(name: str, of: str = "") -> str:
    """Say a predicate; what it shares with the relation before it is said already."""
    return (name.removeprefix(f"{of}_") if of else name).replace("_", " ")


def _value_text(term: Term) -> str:
    return number_word(term) if isinstance(term, float) else str(term)


def say(thing: Thing, wording: Mapping[str, str], *, holds: bool = True) -> str:
    """Say that a conjunction holds of the row, or that it does not, in the wording of a language."""
    if not thing.things:
        (relation, value) = thing.values[0] if thing.values else (thing.words[0] if thing.words else "", "")
        return wording["some_value" if holds else "no_value"].format(relation=relation, value=value)
    (first, *_) = thing.things
    details = _details(first, wording)
    key = ("some" if holds else "no") if details else ("some_bare" if holds else "no_bare")
    return wording[key].format(noun=first.noun, details=details)


def _details(thing: Thing, wording: Mapping[str, str]) -> str:
    said = [wording["is"].format(words=_listed(thing.words, wording))] if thing.words else []
    said += [wording["value"].format(relation=relation, value=value) for relation, value in thing.values]
    for below in thing.things:
        inner = _details(below, wording)
        key = "shared" if below.is_shared else "has"
        said.append(
            wording[key if inner else f"{key}_bare"].format(relation=below.relation, noun=below.noun, details=inner)
        )
    said += [wording["closing"].format(relation=relation) for relation in thing.closing]
    return _listed(said, wording)


def _listed(parts: Sequence[str], wording: Mapping[str, str]) -> str:
    return f" {wording['and']} ".join(parts)


REMARKS = {
    "some": "some {noun} {details}", "no": "no {noun} {details}", "some_bare": "it has some {noun}",
    "no_bare": "it has no {noun}", "some_value": "some {relation} is {value}", "no_value": "no {relation} is {value}",
    "is": "is {words}", "value": "has {relation} {value}", "has": "has a {relation} that {details}",
    "has_bare": "has a {relation}", "shared": "is the {relation} of a {noun} that {details}",
    "shared_bare": "is the {relation} of a {noun}", "closing": "is a {relation} of it", "and": "and",
    "some_written": "there are facts {written}", "no_written": "there are no facts {written}",
}  # fmt: skip
"""How remarks of model files say conjunctions; other wordings stand in the language files."""


def relations_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """Name the relations that columns speak of, in the order of their names."""
    return tuple(sorted({atom.name for column in columns for atom in column.atoms}))


def used_relations(columns: Iterable[Column], used: Collection[str]) -> list[Column]:
    """Return columns without the conjunctions that nothing tests: a text could not say them."""
    return [column for column in columns if not column.atoms or column.name in used]
