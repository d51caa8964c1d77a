"""What the studio's page asks for, as routes over a `Session`: nothing is decided here.

In: requests, checked by `schemas`. Out: plain data from `studio_answers`. Paths begin with /api/studio; no path or
parameter names a file of this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, UploadFile
from fastapi.responses import Response

from unless.logic.text.files import write_text
from unless.logic.text.parser import parse
from unless.web import studio_answers as answers
from unless.web.open_table import TableOrigin
from unless.web.program_routes import ERROR_ANSWERS, Json
from unless.web.schemas import DraftRequest, SettingsChange, Split
from unless.web.uploads import keep_upload

if TYPE_CHECKING:
    from unless.web.session import Session

MAX_PAGE = 200
LabelIndex = Annotated[int | None, Query(ge=-1, le=10_000)]
Number = Annotated[str, Query(max_length=100, pattern=r"^(else|\d{1,9}(\.\d{1,9}){0,20})$")]


def studio_api(session: Session) -> APIRouter:
    """Build the routes of one session."""
    router = APIRouter(prefix="/api/studio", tags=["studio"], responses=ERROR_ANSWERS, default_response_class=Json)
    _table_routes(router, session)
    _learning_routes(router, session)
    _reading_routes(router, session)
    _editing_routes(router, session)
    _saving_routes(router, session)
    return router


def _table_routes(router: APIRouter, session: Session) -> None:
    @router.get("/state")
    def state() -> Json:
        """Say what is open."""
        return Json(answers.state(session))

    @router.post("/example")
    def example() -> Json:
        """Open the built-in example."""
        session.open(TableOrigin("example", "loans (example)"))
        return Json(answers.state(session))

    @router.post("/upload")
    def upload(file: UploadFile) -> Json:
        """Open a file that the browser sends."""
        path = keep_upload(file.file, session.store.folder)
        session.open(TableOrigin("upload", (file.filename or "upload")[:200], str(path)))
        return Json(answers.state(session))

    @router.get("/columns")
    def columns() -> Json:
        """Describe the columns."""
        return Json({"columns": answers.columns(session)})

    @router.put("/settings")
    def settings(change: SettingsChange) -> Json:
        """Change how the table is read, or what is to be learned."""
        session.change(change.model_dump(exclude_none=True))
        return Json(answers.state(session))


def _learning_routes(router: APIRouter, session: Session) -> None:
    @router.post("/learning")
    def start() -> Json:
        """Start to learn."""
        return Json(session.learn().data())

    @router.get("/learning")
    def progress() -> Json:
        """Say how far learning is."""
        return Json(answers.learning(session))

    @router.delete("/learning")
    def stop() -> Json:
        """Stop learning after the rule at hand."""
        session.stop()
        return Json(answers.learning(session))


def _reading_routes(router: APIRouter, session: Session) -> None:
    @router.get("/rules")
    def rules(split: Split = "all") -> Json:
        """Give the rules in plain language and as text, with their figures on some rows, and the scores."""
        return Json(answers.rules(session, split))

    @router.get("/picture.svg", response_class=Response)
    def picture(split: Split = "all") -> Response:
        """Draw the rules."""
        return Response(answers.drawing(session, split), media_type="image/svg+xml")

    @router.get("/rows")
    def rows(
        split: Split = "all",
        rule: Number | None = None,
        actual: LabelIndex = None,
        predicted: LabelIndex = None,
        flips: bool = False,
        offset: Annotated[int, Query(ge=0, le=10**12)] = 0,
        limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    ) -> Json:
        """List rows, a page at a time: of a split, of a rule, of a cell of the confusion matrix, or that flip."""
        wanted = answers.RowFilter(split, rule, actual, predicted, flips)
        return Json(answers.page(session, wanted, offset, limit))

    @router.get("/rows/{row}")
    def row(row: Annotated[int, Path(ge=0, le=10**12)]) -> Json:
        """Give one row, its label, and the reasons for and against."""
        return Json(answers.one_row(session, row))


def _editing_routes(router: APIRouter, session: Session) -> None:
    @router.put("/draft")
    def draft(request: DraftRequest) -> Json:
        """Keep the text in the editor, and say what it would change."""
        session.keep_draft(request.text)
        return Json(answers.effect(session, request.text))

    @router.delete("/draft")
    def drop() -> Json:
        """Drop the draft."""
        session.keep_draft(str(session.need_program()))
        return Json(answers.state(session))

    @router.post("/accept")
    def accept(request: DraftRequest) -> Json:
        """Make a text the program."""
        session.accept(parse(request.text))
        return Json(answers.state(session))

    @router.post("/undo")
    def undo() -> Json:
        """Go back to the program before."""
        session.undo()
        return Json(answers.state(session))


def _saving_routes(router: APIRouter, session: Session) -> None:
    @router.post("/save")
    def save() -> Json:
        """Write the program to the file that was named at the start."""
        path = session.need_save_path()
        write_text(path, str(session.need_program()))
        return Json({"saved": path})

    @router.get("/program.lp", response_class=Response)
    def program() -> Response:
        """Download the program."""
        return _download(str(session.need_program()), "text/plain; charset=utf-8", "program.lp")

    @router.get("/report.html", response_class=Response)
    def report(rows: Annotated[int, Query(ge=0, le=MAX_PAGE)] = 50) -> Response:
        """Download a report in one file, with the proofs of some rows."""
        return _download(answers.report(session, rows), "text/html; charset=utf-8", "report.html")

    @router.get("/predictions.csv", response_class=Response)
    def predictions() -> Response:
        """Download the label predicted for each row."""
        return _download(answers.predictions(session), "text/csv; charset=utf-8", "predictions.csv")


def _download(text: str, media_type: str, name: str) -> Response:
    headers: dict[str, Any] = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=media_type, headers=headers)
