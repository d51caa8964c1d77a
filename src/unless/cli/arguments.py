"""What commands share: their arguments, reading tables, printing."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from unless.explain.proof.tree import Proof
    from unless.logic.program import Program
    from unless.logic.rules import Value
    from unless.table.frames import RawTable

ModelFile = Annotated[str, typer.Argument(metavar="MODEL.lp", help="A model file: the text of a program.")]
DATA = typer.Argument(metavar="DATA", help="A file (CSV, Excel, Parquet, Arrow) or a database; - is standard input.")
DataFile = Annotated[str, DATA]
OptionalData = Annotated[str | None, DATA]
LabelColumn = Annotated[
    str | None,
    typer.Option(
        "--target", help="The column of actual labels; the program's target if not given.", show_default=False
    ),
]
DataFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DATA",
        show_default=False,
        help="CSV, Excel, Parquet, Arrow: files, folders, globs, remote paths; or a database; - is standard input.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
Page = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE.html", help="Write a page that can be mailed.", show_default=False),
]
IdColumn = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="The column that names the rows.", show_default=False),
]
LanguageName = Annotated[
    str | None, typer.Option(metavar="LANG", help="Plain words of a language: en, de.", show_default=False)
]
Style = Annotated[
    str, typer.Option(metavar="plain|paper", help="Plain words, or the manner of s(CASP) and of the paper.")
]
Full = Annotated[bool, typer.Option("--full", help="The whole proof: every rule and what stops it.")]
Host = Annotated[str, typer.Option(help="The address to listen on; the default is this machine only.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")]
NameLists = list[str] | None
"""A repeatable option of names with commas."""
Reads = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=FORMAT",
        help="How a column's cells are written: 1.234,56 or 1,234.56 € for numbers, dd.mm.yyyy for dates; repeatable.",
        show_default=False,
    ),
]
KeptColumns = Annotated[
    NameLists,
    typer.Option(metavar="A,B", help="Columns to keep although they name their rows.", show_default=False),
]


def read_data(path: str) -> tuple[RawTable, bool]:
    """Read a table from a file; tell also whether its cells are mere text."""
    from unless.table.formats import read_file

    return read_file(path)


def split_names(values: Sequence[str] | None) -> list[str]:
    """Split a repeatable option of names with commas; a name with a comma stands in double quotes."""
    return [name for row in csv.reader(values or []) for name in row]


def split_pairs(option: str, values: Sequence[str] | None) -> dict[str, str]:
    """Split a repeatable option of the form COLUMN=VALUE; the last = separates, since columns may have one."""
    pairs = {}
    for value in values or ():
        name, found, given = value.rpartition("=")
        if not found or not name or not given:
            msg = f"--{option} {value}: write COLUMN=VALUE."
            raise DataError(msg)
        pairs[name] = given
    return pairs


def language_named(name: str | None) -> str:
    """Return the language to speak, before the work: there may be none. English is loaded where something is said."""
    if name is None:
        return "en"
    from unless.explain.words.language import language

    return language(name).name


def remark_on_grade(program: Program, file: str = "", *, lang: str = "en") -> None:
    """Say so on standard error where the grade is of the program before an edit."""
    if not program.has_old_grade:
        return
    from unless.explain.words.grade_words import old_words
    from unless.explain.words.language import language

    _remark(old_words(language(lang)), file)


def remark_on_weights(program: Program, file: str = "", *, measured: bool = False, lang: str = "en") -> None:
    """Say so on standard error where probabilities, or figures of them, are of weighed rows."""
    if program.grade is None or not program.grade.is_weighed:
        return
    from unless.explain.words.grade_words import measured_words, weighed_words
    from unless.explain.words.language import language

    for said in (measured_words if measured else weighed_words)(program, language(lang)):
        _remark(said, file)


def remark_on_probabilities(program: Program, file: str = "", *, measured: bool = False, lang: str = "en") -> None:
    """Say on standard error what probabilities, or figures of them, must not be taken for; name the file of several."""
    remark_on_grade(program, file, lang=lang)
    remark_on_weights(program, file, measured=measured, lang=lang)


def _remark(said: str, file: str) -> None:
    typer.echo(f"unless: {file}: {said}" if file else f"unless: {said}", err=True)


def screen_width() -> int:
    """Return the width of the terminal, or of a page where there is none."""
    return max(40, min(shutil.get_terminal_size((110, 24)).columns, 110))


def echo_long(text: str) -> None:
    """Print a text, on a terminal page by page where it is longer than the screen."""
    height = shutil.get_terminal_size((80, 24)).lines
    if sys.stdout.isatty() and text.count("\n") >= height:
        from pydoc import pager  # here: it is slow to load

        pager(text)
    else:
        typer.echo(text)


def answer(
    html: str | None, *, page: Callable[[], str], data: Callable[[], Any], text: Callable[[], str], as_json: bool
) -> None:
    """Answer as a page in a file, as JSON, or else as text; only what is asked for is made."""
    if html is not None:
        from unless.logic.text.files import write_text

        write_text(html, page())
    if as_json:
        print_json(data())
    elif html is None:
        echo_long(text().rstrip("\n"))


def print_json(data: Any) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def saying_why(lang: str = "en") -> Callable[[Program, Mapping[str, Value | None]], str]:
    """Return what proves a row and says the proof plainly."""
    from unless.explain.faces.plain_text import proof_english
    from unless.explain.proof.prover import prove_values

    return lambda program, values: proof_english(prove_values(program, values), lang=lang)


def proof_writer(*, style: str, language: str | None, full: bool) -> Callable[[Proof], str]:
    """Choose how proofs are written: in the plain words of a language, short or in full, or in the paper's manner."""
    from unless.errors import DataError
    from unless.explain.faces.paper_text import proof_text
    from unless.explain.faces.plain_text import proof_english
    from unless.explain.words.language import language as read_language

    words = read_language(language or "en")
    if style == "paper":
        return lambda proof: proof_text(proof, lang=words.name)
    if style != "plain":
        msg = f"there is no style {style!r}; styles: plain, paper."
        raise DataError(msg)
    return lambda proof: proof_english(proof, lang=words.name, full=full, width=screen_width())
