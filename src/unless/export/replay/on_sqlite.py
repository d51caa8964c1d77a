"""SQLite, as Python has it, runs the exported SELECT over tables of text, of numbers and of both, helped by nothing."""

from __future__ import annotations

import math
import sqlite3
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.export.replay.answers import EngineAnswer, row_key
from unless.export.sql.sqlite import DIALECT
from unless.logic.values import read_number

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("text", "typed", "mixed")


def version() -> str:
    """Name the engine."""
    return f"SQLite {sqlite3.sqlite_version}"


def can_hold(vectors: Vectors) -> list[bool]:
    """Tell of each row whether SQLite can hold its cells (it has no truth values) and reads its decimals exactly."""
    with sqlite3.connect(":memory:") as connection:
        texts = {cell for row in vectors.rows for cell in row if isinstance(cell, str)}
        misread = {text for text in texts if not _reads(connection, text)}
    return [not any(isinstance(cell, bool) or (isinstance(cell, str) and cell in misread) for cell in row)
            for row in vectors.rows]  # fmt: skip


def _reads(connection: sqlite3.Connection, text: str) -> bool:
    number = read_number(text)
    if number is None or math.isinf(number):
        return True
    return bool(connection.execute("SELECT CAST(? AS REAL)", (text,)).fetchone()[0] == number)


def replay(_program: Program, text: str, vectors: Vectors, options: ExportOptions) -> list[EngineAnswer]:
    """Return what the SELECT says of each row."""
    names = [DIALECT.quoted(name) for name in vectors.columns]
    with sqlite3.connect(":memory:") as connection:
        columns = ", ".join([f"{row_key(vectors.columns)} INTEGER PRIMARY KEY", *names])
        table = DIALECT.table(options.table)
        try:
            for schema in DIALECT.schemas(options.table):
                connection.execute(f"ATTACH ':memory:' AS {schema}")
            connection.execute(f"CREATE TABLE {table} ({columns})")
            rows = ((n, *row) for n, row in enumerate(vectors.rows))
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(names) + 1))})", rows)
            cursor = connection.execute(text.rstrip().removesuffix(";"))
            at = [described[0] for described in cursor.description]
            found = {row[0]: row for row in cursor}
        except sqlite3.Error as error:
            msg = f"SQLite does not take the export: {error}."
            raise EngineError(msg) from None
    more = len(at) - 1 - len(names)
    return [sql_answer(found[n][-more:]) for n in range(len(vectors.rows))]


def sql_answer(answers: tuple[object, ...]) -> EngineAnswer:
    """Read the last columns: predicted, rule, perhaps probabilities; NULL is a refused row."""
    label, rule, *probabilities = answers
    if label is None:
        return EngineAnswer(None, is_refused=True)
    return EngineAnswer(label, rule, *probabilities)  # type: ignore[arg-type]
