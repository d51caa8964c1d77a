"""`unless recourse`: the cheapest changes of a row that give it a label, or the proof that none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    IdColumn,
    LanguageName,
    ModelFile,
    NameLists,
    echo_long,
    language_named,
    print_json,
    read_data,
    screen_width,
    split_names,
    split_pairs,
)
from unless.cli.diff import Seconds

if TYPE_CHECKING:
    from unless.evaluate.recourse_rows import TableRecourse
    from unless.logic.program import Program
    from unless.logic.reason.recourse import ChangeLimits
    from unless.logic.rules import Label

EXIT_CODES = {"yes": 0, "no": 1, "not decided": 2}
"""There is a way, there is none, not decided."""


def recourse(
    model: ModelFile,
    data: DataFile,
    want: Annotated[str, typer.Option(metavar="LABEL", help="The label that is wanted.", show_default=False)],
    row: Annotated[
        str | None,
        typer.Option(metavar="N", help="The row: its number, the first is 0, or its id.", show_default=False),
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="All rows: who has no way, and which rule locks them.")
    ] = False,
    id_column: IdColumn = None,
    freeze: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns that cannot change.", show_default=False)
    ] = None,
    only_up: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns that can only rise.", show_default=False)
    ] = None,
    only_down: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns that can only fall.", show_default=False)
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=A,B", help="The only words to change to; repeatable.", show_default=False),
    ] = None,
    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=P", help="The price of changing a column, 1 if not given; repeatable.", show_default=False
        ),
    ] = None,
    together: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Clauses of what is impossible(X), which no change may reach.", show_default=False
        ),
    ] = None,
    ways: Annotated[int, typer.Option(min=1, metavar="K", help="Show at most so many ways.")] = 3,
    seconds: Seconds = 10.0,
    language: LanguageName = None,
    as_json: AsJson = False,
) -> None:
    """Find the cheapest changes that give a row a label: 0 found, 1 proved that none helps, 2 not decided."""
    from unless.errors import DataError
    from unless.evaluate.recourse_rows import TableRecourse
    from unless.logic.reason.recourse import label_named
    from unless.logic.text.files import load

    lang = language_named(language)
    if (row is None) != everyone:
        msg = "name the row with --row N, or ask about all of them with --all."
        raise DataError(msg)
    program = load(model)
    limits = _limits(program, freeze, only_up, only_down, allow, price, together).checked(program)
    label = label_named(program, want)
    table, _ = read_data(data)
    found = TableRecourse(program, table, limits, seconds)
    if row is None:
        code = _all(found, label, lang, as_json=as_json)
    else:
        code = _one(found, row, id_column, label, ways, lang, as_json=as_json)
    raise typer.Exit(code)


def _one(
    found: TableRecourse, row: str, id_column: str | None, want: Label, most: int, lang: str, *, as_json: bool
) -> int:
    from unless.errors import DataError
    from unless.explain.faces.recourse_report import RecourseReport
    from unless.logic.reason.locks import lock_of
    from unless.table.frames import raw_table
    from unless.table.row_names import NamedRows

    names = NamedRows(raw_table(found.data), id_column)
    indices = names.find(row)
    if len(indices) > 1:
        msg = f"{len(indices)} rows have the id {row!r}; name one of them by its number, without --id."
        raise DataError(msg)
    values = found.row(indices[0])
    answer = found.advisor.ways(values, want, most)
    lock = lock_of(found.advisor, values, want) if answer.verdict == "no" else ""
    report = RecourseReport(found.program, values, want, answer, names.name(indices[0]), lock)
    if as_json:
        print_json(report.data(lang=lang))
    else:
        echo_long(report.text(lang=lang, width=screen_width()).rstrip("\n"))
    return EXIT_CODES[answer.verdict]


def _all(found: TableRecourse, want: Label, lang: str, *, as_json: bool) -> int:
    from unless.explain.faces.recourse_report import lockout_data, lockout_text

    locked = found.locked(want)
    if as_json:
        print_json(lockout_data(locked, found.program, lang=lang))
    else:
        echo_long(lockout_text(locked, found.program, want, lang=lang, width=screen_width()).rstrip("\n"))
    if locked.n_without:
        return 1
    return 2 if locked.not_decided else 0


def _limits(
    program: Program,
    freeze: NameLists,
    only_up: NameLists,
    only_down: NameLists,
    allow: list[str] | None,
    price: list[str] | None,
    together: str | None,
) -> ChangeLimits:
    from unless.logic.reason.recourse import ChangeLimits
    from unless.logic.reason.together import together as read_together
    from unless.logic.text.files import read_text

    condition, literals = (None, ()) if together is None else read_together(program, read_text(together), together)
    return ChangeLimits(
        frozen=split_names(freeze),
        only_up=split_names(only_up),
        only_down=split_names(only_down),
        words={name: split_names([words]) for name, words in split_pairs("allow", allow).items()},
        prices={name: _number(name, text) for name, text in split_pairs("price", price).items()},
        condition=condition,
        further=literals,
    )


def _number(name: str, text: str) -> float:
    from unless.errors import DataError

    try:
        return float(text)
    except ValueError:
        msg = f"--price {name}={text}: {text!r} is no number."
        raise DataError(msg) from None
