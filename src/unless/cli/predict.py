"""`unless predict`: the labels that a program gives to the rows of a table, and their probabilities."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import AsJson, DataFile, ModelFile, print_json, remark_on_grade
from unless.cli.read_rows import FactsFile, RelatedFiles, read_rows

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.table.frames import RawTable


def predict(
    model: ModelFile,
    data: DataFile,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.csv", help="Write the labels here.", show_default=False),
    ] = None,
    with_probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Also the probability of each label.")
    ] = False,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
) -> None:
    """Predict the label of each row: a header, then a label a line."""
    from unless.evaluate.predict import predict as predict_labels
    from unless.logic.text.files import load, write_text

    program = load(model)
    table = read_rows(program, data, background, related).table
    labels = predict_labels(program, table)
    names, shares = _probabilities(program, table) if with_probabilities else ([], [[] for _ in labels])
    if as_json:
        whole = [
            {"label": label, "probabilities": dict(zip(names, line, strict=True))}
            for label, line in zip(labels, shares, strict=True)
        ]
        print_json(whole if with_probabilities else labels)
        return
    text = io.StringIO()
    head = [program.target.column, *(f"probability of {name}" for name in names)]
    lines = ([label, *line] for label, line in zip(labels, shares, strict=True))
    csv.writer(text, lineterminator="\n").writerows([head, *lines])
    if output is None:
        typer.echo(text.getvalue(), nl=False)
    else:
        write_text(output, text.getvalue())


def _probabilities(program: Program, table: RawTable) -> tuple[list[str], list[list[Any]]]:
    """Return the labels that have a probability, as text, and the probabilities of each row."""
    from unless.evaluate.probabilities import graded_labels, probabilities
    from unless.logic.program import label_text

    found = probabilities(program, table)
    remark_on_grade(program)
    return [label_text(label) for label in graded_labels(program)], found.tolist()
