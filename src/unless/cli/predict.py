"""`unless predict`: the labels that a program gives to the rows of a table."""

from __future__ import annotations

import csv
import io
from typing import Annotated

import typer

from unless.cli.arguments import AsJson, DataFile, ModelFile, print_json, read_data


def predict(
    model: ModelFile,
    data: DataFile,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.csv", help="Write the labels here.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Predict the label of each row: a header, then a label a line."""
    from unless.evaluate.predict import predict as predict_labels
    from unless.logic.text.files import load, write_text

    program = load(model)
    table, _ = read_data(data)
    labels = predict_labels(program, table)
    if as_json:
        print_json(labels)
        return
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[program.target.column], *([label] for label in labels)])
    if output is None:
        typer.echo(text.getvalue(), nl=False)
    else:
        write_text(output, text.getvalue())
