"""A Python module that imports nothing (where a column has a format of its own, `re`): `predict(row)` on a dict.

The module also has `decide(row)`, which gives the label, the number of the rule that decides, and the probability of a
graded program; where rows weighed differently in learning by a known ratio, `probability_as_they_are(row)` gives that
of rows as they are. A row that `unless` refuses is refused there, with the same sentence.
"""

from __future__ import annotations

from pprint import pformat
from typing import TYPE_CHECKING

from unless.export.code import CodeWords, code_lines
from unless.export.format_data import column_formats, month_numbers
from unless.export.from_program import decision_form, probability_note
from unless.export.python_runtime import CELLS, FORMATS
from unless.export.two_valued import Compared, Equal, IsBlank, IsNumber, IsWord
from unless.logic.date_parts import WEEKDAYS
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.program import Program
    from unless.logic.rules import Column

HEAD = '''"""Decides {target}: predict(row) gives the label of a row, a dict of cells by column name.

Written by unless from a program; a change belongs there. Columns: {columns}.{note}
"""
'''


class PythonWords(CodeWords):
    """How tests are written in Python."""

    and_, or_, not_, true, false, null = " and ", " or ", "not ", "True", "False", "None"

    def cell_test(self, test: Test, cell: str) -> str:
        """Write a test of one cell."""
        match test:
            case IsNumber():
                return f"isinstance({cell}, float)"
            case IsWord():
                return f"isinstance({cell}, str)"
            case IsBlank():
                return f"{cell} is None"
            case Compared(_, op, number):
                return f"{cell} {op} {number!r}"
            case Equal(_, word):
                return f"{cell} == {word!r}"
            case _:
                raise AssertionError(test)

    def constant(self, value: object) -> str:
        """Write a constant."""
        return repr(value)

    def choice(self, test: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        return f"({yes} if {test} else {no})"


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program as a Python module."""
    form = decision_form(program)
    formats = column_formats(form.columns)
    columns = ", ".join(repr(column.name) for column in form.columns)
    note = _safe(probability_note(program))
    head = HEAD.format(target=_safe(repr(form.target)), columns=_safe(columns), note=note and f"\n{note}")
    constants = f"\nBLANKS = {BLANKS!r}\nMISSING = {form.missing!r}\n"
    if formats:
        head += "\nimport re\n"
        constants += f"FORMATS = {pformat(formats, width=110)}\nMONTHS = {month_numbers()!r}\nWEEKDAYS = {WEEKDAYS!r}\n"
    return f"{head}{constants}\n{CELLS}\n{FORMATS if formats else ''}\n{_functions(form)}"


def _safe(text: str) -> str:
    """Write a text so that it stays inside a docstring."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _functions(form: DecisionForm) -> str:
    what = '    """Return the label, the rule that decides, and the probability."""'
    work = [f"    {_reading(number, column)}" for number, column in enumerate(form.columns, 1)]
    work += [f"    {line}" for line in code_lines(form, PythonWords(form))]
    said = f"    return labels[decision], rules[decision], {'probability' if form.cards else None}"
    if not form.plain_card:
        lines = ["def decide(row):", what, *work, said]
    else:
        lines = ["def _decided(row):", *work, f"{said}, as_they_are", "", "", "def decide(row):", what]
        lines += ["    return _decided(row)[:3]", "", "", "def probability_as_they_are(row):"]
        label = _safe(repr(form.plain_card.label))
        lines += [f'    """Return the probability of {label} among rows as they are."""', "    return _decided(row)[3]"]
    predict = ["", "", "def predict(row):", '    """Return the label."""', "    return decide(row)[0]"]
    return "\n".join([*lines, *predict]) + "\n"


def _reading(number: int, column: Column) -> str:
    name, numerical = repr(column.name), column.kind == "numerical"
    if not column.reading:
        return f"c{number} = _cell(row, {name}, {numerical}, _plain)"
    whole = f"FORMATS[{name}]"
    read = f"_cell(_dated(row, {name}, {whole}), {name}, {numerical}, _formatted({whole}))"
    if column_formats((column,))[column.name]["kind"] == "part":
        read = f"{read} if {name} in row else _part(row, {whole})"
    return f"c{number} = {read}"
