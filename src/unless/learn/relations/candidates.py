"""The conjunctions that a learner may test: searched in facts, named after things, and what is left out is said."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from unless.errors import NotePart, listing
from unless.learn.relations.bias import read_bias
from unless.learn.relations.search import MAX_ATOMS, MAX_THINGS, search
from unless.logic.names import is_plain
from unless.logic.relations import with_spoken_names
from unless.logic.text.conjunctions import related_column
from unless.table.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from unless.learn.relations.bias import Bias
    from unless.learn.relations.search import Conjunction
    from unless.logic.rules import Column
    from unless.logic.terms import Predicate, Term

log = logging.getLogger("unless")


def candidates(
    facts: Facts, individuals: Sequence[Term], labels: NDArray[np.bool_], bias: str, target: str,
    columns: Collection[str] = (),
) -> tuple[Column, ...]:  # fmt: skip
    """Return conjunctions over relations as columns, the one that says most about the labels first.

    What `columns` of the table say already, as `lives_in(X,'town')` does of a column lives_in, is not said again.
    """
    usable = Facts({p: frame for p, frame in facts.frames.items() if is_plain(p[0])}, facts.terms)
    read = read_bias(bias, usable, target, individuals)
    found = [
        each
        for each in search(usable, individuals, labels, read)
        if len(each.atoms) > 1 or each.atoms[0].name not in columns
    ]
    used = {atom.predicate for each in found for atom in each.atoms}
    asked = {p for p in facts.frames if p in read.types or not is_plain(p[0])}
    unused = sorted(asked - used - {(name, 2) for name in columns} - _about_rows(facts, individuals))
    if unused:
        log.warning(
            "facts that no condition speaks of: %s. Conditions combine up to %d facts about up to %d things.%s",
            listing(f"{name}/{n}" for name, n in unused),
            MAX_ATOMS,
            MAX_THINGS,
            _numbers_hint(facts, unused),
        )
    return tuple({column.name: column for column in (_column(each, read) for each in found)}.values())


def _numbers_hint(facts: Facts, predicates: Iterable[Predicate]) -> NotePart:
    """Say how numbers of things can be compared, if some of these predicates of two arguments give numbers."""
    for name, n in predicates:
        if n == 2 and any(isinstance(facts.terms[code], float) for code in facts.frames[name, n]["1"]):
            clause = f"high_{name}(A) :- {name}(A,N), N > 80."
            return NotePart(
                " Several numbers of one thing are not compared; a clause of the background may do it: %s", clause
            )
    return NotePart("")


def _about_rows(facts: Facts, individuals: Sequence[Term]) -> set[Predicate]:
    """Return the predicates of one argument that speak of nothing but rows: they are conditions as they are."""
    rows = {facts.codes[individual] for individual in individuals if individual in facts.codes}
    return {(name, n) for (name, n), frame in facts.frames.items() if n == 1 and set(frame["0"].to_list()) <= rows}


def _column(found: Conjunction, bias: Bias) -> Column:
    spoken = {variable: kind for variable, kind in found.types.items() if kind in bias.spoken}
    return related_column(with_spoken_names(found.atoms, spoken))
