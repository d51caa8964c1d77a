"""`unless watch`: the rules of a program on old and new rows, and an exit code where one changed."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    LabelColumn,
    LanguageName,
    ModelFile,
    Page,
    answer,
    language_named,
    read_data,
    screen_width,
)
from unless.cli.read_rows import labelled_rows


def watch(
    model: ModelFile,
    old: Annotated[str, typer.Argument(metavar="OLD", help="A table from then, as any DATA.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A table from now.")],
    target: LabelColumn = None,
    risk: Annotated[float, typer.Option(min=1e-9, max=0.5, metavar="P", help="The risk of a false alarm.")] = 0.01,
    language: LanguageName = None,
    html: Page = None,
    as_json: AsJson = False,
) -> None:
    """Compare each rule on old and new rows: its share, and how often it is right. Exit 1 where one changed."""
    from unless.evaluate.drift import drift
    from unless.explain.faces.audit_report import DriftReport
    from unless.logic.text.files import load

    lang = language_named(language)
    program = load(model)
    before, after = (labelled_rows(program, read_data(data)[0], target) for data in (old, new))
    report = DriftReport(drift(program, before, after, target, risk=risk))
    answer(
        html,
        page=lambda: report.html(program.target.column, lang=lang),
        data=report.data,
        text=lambda: report.text(lang=lang, width=screen_width()),
        as_json=as_json,
    )
    raise typer.Exit(1 if report.n_alarms else 0)
