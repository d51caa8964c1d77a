"""How the studio's routes answer: JSON in plain ASCII, and every error as one sentence.

In: an application of FastAPI, or data. Out: answers. An error of the library is a 422, or has a status of its own; what
does not fit the schema of a route likewise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from unless.errors import UnlessError
from unless.web.refusals import ClientGoneError, error_detail
from unless.web.schemas import ErrorAnswer

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

CLIENT_GONE = 499
"""The status that is counted where whoever asked has left; nobody reads it."""


SHOWN = 100
"""So much of a value that does not fit is repeated."""


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


def answer_errors(app: FastAPI) -> None:
    """Turn errors into answers that say what was wrong."""

    @app.exception_handler(UnlessError)
    def refuse(request: Request, error: UnlessError) -> Json:
        return Json({"error": error_detail(error)}, status_code=getattr(error, "status", 422))

    @app.exception_handler(ClientGoneError)
    def nobody_waits(request: Request, error: ClientGoneError) -> Response:
        return Response(status_code=CLIENT_GONE)

    @app.exception_handler(RequestValidationError)
    def refuse_request(request: Request, error: RequestValidationError) -> Json:
        return Json({"error": {"kind": "request", "message": _unfit(error.errors()[0])}}, status_code=422)

    @app.exception_handler(HTTPException)
    def refuse_http(request: Request, error: HTTPException) -> Json:
        body = {"error": {"kind": "request", "message": f"{error.detail}."}}
        return Json(body, status_code=error.status_code, headers=error.headers)


def _unfit(found: dict[str, Any]) -> str:
    """Say what does not fit the schema: which field, what it holds where that is short, and what it should be."""
    field = ".".join(str(part) for part in found["loc"][1:] or found["loc"])[:200]
    given = json.dumps(found.get("input"), default=str)
    said = found["msg"].removeprefix("Value error, ")
    if said.startswith("Input should be") and len(given) <= SHOWN:
        return f"{field} is {given}; it should be{said.removeprefix('Input should be')}."
    return f"{field}: {said}."
