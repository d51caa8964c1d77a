"""The rows that a command is about: of a table, or individuals of an example file with the facts about them.

In: a program or its file, a file, perhaps a file of facts. Out: `ReadRows`: the table that the program sees, and what
facts say of each row, where the program speaks of relations.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from unless.cli.arguments import read_data
from unless.errors import Count, DataError, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.logic.program import Program
    from unless.logic.terms import Atom, Term
    from unless.table.columns import RawColumn
    from unless.table.facts import Facts
    from unless.table.frames import RawTable

log = logging.getLogger("unless")

ONE_UNKNOWN = "1 row has a label that the program does not know, so it is wrong there: %s."
UNKNOWN = "%s rows have labels that the program does not know, so it is wrong there: %s."
EXAMPLES = (".pl", ".f")
"""How files of examples end."""
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


Reader: TypeAlias = "Callable[[], tuple[RawTable, bool]]"
"""Reads a table, or waits for it."""


def load_with_rows(model: str, data: str, background: str | None, related: Sequence[str] | None) -> ReadRows:
    """Load a program and read its rows, a table on another core: either takes longer than to predict with them."""
    from unless.logic.text.files import load

    if data == "-" or data.endswith(EXAMPLES):
        return read_rows(load(model), data, background, related)
    read = _start_reading(data)
    return read_rows(load(model), data, background, related, read=read)


def _start_reading(data: str) -> Reader:
    """Start to read a table; what is wrong with it is said to who waits for it."""
    from concurrent.futures import ThreadPoolExecutor

    from unless.table.formats import read_file

    return ThreadPoolExecutor(1).submit(read_file, data).result


def read_rows(
    program: Program,
    data: str,
    background: str | None,
    related: Sequence[str] | None,
    *others: Program,
    read: Reader | None = None,
) -> ReadRows:
    """Read a table with those beside it, or examples and the facts about them, as programs see them."""
    programs, read = (program, *others), read or (lambda: read_data(data))
    if related or any(each.related for each in programs):
        return _with_related(programs, read, related or ())
    if not data.endswith(EXAMPLES):
        spoken = sorted({atom.name for each in programs for column in each.columns for atom in column.atoms})
        if background is not None or spoken:
            found = f"the program speaks of relations ({listing(spoken)})" if spoken else "--background is of facts"
            msg = f"{found}: give examples, a file EXAMPLES.pl of pos(...) and neg(...), and --background FACTS.pl."
            raise DataError(msg)
        return ReadRows(read()[0], programs)
    from unless.learn.examples import read_examples
    from unless.table.frames import raw_table

    examples = read_examples(Path(data), "" if background is None else Path(background))
    _refuse_silence(programs, examples.facts)
    informed = tuple(examples.informed(each) for each in programs)
    table = raw_table(examples.table(*programs))
    return ReadRows(table, informed, examples.facts, examples.individuals, examples.name_column)


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


def _with_related(programs: tuple[Program, ...], read: Reader, related: Sequence[str]) -> ReadRows:
    """Read a table, and those beside it that programs were learned with."""
    from unless.table.related_tables import RelatedTables

    opened = RelatedTables.open(related, programs[0].missing)
    for each in programs:
        opened.refuse_absent(each, "--related FILE:{key}")
    main, _ = read()
    columns = {column.name: column for each in programs for column in each.columns if column.atoms}.values()
    keys = opened.keys(main, opened.tables[0]) if len(opened.tables) == 1 else []
    return ReadRows(opened.extended(main, columns), programs, opened.facts if keys else None, tuple(keys))


def labelled_rows(program: Program, table: RawTable, target: str | None) -> RawTable:
    """Return the rows that have a label, under the numbers they have in the file.

    How many have none is said, and which labels the program does not know. Where nobody named the column of labels and
    it is empty, there are no labels, and no rows to leave out.
    """
    import numpy as np

    from unless.logic.column_names import sought_names
    from unless.table.labels import labelled, unlabelled_note

    table = table.called_as(sought_names(program))
    if target is None and program.target.column not in table.columns:
        _remark_on_near(program.target.column, table.names)
        return table
    column = table.name_of(target or program.target.column)
    has_label = labelled(table.column(column), program.missing)
    if not has_label.any():
        return table if target is not None else table.without([column])
    if not has_label.all():
        kept = np.flatnonzero(has_label)
        log.warning(*unlabelled_note(column, table.n_rows - len(kept)))
        table = table.keep(kept)
    _remark_on_unknown(program, table.column(column))
    return table


def _remark_on_near(target: str, names: Sequence[str]) -> None:
    """Say that the labels may stand in a column of another name: else the answer has no share of right in silence."""
    near = nearest(target, names)
    if near is not None:
        log.warning(
            "there is no column %r, so nothing is compared with labels. If they stand in %r, give it that name.",
            target, near,
        )  # fmt: skip


def _remark_on_unknown(program: Program, column: RawColumn) -> None:
    """Name labels that a program can never predict: a slip of the pen makes a label of its own."""
    from unless.evaluate.predict import known_labels, unknown_labels
    from unless.table.unlike_cells import remark_labels_alike

    n_rows, labels = unknown_labels(program, column)
    if n_rows:
        counted = (ONE_UNKNOWN,) if n_rows == 1 else (UNKNOWN, Count(n_rows))
        log.warning(*counted, listing(map(repr, labels)))
        remark_labels_alike(known_labels(program), labels)
