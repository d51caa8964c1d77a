"""The routes by which things leave the studio: the model file, the report, predictions, letters, tests, the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, Request, UploadFile
from fastapi.responses import Response

from unless.export.options import ExportOptions
from unless.web import studio_answers as answers
from unless.web.program_routes import Json
from unless.web.schemas import Split
from unless.web.studio.affected import segments_file
from unless.web.studio.downloads import PredictionFile, predictions
from unless.web.studio.exported_program import export_choices, exported
from unless.web.studio.program_checks import checks_file
from unless.web.studio.program_work import Which
from unless.web.studio.project_file import open_project, project
from unless.web.studio.row_panel import letter_for
from unless.web.studio.table_files import MEDIA, FileForm
from unless.web.studio.wanted_work import while_wanted

if TYPE_CHECKING:
    from unless.web.session import Session

MAX_PROJECT = 64 << 20
MAX_PROVED = 200
AskedForm = Annotated[FileForm, Query()]
AskedSplit = Annotated[Split, Query()]
AskedWhich = Annotated[Which, Query()]
NamedForm = Annotated[FileForm, Path()]
SqlShape = Annotated[str, Query(pattern="^(select|view|expression)$")]
PLAIN_TEXT = "text/plain; charset=utf-8"


def saving_routes(router: APIRouter, session: Session) -> None:
    """Add the routes of one session."""
    _table_routes(router, session)

    @router.post("/save")
    def save() -> Json:
        """Write the program to the file that was named at the start."""
        return Json({"saved": session.save()})

    @router.get("/program.lp", response_class=Response)
    def program() -> Response:
        """Download the program."""
        return _download(str(session.need_program()), PLAIN_TEXT, "program.lp")

    @router.get("/exports")
    def exports() -> Json:
        """Say what the program can be written as."""
        return Json({"exports": export_choices()})

    @router.get("/export", response_class=Response)
    def export(
        to: Annotated[str, Query(max_length=100)],
        table: Annotated[str, Query(min_length=1, max_length=200)] = "data",
        form: SqlShape = "select",
        replay: bool = False,
    ) -> Response:
        """Download the program for a database, a service or a reasoner, replayed there first if asked."""
        text, name = exported(session, to, ExportOptions(table, form), replay=replay)
        return _download(text, PLAIN_TEXT, name)

    @router.get("/report.html", response_class=Response)
    def report(rows: Annotated[int, Query(ge=0, le=MAX_PROVED)] = 50) -> Response:
        """Download a report in one file, with the proofs of some rows."""
        return _download(answers.report(session, rows), "text/html; charset=utf-8", "report.html")

    @router.get("/rows/{row}/letter.txt", response_class=Response)
    def letter(row: Annotated[int, Path(ge=0, le=10**12)]) -> Response:
        """Download a letter about a row."""
        return _download(letter_for(session, row), PLAIN_TEXT, f"row-{row}.txt")

    @router.get("/checks.json", response_class=Response)
    def checks() -> Response:
        """Download the tests."""
        return _download(checks_file(session), "application/json", "program.cases.json")

    @router.get("/project.json", response_class=Response)
    def download_project() -> Response:
        """Download everything that was done to the table."""
        return _download(project(session), "application/json", "project.json")

    @router.post("/project")
    def upload_project(file: UploadFile) -> Json:
        """Go on with a project file."""
        open_project(session, file.file.read(MAX_PROJECT))
        return Json(answers.state(session))


def _table_routes(router: APIRouter, session: Session) -> None:
    """Add the routes of tables to take along."""

    @router.get("/predictions", response_class=Response)
    async def labels(
        request: Request,
        form: AskedForm = "csv",
        id_column: Annotated[str | None, Query(max_length=10_000)] = None,
        columns: bool = False,
        probability: bool = True,
        rule: bool = True,
        reason: bool = False,
        split: AskedSplit = "all",
    ) -> Response:
        """Download the label predicted for each row, with what is asked for beside it."""
        wanted = PredictionFile(form, id_column, columns, probability, rule, reason, split)
        data = await while_wanted(request, lambda step: predictions(session, wanted, step))
        return _download(data, MEDIA[form], f"predictions.{form}")

    @router.get("/segments.{form}", response_class=Response)
    def segments(
        form: NamedForm,
        by: Annotated[str, Query(max_length=10_000)],
        label: Annotated[str, Query(max_length=10_000)],
        split: AskedSplit = "held_out",
        which: AskedWhich = "program",
    ) -> Response:
        """Download the segments of a column."""
        return _download(segments_file(session, by, label, split, which, form), MEDIA[form], f"segments.{form}")


def _download(data: str | bytes, media_type: str, name: str) -> Response:
    headers: dict[str, Any] = {"content-disposition": f'attachment; filename="{name}"'}
    body = data.encode("utf-8", "replace") if isinstance(data, str) else data
    return Response(body, media_type=media_type, headers=headers)
