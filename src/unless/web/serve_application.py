"""The application of `unless serve`: programs by name, what they are, and how the server fares.

In: model files that were read. Out: an ASGI application behind its guard. It needs no framework and no arrays, so a
server that only answers is small and starts at once.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from unless.web.asgi_routes import HttpAnswer, Routes, as_json
from unless.web.docs_page import FILES, docs_file, docs_page
from unless.web.openapi import openapi
from unless.web.program_api import ProgramApi
from unless.web.prometheus import Counting, ServerMetrics
from unless.web.security import LOOPBACK, Guard, RequestLimits
from unless.web.served_models import ModelSlot, ServedModels
from unless.web.served_program import ServedProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from unless.logic.program import Program
    from unless.web.access_token import AccessToken
    from unless.web.asgi_routes import HttpRequest

PROMETHEUS = b"text/plain; version=0.0.4; charset=utf-8"
HTML = b"text/html; charset=utf-8"


def serve_app(
    models: Sequence[ModelSlot] | Program,
    *,
    hosts: frozenset[str] = LOOPBACK,
    limits: RequestLimits | None = None,
    strict: bool = False,
    token: AccessToken | None = None,
) -> ASGIApp:
    """Build the API of some model files, or of one program, which is then named `model`."""
    slots = models if isinstance(models, list | tuple) else [_alone(models)]  # type: ignore[arg-type]
    metrics = ServerMetrics()
    served = ServedModels(slots, metrics)
    routes = Routes()
    api = ProgramApi(served, metrics, strict=strict)
    for prefix in ("/api", "/models/{name}"):
        api.add_to(routes, prefix)
    _add_pages(routes, served, strict=strict)
    add_status(routes, metrics)
    return Counting(Guard(Watched(routes, served), hosts, limits or RequestLimits(), token), metrics)


def add_status(routes: Routes, metrics: ServerMetrics) -> None:
    """Add what watches over a server."""

    async def health(ask: HttpRequest) -> HttpAnswer:
        return as_json({"status": "ok"})

    async def read_metrics(ask: HttpRequest) -> HttpAnswer:
        return HttpAnswer(metrics.text().encode(), PROMETHEUS)

    routes.add("GET", "/health", health)
    routes.add("GET", "/metrics", read_metrics)


def _add_pages(routes: Routes, served: ServedModels, *, strict: bool) -> None:
    """Add what says what is served: for people, and for programs."""

    def programs() -> list[ServedProgram]:
        return [slot.served for slot in served.slots.values()]

    async def models(ask: HttpRequest) -> HttpAnswer:
        return as_json({"models": [slot.data() for slot in served.slots.values()]})

    async def schema(ask: HttpRequest) -> HttpAnswer:
        return as_json(openapi(programs(), strict=strict))

    async def page(ask: HttpRequest) -> HttpAnswer:
        return HttpAnswer(docs_page(programs(), strict=strict).encode("utf-8", "replace"), HTML)

    async def file(ask: HttpRequest) -> HttpAnswer:
        path = ask.scope["path"]
        return HttpAnswer(docs_file(path), FILES[path].encode())

    async def front(ask: HttpRequest) -> HttpAnswer:
        return HttpAnswer(b"", HTML, 303, ((b"location", b"/docs"),))

    for path, handler in {"/": front, "/models": models, "/openapi.json": schema, "/docs": page}.items():
        routes.add("GET", path, handler)
    for path in FILES:
        routes.add("GET", path, file)


class Watched:
    """An application that looks at its model files as long as it runs; SIGHUP makes it look at once."""

    def __init__(self, app: ASGIApp, served: ServedModels) -> None:
        self.app = app
        self.served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; watch from its start to its end."""
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        watching = asyncio.create_task(self.served.watch())
        with suppress(NotImplementedError, ValueError, RuntimeError, AttributeError):
            # Not on Windows, and only in the main thread.
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self.served.look_now)
        try:
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    await send({"type": "lifespan.startup.complete"})
                else:
                    await send({"type": "lifespan.shutdown.complete"})
                    return
        finally:
            watching.cancel()


def _alone(program: Program) -> ModelSlot:
    served = ServedProgram("model", program)
    return ModelSlot(None, served, None, 0.0)
