"""A JavaScript module (ES): `predict(row)` and `decide(row)` on an object of cells by column name.

`null <= 3` and `"" <= 3` are true in JavaScript, and `8 == "8"`: every cell is read first, and every test asks for its
type. A row that `unless` refuses throws, with the same sentence.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from unless.export.code import CodeWords, code_lines
from unless.export.format_data import column_formats, month_numbers
from unless.export.from_program import decision_form, probability_note
from unless.export.javascript_runtime import CELLS, FORMATS
from unless.export.raw_cells import is_long
from unless.export.two_valued import Compared, Equal, IsBlank, IsNumber, IsWord
from unless.logic.date_parts import WEEKDAYS
from unless.logic.program import label_text
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.program import Program
    from unless.logic.rules import Column


class JavaScriptWords(CodeWords):
    """How tests are written in JavaScript."""

    and_, or_, not_, true, false, null = " && ", " || ", "!", "true", "false", "null"
    declare, end, largest = "const ", ";", "Math.max"

    def cell_test(self, test: Test, cell: str) -> str:
        """Write a test of one cell."""
        match test:
            case IsNumber():
                return f'typeof {cell} === "number"'
            case IsWord():
                return f'typeof {cell} === "string"'
            case IsBlank():
                return f"{cell} === null"
            case Compared(_, op, number):
                return f"{cell} {'===' if op == '==' else op} {number!r}"
            case Equal(_, word):
                return f"{cell} === {json.dumps(word)}"
            case _:
                raise AssertionError(test)

    def constant(self, value: object) -> str:
        """Write a constant as JSON; labels are lists."""
        if isinstance(value, list):
            value = [label_text(each) if is_long(each) else each for each in value]
        return json.dumps(value)

    def choice(self, test: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        return f"(({test}) ? {yes} : {no})"


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program as a JavaScript module."""
    form = decision_form(program)
    formats = column_formats(form.columns)
    columns = _in_comment(", ".join(json.dumps(column.name) for column in form.columns))
    said = probability_note(program)
    note = said and f"\n   {_in_comment(said)}"
    head = (
        f"/* Decides {_in_comment(json.dumps(form.target))}: predict(row) gives the label of a row, an object of "
        "cells by column name.\n   Written by unless from a program; a change belongs there.\n"
        f"   Columns: {columns}.{note} */\n\n"
        f"const BLANKS = {json.dumps(BLANKS)};\nconst MISSING = {json.dumps(form.missing)};\n"
    )
    if formats:
        head += f"const FORMATS = {json.dumps(formats, indent=1)};\nconst MONTHS = {json.dumps(month_numbers())};\n"
        head += f"const WEEKDAYS = {json.dumps(WEEKDAYS)};\n"
    return f"{head}{CELLS}{FORMATS if formats else ''}\n{_functions(form)}"


def _in_comment(text: str) -> str:
    """Write a text so that it stays inside a comment."""
    return text.replace("*/", "*\\u002f")


def _functions(form: DecisionForm) -> str:
    lines = ["/** Return the label, the rule that decides, and the probability. */", "export function decide(row) {"]
    lines += [f"  {_reading(number, column)}" for number, column in enumerate(form.columns, 1)]
    lines += [f"  {line}" for line in code_lines(form, JavaScriptWords(form))]
    probability = "probability" if form.cards else "probability: null"
    if form.plain_card:
        probability += ", probabilityAsTheyAre: as_they_are"
    lines += [f"  return {{ label: labels[decision], rule: rules[decision], {probability} }};", "}", ""]
    lines += ["/** Return the label. */", "export function predict(row) {", "  return decide(row).label;", "}"]
    return "\n".join(lines) + "\n"


def _reading(number: int, column: Column) -> str:
    name, numerical = json.dumps(column.name), json.dumps(column.kind == "numerical")
    if not column.reading:
        return f"const c{number} = readCell(row, {name}, {numerical}, plain);"
    whole = f"FORMATS[{name}]"
    read = f"readCell(dated(row, {name}, {whole}), {name}, {numerical}, formatted({whole}))"
    if column_formats((column,))[column.name]["kind"] == "part":
        read = f"Object.hasOwn(row, {name}) ? {read} : datePart(row, {whole})"
    return f"const c{number} = {read};"
