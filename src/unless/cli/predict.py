"""`unless predict`: the labels that a program gives to the rows of a table, and their probabilities.

Where rows weighed differently in learning, the probabilities by which the program decides are those of rows as weighed:
they are called so, and those among rows as they are stand beside them, where these are known.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    IdColumn,
    LanguageName,
    ModelFile,
    language_named,
    print_json,
    remark_on_grade,
    remark_on_weights,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, load_with_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    id_column: IdColumn = None,
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
        found = _by_columns(program, rows.table, id_column, with_probabilities=with_probabilities)
    else:
        program = load(model)
        found = _by_rows(program, data, id_column, with_probabilities=with_probabilities)
    if with_probabilities:
        remark_on_grade(program, lang=lang)
        remark_on_weights(program, lang=lang)
    if as_json:
        is_bare = id_column is None and not with_probabilities
        print_json(found.labels if is_bare else list(found.objects()))
        return
    text = _as_csv(found, program.target.column, None if raw else lang)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)


@dataclass(frozen=True)
class Predicted:
    """The labels of rows, and what was asked for beside them.

    `names` are the labels that have a probability, as text, `shares` the probabilities of each row, and `plain` those
    among rows as they are, where they are others. `ids` are what the column `id_column` calls the rows.
    """

    labels: list[Label]
    names: list[str]
    shares: list[list[float]]
    plain: list[list[float]] | None = None
    id_column: str | None = None
    ids: Sequence[object] = ()

    def head(self, target: str) -> list[str]:
        """Name the columns of a table of them."""
        ids = [] if self.id_column is None else [self.id_column]
        if self.plain is None:
            return [*ids, target, *(f"probability of {name}" for name in self.names)]
        weighed = (f"probability of {name} as weighed" for name in self.names)
        return [*ids, target, *weighed, *(f"probability of {name} among rows as they are" for name in self.names)]

    def lines(self) -> Iterator[Sequence[object]]:
        """Return the cells of each row."""
        before = zip(self.labels) if self.id_column is None else zip(self.ids, self.labels, strict=True)
        if not self.shares:
            return before
        if self.plain is None:
            return ((*cells, *shares) for cells, shares in zip(before, self.shares, strict=True))
        return ((*cells, *s, *p) for cells, s, p in zip(before, self.shares, self.plain, strict=True))

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield each row as plain data."""
        for row, label in enumerate(self.labels):
            found: dict[str, Any] = {} if self.id_column is None else {"id": self.ids[row]}
            found["label"] = label
            if self.shares:
                found["probabilities"] = dict(zip(self.names, self.shares[row], strict=True))
            if self.plain is not None:
                found["as_they_are"] = dict(zip(self.names, self.plain[row], strict=True))
            yield found


def _as_csv(found: Predicted, target: str, lang: str | None) -> str:
    """Write a header, and a line a row.

    What a spreadsheet would run is escaped and said in a language; None leaves it as it is.
    """
    head, lines = found.head(target), found.lines()
    words = {word: None for cells in (head, found.labels, found.ids) for word in cells if isinstance(word, str)}
    changed = {} if lang is None else _formulas([*words], lang)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([changed.get(cell, cell) for cell in head])
    writer.writerows([[changed.get(cell, cell) for cell in line] for line in lines] if changed else lines)
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


def _by_columns(program: Program, table: RawTable, id_column: str | None, *, with_probabilities: bool) -> Predicted:
    """Predict whole columns."""
    from unless.evaluate.predict import predict as predict_labels

    labels, ids = predict_labels(program, table), _ids(table, id_column)
    if not with_probabilities:
        return Predicted(labels, [], [], id_column=id_column, ids=ids)
    from unless.evaluate.probabilities import both_probabilities
    from unless.logic.graded import graded_texts

    shares, plain = both_probabilities(program, table)
    beside = None if plain is None else plain.tolist()
    return Predicted(labels, graded_texts(program), shares.tolist(), beside, id_column, ids)


def _ids(table: RawTable, id_column: str | None) -> list[object]:
    """Return what a column calls the rows, as it is written."""
    if id_column is None:
        return []
    from unless.table.columns import cells

    names = cells(table.column(id_column), "categorical")
    return [names.value(row) for row in range(table.n_rows)]


def _by_rows(program: Program, data: str, id_column: str | None, *, with_probabilities: bool) -> Predicted:
    """Predict row by row, where no arrays are installed."""
    from unless.logic.column_names import found_name
    from unless.logic.graded import grade_of, graded_texts
    from unless.logic.row_program import RowProgram
    from unless.logic.values import BLANKS
    from unless.table.plain_rows import plain_rows

    rows, ready = plain_rows(data).called_by(program), RowProgram(program)
    if with_probabilities:
        grade_of(program)
    rows.refuse_absent(ready.needed(with_probabilities=with_probabilities))
    called = None if id_column is None else found_name(id_column, rows.header.names)
    found = [(row, ready.decide(ready.read(row))) for row in rows]
    labels = [each.label for _, each in found]
    ids = [] if called is None else [row[called].strip(BLANKS) or None for row, _ in found]
    if not with_probabilities:
        return Predicted(labels, [], [], id_column=id_column, ids=ids)
    shares, plain = [each.probabilities or [] for _, each in found], [each.as_they_are for _, each in found]
    beside = [line for line in plain if line is not None] or None
    return Predicted(labels, graded_texts(program), shares, beside, id_column, ids)
