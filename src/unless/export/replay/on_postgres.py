"""PostgreSQL runs the exported SELECT in a cluster of its own, which lives in a temporary folder and has no port."""

from __future__ import annotations

import atexit
import csv
import io
import json
import math
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.export.from_program import decision_form
from unless.export.replay.answers import row_key
from unless.export.replay.on_sqlite import sql_answer
from unless.export.sql.postgres import DIALECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.export.options import ExportOptions
    from unless.export.replay.answers import EngineAnswer
    from unless.export.vectors import Cell, Vectors
    from unless.logic.program import Program

KINDS = ("text", "typed")
SERVER = "postgres"
"""The user under which the server runs where we are root, which PostgreSQL refuses to serve."""
NULL = "\\N"


@dataclass(frozen=True)
class PostgresServer:
    """A running server: its programs, its folder, and what stands before a command that works on the folder."""

    binaries: Path
    folder: Path
    prefix: tuple[str, ...]

    def run(self, name: str, *arguments: str, given: str | None = None) -> str:
        """Run one of PostgreSQL's programs."""
        done = subprocess.run(
            [*self.prefix, str(self.binaries / name), *arguments],
            input=given, capture_output=True, text=True, encoding="utf-8", check=False, cwd=self.folder,
        )  # fmt: skip
        if done.returncode:
            msg = f"PostgreSQL does not take the export: {name} says {done.stderr.strip()[:300]}"
            raise EngineError(msg)
        return done.stdout

    def ask(self, statements: str) -> str:
        """Run statements, the first error ends all."""
        options = ("-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-d", "postgres")
        return self.run("psql", *options, given=statements)


@lru_cache(maxsize=1)
def cluster() -> PostgresServer:
    """Start a server; it ends with this process."""
    found = shutil.which("initdb")
    homes = sorted(glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda home: float(home.split("/")[4]))
    binary = Path(found).resolve() if found else Path(homes[-1] if homes else "")
    if not binary.name:
        msg = "PostgreSQL is not installed (no initdb on the PATH), so the SQL was not replayed."
        raise EngineError(msg)
    folder = Path(tempfile.mkdtemp(prefix="unless-pg-"))
    prefix: tuple[str, ...] = ()
    if os.geteuid() == 0:
        try:
            shutil.chown(folder, SERVER)
        except LookupError:
            msg = f"PostgreSQL does not run as root, and there is no user {SERVER!r}; the SQL was not replayed."
            raise EngineError(msg) from None
        # Where users have no administrators' folders on their PATH, the command is there all the same.
        runuser = shutil.which("runuser", path=os.environ.get("PATH", "") + os.pathsep + "/usr/sbin:/sbin")
        if runuser is None:
            msg = (
                f"PostgreSQL does not run as root, and there is no runuser to be {SERVER!r}; the SQL was not replayed."
            )
            raise EngineError(msg)
        prefix = (runuser, "-u", SERVER, "--")
    server = PostgresServer(binary.parent, folder, prefix)
    data = str(folder / "data")
    server.run("initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    # The server must not keep our pipes open: it would never be done.
    server.run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", settings, "start")
    atexit.register(_stop, server, data)
    return server


def _stop(server: PostgresServer, data: str) -> None:
    server.run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(server.folder, ignore_errors=True)


@lru_cache(maxsize=1)
def version() -> str:
    """Name the engine."""
    said = cluster().ask("COPY (SELECT current_setting('server_version')) TO STDOUT;")
    return f"PostgreSQL {said.split()[0]}"


def replay(program: Program, text: str, vectors: Vectors, options: ExportOptions) -> list[EngineAnswer]:
    """Return what the SELECT says of each row."""
    key, names = row_key(vectors.columns), [DIALECT.quoted(name) for name in vectors.columns]
    types = ["float8" if name in vectors.typed else "text" for name in vectors.columns]
    columns = ", ".join([f"{key} int", *(f"{name} {kind}" for name, kind in zip(names, types, strict=True))])
    table = DIALECT.table(options.table)
    schemas = "".join(f"CREATE SCHEMA IF NOT EXISTS {name};\n" for name in DIALECT.schemas(options.table))
    answers = ", ".join(decision_form(program).answers)
    statements = (
        f"{schemas}DROP TABLE IF EXISTS {table} CASCADE;\nCREATE TABLE {table} ({columns});\n"
        f"COPY {table} FROM STDIN WITH (FORMAT csv, NULL '{NULL}');\n{_copied(vectors.rows)}\\.\n"
        f"COPY (SELECT json_build_array({answers}) FROM (\n{text.rstrip().removesuffix(';')}\n) AS found "
        f"ORDER BY {key}) TO STDOUT WITH (FORMAT csv);\n"
    )
    said = csv.reader(io.StringIO(cluster().ask(statements), newline=""))
    return [sql_answer(tuple(json.loads(line[0]))) for line in said]


def _copied(rows: Sequence[Sequence[Cell]]) -> str:
    return "".join(f"{','.join([str(n), *map(_cell, row)])}\n" for n, row in enumerate(rows))


def _cell(cell: Cell) -> str:
    if cell is None:
        return NULL
    if isinstance(cell, float):
        return "NaN" if math.isnan(cell) else repr(cell)
    quoted = str(cell).replace('"', '""')
    return f'"{quoted}"'
