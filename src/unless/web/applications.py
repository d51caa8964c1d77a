"""The two applications: the API of one program (`unless serve`), and the studio around it (`unless studio`).

In: a program, or a session. Out: an ASGI application behind its guard.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from unless import __version__
from unless.web.program_routes import answer_errors, program_api, status_api
from unless.web.prometheus import Counting, ServerMetrics
from unless.web.security import LOOPBACK, Guard, RequestLimits
from unless.web.studio_routes import studio_api
from unless.web.uploads import MAX_UPLOAD

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from unless.logic.program import Program
    from unless.web.session import Session

STATIC = files("unless.web").joinpath("static")
UPLOAD_PATH = "/api/studio/upload"


def serve_app(program: Program, *, hosts: frozenset[str] = LOOPBACK, limits: RequestLimits | None = None) -> ASGIApp:
    """Build the API of one program."""
    metrics = ServerMetrics()
    title = f"unless: {program.target.column}"
    app = FastAPI(title=title, version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.include_router(program_api(lambda: program, metrics))
    app.include_router(status_api(metrics))
    answer_errors(app)
    return Counting(Guard(app, hosts, limits or RequestLimits()), metrics)


def studio_app(session: Session, *, hosts: frozenset[str] = LOOPBACK, max_upload: int = MAX_UPLOAD) -> ASGIApp:
    """Build the studio: the page, what it asks for, and the API of the program at hand."""
    metrics = ServerMetrics()
    app = FastAPI(title="unless studio", version=__version__, docs_url=None, redoc_url=None)
    app.include_router(program_api(session.need_program, metrics))
    app.include_router(studio_api(session))
    app.include_router(status_api(metrics))
    answer_errors(app)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(str(STATIC.joinpath("index.html")), headers={"cache-control": "no-cache"})

    app.mount("/static", StaticFiles(directory=str(STATIC)), name="static")
    return Counting(Guard(app, hosts, RequestLimits(by_path={UPLOAD_PATH: max_upload})), metrics)
