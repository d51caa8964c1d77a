"""`unless grade`: points for conditions, learned from a table for a program that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LabelColumn,
    LanguageName,
    ModelFile,
    NameLists,
    print_json,
    split_names,
)
from unless.cli.read_rows import FactsFile, RelatedFiles, load_with_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.logic.program import Program


def grade(
    model: ModelFile,
    data: DataFile,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="NEW.lp", help="Write the graded program here.", show_default=False),
    ] = None,
    target: LabelColumn = None,
    forbid: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns that no line of points may test.", show_default=False)
    ] = None,
    apart: Annotated[
        NameLists,
        typer.Option(metavar="A,B", help="Two columns that do not both get points; repeatable.", show_default=False),
    ] = None,
    monotonic: Annotated[
        NameLists,
        typer.Option(
            metavar="A=+1,B=-1",
            help="More only speaks for (+1) or against (-1) the label of the rules.",
            show_default=False,
        ),
    ] = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
    language: LanguageName = None,
    as_json: AsJson = False,
) -> None:
    """Grade a program by a table with labels: its rules stay, its points and probabilities are learned anew."""
    from unless.cli.learn_options import naming_options, read_directions, read_pairs
    from unless.cli.learned import wrapped
    from unless.explain.words.constraint_sentences import constraint_sentences
    from unless.explain.words.language import language as read_language
    from unless.learn.grade_again import grade as grade_program
    from unless.logic.text.files import save

    words = read_language(language or "en")
    rows = load_with_rows(model, data, background, related)
    program, table = rows.programs[0], rows.table
    with naming_options():
        graded = grade_program(
            program,
            table,
            target,
            forbidden=tuple(split_names(forbid)),
            apart=read_pairs(apart or []),
            monotonic_cst=read_directions(monotonic or []) or None,
        )
    for line in (line for sentence in constraint_sentences(graded, words) for line in wrapped(sentence)):
        typer.echo(line, err=True)
    changed = program, graded, words
    for said in (*_broken_by_rules(graded, words), *_newly_tested(*changed), *_weighing(*changed)):
        typer.echo(f"unless: {said}", err=True)
    if output is not None:
        save(graded, output)
        assert graded.grade is not None
        n_lines = sum(len(card.awards) for card in graded.grade.cards)
        typer.echo(words.say("command", "graded", file=output, lines=words.count("point_lines", n_lines)), err=True)
    if as_json:
        from unless.explain.faces.json_data import program_data

        print_json(program_data(graded))
    elif output is None:
        typer.echo(str(graded), nl=False)


def _broken_by_rules(program: Program, words: Language) -> Iterator[str]:
    """Say which constraints the rules break: an edit did, or they were asked for later. Only points keep to them."""
    from unless.explain.words.finding_sentences import finding_sentence
    from unless.logic.check.findings import check_constraints

    for finding in check_constraints(program):
        yield words.say("command", "only_points", sentence=finding_sentence(finding, lang=words.name))


def _weighing(before: Program, after: Program, words: Language) -> Iterator[str]:
    """Say of which rows the probabilities are, where rows weigh differently, or did for the grade before."""
    from unless.explain.words.grade_words import weighed_words

    said = weighed_words(after, words)
    yield from said
    if before.grade is not None and before.grade.is_weighed and not said:
        yield words.say("command", "weighed_before")


def _newly_tested(before: Program, after: Program, words: Language) -> Iterator[str]:
    """Name columns that points test now and nothing tested before: files before 0.3.0 do not say what is forbidden."""
    from unless.errors import listing
    from unless.logic.graded import graded_columns
    from unless.table.identifiers import option

    if before.grade is None:
        return
    known = graded_columns(before)
    names = [name for name in graded_columns(after) if name not in known]
    if names:
        forbid = option("forbid", ",".join(f'"{name}"' if "," in name else name for name in names), lists=True)
        yield words.say("command", "newly_tested", columns=listing(map(repr, names)), option=forbid)
