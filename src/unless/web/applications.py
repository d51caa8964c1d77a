"""The studio as an ASGI application (`unless studio`): its page, what it asks for, and the API of the program at hand.

In: a session. Out: an application behind its guard. That of `unless serve` is in `serve_application`.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from unless import __version__
from unless.web.asgi_routes import Routes
from unless.web.program_api import ProgramApi
from unless.web.program_routes import answer_errors
from unless.web.prometheus import Counting, ServerMetrics
from unless.web.security import LOOPBACK, Guard, RequestLimits
from unless.web.serve_application import add_status
from unless.web.served_program import ServedProgram
from unless.web.studio_routes import studio_api
from unless.web.uploads import MAX_UPLOAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from unless.logic.program import Program
    from unless.web.access_token import AccessToken
    from unless.web.session import Session

STATIC = files("unless.web").joinpath("static")
UPLOAD_PATH = "/api/studio/upload"
MODEL = "studio"
"""The name under which the program at hand answers."""


class ProgramAtHand:
    """The one program of a session, made ready when it is first asked, and again when it is another."""

    def __init__(self, program: Callable[[], Program]) -> None:
        self._program = program
        self._served: ServedProgram | None = None

    def find(self, name: str | None) -> ServedProgram:
        """Return the program at hand."""
        current, served = self._program(), self._served
        if served is None or served.program is not current:
            self._served = served = ServedProgram(MODEL, current)
        return served


def studio_app(
    session: Session,
    *,
    hosts: frozenset[str] = LOOPBACK,
    max_upload: int = MAX_UPLOAD,
    token: AccessToken | None = None,
) -> ASGIApp:
    """Build the studio: the page, what it asks for, and the API of the program at hand."""
    metrics = ServerMetrics()
    app = FastAPI(title="unless studio", version=__version__, docs_url=None, redoc_url=None)
    app.include_router(studio_api(session))
    answer_errors(app)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(str(STATIC.joinpath("index.html")), headers={"cache-control": "no-cache"})

    app.mount("/static", StaticFiles(directory=str(STATIC)), name="static")
    routes = Routes(otherwise=app)
    ProgramApi(ProgramAtHand(session.need_program), metrics).add_to(routes, "/api")
    add_status(routes, metrics)
    return Counting(Guard(routes, hosts, RequestLimits(by_path={UPLOAD_PATH: max_upload}), token), metrics)
