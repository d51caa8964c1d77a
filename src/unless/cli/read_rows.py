"""The rows that a command is about: of a table, or individuals of an example file with the facts about them.

In: a program, a file, perhaps a file of facts. Out: `ReadRows`: the table that the program sees, and what facts say of
each row, where the program speaks of relations.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import read_data
from unless.errors import DataError, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.program import Program
    from unless.logic.terms import Atom, Term
    from unless.table.facts import Facts
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

FactsFile = Annotated[
    str | None,
    typer.Option("--background", metavar="FILE", help="Facts about the rows of an example file.", show_default=False),
]
RelatedFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--related",
        metavar="FILE:KEY",
        help="A table beside the table, such as payments.csv:customer_id; KEY=COLUMN if names differ; repeatable.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class ReadRows:
    """A table, and the facts about its rows, which they name by `individuals`.

    `programs` are those that were given, with what facts of one argument say of these rows.
    """

    table: RawTable
    programs: tuple[Program, ...]
    facts: Facts | None = None
    individuals: tuple[Term | None, ...] = ()
    id_column: str | None = None

    def witnesses(self, program: Program, row: int) -> dict[str, dict[str, str]]:
        """Return the things that make each conjunction of a program hold of a row, by what they are."""
        if self.facts is None:
            return {}
        return {c.name: self.facts.said(c, self.individuals[row]) for c in program.columns if c.atoms}

    def about(self, program: Program, row: int) -> tuple[Term | None, list[Atom]]:
        """Return what facts call a row, and the facts that decide the conjunctions of a program for it."""
        assert self.facts is not None
        individual = self.individuals[row]
        facts = [fact for column in program.columns if column.atoms for fact in self.facts.about(column, individual)]
        return individual, list(dict.fromkeys(facts))


def read_rows(
    program: Program, data: str, background: str | None, related: Sequence[str] | None, *others: Program
) -> ReadRows:
    """Read a table with those beside it, or examples and the facts about them, as programs see them."""
    programs = (program, *others)
    if related or any(each.related for each in programs):
        return _with_related(programs, data, related or ())
    if not data.endswith((".pl", ".f")):
        spoken = sorted({atom.name for each in programs for column in each.columns for atom in column.atoms})
        if background is not None or spoken:
            found = f"the program speaks of relations ({listing(spoken)})" if spoken else "--background is of facts"
            msg = f"{found}: give examples, a file EXAMPLES.pl of pos(...) and neg(...), and --background FACTS.pl."
            raise DataError(msg)
        return ReadRows(read_data(data)[0], programs)
    from unless.learn.examples import read_examples
    from unless.table.frames import raw_table

    read = read_examples(Path(data), "" if background is None else Path(background))
    _refuse_silence(programs, read.facts)
    informed = tuple(read.informed(each) for each in programs)
    return ReadRows(raw_table(read.table(*programs)), informed, read.facts, read.individuals, read.name_column)


def _refuse_silence(programs: Sequence[Program], facts: Facts | None) -> None:
    """Refuse to answer where there is no fact of what programs speak of; say of what else there is none."""
    atoms = [atom for each in programs for column in each.columns for atom in column.atoms]
    spoken = sorted({atom.predicate for atom in atoms})
    absent = [f"{name}/{n}" for name, n in spoken if facts is None or (name, n) not in facts.frames]
    if absent and len(absent) == len(spoken):
        msg = f"the program speaks of {listing(absent)}, and there is no such fact; give them by --background FACTS.pl."
        raise DataError(msg)
    if absent:
        log.warning("the program speaks of %s, of which there is no fact: it holds of nobody.", listing(absent))


def _with_related(programs: Sequence[Program], data: str, related: Sequence[str]) -> ReadRows:
    """Read a table, and those beside it that programs were learned with."""
    from unless.table.related_tables import RelatedTables

    opened = RelatedTables.open(related, programs[0].missing)
    for each in programs:
        opened.refuse_absent(each, "--related FILE:{key}")
    main, _ = read_data(data)
    columns = {column.name: column for each in programs for column in each.columns if column.atoms}.values()
    keys = opened.keys(main, opened.tables[0]) if len(opened.tables) == 1 else []
    return ReadRows(opened.extended(main, columns), tuple(programs), opened.facts if keys else None, tuple(keys))
