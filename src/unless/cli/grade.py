"""`unless grade`: points for conditions, learned from a table for a program that is there already."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LabelColumn,
    ModelFile,
    NameLists,
    listen,
    print_json,
    split_names,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, load_with_rows


def grade(
    model: ModelFile,
    data: DataFile,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="NEW.lp", help="Write the graded program here.", show_default=False),
    ] = None,
    target: LabelColumn = None,
    forbid: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns that no line of points may test.", show_default=False)
    ] = None,
    apart: Annotated[
        NameLists,
        typer.Option(metavar="A,B", help="Two columns that do not both get points; repeatable.", show_default=False),
    ] = None,
    monotonic: Annotated[
        NameLists,
        typer.Option(
            metavar="A=+1,B=-1",
            help="More only speaks for (+1) or against (-1) the label of the rules.",
            show_default=False,
        ),
    ] = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
) -> None:
    """Grade a program by a table with labels: its rules stay, its points and probabilities are learned anew."""
    from unless.cli.learn_options import naming_options, read_directions, read_pairs
    from unless.cli.learned import directions_said
    from unless.learn.front import grade as grade_program
    from unless.logic.text.files import save

    listen()
    rows = load_with_rows(model, data, background, related)
    program, table = rows.programs[0], rows.table
    directions = read_directions(monotonic or [])
    with naming_options():
        graded = grade_program(
            program,
            table,
            target,
            forbidden=tuple(split_names(forbid)),
            apart=read_pairs(apart or []),
            monotonic_cst=directions or None,
        )
    for line in directions_said(program.target.labels[0], directions):
        typer.echo(line, err=True)
    if output is not None:
        save(graded, output)
        assert graded.grade is not None
        n_lines = sum(len(card.awards) for card in graded.grade.cards)
        typer.echo(f"{output}: {n_lines} lines of points.", err=True)
    if as_json:
        from unless.explain.faces.json_data import program_data

        print_json(program_data(graded))
    elif output is None:
        typer.echo(str(graded), nl=False)
