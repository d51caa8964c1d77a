"""Templates as written, such as `#pred age(P_,V_) :: "the age of @(P_) is @(V_)"`.

In: the tree of a template, and the names of the header. Out: a `Template`, or an error that points at what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark import Tree

from unless.errors import ProgramError, unknown_column
from unless.logic.readings import read_value
from unless.logic.templates import Template
from unless.logic.text.syntax import unquote
from unless.logic.text.written import name_text, only_token, read_argument

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lark import Token

    from unless.logic.rules import Column
    from unless.logic.templates import Subject
    from unless.logic.text.written import ProgramText


def read_template(
    part: Tree[Token], target: tuple[str, str] | None, columns: Mapping[str, Column], reader: ProgramText
) -> Template:
    """Read how one claim is worded; `target` are its predicate and its name, `columns` go by their predicates."""
    claim, said = part.children
    assert isinstance(claim, Tree)
    assert isinstance(said, Tree)
    text = unquote(only_token(said)) if said.children else None
    negated = claim.data == "denied_claim"
    atom: Any = claim.children[0] if negated else claim
    if claim.data == "compared_claim":
        left, op, right = claim.children
        subject: Subject = "compared"
        name, arguments = str(op), [left, right]
    else:
        subject, name = _subject(atom, target, columns, reader)
        arguments = atom.children[1:]
    read = tuple(read_argument(argument, reader) for argument in arguments)
    if subject == "column" and len(read) == 2 and isinstance(read[1], str):
        column = next(column for column in columns.values() if column.name == name)
        read = (read[0], read_value(column, read[1]) if column.reading else read[1])
    try:
        return Template(subject, name, negated, read, text)
    except ProgramError as error:
        raise reader.error(part, str(error).rstrip(".")) from None


def _subject(
    atom: Tree[Token], target: tuple[str, str] | None, columns: Mapping[str, Column], reader: ProgramText
) -> tuple[Subject, str]:
    """Find what the predicate of a template stands for."""
    predicate = name_text(atom.children[0])
    if len(atom.children) == 2:
        return "helper", predicate
    assert target is not None
    if predicate == target[0]:
        return "target", target[1]
    if predicate in columns:
        return "column", columns[predicate].name
    column = columns.get(predicate.removesuffix("_is"))
    if column is None or column.kind != "numerical":
        raise reader.error(atom, unknown_column(predicate, (target[0], *columns), "the program"))
    return "words", column.name
