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
from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.evaluate.reliability import Reliability
    from unless.evaluate.view import View
    from unless.explain.words.language import Language
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
    from unless.evaluate.view import View
    from unless.explain.faces.score_text import seen_before_text
    from unless.explain.words.language import language as read_language

    words = read_language(language or "en")
    rows = load_with_rows(model, data, background, related)
    program = rows.programs[0]
    table = labelled_rows(program, rows.table, target or program.target.column)
    if not table.n_rows:
        msg = f"{data} has no rows: there is nothing to score."
        raise DataError(msg)
    view = View(program, table, target or program.target.column)
    trust = view.reliability()
    if trust is not None:
        remark_on_grade(program, lang=words.name)
    if svg is not None:
        _draw(svg, view, trust, words)
    if as_json:
        print_json(_as_dict(view, trust))
        return
    if said := seen_before_text(program, table.n_rows, lang=words.name):
        typer.echo(textwrap.fill(said, screen_width()), err=True)
    for text in _texts(view, trust, words):
        typer.echo(text)


def _draw(svg: str, view: View, trust: Reliability | None, words: Language) -> None:
    """Draw predicted beside observed shares into a file."""
    from unless.explain.faces.reliability_plot import reliability_svg
    from unless.explain.words.grade_words import grade_notes
    from unless.logic.graded import grade_of
    from unless.logic.text.files import write_text

    grade_of(view.program)
    assert trust is not None  # there are rows, and a grade
    notes = grade_notes(view.program, words)
    write_text(svg, reliability_svg(trust, _positive(view), notes=notes, lang=words.name))
    typer.echo(words.say("command", "drawn", file=svg), err=True)


def _as_dict(view: View, trust: Reliability | None) -> dict[str, Any]:
    """Return all figures as plain data."""
    from unless.evaluate.label_scores import label_scores

    labels = {each.scores.positive: each.as_dict() for each in label_scores(view)}
    graded: dict[str, Any] = {}
    if trust is not None:
        assert view.program.grade is not None
        grade = view.program.grade
        graded = {
            **trust.measures(),
            "reliability": trust.as_dict(),
            "is_weighed": grade.is_weighed,
            "as_they_are": not grade.is_weighed or grade.cost_ratio is not None,
            "is_old": view.program.has_old_grade,
        }
    return {**view.scores(_positive(view)).as_dict(), **graded, "by_label": labels, "confusion": view.confusion()}


def _texts(view: View, trust: Reliability | None, words: Language) -> Iterator[str]:
    """Say the figures: of the predictions, then of the probabilities."""
    from unless.evaluate.label_scores import is_many, label_scores
    from unless.explain.faces.score_text import confusion_text, many_scores_text, reliability_text, scores_text

    lang, positive = words.name, _positive(view)
    by_label = label_scores(view) if is_many(view) else []
    yield many_scores_text(by_label, lang=lang) if by_label else scores_text(view.scores(positive), lang=lang)
    if counts := confusion_text(view.confusion(), lang=lang):
        yield counts
    if trust is not None:
        yield reliability_text(trust, label=positive if by_label else None, lang=lang)
        yield from _weighed(view.program, words)


def _weighed(program: Program, words: Language) -> Iterator[str]:
    """Say of which rows probabilities are, if rows weighed differently; else the words for it are not loaded."""
    assert program.grade is not None
    if program.grade.is_weighed:
        from unless.explain.words.grade_words import measured_words

        yield from (textwrap.fill(said, screen_width()) for said in measured_words(program, words))


def _positive(view: View) -> str:
    from unless.logic.program import label_text

    return label_text(view.program.target.labels[0])
