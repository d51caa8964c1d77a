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
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])[:200]
        return Json({"error": {"kind": "request", "message": f"{field}: {first['msg']}."}}, status_code=422)

    @app.exception_handler(HTTPException)
    def refuse_http(request: Request, error: HTTPException) -> Json:
        body = {"error": {"kind": "request", "message": f"{error.detail}."}}
        return Json(body, status_code=error.status_code, headers=error.headers)
