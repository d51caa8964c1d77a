"""`unless score`: how well a program predicts the labels of a table."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LabelColumn,
    LanguageName,
    ModelFile,
    print_json,
    remark_on_grade,
    screen_width,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, labelled_rows, load_with_rows

if TYPE_CHECKING:
    from unless.evaluate.reliability import Reliability
    from unless.logic.program import Program


def score(
    model: ModelFile,
    data: DataFile,
    target: LabelColumn = None,
    language: LanguageName = None,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE.svg", help="Draw predicted beside observed shares into a file.", show_default=False),
    ] = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
) -> None:
    """Compare the program's predictions and probabilities with the labels of a table."""
    from unless.evaluate.label_scores import is_many, label_scores
    from unless.evaluate.view import View
    from unless.explain.faces.score_text import (
        confusion_text,
        many_scores_text,
        reliability_text,
        scores_text,
        seen_before_text,
    )
    from unless.explain.words.grade_words import weighed_words
    from unless.explain.words.language import language as read_language
    from unless.logic.program import label_text

    words = read_language(language or "en")
    rows = load_with_rows(model, data, background, related)
    program = rows.programs[0]
    table = labelled_rows(program, rows.table, target or program.target.column)
    view = View(program, table, target or program.target.column)
    positive = label_text(program.target.labels[0])
    result, counts, trust, by_label = view.scores(positive), view.confusion(), view.reliability(), label_scores(view)
    if trust is not None:
        remark_on_grade(program)
    if svg is not None:
        from unless.explain.faces.reliability_plot import reliability_svg
        from unless.logic.graded import grade_of
        from unless.logic.text.files import write_text

        grade_of(program)
        assert trust is not None
        write_text(svg, reliability_svg(trust, positive, lang=words.name))
        typer.echo(words.say("command", "drawn", file=svg), err=True)
    if as_json:
        graded = {} if trust is None else _graded(program, trust)
        labels = {each.scores.positive: each.as_dict() for each in by_label}
        print_json(result.as_dict() | graded | {"by_label": labels, "confusion": counts})
        return
    if said := seen_before_text(program, table.n_rows, lang=words.name):
        typer.echo(textwrap.fill(said, screen_width()), err=True)
    many = is_many(view) and bool(by_label)
    typer.echo(many_scores_text(by_label, lang=words.name) if many else scores_text(result, lang=words.name))
    if table_of_counts := confusion_text(counts, lang=words.name):
        typer.echo(table_of_counts)
    if trust is not None:
        typer.echo(reliability_text(trust, label=positive if many else None, lang=words.name))
        for said in weighed_words(program, words):
            typer.echo(textwrap.fill(said, screen_width()))


def _graded(program: Program, trust: Reliability) -> dict[str, Any]:
    """Return what is measured of probabilities as plain data."""
    assert program.grade is not None
    return {**trust.measures(), "reliability": trust.as_dict(), "is_weighed": program.grade.is_weighed}
