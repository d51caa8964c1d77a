"""Variables, terms and atoms: what clauses of background knowledge and templates are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """A variable of a template, or of a clause of background knowledge."""

    name: str


Term = Variable | str | float
Predicate = tuple[str, int]
"""A name and a number of arguments."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate with its arguments; `inner` is the atom inside `pos(...)` or `neg(...)`."""

    name: str
    terms: tuple[Term, ...]
    inner: Atom | None = None

    @property
    def predicate(self) -> Predicate:
        """Return name and number of arguments."""
        return self.name, len(self.terms)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(term_text, self.terms))})" if self.terms else self.name


def term_text(term: Term) -> str:
    """Write a term for a message."""
    if isinstance(term, Variable):
        return term.name
    return repr(term) if isinstance(term, str) else f"{term:g}"
