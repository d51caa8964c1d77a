r"""Constraints as text: lines of the header of a model file, which s(CASP) ignores, under the names of the command.

    %@ forbid sex, town                                     no rule and no points test these columns
    %@ apart income, housing                                nothing tests both
    %@ monotonic debt_ratio=-1, income=+1                   more only speaks against, or for, the label of the rules

Columns are written as their predicates. A line of each kind may stand there any number of times.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unless.errors import unknown_column
from unless.logic.kept_constraints import Constraints, direction_problem, labels_problem
from unless.logic.text.grade_lines import QUOTED
from unless.logic.text.syntax import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lark import Token

    from unless.logic.rules import Column
    from unless.logic.text.written import ProgramText

NAME = rf"(?:[a-z]\w*|{QUOTED})"
PART = re.compile(rf"(?P<name>{NAME})(?:\s*=\s*(?P<direction>[+-]1))?", re.ASCII)
LINE = re.compile(r"%@[ \t]*(?P<what>forbid|apart|monotonic)\b\s*(?P<listed>.*?)\s*", re.ASCII)
LISTED = re.compile(rf"{PART.pattern}(?:\s*,\s*{NAME}(?:\s*=\s*[+-]1)?)*", re.ASCII)

SHAPES = {"forbid": "forbid A, B", "apart": "apart A, B", "monotonic": "monotonic A=+1, B=-1"}


def read_constraints(
    lines: Sequence[Token], columns: Mapping[str, Column], labels: Sequence[str], reader: ProgramText
) -> Constraints:
    """Read constraints from their lines; `columns` are those of the header, by predicate."""
    forbidden: list[str] = []
    apart: list[tuple[str, str]] = []
    directions: dict[str, int] = {}
    for line in lines:
        what, found = _split(line, reader)
        names = [_column(line, name, columns, reader) for name, _ in found]
        if what == "forbid":
            forbidden += [column.name for column in names]
        elif what == "apart":
            apart.append((names[0].name, names[1].name))
        else:
            for column, (_, sign) in zip(names, found, strict=True):
                if problem := direction_problem(column, int(sign), directions) or labels_problem(labels):
                    raise reader.error(line, problem)
                directions[column.name] = int(sign)
    return Constraints(tuple(forbidden), tuple(apart), tuple(directions.items()))


def _split(line: Token, reader: ProgramText) -> tuple[str, list[tuple[str, str]]]:
    """Return what a line is about, and its names, each with what stands behind it."""
    match = LINE.fullmatch(str(line))
    assert match is not None  # the grammar knows these lines by their first word
    what, listed = match["what"], LISTED.fullmatch(match["listed"])
    found = [] if listed is None else [(part["name"], part["direction"] or "") for part in PART.finditer(listed[0])]
    fits = all(bool(sign) == (what == "monotonic") for _, sign in found)
    if not found or not fits or (what == "apart" and len(found) != 2):
        raise reader.error(line, "this constraint cannot be read", SHAPES[what])
    return what, found


def _column(line: Token, name: str, columns: Mapping[str, Column], reader: ProgramText) -> Column:
    predicate = unquote(name) if name.startswith("'") else name
    if predicate not in columns or columns[predicate].atoms:
        known = tuple(name for name, column in columns.items() if not column.atoms)
        raise reader.error(line, unknown_column(predicate, known, "the program"))
    return columns[predicate]
