"""What a program can be exported to: a new target is a module with `write`, and a line here.

`write(program, options)` gives the text (a file of another kind: bytes). A target with an engine has a module with
`replay(program, text, vectors, options)`, which runs the text on the real engine and gives its answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from unless.errors import DataError, did_you_mean
from unless.export.options import ExportOptions

if TYPE_CHECKING:
    from unless.export.sql.dialect import SqlDialect
    from unless.logic.program import Program


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A target: the module that writes it, how its files end, and the module that replays it, if an engine can."""

    name: str
    writer: str
    suffix: str
    replayer: str = ""
    engine: str = ""

    @property
    def says(self) -> str:
        """Say whether exports are replayed, and on what."""
        if self.replayer:
            return f"replayed on {self.engine}"
        return "not replayed" if self.writer.startswith("sql.") else "refused, with the reason"


TARGETS = {
    target.name: target
    for target in (
        ExportTarget("sql:sqlite", "sql.sqlite", ".sql", "replay.on_sqlite", "SQLite"),
        ExportTarget("sql:duckdb", "sql.duckdb", ".sql", "replay.on_duckdb", "DuckDB"),
        ExportTarget("sql:postgres", "sql.postgres", ".sql", "replay.on_postgres", "PostgreSQL"),
        ExportTarget("sql:spark", "sql.spark", ".sql", "replay.on_spark", "Spark"),
        ExportTarget("sql:bigquery", "sql.bigquery", ".sql"),
        ExportTarget("sql:snowflake", "sql.snowflake", ".sql"),
        ExportTarget("prolog", "prolog_program", ".pl", "replay.on_prolog", "SWI-Prolog"),
        ExportTarget("clingo", "clingo_program", ".lp", "replay.on_clingo", "clingo"),
        ExportTarget("pmml", "pmml_file", ".pmml", "replay.on_pmml", "a PMML engine"),
        ExportTarget("json", "json_file", ".json", "replay.on_json", "unless"),
        ExportTarget("dmn", "dmn_table", ".dmn"),
        ExportTarget("xlsx", "spreadsheet", ".xlsx"),
        ExportTarget("python", "python_module", ".py", "replay.on_python", "Python"),
        ExportTarget("javascript", "javascript_module", ".mjs", "replay.on_node", "Node.js"),
    )
}


def find_target(name: str) -> ExportTarget:
    """Return a target by its name, or say which there are."""
    if name not in TARGETS:
        msg = f"there is no export to {name!r}; targets: {', '.join(TARGETS)}.{did_you_mean(name, TARGETS)}"
        raise DataError(msg)
    return TARGETS[name]


def dialect_of(to: str) -> SqlDialect:
    """Return the dialect of a target of SQL."""
    found: SqlDialect = import_module(f"unless.export.{find_target(to).writer}").DIALECT
    return found


def export_program(program: Program, to: str, *, table: str = "data", form: str = "select") -> str:
    """Write a program for a target, such as `sql:duckdb` or `python`."""
    module = import_module(f"unless.export.{find_target(to).writer}")
    options = ExportOptions(table, form)
    if options != ExportOptions() and not to.startswith("sql:"):
        msg = f"a table and a form are for SQL; an export to {to} has neither."
        raise DataError(msg)
    written: str = module.write(program, options)
    return written
