"""Cases taken from a table: rows that a program decides as it should stay, some for each rule.

In: a program, a table, how many rows for each rule. Out: plain data of cases, each with the row, the label that the
program decides for now, and the rule that decides. Rows that the program cannot tell apart are taken once. A cell is
recorded as it is written in the table, or else in the column's own format. Invariant: the program reads each recorded
cell back as the very value it decided by, so that every case passes on the program that it was recorded from.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.view import View
from unless.logic.readings import read_column_cell, say_number
from unless.logic.values import BLANKS
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.logic.program import Program
    from unless.logic.rules import Column, Value

log = logging.getLogger("unless")


def recorded(
    program: Program, data: Any, per_rule: int = 2, called: Callable[[int], str] = "row {}".format
) -> list[dict[str, Any]]:
    """Take the first rows that each rule decides, and the first that none does, for each label; `called` names them."""
    view = View(program, raw_table(data))
    rules, labels = deciding_rules(view), view.predicted_texts()
    columns = [column for column in program.columns if column.name in view.truth.columns]
    taken: dict[tuple[str, str], int] = {}
    seen: set[tuple[object, ...]] = set()
    cases: list[dict[str, Any]] = []
    unwritable: set[str] = set()
    for row in range(view.table.n_rows):
        key = str(rules[row]), str(labels[row])
        if taken.get(key, 0) >= per_rule:
            continue
        cell = tuple(view.truth.columns[column.name].value(row) for column in columns)
        if cell in seen:
            continue
        seen.add(cell)
        written = {c.name: _written(view, c, row, value) for c, value in zip(columns, cell, strict=True)}
        if None in written.values():
            unwritable.update(name for name, text in written.items() if text is None)
            continue
        taken[key] = taken.get(key, 0) + 1
        cases.append({"name": called(row), "row": written, "expect": key[1], "rule": key[0]})
    for name in sorted(unwritable):
        log.warning("column %r has numbers that cannot be written in its format; such rows are not recorded.", name)
    return cases


def _written(view: View, column: Column, row: int, value: Value | None) -> str | None:
    """Write a value as a cell that the program reads back as it; None where no text is."""
    if value is None:
        return ""
    texts = _texts(view, column, row, value)
    return next((text for text in texts if read_column_cell(column, text, view.program.missing) == value), None)


def _texts(view: View, column: Column, row: int, value: Value) -> Iterator[str]:
    """Write a value in every way there is, as the table writes it first."""
    if isinstance(value, str):
        yield value
        return
    raw = view.table.columns.get(column.name)
    if raw is not None and raw.text is not None and raw.text[row] is not None:
        yield str(raw.text[row]).strip(BLANKS)
    yield say_number(column, value)
    yield repr(value)  # a word that means missing may be a number: 99 is none there, and 99.0 is one
