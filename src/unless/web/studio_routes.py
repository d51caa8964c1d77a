"""What the studio's page asks for, as routes over a `Session`: nothing is decided here.

In: requests, checked by `schemas`. Out: plain data from the modules of the screens. Paths begin with /api/studio; no
path or parameter names a file of this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, UploadFile
from fastapi.responses import Response

from unless.errors import UnlessError
from unless.logic.text.parser import parse
from unless.web import studio_answers as answers
from unless.web.open_table import TableOrigin
from unless.web.program_routes import ERROR_ANSWERS, Json
from unless.web.schemas import DraftRequest, SettingsChange, Split, StepRequest, VersionRequest, WhatIfRequest
from unless.web.studio.affected import cutoffs, segments
from unless.web.studio.column_list import columns as column_list
from unless.web.studio.compared_versions import compared
from unless.web.studio.draft_effect import effect
from unless.web.studio.form_edits import FormEdit, apply_edit, preview_edit, typed_bounds
from unless.web.studio.program_checks import CheckRequest, add_check, record_checks, remove_check, run_checks
from unless.web.studio.program_work import Which
from unless.web.studio.proposals import propose
from unless.web.studio.row_lists import RowFilter, page
from unless.web.studio.row_panel import RecourseRequest, decided_otherwise, one_row, recourse
from unless.web.studio.rule_lines import rules as rule_answer
from unless.web.studio.saving_routes import saving_routes
from unless.web.studio.steady_route import steady_route
from unless.web.studio.value_forms import column_choices
from unless.web.studio.wanted_work import while_wanted
from unless.web.uploads import keep_upload

if TYPE_CHECKING:
    from unless.web.session import Session

MAX_PAGE = 200
LabelIndex = Annotated[int | None, Query(ge=-1, le=10_000)]
Number = Annotated[str, Query(max_length=100, pattern=r"^(else|\d{1,9}(\.\d{1,9}){0,20})$")]
AskedWhich = Annotated[Which, Query()]
RowNumber = Annotated[int, Path(ge=0, le=10**12)]
ColumnName = Annotated[str, Query(max_length=10_000)]


def _row_filter(
    split: Split = "all",
    rule: Number | None = None,
    actual: LabelIndex = None,
    predicted: LabelIndex = None,
    flips: bool = False,
    wrong: bool = False,
    search: Annotated[str, Query(max_length=200)] = "",
    column: ColumnName | None = None,
    op: Annotated[str, Query(pattern="^(is|has|blank|=<|>=)$")] = "is",
    value: Annotated[str, Query(max_length=10_000)] = "",
    sort: Annotated[str, Query(max_length=10_000)] = "",
    by: ColumnName | None = None,
    segment: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> RowFilter:
    """Read which rows are asked for."""
    return RowFilter(split, rule, actual, predicted, flips, wrong, search, column, op, value, sort, by, segment)


AskedRows = Annotated[RowFilter, Depends(_row_filter)]


def studio_api(session: Session) -> APIRouter:
    """Build the routes of one session."""
    router = APIRouter(
        prefix="/api/studio",
        tags=["studio"],
        responses=ERROR_ANSWERS,
        default_response_class=Json,
        route_class=steady_route(session),
    )
    _table_routes(router, session)
    _learning_routes(router, session)
    _reading_routes(router, session)
    _row_routes(router, session)
    _editing_routes(router, session)
    _draft_routes(router, session)
    _version_routes(router, session)
    _check_routes(router, session)
    saving_routes(router, session)
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
        name = (file.filename or "upload")[:200]
        path = keep_upload(file.file, session.store.folder, name)
        session.open(TableOrigin("upload", name, str(path)))
        return Json(answers.state(session))

    @router.post("/labelled")
    def labelled() -> Json:
        """Leave out the rows without a label."""
        session.leave_out_unlabelled()
        return Json(answers.state(session))

    @router.get("/columns")
    def columns() -> Json:
        """Describe the columns."""
        return Json(column_list(session))

    @router.put("/settings")
    def settings(change: SettingsChange) -> Json:
        """Change how the table is read, or what is to be learned."""
        session.change(change.model_dump(exclude_unset=True))
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
        """Stop learning after the step at hand."""
        session.stop()
        return Json(answers.learning(session))

    @router.post("/leaving")
    def leaving() -> Json:
        """Hear that a page is closed: learning that nobody looks at ends."""
        if session.learning is not None:
            session.learning.looked_at(is_leaving=True)
        return Json({})

    @router.post("/sizes")
    def start_sizes() -> Json:
        """Start to learn programs of all sizes."""
        return Json(session.learn_sizes().data())

    @router.get("/sizes")
    def sizes() -> Json:
        """Give the programs of all sizes."""
        return Json(answers.sizes(session))

    @router.post("/sizes/{number}")
    def choose_size(number: Annotated[int, Path(ge=0, le=10_000)]) -> Json:
        """Use one of the programs of all sizes."""
        session.choose_size(number)
        return Json(answers.state(session))


def _reading_routes(router: APIRouter, session: Session) -> None:
    @router.get("/rules")
    def rules(split: Split = "held_out") -> Json:
        """Give the rules in plain language and as text, with their figures on some rows, and the scores."""
        return Json(rule_answer(session, split))

    @router.get("/picture.svg", response_class=Response)
    def picture(split: Split = "all", *, narrow: bool = False) -> Response:
        """Draw the rules."""
        return Response(answers.drawing(session, split, narrow=narrow), media_type="image/svg+xml")

    @router.get("/segments")
    async def by_segment(
        request: Request, by: ColumnName, label: ColumnName, split: Split = "held_out", which: AskedWhich = "program"
    ) -> Json:
        """Give rates and errors by segment, and which rules make the gap."""
        return Json(await while_wanted(request, lambda step: segments(session, by, label, split, which, step)))

    @router.get("/cutoffs")
    def cuts(label: ColumnName, split: Split = "held_out", which: AskedWhich = "program") -> Json:
        """Count right and wrong at many cut-offs of the probability of a label."""
        return Json(cutoffs(session, label, split, which))


def _row_routes(router: APIRouter, session: Session) -> None:
    @router.get("/rows")
    def rows(
        wanted: AskedRows,
        offset: Annotated[int, Query(ge=0, le=10**12)] = 0,
        limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    ) -> Json:
        """List rows, a page at a time: of a split, of a rule, of a cell of the confusion matrix, or that flip."""
        return Json(page(session, wanted, offset, limit))

    @router.get("/rows/{row}")
    def row(row: RowNumber) -> Json:
        """Give one row, its label, and the reasons for and against."""
        return Json(one_row(session, row))

    @router.post("/rows/{row}/recourse")
    def ways(row: RowNumber, asked: RecourseRequest) -> Json:
        """Find the cheapest changes that give a row a label, or say that none does."""
        return Json(recourse(session, row, asked))

    @router.post("/what-if")
    def what_if(asked: WhatIfRequest) -> Json:
        """Decide a row with other values."""
        return Json(decided_otherwise(session, asked.row))


def _editing_routes(router: APIRouter, session: Session) -> None:
    @router.get("/values")
    def values(column: ColumnName, label: ColumnName = "") -> Json:
        """Say what a column holds, to choose bounds and words from, and how often a label goes with it."""
        return Json(column_choices(session, session.need_current(), column, label))

    @router.get("/proposals")
    async def proposals(request: Request, at_hand: AskedRows) -> Json:
        """Propose exceptions to a rule, or, for `else`, rules, from those of some rows that are wrong."""
        return Json(await while_wanted(request, lambda step: propose(session, at_hand, step)))

    @router.post("/edit")
    def edit(request: FormEdit) -> Json:
        """Change the draft by a form, and say what is different."""
        said = apply_edit(session, request)
        return Json({"said": said, "state": answers.state(session), "effect": _effect(session)})

    @router.post("/preview")
    def preview(request: FormEdit) -> Json:
        """Say what an edit would change, without making it; one that cannot be made says why."""
        try:
            bounds = typed_bounds(session, request)
            text, said = preview_edit(session, request)
        except UnlessError as error:
            return Json({"said": "", "effect": None, "problem": str(error), "bounds": {}})
        return Json({"said": said, "effect": effect(session, text), "problem": None, "bounds": bounds})

    @router.get("/effect")
    def draft_effect() -> Json:
        """Say what the draft would change."""
        return Json(_effect(session))


def _draft_routes(router: APIRouter, session: Session) -> None:
    @router.put("/draft")
    def draft(request: DraftRequest) -> Json:
        """Keep the text in the editor, and say what it would change."""
        session.keep_draft(request.text, request.revision)
        return Json({**effect(session, request.text), "revision": session.timeline.revision})

    @router.delete("/draft")
    def drop(revision: int | None = None) -> Json:
        """Drop the draft."""
        session.drop_draft(revision)
        return Json(answers.state(session))

    @router.post("/accept")
    def accept(request: DraftRequest) -> Json:
        """Make a text the program."""
        session.accept(parse(request.text), "Used the draft.", request.revision)
        return Json(answers.state(session))

    @router.post("/undo")
    def undo(request: StepRequest | None = None) -> Json:
        """Undo one step."""
        said = session.undo(None if request is None else request.revision)
        return Json({**answers.state(session), "said": said})

    @router.post("/redo")
    def redo(request: StepRequest | None = None) -> Json:
        """Do one step again."""
        said = session.redo(None if request is None else request.revision)
        return Json({**answers.state(session), "said": said})


def _effect(session: Session) -> dict[str, object]:
    return effect(session, session.timeline.now.text or str(session.need_program()))


def _version_routes(router: APIRouter, session: Session) -> None:
    @router.post("/versions")
    def keep(request: VersionRequest) -> Json:
        """Keep the program under a name."""
        session.keep_version(request.name, request.comment, request.by)
        return Json(answers.state(session))

    @router.delete("/versions")
    def remove(name: ColumnName) -> Json:
        """Forget a version."""
        session.remove_version(name)
        return Json(answers.state(session))

    @router.post("/versions/use")
    def use(request: VersionRequest) -> Json:
        """Go back to a version."""
        session.use_version(request.name, request.revision)
        return Json(answers.state(session))

    @router.get("/difference")
    def differ(old: ColumnName, new: ColumnName) -> Json:
        """Compare two versions on all rows that there can be."""
        return Json(compared(session, old, new))


def _check_routes(router: APIRouter, session: Session) -> None:
    @router.get("/checks")
    async def checks(request: Request) -> Json:
        """Run the tests on the program that is worked on."""
        return Json(await while_wanted(request, lambda step: run_checks(session, step)))

    @router.post("/checks")
    def add(asked: CheckRequest) -> Json:
        """Add a test."""
        add_check(session, asked)
        return Json(run_checks(session))

    @router.post("/checks/record")
    def record() -> Json:
        """Take some rows for each rule as tests."""
        record_checks(session)
        return Json(run_checks(session))

    @router.delete("/checks/{kind}/{index}")
    def remove(
        kind: Annotated[str, Path(pattern="^(cases|properties)$")], index: Annotated[int, Path(ge=0)], name: ColumnName
    ) -> Json:
        """Remove a test, which is named as well: another tab may have removed one before it."""
        remove_check(session, kind, index, name)
        return Json(run_checks(session))
