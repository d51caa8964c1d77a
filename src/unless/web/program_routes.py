"""The API for programs: predict, explain, read and compare, the same in `unless serve` and in the studio.

In: rows as JSON objects, a value per column, null for missing. Out: what the library says, as JSON. Every error of the
library is a 422 with one sentence; every other input that does not fit the schema likewise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from unless.errors import ProgramSyntaxError, UnlessError
from unless.evaluate.compare import compare
from unless.evaluate.probabilities import graded_labels
from unless.explain.faces.json_data import program_data
from unless.explain.faces.plain_text import program_english
from unless.logic.program import label_text
from unless.logic.text.parser import parse
from unless.web.explained_row import explain_row
from unless.web.prediction_batches import Batcher, tested_columns
from unless.web.schemas import (
    CompareRequest,
    ErrorAnswer,
    ExplainAnswer,
    ExplainRequest,
    PredictAnswer,
    PredictRequest,
    ProgramAnswer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.program import Program
    from unless.web.prometheus import ServerMetrics


class Json(JSONResponse):
    """JSON in plain ASCII: whatever text a cell or a column's name holds can be sent."""

    def render(self, content: Any) -> bytes:
        """Write the body."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


ERROR_ANSWERS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": meaning}
    for status, meaning in {
        400: "The body cannot be read.",
        403: "The request comes from another site.",
        409: "There is no program or table yet.",
        413: "The body is too long.",
        422: "The request cannot be answered: the message says why.",
    }.items()
}


def program_api(program: Callable[[], Program], metrics: ServerMetrics) -> APIRouter:
    """Build the API of the program that a function gives."""
    router = APIRouter(prefix="/api", tags=["program"], responses=ERROR_ANSWERS, default_response_class=Json)
    batcher = Batcher(metrics)

    @router.post("/predict", response_model=PredictAnswer)
    async def predict(request: PredictRequest) -> Json:
        """Predict the label of each row; a program with a grade also gives probabilities."""
        current = program()
        found = await batcher.predict(current, request.rows)
        answer: dict[str, Any] = {"target": current.target.column, "labels": found.labels}
        if found.probabilities is not None:
            names = [label_text(label) for label in graded_labels(current)]
            answer["probabilities"] = [dict(zip(names, line, strict=True)) for line in found.probabilities]
        return Json(answer)

    @router.post("/explain", response_model=ExplainAnswer)
    def explain(request: ExplainRequest) -> Json:
        """Give the label of each row with its proof, for and against."""
        current = program()
        if request.rows:
            tested_columns(current, request.rows)
        answers = [explain_row(current, row) for row in request.rows]
        return Json({"target": current.target.column, "answers": answers})

    @router.get("/program", response_model=ProgramAnswer)
    def read_program() -> Json:
        """Read the program: as data, as text, and in plain language."""
        return Json({**program_data(program()), "english": program_english(program())})

    @router.post("/compare")
    def compare_with(request: CompareRequest) -> Json:
        """Compare the program with another one on some rows: scores before and after, rows that flip."""
        current, other = program(), parse(request.program)
        names = dict.fromkeys(name for row in request.rows for name in row)
        columns = {name: [row.get(name) for row in request.rows] for name in names}
        return Json(compare(current, other, columns).as_dict(request.limit))

    return router


def status_api(metrics: ServerMetrics) -> APIRouter:
    """Build the pages that watch over the server."""
    router = APIRouter(tags=["status"])

    @router.get("/health", response_class=Json)
    def health() -> Json:
        """Say that the server is up."""
        return Json({"status": "ok"})

    @router.get("/metrics", response_class=PlainTextResponse)
    def read_metrics() -> PlainTextResponse:
        """Give counts in the text form that Prometheus reads."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return router


def answer_errors(app: FastAPI) -> None:
    """Turn errors into answers that say what was wrong."""

    @app.exception_handler(UnlessError)
    def refuse(request: Request, error: UnlessError) -> Json:
        return Json({"error": error_detail(error)}, status_code=getattr(error, "status", 422))

    @app.exception_handler(RequestValidationError)
    def refuse_request(request: Request, error: RequestValidationError) -> Json:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])[:200]
        return Json({"error": {"kind": "request", "message": f"{field}: {first['msg']}."}}, status_code=422)

    @app.exception_handler(HTTPException)
    def refuse_http(request: Request, error: HTTPException) -> Json:
        body = {"error": {"kind": "request", "message": f"{error.detail}."}}
        return Json(body, status_code=error.status_code, headers=error.headers)


def error_detail(error: UnlessError) -> dict[str, Any]:
    """Describe an error of the library as plain data."""
    described: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, ProgramSyntaxError):
        described |= {"line": error.line, "column": error.column, "expected": list(error.expected)}
    return described
