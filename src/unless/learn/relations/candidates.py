"""The conjunctions that a learner may test: searched in facts, named after things, and what is left out is said."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from unless.errors import listing
from unless.learn.relations.bias import read_bias
from unless.learn.relations.search import MAX_ATOMS, MAX_THINGS, search
from unless.logic.names import is_plain
from unless.logic.relations import with_spoken_names
from unless.logic.text.conjunctions import related_column
from unless.table.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from unless.learn.relations.bias import Bias
    from unless.learn.relations.search import Conjunction
    from unless.logic.rules import Column
    from unless.logic.terms import Term

log = logging.getLogger("unless")


def candidates(
    facts: Facts, individuals: Sequence[Term], labels: NDArray[np.bool_], bias: str, target: str
) -> tuple[Column, ...]:
    """Return conjunctions over relations as columns, the one that says most about the labels first."""
    usable = Facts({p: frame for p, frame in facts.frames.items() if is_plain(p[0])}, facts.terms)
    read = read_bias(bias, usable, target, individuals)
    found = search(usable, individuals, labels, read)
    used = {(atom.name, len(atom.terms)) for each in found for atom in each.atoms}
    unused = sorted(f"{name}/{n}" for name, n in facts.frames if (name, n) not in used and n > 1)
    if unused:
        log.warning(
            "facts that no condition speaks of: %s. Conditions combine up to %d facts about up to %d things.",
            listing(unused),
            MAX_ATOMS,
            MAX_THINGS,
        )
    return tuple({column.name: column for column in (_column(each, read) for each in found)}.values())


def _column(found: Conjunction, bias: Bias) -> Column:
    spoken = {variable: kind for variable, kind in found.types.items() if kind in bias.spoken}
    return related_column(with_spoken_names(found.atoms, spoken))
