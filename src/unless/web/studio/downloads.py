"""What people take along: predictions with what they ask for beside them, as CSV, Excel or Parquet; the project file.

In: a session and what is wanted. Out: bytes. A project file holds everything but the table itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError, UnlessError
from unless.evaluate.region_rows import deciding_rules
from unless.explain.proof.prover import prove
from unless.explain.words.language import language
from unless.explain.words.short_proof import short_proof
from unless.logic.program import label_text
from unless.web.explained_row import LANGUAGE
from unless.web.open_table import TableOrigin
from unless.web.studio.program_work import parsed
from unless.web.studio.shown_cells import shown_cells
from unless.web.studio.table_files import file_of, free_name
from unless.web.studio.timeline import Timeline
from unless.web.studio.versions import Versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.web.session import Session
    from unless.web.studio.table_files import FileForm

MOST_REASONS = 20_000
"""A reason is proved row by row; for more rows that takes longer than a page waits."""
PROJECT = "unless-studio-project"
PROJECT_VERSION = 1


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


def predictions(session: Session, wanted: PredictionFile, step: Callable[[], object] = bool) -> bytes:
    """Write a line for each row; `step` is called now and then, and may raise."""
    return file_of(_frame(session, wanted, step), wanted.form, "predictions")


def _frame(session: Session, wanted: PredictionFile, step: Callable[[], object]) -> pl.DataFrame:
    program, opened = session.need_program(), session.need_table()
    view = session.on_table(program).view
    rows = np.flatnonzero(session.rows(wanted.split))
    taken: dict[str, Any] = {"row": rows}
    names = list(opened.table.names) if wanted.columns else []
    if wanted.id_column is not None:
        names = [wanted.id_column, *(name for name in names if name != wanted.id_column)]
    for name in names:
        step()
        taken[free_name(name, taken)] = shown_cells(session, name, rows)
    labels = np.array([label_text(label) for label in view.labels], dtype=object)
    taken[free_name(f"{program.target.column} predicted", taken)] = _texts(labels[view.predicted[rows]])
    if wanted.probability:
        for label, chances in view.probabilities.items():
            taken[free_name(f"probability of {label}", taken)] = chances[rows]
    if wanted.rule:
        taken[free_name("rule", taken)] = _texts(deciding_rules(view)[rows])
    if wanted.reason:
        taken[free_name("reason", taken)] = _reasons(session, rows.tolist(), step)
    return pl.DataFrame([pl.Series(name, values) for name, values in taken.items()])


def _texts(values: NDArray[Any]) -> pl.Series:
    return pl.Series(values.tolist(), dtype=pl.String)


def _reasons(session: Session, rows: list[int], step: Callable[[], object]) -> list[str]:
    if len(rows) > MOST_REASONS:
        msg = f"reasons are written for at most {MOST_REASONS:,} rows at once, and these are {len(rows):,}."
        raise DataError(msg + " Hint: `unless explain` has no limit.")
    program, words = session.need_program(), language(LANGUAGE)
    view = session.on_table(program).view
    found = []
    for row in rows:
        step()
        found.append(" ".join(short_proof(prove(program, view.row(row)), words).sentences))
    return found


def project(session: Session) -> bytes:
    """Write everything that was done to the open table."""
    opened = session.need_table()
    work = session.work()
    work["origin"] = {"kind": opened.origin.kind, "name": opened.origin.name}
    table: dict[str, Any] = {
        "name": opened.origin.name,
        "n_rows": opened.table.n_rows,
        "columns": list(opened.table.names),
    }
    if opened.origin.kind == "upload":
        table["upload"] = opened.origin.path.rpartition("/")[2]
    if opened.origin.labelled_in:
        table |= {"labelled_in": opened.origin.labelled_in, "unlabelled": list(opened.origin.unlabelled)}
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
    if not is_ours:
        return None
    table = read["table"]
    left_out = str(table.get("labelled_in", "")), tuple(map(str, table.get("unlabelled", ())))
    return TableOrigin("upload", str(table["name"])[:200], str(path), *left_out)


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
