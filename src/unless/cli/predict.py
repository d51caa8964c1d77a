"""`unless predict`: the labels that a program gives to the rows of a table, and their probabilities."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LanguageName,
    ModelFile,
    language_named,
    print_json,
    remark_on_probabilities,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, load_with_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Label
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
    raw: Annotated[
        bool, typer.Option("--raw", help="Leave labels that a spreadsheet would run as formulas as they are.")
    ] = False,
    language: LanguageName = None,
    as_json: AsJson = False,
) -> None:
    """Predict the label of each row: a header, then a label a line."""
    from unless.logic.text.files import load, write_text
    from unless.table.plain_rows import has_arrays

    lang = language_named(language)
    if has_arrays():
        rows = load_with_rows(model, data, background, related)
        program = rows.programs[0]
        labels, names, shares = _by_columns(program, rows.table, lang, with_probabilities=with_probabilities)
    else:
        program = load(model)
        labels, names, shares = _by_rows(program, data, lang, with_probabilities=with_probabilities)
    if as_json:
        print_json(_as_objects(labels, names, shares) if with_probabilities else labels)
        return
    text = _as_csv(program.target.column, labels, names, shares, None if raw else lang)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)


def _as_objects(labels: list[Label], names: list[str], shares: list[list[float]]) -> list[dict[str, object]]:
    return [
        {"label": label, "probabilities": dict(zip(names, line, strict=True))}
        for label, line in zip(labels, shares, strict=True)
    ]


def _as_csv(target: str, labels: list[Label], names: list[str], shares: list[list[float]], lang: str | None) -> str:
    """Write a header, and a line a row; a label is put into quotes once, and not once a row.

    What a spreadsheet would run is escaped and said in a language; None leaves it as it is.
    """
    head = [target, *(f"probability of {name}" for name in names)]
    distinct = {id(label): label for label in labels}  # not by what they equal: 1 is not the label True
    changed = {} if lang is None else _formulas([*head, *distinct.values()], lang)
    written = {key: _line([changed.get(label, label)]) for key, label in distinct.items()}
    lines = [_line([changed.get(name, name) for name in head])]
    if names:
        lines += (f"{written[id(label)]},{_line(line)}" for label, line in zip(labels, shares, strict=True))
    else:
        lines += map(written.__getitem__, map(id, labels))
    return "\n".join([*lines, ""])


def _line(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _formulas(cells: Sequence[object], lang: str) -> dict[object, str]:
    """Find what a spreadsheet would run, escape it, and say so."""
    from unless.logic.text.spreadsheet_cells import formulas

    changed = formulas(cells)
    if changed:
        from unless.explain.words.language import language

        words, more = language(lang), len(changed) - 1
        quoted = words.quoted(str(next(iter(changed))))
        said = words.say("command", "formulas" if more else "formula", word=quoted, n=words.whole(more))
        typer.echo(f"unless: {said}", err=True)
    return changed


Predicted = tuple[list["Label"], list[str], list[list[float]]]
"""The labels of rows, the labels that have a probability, as text, and the probabilities of each row."""


def _by_columns(program: Program, table: RawTable, lang: str, *, with_probabilities: bool) -> Predicted:
    """Predict whole columns."""
    from unless.evaluate.predict import predict as predict_labels

    labels = predict_labels(program, table)
    if not with_probabilities:
        return labels, [], []
    from unless.evaluate.probabilities import probabilities
    from unless.logic.graded import graded_texts

    found = probabilities(program, table)
    remark_on_probabilities(program, lang=lang)
    return labels, graded_texts(program), found.tolist()


def _by_rows(program: Program, data: str, lang: str, *, with_probabilities: bool) -> Predicted:
    """Predict row by row, where no arrays are installed."""
    from unless.logic.graded import grade_of, graded_texts
    from unless.logic.row_program import RowProgram
    from unless.table.plain_rows import plain_rows

    rows, ready = plain_rows(data).called_by(program), RowProgram(program)
    if with_probabilities:
        grade_of(program)
        remark_on_probabilities(program, lang=lang)
    rows.refuse_absent(ready.needed(with_probabilities=with_probabilities))
    found = [ready.decide(ready.read(row)) for row in rows]
    names = graded_texts(program) if with_probabilities else []
    shares = [each.probabilities or [] for each in found] if with_probabilities else []
    return [each.label for each in found], names, shares
