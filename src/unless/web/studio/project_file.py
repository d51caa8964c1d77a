"""The project file: everything that was done to a table, but not the table itself; written, and read with care.

In: a session, or the bytes of a file, perhaps changed by hand or damaged. Out: the bytes, or the session goes on with
what they hold. What is no project is refused before anything of the work at hand is replaced.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from unless.errors import DataError, UnlessError
from unless.web.learning_settings import UNSET
from unless.web.open_table import TableOrigin
from unless.web.schemas import SettingsChange
from unless.web.studio.program_work import parsed
from unless.web.studio.timeline import Moment, Timeline
from unless.web.studio.versions import Version

if TYPE_CHECKING:
    from unless.web.session import Session

PROJECT = "unless-studio-project"
PROJECT_VERSION = 1
MOMENT = TypeAdapter(Moment)
VERSIONS = TypeAdapter(list[Version])


class OtherTableError(UnlessError):
    """A project belongs to a table that is not open."""

    status = 409


class _Table(BaseModel):
    """What a project says of its table."""

    name: str
    n_rows: int
    columns: list[str]


class _Checks(BaseModel):
    """The tests of a project."""

    cases: list[dict[str, Any]]
    properties: list[str]


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
        table, work = _Table(**read["table"]), read["work"]
        _ = work["origin"]["kind"]
        _Checks(**work["checks"])
        VERSIONS.validate_python(work["versions"])
        timeline = Timeline.of(work["timeline"])
        for moment in (timeline.now, *(moment for moment, _ in (*timeline.past, *timeline.future))):
            MOMENT.validate_python(asdict(moment))
        settings = _settings(work["settings"], table.columns)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, UnicodeDecodeError) as error:
        where = error.errors()[0]["loc"] if isinstance(error, ValidationError) else ()
        at = f" ({'.'.join(map(str, where))} cannot be read)" if where else ""
        msg = f"this is no project file of the studio{at}; those are downloaded under Save, as .json."
        raise DataError(msg) from None
    if timeline.now.program is not None:
        parsed(timeline.now.program)
    return {**read, "work": {**work, "settings": settings}}


def _settings(data: dict[str, Any], columns: list[str]) -> dict[str, Any]:
    """Read settings as the page may send them; those that name columns name some of the table."""
    read = SettingsChange(**data)
    pairs = [name for pair in read.never_together or () for name in pair]
    named = (*(read.left_out or ()), *(read.forbidden or ()), *(read.directions or ()), *pairs)
    single = [name for name in (read.target, read.apart_column) if name is not None]
    if read.kinds is None or not {*named, *single} <= {*columns}:
        raise ValueError
    return {name: each for name, each in read.model_dump().items() if each is not None or name in UNSET}
