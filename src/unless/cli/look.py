"""`unless look`: what a table holds, column by column, and what is odd about it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import AsJson, DataFile, LanguageName, NameLists, Reads, print_json, split_names, split_pairs
from unless.cli.read_rows import EXAMPLES

if TYPE_CHECKING:
    from unless.table.look import TableLook


def look(
    data: DataFile,
    target: Annotated[
        str | None, typer.Option(help="The column of labels to compare with.", show_default=False)
    ] = None,
    categorical: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns of words only.")] = None,
    numerical: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns of numbers.")] = None,
    read: Reads = None,
    missing: Annotated[NameLists, typer.Option(metavar="W,V", help="Words that mean missing, such as ?,NA.")] = None,
    language: LanguageName = None,
    as_json: AsJson = False,
) -> None:
    """Show what each column of a table holds, how it is read, and what is odd, with the fix to type."""
    from unless.errors import DataError
    from unless.explain.faces.look_report import look_text
    from unless.explain.words.language import language as read_language
    from unless.table.databases import hide_password
    from unless.table.identifiers import option
    from unless.table.kind_choice import kinds_by_name
    from unless.table.look import look as look_at_table

    if data.endswith(EXAMPLES):
        msg = f"{data} is of facts, not a table; learn from it: unless learn --examples {data} --background FACTS.pl."
        raise DataError(msg)
    seen = look_at_table(
        data,
        target,
        missing=split_names(missing),
        kinds=kinds_by_name(split_names(categorical), split_names(numerical)),
        readings=split_pairs("read", read),
    )
    if as_json:
        print_json(seen.as_dict())
    else:
        words = read_language(language or "en")
        typer.echo(look_text(seen, lang=words.name))
        file = shlex.quote(hide_password(data))
        if target is not None:
            typed = _typed(categorical, numerical, read)
            command = f"unless learn {file} {option('target', target)}{typed}{_offered(seen, split_names(missing))}"
            typer.echo(words.say("look", "next", command=command))
        elif seen.n_rows:
            typer.echo(words.say("look", "next_target", command=f"unless look {file} --target COLUMN"))


def _typed(categorical: NameLists, numerical: NameLists, read: NameLists) -> str:
    """Return the options that say how columns are read, as they were typed: learning should read them alike."""
    given = {"categorical": categorical, "numerical": numerical, "read": read}
    return "".join(f" --{name} {shlex.quote(value)}" for name, values in given.items() for value in values or ())


def _offered(seen: TableLook, typed: list[str]) -> str:
    """Return the option that takes as missing what is perhaps missing, labels too, and what was typed."""
    from unless.table.identifiers import option

    every = (seen.label_findings, *(column.findings for column in seen.columns))
    found = [finding for findings in every for finding in findings if finding.what == "missing words"]
    offered = sorted({word for f in found for word in split_names([f.fix.split(" ", 1)[1].strip("'")])})
    words = [*dict.fromkeys([*typed, *offered])]
    return f" {option('missing', ','.join(words), lists=True)}" if words else ""
