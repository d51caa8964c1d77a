"""Facts about things, `has_car(t1,c1)` and `long(c1)`, as tables of numbers, and what conjunctions of them hold.

In: atoms without variables. Out: a frame for each predicate, whose cells are codes of the terms, and joins of frames by
polars: for a conjunction such as `has_car(X,Car), long(Car)` the bindings of its variables, those of each row in one
order, so that a first witness can be named. `X` is the row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from unless.logic.relations import ROW, TRUE, noun_of
from unless.logic.terms import Variable, term_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unless.logic.rules import Column
    from unless.logic.terms import Atom, Predicate, Term


@dataclass(frozen=True, eq=False)
class Facts:
    """A frame of codes for each predicate, its columns numbered from 0; `terms` are what the codes stand for."""

    frames: Mapping[Predicate, pl.DataFrame]
    terms: tuple[Term, ...]

    @staticmethod
    def of(atoms: Iterable[Atom]) -> Facts:
        """Put atoms into frames, each once."""
        by_predicate: dict[Predicate, dict[Atom, None]] = {}
        for atom in atoms:
            by_predicate.setdefault(atom.predicate, {})[atom] = None
        every = {term for found in by_predicate.values() for atom in found for term in atom.terms}
        terms = tuple(sorted(every, key=lambda term: (isinstance(term, str), term)))
        codes = {term: code for code, term in enumerate(terms)}
        frames = {
            predicate: pl.DataFrame(
                [[codes[term] for term in atom.terms] for atom in found],
                schema={str(i): pl.UInt32 for i in range(predicate[1])},
                orient="row",
            )
            for predicate, found in by_predicate.items()
            if predicate[1]
        }
        return Facts(frames, terms)

    @cached_property
    def codes(self) -> dict[Term, int]:
        """Return the code of each term."""
        return {term: code for code, term in enumerate(self.terms)}

    def start(self, rows: Sequence[Term | None]) -> pl.DataFrame:
        """Return the bindings before any atom: each row itself; a row that no fact names is left out."""
        known = [code for row in rows if row is not None and (code := self.codes.get(row)) is not None]
        return pl.DataFrame({ROW.name: known}, schema={ROW.name: pl.UInt32})

    def joined(self, bindings: pl.DataFrame, atom: Atom) -> pl.DataFrame:
        """Return the bindings for which an atom holds too."""
        frame = self.frames.get(atom.predicate)
        if frame is None:
            return bindings.clear()
        first: dict[str, str] = {}
        for position, term in enumerate(atom.terms):
            cell = pl.col(str(position))
            if not isinstance(term, Variable):
                frame = frame.filter(cell == self.codes.get(term, len(self.terms)))
            elif term.name in first:
                frame = frame.filter(cell == pl.col(first[term.name]))
            else:
                first[term.name] = str(position)
        frame = frame.select(pl.col(position).alias(name) for name, position in first.items()).unique()
        shared = [name for name in first if name in bindings.columns]
        if not shared:
            return bindings.join(frame, how="cross")
        return bindings.join(frame, on=shared, how="semi" if len(shared) == len(first) else "inner")

    def bindings(self, atoms: Iterable[Atom], rows: Sequence[Term | None]) -> pl.DataFrame:
        """Return how the variables of a conjunction can be bound, for some rows, in the order of terms."""
        found = self.start(rows)
        for atom in atoms:
            found = self.joined(found, atom)
        return found.sort(found.columns)

    def with_conjunctions(
        self, rows: pl.DataFrame, individuals: Sequence[Term | None], columns: Iterable[Column]
    ) -> pl.DataFrame:
        """Return rows with a column for each conjunction: true where it holds, else nothing."""
        series = []
        for column in columns:
            holding = {self.terms[code] for code in self.bindings(column.atoms, individuals)[ROW.name].unique()}
            series.append(
                pl.Series(column.name, [TRUE if i in holding else None for i in individuals], dtype=pl.String)
            )
        return rows.with_columns(series)

    def witness(self, column: Column, individual: Term | None) -> dict[str, Term]:
        """Return the first things that make a conjunction hold of an individual, by their variables; perhaps none."""
        found = self.bindings(column.atoms, [individual])
        first = found.row(0, named=True) if found.height else {}
        return {name: self.terms[code] for name, code in first.items() if name != ROW.name}

    def said(self, column: Column, individual: Term | None) -> dict[str, str]:
        """Return a witness in words: what each thing is, and what it is called."""
        things = self.witness(column, individual)
        return {noun_of(name): thing if isinstance(thing, str) else term_text(thing) for name, thing in things.items()}

    def about(self, column: Column, individual: Term | None) -> list[Atom]:
        """Return the facts that decide a conjunction for an individual, atom after atom."""
        bindings = self.start([individual])
        found: dict[Atom, None] = {}
        for atom in column.atoms:
            for row in self.joined(bindings, atom).iter_rows(named=True):
                terms = tuple(self.terms[row[t.name]] if isinstance(t, Variable) else t for t in atom.terms)
                found[replace(atom, terms=terms)] = None
            bindings = self.joined(bindings, atom)
        return list(found)
