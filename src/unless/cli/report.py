"""`unless report`: a program on a table, in one HTML file."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

import typer

from unless.cli.arguments import DataFile, LabelColumn, LanguageName, ModelFile
from unless.cli.read_rows import FactsFile, RelatedFiles, labelled_rows, load_with_rows


def report(
    model: ModelFile,
    data: DataFile,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="REPORT.html", help="Write the report here.", show_default=False)
    ],
    rows: Annotated[
        str | None,
        typer.Option(metavar="0-49,77", help="The rows whose proofs are wanted; the first 50 if not given."),
    ] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Only rows that are predicted wrongly.")] = False,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Say that the program has not learned from these rows.")
    ] = False,
    target: LabelColumn = None,
    language: LanguageName = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
) -> None:
    """Write a report that opens anywhere: scores, rules, picture, figures, and proofs that can be searched."""
    import numpy as np

    from unless.evaluate.view import View
    from unless.explain.faces.report import rows_from, view_report
    from unless.explain.words.language import language as read_language
    from unless.logic.forms.outline import outline
    from unless.logic.text.files import write_text

    words = read_language(language or "en")
    read = load_with_rows(model, data, background, related)
    program = read.programs[0]
    table = labelled_rows(program, read.table, target)
    view = View(program, table, target)
    every = range(table.n_rows) if wrong else range(min(50, table.n_rows))
    chosen = list(every) if rows is None else table.find(rows_from(rows, read.table.n_rows))
    if wrong:
        chosen = [row for row in chosen if view.actual is not None and view.predicted[row] != view.actual[row]]
        chosen = chosen if rows else chosen[:50]
    apart = np.ones(table.n_rows, dtype=bool) if held_out else None
    write_text(output, view_report(view, PurePath(data).name, chosen, held_out=apart, lang=words.name))
    made = {"rules": words.count("rules", len(outline(program))), "proofs": words.count("proofs", len(chosen))}
    typer.echo(words.say("command", "reported", file=output, **made), err=True)
