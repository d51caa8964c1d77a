"""`unless test`: cases and properties that a program must keep, checked and proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    LanguageName,
    ModelFile,
    echo_long,
    language_named,
    print_json,
    read_data,
    screen_width,
)
from unless.cli.diff import Seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.program import Program
    from unless.logic.reason.cases import Check


def test(
    model: ModelFile,
    cases: Annotated[
        str | None,
        typer.Argument(
            metavar="CASES",
            help="The file of cases; MODEL.cases.yaml beside the model if not given.",
            show_default=False,
        ),
    ] = None,
    junit: Annotated[
        str | None, typer.Option(metavar="FILE.xml", help="Write the outcomes as JUnit XML.", show_default=False)
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="DATA", help="Write a new file of cases: some rows of a table for each rule.", show_default=False
        ),
    ] = None,
    per_rule: Annotated[int, typer.Option(min=1, metavar="N", help="With --record: so many rows for each rule.")] = 2,
    seconds: Seconds = 10.0,
    language: LanguageName = None,
    as_json: AsJson = False,
) -> None:
    """Check cases and prove properties of a program: 0 all hold, 1 some do not, 2 some are not decided."""
    from pathlib import Path

    from unless.errors import DataError
    from unless.explain.faces.checks_report import ChecksReport
    from unless.logic.reason.case_files import cases_beside, load_checks
    from unless.logic.text.files import load, write_text

    lang = language_named(language)
    path = cases_beside(model) if cases is None else Path(cases)
    if record is not None:
        _record(model, path, record, per_rule, lang)
        return
    if cases is None and not path.exists():
        msg = (
            f"{model} has no cases yet: there is no {path}. "
            "Hint: --record DATA writes cases from a table; or name another file of cases."
        )
        raise DataError(msg)
    checks, program = load_checks(model, path), load(model)
    _remark_unlike(program, checks)
    report = ChecksReport(program, [check.run(seconds) for check in checks])
    if junit is not None:
        write_text(junit, report.junit(Path(model).stem, lang=lang))
    if as_json:
        print_json(report.data(lang=lang))
    else:
        echo_long(report.text(lang=lang, width=screen_width()).rstrip("\n"))
    if report.count("no"):
        raise typer.Exit(1)
    if report.count("not decided"):
        raise typer.Exit(2)


def _remark_unlike(program: Program, checks: Sequence[Check]) -> None:
    """Say which cells of cases are not in their column's format, where words stand among numbers."""
    from dataclasses import replace

    from unless.logic.reason.cases import Case
    from unless.table.plain_rows import has_arrays

    rows = [check.row for check in checks if isinstance(check, Case)]
    numerical = [column.name for column in program.columns if column.kind == "numerical"]
    if has_arrays() and any(isinstance(row.get(name), str) for row in rows for name in numerical):
        from unless.evaluate.predict import present_cells
        from unless.table.frames import raw_table
        from unless.table.unlike_cells import remark_unlike

        cells = present_cells(raw_table(rows), program)
        # What could be read is read: a number of a column of dates was a date in the file.
        remark_unlike(program, {name: replace(each, unlike=None) for name, each in cells.items()})


def _record(model: str, path: object, data: str, per_rule: int, lang: str) -> None:
    from pathlib import Path

    from unless.errors import DataError
    from unless.evaluate.record_cases import recorded
    from unless.explain.words.language import language as read_language
    from unless.logic.reason.case_files import write_case_data
    from unless.logic.text.files import load

    file = Path(str(path))
    if file.exists():
        msg = f"{file} is there already; name another file, or remove it first."
        raise DataError(msg)
    table, _ = read_data(data)
    words = read_language(lang)
    cases = recorded(load(model), table, per_rule, lambda row: words.say("tested", "case", row=row))
    write_case_data(file, {"cases": cases, "properties": []})
    said = words.say("tested", "recorded", file=file, cases=words.count("cases", len(cases)))
    typer.echo(said, err=True)
