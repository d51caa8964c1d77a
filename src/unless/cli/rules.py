"""`unless rules`: read a model file, check it, print it."""

from __future__ import annotations

import typer

from unless.cli.common import AsJson, ModelFile, print_json, program_data


def rules(model: ModelFile, as_json: AsJson = False) -> None:
    """Check a model file and print its clauses."""
    from unless.files import load
    from unless.logic.printer import clause_lines

    program = load(model)
    if as_json:
        print_json(program_data(program))
        return
    for line in clause_lines(program):
        typer.echo(line)
