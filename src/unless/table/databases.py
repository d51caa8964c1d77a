"""Tables of databases, by an address: `sqlite:///file.db?table=loans`, or `?query=select ...`.

In: an address. Out: the rows as a content in memory, in Arrow's format, with the types of the database. SQLite needs
nothing more; other databases are read by what polars reads them with. Messages show no password.
"""

from __future__ import annotations

import io
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import polars as pl

from unless.errors import DataError, listing

BACKTICKS = ("mysql", "bigquery", "clickhouse")
"""Databases that put names in backticks."""


@dataclass(frozen=True, slots=True)
class Question:
    """The address of a database without its question, and the query in SQL; `shown` is for messages."""

    scheme: str
    address: str
    query: str
    table: str
    shown: str


def read_database(path: str) -> tuple[str, bytes]:
    """Return what messages call the table, and its rows as an Arrow file."""
    question = _question(path)
    frame = _from_sqlite(question) if question.scheme == "sqlite" else _from_other(question)
    data = io.BytesIO()
    frame.write_ipc(data)
    return question.shown, data.getvalue()


def hide_password(path: str) -> str:
    """Return an address as it may be shown.

    >>> hide_password("postgresql://me:secret@host/db?table=loans")
    'postgresql://me:***@host/db?table=loans'
    """
    return re.sub(r"(://[^:/@?]*):[^@/?]*@", r"\1:***@", path)


def _question(path: str) -> Question:
    """Split an address into the database and the question."""
    shown = hide_password(path)
    address, _, asked = path.partition("?")
    before, found, query = f"&{asked}".partition("&query=")
    options = dict(parse_qsl(before))
    table = options.pop("table", "")
    if bool(table) == bool(found):
        msg = f"{shown} must say what to read: one of ?table=NAME and ?query=SELECT ... at its end."
        raise DataError(msg)
    scheme = urlsplit(path).scheme.partition("+")[0]
    mark = "`" if scheme in BACKTICKS else '"'
    named = ".".join(f"{mark}{part.replace(mark, mark * 2)}{mark}" for part in table.split("."))
    sql = unquote(query) if found else f"SELECT * FROM {named}"
    return Question(scheme, address + (f"?{urlencode(options)}" if options else ""), sql, table, shown)


def _from_sqlite(question: Question) -> pl.DataFrame:
    path = unquote(question.address.partition(":///")[2])
    if not Path(path).is_file():
        msg = f"cannot read {question.shown}: there is no file {path!r}. Hint: an absolute path has four slashes."
        raise DataError(msg)
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
            cursor = database.execute(question.query)
            names = [each[0] for each in cursor.description or ()]
            rows = cursor.fetchall()
    except sqlite3.Error as error:
        tables = [] if "no such table" not in str(error) else _tables(path)
        hint = f" Tables: {listing(map(repr, tables))}." if tables else ""
        msg = f"cannot read {question.shown}: {error}.{hint}"
        raise DataError(msg) from None
    _refuse_twins(question, names)
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    # By name: of a list of columns, polars would make a name for one that has none, which no other query would find.
    return pl.DataFrame({name: _typed(question, name, list(each)) for name, each in zip(names, columns, strict=True)})


def _tables(path: str) -> list[str]:
    with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
        query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        return [name for (name,) in database.execute(query)]


def _refuse_twins(question: Question, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            msg = f"{question.shown} gives two columns called {name!r}. Hint: name one otherwise, with AS."
            raise DataError(msg)


def _typed(question: Question, name: str, cells: list[Any]) -> pl.Series:
    """Give a column of SQLite, whose cells have each a type of their own, one type: text where there is text."""
    types = {type(cell) for cell in cells} - {type(None)}
    if bytes in types:
        msg = f"{question.shown}: column {name!r} holds bytes (a blob); a cell is a number or a word."
        raise DataError(msg)
    if str in types:
        text = pl.Series(name, [None if cell is None else str(cell) for cell in cells], dtype=pl.String)
        return _dated(text) if types == {str} else text
    return pl.Series(name, cells, dtype=pl.Int64 if types == {int} else pl.Float64)


def _dated(text: pl.Series) -> pl.Series:
    """Return text as dates where all of it is dates as SQLite's own functions write them: it has no type for them."""
    present = text.drop_nulls()
    if present.str.contains(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$").all():
        dates = text.str.to_date("%Y-%m-%d", strict=False)
    elif present.str.contains(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}$").all():
        dates = text.str.replace("T", " ", literal=True).str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False)
    else:
        return text
    return text if dates.null_count() > text.null_count() else dates


def _from_other(question: Question) -> pl.DataFrame:
    try:
        import connectorx  # noqa: F401  (polars asks for it by itself)
    except ImportError:
        msg = (
            f"{question.shown} is a database; reading it needs the package connectorx. Hint: pip install 'unless[sql]'."
        )
        raise DataError(msg) from None
    try:
        return pl.read_database_uri(question.query, question.address)
    except Exception as error:  # every database has errors of its own
        reason = (str(error) or type(error).__name__).splitlines()[0]
        msg = f"cannot read {question.shown}: {reason.replace(question.address, question.shown).rstrip('.')}."
        raise DataError(msg) from None
