"""`unless export`: a program in the language of a database, a service or a reasoner, replayed there if asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import (
    LanguageName,
    ModelFile,
    OptionalData,
    language_named,
    read_data,
    remark_on_probabilities,
)
from unless.errors import DataError

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.verify import Replayed
    from unless.logic.program import Program


def _list_targets(is_asked: bool) -> None:
    """List the targets, whatever else is given."""
    from unless.export.targets import TARGETS

    if is_asked:
        for target in TARGETS.values():
            typer.echo(f"{target.name:<15}{target.says}")
        raise typer.Exit


def export(
    model: ModelFile,
    to: Annotated[str, typer.Option(metavar="TARGET", help="What to write: sql:duckdb, python, ... (see --list).")],
    data: OptionalData = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write it here.", show_default=False)
    ] = None,
    table: Annotated[str, typer.Option(metavar="NAME", help="The table that SQL reads.")] = "data",
    form: Annotated[
        str, typer.Option(metavar="select|view|expression", help="What SQL becomes.", show_default=True)
    ] = "select",
    verify: Annotated[
        bool, typer.Option("--verify", help="Replay it on the real engine first; refuse to write what differs.")
    ] = False,
    vectors: Annotated[int, typer.Option(min=1, metavar="N", help="Rows of each kind to replay.")] = 5000,
    _targets: Annotated[
        bool, typer.Option("--list", help="List the targets.", is_eager=True, callback=_list_targets)
    ] = False,
    language: LanguageName = None,
) -> None:
    """Write a program for a database, a service or a reasoner; --verify replays it there, on DATA too."""
    from unless.export.options import ExportOptions
    from unless.export.targets import export_program
    from unless.logic.text.files import load, write_text

    if data is not None and not verify:
        msg = f"{data} is for --verify, which replays its rows; an export needs no data."
        raise DataError(msg)
    lang = language_named(language)
    program = load(model)
    text = export_program(program, to, table=table, form=form)
    remark_on_probabilities(program, lang=lang)
    beside: dict[str, str] = {}
    if verify:
        options, started = ExportOptions(table, form), time.perf_counter()
        replayed = _replay(program, to, text, data, options, vectors)
        _say_replayed(replayed, time.perf_counter() - started, lang)
        if output is not None:
            from unless.export.beside import files_beside

            beside = files_beside(output, program, to, replayed, options) if replayed.rows else {}
    if output is None:
        typer.echo(text, nl=False)
        return
    for path, content in {output: text, **beside}.items():
        write_text(path, content)


def _replay(program: Program, to: str, text: str, data: str | None, options: ExportOptions, n_rows: int) -> Replayed:
    """Replay an export."""
    from unless.export.verify import verify

    further = []
    if data is not None:
        from unless.export.own_rows import own_vectors

        further.append(own_vectors(program, read_data(data)[0]))
    return verify(program, to, text, options, n_rows=n_rows, further=further)


def _say_replayed(replayed: Replayed, seconds: float, lang: str) -> None:
    """Say on standard error what an engine made of an export."""
    from unless.explain.words.language import language

    words = language(lang)
    gaps = {"engine": replayed.engine, "rows": words.count("rows", replayed.n_rows)}
    gaps |= {"left": words.count("rows", replayed.n_left_out), "seconds": words.decimal(seconds, 1)}
    key = "not_replayed" if not replayed.rows else "replayed_but" if replayed.n_left_out else "replayed"
    typer.echo(f"unless: {words.say('command', key, **gaps)}", err=True)
