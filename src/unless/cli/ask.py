"""`unless ask`: a question in the language of the program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from unless.cli.arguments import DataFile, Full, IdColumn, LanguageName, ModelFile, Style, proof_writer
from unless.cli.read_rows import FactsFile, ReadRows, RelatedFiles, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.explain.proof.query import Answer
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Column


def ask(
    model: ModelFile,
    data: DataFile,
    query: Annotated[str, typer.Argument(metavar="QUERY", help='Such as "income(30,Y)" or "not ab4(30)".')],
    id_column: IdColumn = None,
    brief: Annotated[bool, typer.Option("--brief", help="Answers without their proofs.")] = False,
    full: Full = False,
    style: Style = "plain",
    language: LanguageName = None,
    engine: Annotated[str, typer.Option(metavar="unless|scasp", help="Who proves: unless, or s(CASP).")] = "unless",
    background: FactsFile = None,
    related: RelatedFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON, an answer a line.")] = False,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds that s(CASP) may take for ten answers.")] = 60.0,
) -> None:
    """Ask about one row, or about all: answers come with what variables stand for, and with proofs."""
    from unless.explain.proof.query import parse_query
    from unless.explain.words.language import language as read_language
    from unless.logic.text.files import load

    words = read_language(language or "en")
    write = proof_writer(style=style, language=language, full=full)
    program = load(model)
    columns = {column.name: column for column in program.columns}
    read_as = {name: columns[column] for name, column in parse_query(program, query).given.items()}
    n_answers = 0
    rows = read_rows(program, data, background, related)
    for answer in _answers(rows.programs[0], rows, query, id_column or rows.id_column, engine, timeout):
        n_answers += 1
        if as_json:
            typer.echo(_json(answer, words.name, brief=brief))
            continue
        typer.echo(_headline(answer, read_as, words))
        if not brief and answer.proof.reasons:
            typer.echo("  " + write(answer.proof).replace("\n", "\n  "))
    if n_answers == 0 and not as_json:
        typer.echo(words.say("command", "no_row"))


def _answers(
    program: Program, rows: ReadRows, query: str, id_column: str | None, engine: str, timeout: float
) -> Iterator[Answer]:
    """Find the answers, proved by the engine that was asked for, with the things that relations hold of."""
    from dataclasses import replace

    from unless.errors import DataError
    from unless.explain.proof.ask import ask as ask_rows
    from unless.explain.proof.query import parse_query

    if engine not in ("unless", "scasp"):
        msg = f"there is no engine {engine!r}; engines: unless, scasp."
        raise DataError(msg)
    found = ask_rows(program, rows.table, query, id_column=id_column)
    if engine == "scasp":
        from unless.explain.scasp import answer_by_scasp

        about = None if rows.facts is None else lambda row: rows.about(program, row)
        found = answer_by_scasp(program, parse_query(program, query), found, timeout=timeout, about=about)
    for answer in found:
        yield replace(answer, proof=replace(answer.proof, witnesses=rows.witnesses(program, answer.row)))


def _headline(answer: Answer, columns: Mapping[str, Column], words: Language) -> str:
    from unless.logic.readings import say_number
    from unless.logic.text.constants import number_text, quote

    def spelled(name: str, value: object) -> str:
        if isinstance(value, int):
            return str(value)
        if not isinstance(value, float):
            return quote(str(value))
        is_read = name in columns and columns[name].reading  # such a text can be asked for too
        return quote(say_number(columns[name], value)) if is_read else number_text(value)

    if not answer.holds:
        return words.say("command", "no")
    said = ", ".join(f"{name} = {spelled(name, value)}" for name, value in answer.bindings.items())
    return said or words.say("command", "yes")


def _json(answer: Answer, lang: str, *, brief: bool) -> str:
    from unless.explain.faces.json_data import proof_data

    data = {"row": answer.proof.row_name, "holds": answer.holds, "bindings": dict(answer.bindings)}
    if not brief:
        data["proof"] = proof_data(answer.proof, lang=lang)
    return json.dumps(data, ensure_ascii=False)
