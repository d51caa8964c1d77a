"""Routes without a framework: a request comes in whole, an answer goes out whole.

In: a table of paths, each with what answers it. Out: an ASGI application; what it does not know is handed on to
another, or is a 404. Every error of the library becomes an answer with one sentence. Nothing here knows programs.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unless.errors import UnlessError
from unless.web.refusals import ClientGoneError, RequestError, error_detail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

JSON = b"application/json"
WATCHED = "unless.path"
"""The key in a scope under which the path of the route stands: `/models/{name}/predict` for all models."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A whole answer."""

    body: bytes
    content_type: bytes = JSON
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


@dataclass(slots=True)
class HttpRequest:
    """One request: its body, the rest of its path by name, and the ASGI way to hear that the client left."""

    scope: Scope
    receive: Receive
    body: bytes = b""
    parts: Mapping[str, str] = field(default_factory=dict)


ENCODER = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":"))
Handler = Callable[[HttpRequest], Awaitable[HttpAnswer]]


def as_json(data: Any, status: int = 200) -> HttpAnswer:
    """Answer with JSON in plain ASCII: whatever text a cell or a column's name holds can be sent."""
    return HttpAnswer(ENCODER.encode(data).encode("ascii"), JSON, status)


class Routes:
    """An ASGI application over a table of routes; `{name}` in a path stands for one part of it."""

    def __init__(self, otherwise: ASGIApp | None = None) -> None:
        self.otherwise = otherwise
        self._exact: dict[str, dict[str, Handler]] = {}
        self._named: dict[tuple[str, str], dict[str, Handler]] = {}

    def add(self, method: str, path: str, handler: Handler) -> None:
        """Answer a method at a path, perhaps of the form /models/{name}/predict."""
        head, found, rest = path.partition("/{name}")
        known = self._named.setdefault((head, rest), {}) if found else self._exact.setdefault(path, {})
        known[method] = handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        path = scope["path"]
        handlers, parts, route = self._find(path)
        if handlers is None:
            if self.otherwise is not None:
                await self.otherwise(scope, receive, send)
                return
            await reply(send, _error(RequestError(f"there is no {path[:200]!r} here.", 404)))
            return
        scope[WATCHED] = route
        handler = handlers.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if handler is None:
            allowed = ((b"allow", ", ".join(handlers).encode()),)
            said = _error(RequestError(f"{route} is asked with {' or '.join(handlers)}.", 405))
            await reply(send, HttpAnswer(said.body, said.content_type, said.status, allowed))
            return
        try:
            body = b"" if scope["method"] in ("GET", "HEAD") else await whole_body(receive)
            answer = await handler(HttpRequest(scope, receive, body, parts))
        except UnlessError as error:
            answer = _error(error)
        except ClientGoneError:
            return
        await reply(send, answer, with_body=scope["method"] != "HEAD")

    def _find(self, path: str) -> tuple[dict[str, Handler] | None, dict[str, str], str]:
        if path in self._exact:
            return self._exact[path], {}, path
        for (head, rest), handlers in self._named.items():
            if path.startswith(head + "/") and path.endswith(rest):
                name = path[len(head) + 1 : len(path) - len(rest)]
                if name and "/" not in name:
                    return handlers, {"name": name}, f"{head}/{{name}}{rest}"
        return None, {}, path


async def whole_body(receive: Receive) -> bytes:
    """Read the body of a request."""
    pieces = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)


async def reply(send: Send, answer: HttpAnswer, *, with_body: bool = True) -> None:
    """Send an answer."""
    headers = [
        (b"content-type", answer.content_type),
        (b"content-length", str(len(answer.body)).encode()),
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})


def _error(error: UnlessError) -> HttpAnswer:
    return as_json({"error": error_detail(error)}, getattr(error, "status", 422))
