"""A conjunction over relations becomes a column whose name is its text, as it stands in a clause."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from unless.logic.names import guard
from unless.logic.relations import ROW
from unless.logic.rules import Column
from unless.logic.terms import Variable
from unless.logic.text.constants import number_text, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.terms import Atom, Term


def related_column(atoms: Sequence[Atom]) -> Column:
    """Return the column that a conjunction is.

    >>> from unless.logic.background.clauses import read_sentences
    >>> related_column([goal.atom for goal in read_sentences("p(X) :- has_car(X,Car), long(Car).")[0].asked]).name
    'has_car(X,Car), long(Car)'
    """
    text = ", ".join(map(atom_text, atoms))
    return Column(text, "categorical", atoms=tuple(atoms))


def of_the_row(atoms: Sequence[Atom], row: Variable) -> list[Atom]:
    """Call the row X in atoms that call it otherwise; a thing that is called X gets a name that is free."""
    if row == ROW:
        return list(atoms)
    taken = {term for atom in atoms for term in atom.terms}
    free = next(name for n in count(1) if (name := Variable(f"X{n}")) not in taken)
    names: dict[Term, Variable] = {row: ROW, ROW: free}
    return [replace(atom, terms=tuple(names.get(term, term) for term in atom.terms)) for atom in atoms]


def atom_text(atom: Atom, constants: Mapping[Variable, str] | None = None) -> str:
    """Write an atom as it stands in a clause, or as a fact, with constants for its variables."""
    return f"{atom.name}({','.join(_term_text(term, constants or {}) for term in atom.terms)})"


def _term_text(term: Term, constants: Mapping[Variable, str]) -> str:
    if isinstance(term, Variable):
        return constants.get(term, term.name)
    return quote(guard(term)) if isinstance(term, str) else number_text(term)
