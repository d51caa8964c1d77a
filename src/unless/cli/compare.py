"""`unless compare`: what two programs predict differently, and which one does better."""

from __future__ import annotations

import textwrap
from typing import Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    IdColumn,
    LabelColumn,
    LanguageName,
    Page,
    echo_long,
    print_json,
    remark_on_probabilities,
    saying_why,
    screen_width,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, labelled_rows, read_rows
from unless.errors import DataError

OldModel = Annotated[str, typer.Argument(metavar="OLD.lp", help="The model file before.")]
NewModel = Annotated[str, typer.Argument(metavar="NEW.lp", help="The model file after.")]
Flips = Annotated[int, typer.Option(min=0, metavar="N", help="Show at most so many of the rows that flip.")]


def compare(
    old: OldModel,
    new: NewModel,
    data: DataFile,
    target: LabelColumn = None,
    flips: Flips = 20,
    id_column: IdColumn = None,
    language: LanguageName = None,
    html: Page = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
) -> None:
    """Compare two programs on a table: measures before and after, and the rows that flip."""
    from unless.evaluate.compare import compare as compare_programs
    from unless.explain.faces.comparison_report import seen_before
    from unless.explain.words.language import language as read_language
    from unless.logic.renamed_columns import called_like
    from unless.logic.text.files import load, write_text

    words = read_language(language or "en")
    after = load(new)
    rows = read_rows(called_like(load(old), after), data, background, related, after)
    before, after = rows.programs
    table = labelled_rows(before, rows.table, target)
    if not table.n_rows:
        msg = f"{data} has no rows: there is nothing to compare."
        raise DataError(msg)
    comparison = compare_programs(before, after, table, target, saying_why(words.name), id_column)
    for program, file in ((before, old), (after, new)):
        remark_on_probabilities(program, file, measured=True, lang=words.name)
    if html is not None:
        write_text(html, comparison.as_html(flips, lang=words.name))
    if as_json:
        print_json(comparison.as_dict(flips))
    elif html is None:
        for said in seen_before(comparison, lang=words.name):
            typer.echo(textwrap.fill(said, screen_width()), err=True)
        echo_long(comparison.as_text(flips, lang=words.name).rstrip("\n"))
    else:
        summary = comparison.summary(lang=words.name)
        typer.echo(words.say("command", "compared", file=html, summary=summary), err=True)
