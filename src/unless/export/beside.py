"""What is written beside a verified export: the rows it was replayed with, and a small test for others to run.

`rules.py` gets `rules.vectors.json` and `test_rules.py`; JavaScript a test for `node --test`; a SELECT one statement
more, which brings its own rows and finds nothing where the engine decides as the program does; Prolog and clingo see
`logic_tests`. PMML gets the rows alone: its engines are libraries.
"""

from __future__ import annotations

import json
import math
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.export.from_program import decision_form
from unless.export.logic_tests import clingo_test, prolog_test
from unless.export.sql.dialect import split_name
from unless.export.sql.printer_of_tests import SqlPrinter
from unless.export.sql.statements import select
from unless.export.targets import dialect_of
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.export.options import ExportOptions
    from unless.export.replay.answers import EngineAnswer
    from unless.export.sql.dialect import SqlDialect
    from unless.export.vectors import Cell
    from unless.export.verify import Replayed
    from unless.logic.program import Program

FORMAT = 1
N_SQL_ROWS = 300
PYTHON_TEST = '''"""Replays {vectors} on {module}: python {test}, or pytest."""

import json
from pathlib import Path

import {module}


def test_decisions():
    whole = json.loads((Path(__file__).parent / {vectors!r}).read_text(encoding="utf-8"))
    for group in whole["groups"]:
        for cells, answer in zip(group["rows"], group["answers"], strict=True):
            row = dict(zip(group["columns"], cells, strict=True))
            try:
                found = list({module}.decide(row))[:2]
            except ValueError:
                found = None
            assert found == (answer and [answer[0], answer[1] or None]), row


if __name__ == "__main__":
    test_decisions()
'''
NODE_TEST = """// Replays {vectors} on {name}: node --test {test}
import assert from "node:assert/strict";
import {{ readFileSync }} from "node:fs";
import {{ test }} from "node:test";
import {{ decide }} from "./{name}";

test("decisions", () => {{
  const whole = JSON.parse(readFileSync(new URL("./{vectors}", import.meta.url), "utf8"));
  for (const group of whole.groups) {{
    group.rows.forEach((cells, i) => {{
      const row = Object.fromEntries(group.columns.map((name, j) => [name, cells[j]]));
      const answer = group.answers[i];
      if (answer === null) return assert.throws(() => decide(row), RangeError);
      const said = decide(row);
      assert.deepEqual([said.label, said.rule ?? ""], answer.slice(0, 2), JSON.stringify(row));
    }});
  }}
}});
"""


def files_beside(path: str, program: Program, to: str, replayed: Replayed, options: ExportOptions) -> dict[str, str]:
    """Return the texts that go with an export, by the path of each."""
    file = Path(path)
    vectors = file.with_suffix(".vectors.json")
    found = {str(vectors): vectors_text(to, replayed)}
    names = {"vectors": vectors.name, "name": file.name, "module": file.stem}
    if to == "python" and re.fullmatch(r"[A-Za-z_]\w*", file.stem):
        test = file.with_name(f"test_{file.stem}.py")
        found[str(test)] = PYTHON_TEST.format(**names, test=test.name)
    elif to == "javascript":
        test = file.with_suffix(".test.mjs")
        found[str(test)] = NODE_TEST.format(**names, test=test.name)
    elif to == "prolog":
        test = file.with_suffix(".test.pl")
        found[str(test)] = prolog_test(file.name, test.name, replayed)
    elif to == "clingo":
        test = file.with_suffix(".test.lp")
        found[str(test)] = clingo_test(file.name, test.name, program, replayed)
    elif to.startswith("sql:"):
        found[str(file.with_suffix(".test.sql"))] = sql_test(program, dialect_of(to), replayed, options)
    return found


def vectors_text(to: str, replayed: Replayed) -> str:
    """Write rows and answers as JSON; the answer to a row that is refused is null."""
    groups = [
        {
            "cells": kind,
            "columns": vectors.columns,
            "rows": [[_plain(cell) for cell in row] for row in vectors.rows],
            "answers": [_answer(answer) for answer in replayed.answers[kind]],
        }
        for kind, vectors in replayed.rows.items()
    ]
    whole = {"unless vectors": FORMAT, "target": to, "engine": replayed.engine, "groups": groups}
    return json.dumps(whole, ensure_ascii=False) + "\n"


def _plain(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _answer(answer: EngineAnswer) -> list[Any] | None:
    if answer.is_refused:
        return None
    plain = [] if answer.as_they_are is None else [answer.as_they_are]
    return [answer.label, answer.rule or "", answer.probability, *plain]


def sql_test(program: Program, dialect: SqlDialect, replayed: Replayed, options: ExportOptions) -> str:
    """Write a statement that selects the rows of which an engine says something else: none."""
    form = decision_form(program)
    constants = SqlPrinter(form, dialect).constants()
    columns = ", ".join([*(dialect.quoted(column.name) for column in form.columns), "unless_expected"])
    rows = ",\n  ".join(islice(_sql_rows(dialect, replayed, constants), N_SQL_ROWS))
    table = f'"{split_name(options.table)[-1]}"'
    differs = "IS NOT" if dialect.name == "sqlite" else "IS DISTINCT FROM"
    return (
        f"-- Finds no row where {dialect.title} decides as the program does.\n"
        f"WITH {dialect.table(table)} ({columns}) AS (VALUES\n  {rows}\n)\n"
        f"SELECT * FROM (\n{select(form, dialect, table)}\n) AS found\n"
        f"WHERE {form.answers[0]} {differs} unless_expected;\n"
    )


def _sql_rows(dialect: SqlDialect, replayed: Replayed, constants: dict[str, str]) -> Iterator[str]:
    kind = "text" if "text" in replayed.rows else next(iter(replayed.rows))
    for row, answer in zip(replayed.rows[kind].rows, replayed.answers[kind], strict=True):
        cells = ["NULL" if cell is None else dialect.text(str(cell)) for cell in row]
        expected = "NULL" if answer.is_refused else constants[_spelled(answer, constants)]
        yield f"({', '.join([*cells, expected])})"


def _spelled(answer: EngineAnswer, constants: dict[str, str]) -> str:
    """Spell the label as the program does: an engine may give a truth value as 1 or 0."""
    said = answer.label
    assert said is not None
    return label_text(said) if label_text(said) in constants else label_text(bool(said))
