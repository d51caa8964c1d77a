"""What people take along: predictions with what they ask for beside them, as CSV, Excel or Parquet; the project file.

In: a session and what is wanted. Out: bytes. In files that spreadsheets open, a text that a spreadsheet would run as a
formula stands behind an apostrophe. A project file holds everything but the table itself.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np
import polars as pl

from unless.errors import DataError, UnlessError
from unless.evaluate.region_rows import deciding_rules
from unless.explain.proof.prover import prove
from unless.explain.words.language import language
from unless.explain.words.short_proof import short_proof
from unless.logic.text.spreadsheet_cells import escaped, is_formula
from unless.logic.values import number_word
from unless.web.explained_row import LANGUAGE
from unless.web.open_table import TableOrigin
from unless.web.studio.program_work import parsed
from unless.web.studio.row_lists import shown_value
from unless.web.studio.timeline import Timeline
from unless.web.studio.versions import Versions

if TYPE_CHECKING:
    from unless.web.session import Session

MOST_REASONS = 20_000
"""A reason is proved row by row; for more rows that takes longer than a page waits."""
PROJECT = "unless-studio-project"
PROJECT_VERSION = 1
FileForm = OneOf["csv", "xlsx", "parquet"]
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}


class OtherTableError(UnlessError):
    """A project belongs to a table that is not open."""

    status = 409


@dataclass(frozen=True)
class PredictionFile:
    """What stands beside each prediction."""

    form: FileForm = "csv"
    id_column: str | None = None
    columns: bool = False
    probability: bool = True
    rule: bool = True
    reason: bool = False
    split: str = "all"


def predictions(session: Session, wanted: PredictionFile) -> bytes:
    """Write a line for each row."""
    frame = _frame(session, wanted)
    out = io.BytesIO()
    if wanted.form == "parquet":
        frame.write_parquet(out)
    elif wanted.form == "xlsx":
        _plain(frame).write_excel(out, autofit=False)
    else:
        _plain(frame).write_csv(out)
    return out.getvalue()


def _frame(session: Session, wanted: PredictionFile) -> pl.DataFrame:
    program, opened = session.need_program(), session.need_table()
    view = session.on_table(program).view
    rows = np.flatnonzero(session.rows(wanted.split)).tolist()
    taken: dict[str, Any] = {"row": rows}
    names = list(opened.table.names) if wanted.columns else []
    if wanted.id_column is not None:
        names = [wanted.id_column, *(name for name in names if name != wanted.id_column)]
    for name in names:
        kind = session.settings.kinds.get(name, "categorical")
        cells = opened.read(opened.table.column(name), kind, session.settings.missing)
        values = [shown_value(session, name, cells, row) for row in rows]
        mixed = any(isinstance(value, str) for value in values)
        taken[_free(name, taken)] = [_text(value) for value in values] if mixed else values
    texts = view.predicted_texts()
    taken[_free(f"{program.target.column} predicted", taken)] = [str(texts[row]) for row in rows]
    if wanted.probability:
        for label, chances in view.probabilities.items():
            taken[_free(f"probability of {label}", taken)] = [float(chances[row]) for row in rows]
    if wanted.rule:
        rules = deciding_rules(view)
        taken[_free("rule", taken)] = [str(rules[row]) for row in rows]
    if wanted.reason:
        taken[_free("reason", taken)] = _reasons(session, rows)
    return pl.DataFrame(taken, strict=False)


def _reasons(session: Session, rows: list[int]) -> list[str]:
    if len(rows) > MOST_REASONS:
        msg = f"reasons are written for at most {MOST_REASONS:,} rows at once, and these are {len(rows):,}."
        raise DataError(msg + " Hint: `unless explain` has no limit.")
    program, words = session.need_program(), language(LANGUAGE)
    view = session.on_table(program).view
    return [" ".join(short_proof(prove(program, view.row(row)), words).sentences) for row in rows]


def _free(name: str, taken: dict[str, Any]) -> str:
    """Return a name that no column has yet."""
    while name in taken:
        name += " (2)"
    return name


def _text(value: Any) -> str | None:
    return None if value is None else value if isinstance(value, str) else number_word(float(value))


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before texts and names that a spreadsheet would run."""
    frame = frame.rename({name: escaped(name) for name in frame.columns})
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    for name in texts:
        hot = [text for text in frame[name].unique().drop_nulls().to_list() if is_formula(text)]
        if hot:
            frame = frame.with_columns(pl.col(name).replace(hot, list(map(escaped, hot))))
    return frame


def project(session: Session) -> bytes:
    """Write everything that was done to the open table."""
    opened = session.need_table()
    work = session.work()
    work["origin"] = {"kind": opened.origin.kind, "name": opened.origin.name}
    table = {"name": opened.origin.name, "n_rows": opened.table.n_rows, "columns": list(opened.table.names)}
    if opened.origin.kind == "upload":
        table["upload"] = opened.origin.path.rpartition("/")[2]
    data = {"format": PROJECT, "version": PROJECT_VERSION, "table": table, "work": work}
    return json.dumps(data, indent=1).encode()


def open_project(session: Session, data: bytes) -> None:
    """Go on with a project: on the table that is open if it fits, else on the one it was made with, if it is here."""
    read = _read_project(data)
    table = read["table"]
    opened = session.opened
    fits = opened is not None and list(opened.table.names) == table["columns"]
    if not fits:
        origin = _origin(session, read)
        if origin is None:
            shown = ", ".join(map(str, table["columns"][:6]))
            msg = f"this project belongs to {table['name']} ({table['n_rows']:,} rows; columns {shown} ...); "
            raise OtherTableError(msg + "open that table first, then the project.")
        session.open(origin)
    session.take_up(read["work"])


def _origin(session: Session, read: dict[str, Any]) -> TableOrigin | None:
    """Return where the table of a project is, if it is the example, or was uploaded here."""
    if read["work"]["origin"]["kind"] == "example":
        return TableOrigin("example", "loans (example)")
    name = str(read["table"].get("upload", ""))
    path = session.store.folder / name
    is_ours = name.startswith("upload-") and name.removeprefix("upload-").isalnum() and path.exists()
    return TableOrigin("upload", str(read["table"]["name"])[:200], str(path)) if is_ours else None


def _read_project(data: bytes) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(data)
        if read["format"] != PROJECT or read["version"] != PROJECT_VERSION:
            raise ValueError
        now = Timeline.of(read["work"]["timeline"]).now
        Versions.of(read["work"]["versions"])
        _ = read["work"]["checks"]["cases"], read["work"]["checks"]["properties"]
        _ = read["work"]["settings"]["kinds"], read["work"]["origin"]["kind"], read["table"]["columns"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, UnicodeDecodeError):
        msg = "this is no project file of the studio; those are downloaded under Save, as .json."
        raise DataError(msg) from None
    if now.program is not None:
        parsed(now.program)
    return read
