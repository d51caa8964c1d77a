"""`unless rules`: read a model file, check it, print it."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.common import AsJson, LanguageName, ModelFile, print_json, program_data


def rules(
    model: ModelFile,
    english: Annotated[bool, typer.Option("--english", help="Say the program in plain English.")] = False,
    language: LanguageName = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE.html", help="Write the program in plain words as a page.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a model file and print its clauses."""
    from unless.files import load, write_text
    from unless.logic.printer import clause_lines

    program = load(model)
    if as_json:
        print_json(program_data(program))
        return
    if html is not None:
        from unless.explain.as_html import program_page

        write_text(html, program_page(program, lang=language or "en"))
        return
    if english or language is not None:
        from unless.explain.english import program_english

        typer.echo(program_english(program, lang=language or "en"))
        return
    for line in clause_lines(program):
        typer.echo(line)
