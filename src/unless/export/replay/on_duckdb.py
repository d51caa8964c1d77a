"""DuckDB runs the exported SELECT over a table of text columns and over one of typed columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.errors import EngineError
from unless.export.replay.answers import row_key
from unless.export.replay.on_sqlite import sql_answer
from unless.export.sql.duckdb import DIALECT

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.replay.answers import EngineAnswer
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("text", "typed")


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        msg = "DuckDB is not installed (pip install duckdb), so the SQL was not replayed."
        raise EngineError(msg) from None
    return duckdb


def version() -> str:
    """Name the engine."""
    return f"DuckDB {_duckdb().__version__}"


def replay(_program: Program, text: str, vectors: Vectors, options: ExportOptions) -> list[EngineAnswer]:
    """Return what the SELECT says of each row."""
    duckdb = _duckdb()
    import polars as pl

    frame = pl.DataFrame({row_key(vectors.columns): range(len(vectors.rows))}).with_columns(
        pl.Series(name, [row[i] for row in vectors.rows], pl.Float64 if name in vectors.typed else pl.String)
        for i, name in enumerate(vectors.columns)
    )
    connection = duckdb.connect(":memory:")
    try:
        connection.register("unless_frame", frame.to_arrow())
        for schema in DIALECT.schemas(options.table):
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        connection.execute(f"CREATE TABLE {DIALECT.table(options.table)} AS SELECT * FROM unless_frame")
        found = connection.execute(text.rstrip().removesuffix(";")).fetchall()
    except duckdb.Error as error:
        msg = f"DuckDB does not take the export: {str(error)[:300]}"
        raise EngineError(msg) from None
    finally:
        connection.close()
    more = len(found[0]) - 1 - len(vectors.columns) if found else 0
    by_row = {row[0]: sql_answer(row[-more:]) for row in found}
    return [by_row[n] for n in range(len(vectors.rows))]
