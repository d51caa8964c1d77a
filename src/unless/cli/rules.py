"""`unless rules`: read a model file, check it, print it; with data, the figures of each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    LabelColumn,
    LanguageName,
    ModelFile,
    OptionalData,
    echo_long,
    print_json,
    remark_on_grade,
    remark_on_probabilities,
    screen_width,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, labelled_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.evaluate.figures import Coverage
    from unless.explain.words.language import Language
    from unless.logic.check.findings import Finding
    from unless.logic.program import Program
    from unless.table.frames import RawTable

WIDE = 130
"""From this width on a table has room for all figures."""


def rules(
    model: ModelFile,
    data: OptionalData = None,
    target: LabelColumn = None,
    english: Annotated[bool, typer.Option("--english", help="Say the program in plain English.")] = False,
    language: LanguageName = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE.html", help="Write the program in plain words as a page.", show_default=False),
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE.svg", help="Draw the rules into a file.", show_default=False)
    ] = None,
    grade: Annotated[
        bool, typer.Option("--grade", help="Show the points of the grade, and what they mean, in plain words.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say which clauses cannot matter, and what breaks a constraint of the file.")
    ] = False,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
) -> None:
    """Check a model file and print its clauses; with data, what each covers and gets right."""
    from unless.explain.words.language import language as read_language
    from unless.logic.text.files import load

    words = read_language(language or "en")
    program = load(model)
    rows = None if data is None else read_rows(program, data, background, related)
    program = program if rows is None else rows.programs[0]
    table = None if rows is None else labelled_rows(program, rows.table, target)
    coverage = None if table is None else _coverage(program, table, target)
    findings = _findings(program, table) if check else None
    if coverage is not None and coverage.has_probabilities and not grade:
        remark_on_probabilities(program, measured=True, lang=words.name)
    elif check or grade:
        remark_on_grade(program, lang=words.name)
    _write_files(program, coverage, svg, html, words)
    if as_json:
        print_json(_data(program, coverage, findings, words.name))
        return
    if grade:
        echo_long(_graded(program, words))
        return
    if english or (language is not None and html is None):
        from unless.explain.faces.plain_text import program_english

        said = program_english(program, lang=words.name, width=screen_width())
        echo_long("\n".join([said, *_constraints(program, words)]))
    elif coverage is None and svg is None and html is None:
        from unless.logic.text.printer import laid_out

        lines = [*laid_out(program, screen_width()), *_constraints(program, words, "% ")]
        echo_long("\n".join(lines).strip("\n"))
    if coverage is not None:
        print_figures(coverage, words.name)
    if findings is not None:
        _print_findings(findings, words)


def _constraints(program: Program, words: Language, before: str = "") -> Iterator[str]:
    """Say what rules and points keep to, below an empty line."""
    from unless.explain.faces.plain_text import hanging
    from unless.explain.words.constraint_sentences import constraint_sentences

    if program.constraints:
        yield ""
    for sentence in constraint_sentences(program, words):
        yield from (before + line for line in hanging(sentence, screen_width() - len(before)))


def _write_files(
    program: Program, coverage: Coverage | None, svg: str | None, html: str | None, words: Language
) -> None:
    """Write the picture and the page that were asked for."""
    from unless.explain.faces.html_pages import program_page
    from unless.explain.faces.picture import picture
    from unless.logic.text.files import write_text

    if svg is not None:
        write_text(svg, picture(program, coverage, lang=words.name))
        typer.echo(words.say("command", "drawn", file=svg), err=True)
    if html is not None:
        write_text(html, program_page(program, lang=words.name))


def _graded(program: Program, words: Language) -> str:
    from unless.explain.faces.grade_table import grade_text
    from unless.logic.graded import grade_of

    grade_of(program)  # says so where there is none
    return grade_text(program, lang=words.name, width=screen_width())


def _coverage(program: Program, table: RawTable, target: str | None) -> Coverage:
    from unless.evaluate.coverage import coverage

    return coverage(program, table, target)


def _findings(program: Program, table: RawTable | None) -> tuple[Finding, ...]:
    from unless.logic.check.findings import check

    if table is None:
        return check(program, None)
    from unless.evaluate.coverage import seen_values

    return check(program, seen_values(program, table))


def _data(
    program: Program, coverage: Coverage | None, findings: tuple[Finding, ...] | None, lang: str
) -> dict[str, Any]:
    from unless.explain.faces.json_data import program_data

    data = program_data(program, lang=lang)
    if coverage is not None:
        data["coverage"] = coverage.as_dict(lang=lang)
    if findings is not None:
        data["findings"] = [finding.as_dict(lang=lang) for finding in findings]
    return data


def _print_findings(findings: tuple[Finding, ...], words: Language) -> None:
    from unless.explain.words.finding_sentences import finding_text

    lines = [finding_text(finding, lang=words.name) for finding in findings]
    typer.echo("\n".join(lines) or words.say("command", "no_findings"))


def print_figures(coverage: Coverage, lang: str) -> None:
    """Print the figures of each rule as a table that fits the screen."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from unless.explain.faces.coverage_table import MAIN, NUMBERS, RULE, coverage_cells, coverage_title

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)  # a pipe has no width: enough for a rule on one line
    lines = coverage_cells(coverage, lang=lang)
    # Where room is short, the main figures, and then the rule: it may take as many lines as it needs.
    chosen = range(len(lines[0])) if console.width >= WIDE else [i for i in MAIN if i < len(lines[0])]
    table = Table(
        box=SIMPLE_HEAD, title=coverage_title(coverage, lang=lang), title_justify="left", padding=(0, 1, 0, 0)
    )
    for i in chosen:
        justify: Any = "right" if i in NUMBERS else "left"
        table.add_column(lines[0][i], justify=justify, overflow="fold", no_wrap=i != RULE)
    for cells in lines[1:]:
        table.add_row(*(Text(cells[i]) for i in chosen))
    console.print(table)
