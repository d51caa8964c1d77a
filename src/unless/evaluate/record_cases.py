"""Cases taken from a table: rows that a program decides as it should stay, some for each rule.

In: a program, a table, how many rows for each rule. Out: plain data of cases, each with the row, the label that the
program decides for now, and the rule that decides. Rows that the program cannot tell apart are taken once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.view import View
from unless.logic.values import number_word
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.program import Program


def recorded(
    program: Program, data: Any, per_rule: int = 2, called: Callable[[int], str] = "row {}".format
) -> list[dict[str, Any]]:
    """Take the first rows that each rule decides, and the first that none does, for each label; `called` names them."""
    view = View(program, raw_table(data))
    rules, labels = deciding_rules(view), view.predicted_texts()
    taken: dict[tuple[str, str], int] = {}
    seen: set[tuple[object, ...]] = set()
    cases = []
    for row in range(view.table.n_rows):
        key = str(rules[row]), str(labels[row])
        if taken.get(key, 0) >= per_rule:
            continue
        values = {name: cells.value(row) for name, cells in view.truth.columns.items()}
        if (cell := tuple(values.values())) in seen:
            continue
        seen.add(cell)
        taken[key] = taken.get(key, 0) + 1
        written = {name: _written(value) for name, value in values.items()}
        cases.append({"name": called(row), "row": written, "expect": key[1], "rule": key[0]})
    return cases


def _written(value: float | str | None) -> str:
    """Write a value as a cell of a CSV file."""
    if value is None:
        return ""
    return value if isinstance(value, str) else number_word(value)
