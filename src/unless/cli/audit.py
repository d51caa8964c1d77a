"""`unless audit`: how a program treats groups of rows, and which rules make the gap."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LabelColumn,
    LanguageName,
    ModelFile,
    Page,
    answer,
    language_named,
    read_data,
    screen_width,
    split_names,
)
from unless.cli.read_rows import labelled_rows
from unless.errors import DataError


def audit(
    model: ModelFile,
    data: DataFile,
    by: Annotated[
        list[str],
        typer.Option(metavar="A,B:10", help="The columns that make groups; of numbers in steps.", show_default=False),
    ],
    want: Annotated[
        str | None,
        typer.Option(metavar="LABEL", help="The label that is looked at; the first if not given.", show_default=False),
    ] = None,
    target: LabelColumn = None,
    language: LanguageName = None,
    html: Page = None,
    as_json: AsJson = False,
) -> None:
    """Compare groups of rows: rates and errors with intervals, dependence proved, and the rules that make the gap."""
    from unless.evaluate.audit import audit as audit_program
    from unless.explain.faces.audit_report import AuditReport
    from unless.logic.reason.recourse import label_named
    from unless.logic.text.files import load

    lang = language_named(language)
    program = load(model)
    label = program.target.labels[0] if want is None else label_named(program, want)
    table = labelled_rows(program, read_data(data)[0], target)
    columns = split_names(by)
    if not columns:
        msg = "--by names no column; write such as --by sex,age:10."
        raise DataError(msg)
    report = AuditReport(program, [audit_program(program, table, each, label, target) for each in columns])
    answer(
        html,
        page=lambda: report.html(lang=lang),
        data=lambda: report.data(lang=lang),
        text=lambda: report.text(lang=lang, width=screen_width()),
        as_json=as_json,
    )
