"""The search for conjunctions over relations that are worth testing: `has_car(X,Car), long(Car), roof_closed(Car)`.

In: facts, rows with labels, a bias. Out: a `Conjunction` each, all holding for another set of rows. A conjunction
grows by one atom that shares a variable with it; what it says of things other than the row hangs together, since
learners put separate conditions together themselves. At most `MAX_ATOMS` atoms and `MAX_THINGS` things; of the
conjunctions of one length those are grown on that tell the labels apart best, and those that bring in a new thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from unless.logic.relations import ROW
from unless.logic.terms import Atom, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from unless.learn.relations.bias import Bias
    from unless.logic.terms import Predicate, Term
    from unless.table.facts import Facts

MAX_ATOMS = 6
MAX_THINGS = 3
WIDTH = 150
"""So many conjunctions of each length are grown on."""
OPEN_WIDTH = 300
"""So many more, of those that have just brought in a new thing, which say little yet."""
MOST = 300
"""So many conjunctions are handed to a learner."""
FEW_VALUES = 30
"""An argument of at most so many different words or numbers, which name no other thing, may be asked for by value."""
MAX_BINDINGS = 2_000_000
LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class Conjunction:
    """A conjunction, the rows for which it holds, and how much it says about the labels."""

    atoms: tuple[Atom, ...]
    types: dict[str, str]
    bindings: pl.DataFrame = field(repr=False)
    holds: NDArray[np.bool_] = field(repr=False)
    gain: float = 0.0
    is_open: bool = False
    """Whether the last step brought in a new thing, of which more can be said."""

    @property
    def variables(self) -> list[str]:
        """Return the variables, the row first."""
        return list(self.types)


def search(facts: Facts, rows: Sequence[Term], labels: NDArray[np.bool_], bias: Bias) -> list[Conjunction]:
    """Return the conjunctions that tell the labels apart best, the best first; ties go to the shorter."""
    searcher = _Search(facts, rows, labels, bias)
    level = [Conjunction((), {ROW.name: bias.row_type}, facts.start(rows), np.ones(len(rows), dtype=bool))]
    kept: dict[bytes, Conjunction] = {np.ones(len(rows), dtype=bool).tobytes(): level[0]}
    seen: set[frozenset[Atom]] = set()
    for _ in range(MAX_ATOMS):
        grown: list[Conjunction] = []
        for found in level:
            if len(found.atoms) == MAX_ATOMS:
                continue
            for atoms, types in searcher.grown(found):
                key = canonical(atoms)
                if key not in seen:
                    seen.add(key)
                    more = searcher.found(found, atoms, types)
                    if more is not None:
                        grown.append(more)
        for found in sorted(grown, key=_order):
            kept.setdefault(found.holds.tobytes(), found)
        level = _growing(grown)
    first, *best = kept.values()
    assert not first.atoms
    return sorted(best, key=_order)[:MOST]


def _order(found: Conjunction) -> tuple[float, int, str]:
    return -found.gain, len(found.atoms), str([str(atom) for atom in found.atoms])


def _growing(grown: Iterable[Conjunction]) -> list[Conjunction]:
    """Choose what is grown on: the best, and the best of those whose last atom brought in a new thing."""
    ordered = sorted(grown, key=_order)
    new = [found for found in ordered if found.is_open]
    closed = [found for found in ordered if not found.is_open]
    return [*closed[:WIDTH], *new[:OPEN_WIDTH]]


def canonical(atoms: Sequence[Atom]) -> frozenset[Atom]:
    """Name the things of a conjunction in one way, whatever order they came in."""
    things = sorted({t.name for a in atoms for t in a.terms if isinstance(t, Variable)} - {ROW.name})
    best = None
    for names in permutations([f"V{i}" for i in range(len(things))]):
        to = {ROW.name: ROW.name, **dict(zip(things, names, strict=True))}
        renamed = sorted(
            (a.name, tuple(to[t.name] if isinstance(t, Variable) else repr(t) for t in a.terms)) for a in atoms
        )
        if best is None or renamed < best[0]:
            best = renamed, to
    assert best is not None
    return frozenset(
        Atom(a.name, tuple(Variable(best[1][t.name]) if isinstance(t, Variable) else t for t in a.terms)) for a in atoms
    )


class _Search:
    """Grows conjunctions over one set of facts."""

    def __init__(self, facts: Facts, rows: Sequence[Term], labels: NDArray[np.bool_], bias: Bias) -> None:
        self.facts, self.labels, self.bias = facts, labels, bias
        self.index = {code: i for i, row in enumerate(rows) if (code := facts.codes.get(row)) is not None}
        self.values = _values(facts, bias)
        self.n_rows = len(rows)

    def grown(self, found: Conjunction) -> Iterator[tuple[tuple[Atom, ...], dict[str, str]]]:
        """Yield a conjunction with one atom more, in all ways that the bias allows.

        A new thing that is met by way of another may be anybody's, which says little: so it also comes
        together with the atom that makes it the row's own.
        """
        for predicate, types in self.bias.types.items():
            choices = [self._terms(found, predicate, i, kind) for i, kind in enumerate(types)]
            for terms in product(*choices):
                atom = self._atom(found, predicate, terms)
                if atom is not None:
                    met = {t.name: kind for t, kind in zip(atom.terms, types, strict=True) if isinstance(t, Variable)}
                    new = {name: kind for name, kind in met.items() if name not in found.types}
                    steps: list[tuple[Atom, ...]] = [(atom,)]
                    if ROW not in atom.terms and len(found.atoms) < MAX_ATOMS - 1:
                        steps += [(atom, own) for name, kind in new.items() for own in self._own(name, kind)]
                    yield from (((*found.atoms, *step), {**found.types, **new}) for step in steps)

    def _own(self, name: str, kind: str) -> Iterator[Atom]:
        """Yield the atoms that make a thing of a type the row's own."""
        for (relation, _), types in self.bias.types.items():
            if types == (self.bias.row_type, kind):
                yield Atom(relation, (ROW, Variable(name)))

    def _terms(self, found: Conjunction, predicate: Predicate, position: int, kind: str) -> list[Term | None]:
        """Return what may stand at an argument: known things of its type, a new thing (None), or a value."""
        known: list[Term | None] = [Variable(name) for name, other in found.types.items() if other == kind]
        if self.bias.needs[predicate][position]:
            return known
        return [*known, None, *self.values.get((predicate, position), ())]

    def _atom(self, found: Conjunction, predicate: Predicate, terms: Sequence[Term | None]) -> Atom | None:
        """Return an atom with new things named, if it hangs together with the conjunction."""
        known = {t.name for t in terms if isinstance(t, Variable)}
        n_things, n_new = len(found.types) - 1, sum(t is None for t in terms)
        is_apart = n_things > 0 and known == {ROW.name}
        says_nothing_new = known == {ROW.name} and all(isinstance(t, Variable) for t in terms)
        if not known or is_apart or says_nothing_new or n_things + n_new > MAX_THINGS:
            return None
        names = iter(f"V{n_things + i}" for i in range(n_new))
        atom = Atom(predicate[0], tuple(Variable(next(names)) if t is None else t for t in terms))
        variables = [term for term in atom.terms if isinstance(term, Variable)]
        return None if len(set(variables)) < len(variables) or atom in found.atoms else atom

    def found(self, before: Conjunction, atoms: tuple[Atom, ...], types: dict[str, str]) -> Conjunction | None:
        """Return a conjunction with its rows; None where the new atom says nothing, or too few rows are left."""
        bindings = before.bindings
        for atom in atoms[len(before.atoms) :]:
            bindings = self.facts.joined(bindings, atom)
        new = [name for name in types if name not in before.types]
        says_nothing = not new and bindings.height == before.bindings.height
        if says_nothing or bindings.height > MAX_BINDINGS or _is_another_name(bindings, new, before.types):
            return None
        holds = np.zeros(self.n_rows, dtype=bool)
        holds[[self.index[code] for code in bindings[ROW.name].unique().to_list()]] = True
        if holds.sum() < LEAST_ROWS:
            return None
        return Conjunction(atoms, types, bindings, holds, information(holds, self.labels), bool(new))


def _is_another_name(bindings: pl.DataFrame, new: Iterable[str], known: Iterable[str]) -> bool:
    """Tell whether a new thing is in all bindings one that is known: the train of a car of the row is the row."""
    return any((bindings[name] == bindings[other]).all() for name in new for other in known)


def _values(facts: Facts, bias: Bias) -> dict[tuple[Predicate, int], list[Term]]:
    """Return the few values of each argument whose type no other predicate speaks of."""
    users: dict[str, set[Predicate]] = {}
    for predicate, types in bias.types.items():
        for kind in types:
            users.setdefault(kind, set()).add(predicate)
    found = {}
    for predicate, types in bias.types.items():
        for position, kind in enumerate(types):
            codes = facts.frames[predicate][str(position)].unique().sort().to_list() if position else []
            if users[kind] == {predicate} and 1 < len(codes) <= FEW_VALUES:
                found[predicate, position] = [facts.terms[code] for code in codes]
    return found


def information(holds: NDArray[np.bool_], labels: NDArray[np.bool_]) -> float:
    """Return how many bits about the labels are known once it is known for which rows a condition holds."""
    inside, outside = labels[holds], labels[~holds]
    rest = sum(len(part) * _entropy(float(part.mean())) for part in (inside, outside) if len(part))
    return _entropy(float(labels.mean())) - rest / len(labels)


def _entropy(share: float) -> float:
    return 0.0 if share in (0.0, 1.0) else float(-share * np.log2(share) - (1 - share) * np.log2(1 - share))
