"""`unless explain`: why rows of a table have their labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    Full,
    IdColumn,
    LanguageName,
    ModelFile,
    Page,
    Style,
    echo_long,
    print_json,
    proof_writer,
    screen_width,
)
from unless.cli.read_rows import EXAMPLES, FactsFile, ReadRows, RelatedFiles, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.explain.proof.tree import Proof
    from unless.logic.program import Program
    from unless.logic.rules import Value
    from unless.table.plain_rows import PlainRows
    from unless.table.row_names import NamedRows


def explain(
    model: ModelFile,
    data: DataFile,
    row: Annotated[
        list[str],
        typer.Option(
            metavar="N", help="The row: its number, the first is 0, or its id. Repeatable.", show_default=False
        ),
    ],
    id_column: IdColumn = None,
    engine: Annotated[str, typer.Option(metavar="unless|scasp", help="Who proves: unless, or s(CASP).")] = "unless",
    all_rules: Annotated[bool, typer.Option("--all-rules", help="Show every rule that holds, not just one.")] = False,
    full: Full = False,
    short: Annotated[bool, typer.Option("--short", help="The fewest values that fix the label.")] = False,
    letter: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Fill a template: {row}, {label}, {reasons} (at most four).", show_default=False
        ),
    ] = None,
    style: Style = "plain",
    language: LanguageName = None,
    html: Page = None,
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: AsJson = False,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds that s(CASP) may take.")] = 60.0,
) -> None:
    """Explain why rows of a table have their labels."""
    from unless.logic.text.files import load, write_text

    if (short or letter is not None) and (as_json or html is not None):
        from unless.errors import DataError

        msg = f"{'--json' if as_json else '--html'} is for proofs; --short and --letter are answered as text."
        raise DataError(msg)
    write = proof_writer(style=style, language=language, full=full or all_rules)
    program = load(model)
    rows, indices, read = _found_rows(program, data, row, id_column, background, related)
    program = program if read is None else read.programs[0]
    if short or letter is not None:
        typer.echo("\n\n".join(_reasons(program, rows, indices, letter, language or "en")))
        return
    about = None if read is None or read.facts is None else [read.about(program, index) for index in indices]
    proofs = list(_proofs(program, rows, indices, engine, all_rules=all_rules, timeout=timeout, related=about))
    if read is not None:
        found = [read.witnesses(program, index) for index in indices]
        proofs = [replace(proof, witnesses=things) for proof, things in zip(proofs, found, strict=True)]
    if html is not None:
        from unless.explain.faces.html_pages import proofs_page

        write_text(html, proofs_page(proofs, lang=language or "en"))
    if as_json:
        from unless.explain.faces.json_data import proof_data

        shown = [proof_data(proof, lang=language or "en") for proof in proofs]
        print_json(shown[0] if len(shown) == 1 else shown)
    elif html is None:
        echo_long("\n\n".join(write(proof) for proof in proofs))


def _reasons(
    program: Program, rows: NamedRows | PlainRows, indices: Sequence[int], template: str | None, lang: str
) -> Iterator[str]:
    """Yield the values that fix each row's label, as a sentence or in a letter."""
    from textwrap import wrap

    from unless.explain.words.language import language as read_language
    from unless.explain.words.reason_words import letter, short_reasons
    from unless.logic.reason.reasoner import Engine
    from unless.logic.reason.reasons import reasons
    from unless.logic.text.files import read_text

    words, engine = read_language(lang), Engine([program])
    text = None if template is None else read_text(template)
    for index, values in zip(indices, _values(program, rows, indices), strict=True):
        name = rows.name(index)
        found = reasons(engine, program, values)
        if text is None:
            said = short_reasons(program, values, name, found, words)
            yield "\n".join(wrap(said, screen_width(), subsequent_indent="  ", break_on_hyphens=False))
        else:
            yield letter(text, program, values, name, found, words)


def _proofs(
    program: Program, rows: NamedRows | PlainRows, indices: Sequence[int], engine: str, **options: Any
) -> Iterator[Proof]:
    from unless.errors import DataError
    from unless.explain.proof.prover import prove_values, with_risk
    from unless.logic.graded import graded_columns

    if engine not in ("unless", "scasp"):
        msg = f"there is no engine {engine!r}; engines: unless, scasp."
        raise DataError(msg)
    values = _values(program, rows, indices, graded_columns(program))
    called = [rows.name(index) for index in indices]
    if engine == "scasp":
        from unless.explain.scasp import prove_all_by_scasp

        return prove_all_by_scasp(program, values, row_names=called, **options)
    del options["timeout"], options["related"]
    used = ({name: one[name] for name in program.used_columns} for one in values)
    proofs = (prove_values(program, v, row_name=name, **options) for v, name in zip(used, called, strict=True))
    return map(with_risk, proofs, values)


def _found_rows(
    program: Program,
    data: str,
    wanted: Sequence[str],
    id_column: str | None,
    background: str | None,
    related: Sequence[str] | None,
) -> tuple[NamedRows | PlainRows, list[int], ReadRows | None]:
    """Open a table and find the wanted rows in it; a small text is read plainly, and then there is no `ReadRows`."""
    from unless.errors import DataError
    from unless.table.plain_rows import has_arrays, is_small_text, plain_rows

    is_plain = not (background or related or program.related or any(column.atoms for column in program.columns))
    if not has_arrays() or (is_plain and is_small_text(data) and not data.endswith(EXAMPLES)):
        try:
            plain = plain_rows(data, id_column).called_by(program)
            return plain, _found(plain, wanted), None
        except DataError:  # what is no text is read by polars, and what it cannot read either is better said by it
            if not has_arrays():
                raise
    from unless.table.row_names import NamedRows

    read = read_rows(program, data, background, related)
    rows = NamedRows(read.table, id_column or read.id_column)
    return rows, _found(rows, wanted), read


def _found(rows: NamedRows | PlainRows, wanted: Sequence[str]) -> list[int]:
    return [index for name in wanted for index in rows.find(name)]


def _values(
    program: Program, rows: NamedRows | PlainRows, indices: Sequence[int], more: Sequence[str] = ()
) -> list[dict[str, Value | None]]:
    """Read the cells of some rows that the program tests, and of `more` columns; other rows are not looked at."""
    from unless.table.plain_rows import PlainRows

    if isinstance(rows, PlainRows):
        from unless.logic.holds import read_row

        wanted = tuple(dict.fromkeys((*program.used_columns, *more)))
        rows.refuse_absent(column for column in program.columns if column.name in wanted)
        return [read_row(program, rows.row(index), wanted) for index in indices]
    import numpy as np

    from unless.evaluate.predict import read_cells, row_values

    columns = read_cells(program, rows.table.take(np.array(indices, dtype=np.intp)), more)
    return [row_values(columns, i) for i in range(len(indices))]
