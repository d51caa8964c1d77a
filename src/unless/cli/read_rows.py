"""The rows that a command is about: of a table, or individuals of an example file with the facts about them.

In: a program, a file, perhaps a file of facts. Out: `ReadRows`: the table that the program sees, and what facts say of
each row, where the program speaks of relations.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import read_data
from unless.errors import DataError, listing

if TYPE_CHECKING:
    from unless.logic.background.clauses import Atom, Term
    from unless.logic.program import Program
    from unless.table.facts import Facts
    from unless.table.frames import RawTable

FactsFile = Annotated[
    str | None,
    typer.Option("--background", metavar="FILE", help="Facts about the rows of an example file.", show_default=False),
]


@dataclass(frozen=True)
class ReadRows:
    """A table, and the facts about its rows, which they name by `individuals`."""

    table: RawTable
    facts: Facts | None = None
    individuals: tuple[Term, ...] = ()
    id_column: str | None = None

    def witnesses(self, program: Program, row: int) -> dict[str, dict[str, str]]:
        """Return the things that make each conjunction of a program hold of a row, by what they are."""
        from unless.logic.background.clauses import term_text
        from unless.logic.relations import noun_of

        found = {}
        for column in program.columns if self.facts is not None else ():
            if column.atoms:
                assert self.facts is not None
                things = self.facts.witness(column, self.individuals[row])
                found[column.name] = {
                    noun_of(name): thing if isinstance(thing, str) else term_text(thing)
                    for name, thing in things.items()
                }
        return found

    def about(self, program: Program, row: int) -> tuple[Term, list[Atom]]:
        """Return what facts call a row, and the facts that decide the conjunctions of a program for it."""
        assert self.facts is not None
        individual = self.individuals[row]
        facts = [fact for column in program.columns if column.atoms for fact in self.facts.about(column, individual)]
        return individual, list(dict.fromkeys(facts))


def read_rows(program: Program, data: str, background: str | None) -> ReadRows:
    """Read a table, or examples and the facts about them."""
    if not data.endswith(".pl"):
        related = sorted({atom.name for column in program.columns for atom in column.atoms})
        if background is not None or related:
            found = f"the program speaks of relations ({listing(related)})" if related else "--background is of facts"
            msg = f"{found}: give examples, a file EXAMPLES.pl of pos(...) and neg(...), and --background FACTS.pl."
            raise DataError(msg)
        return ReadRows(read_data(data)[0])
    from unless.learn.examples import read_examples
    from unless.table.frames import raw_table

    read = read_examples(Path(data), "" if background is None else Path(background))
    return ReadRows(raw_table(read.table(program)), read.facts, read.individuals, read.name_column)
