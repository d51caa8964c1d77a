"""The guard in front of every request: who may ask, how much they may send, how long they may take.

In: an ASGI application. Out: one that answers only requests addressed to it by name (a page that re-points its own
name at this machine is refused by the Host header), only from its own pages (Origin, Sec-Fetch-Site), with bodies up
to a limit, within a time. Every answer carries headers that forbid scripts, frames and addresses from elsewhere.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from unless.errors import UnlessError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
MIB = 1 << 20

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class TooLargeError(UnlessError):
    """A body is longer than accepted."""


@dataclass(frozen=True)
class RequestLimits:
    """What one request may take."""

    body_bytes: int = 8 * MIB
    seconds: float = 60.0
    by_path: Mapping[str, int] = field(default_factory=dict)
    """Bytes accepted at some paths instead."""

    def bytes_at(self, path: str) -> int:
        """Return how many bytes a request to a path may send."""
        return self.by_path.get(path, self.body_bytes)


class Guard:
    """ASGI middleware: refuses what does not belong here."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] = LOOPBACK, limits: RequestLimits | None = None) -> None:
        self.app = app
        self.hosts = hosts
        self.limits = limits or RequestLimits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application if the request belongs here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refuse(scope, headers)
        if refused is not None:
            await _answer(send, *refused)
            return
        await self._bounded(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Say why a request is refused before it is read, or return None."""
        host = headers.get("host", "")
        if _host_name(host) not in self.hosts:
            return 403, f"this server answers to {', '.join(sorted(self.hosts))}, not to {host[:100]!r}."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "requests from other sites are refused."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope["path"] != "/":
            return 403, "requests from other sites are refused."
        limit = self.limits.bytes_at(scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            return 413, f"the request has {length[:20]} bytes; at most {limit:,} are accepted here."
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application within the limits of time and length."""
        limit, taken, started, over = self.limits.bytes_at(scope["path"]), 0, False, False

        async def counted() -> Message:
            nonlocal taken, over
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                over = True
                msg = f"the request is longer than {limit:,} bytes."
                raise TooLargeError(msg)
            return message

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                # The framework reports an unreadable body as 400; here it was its length.
                message["status"] = 413 if over else message["status"]
                message["headers"] = [*message.get("headers", []), *_encoded(HEADERS)]
            await send(message)

        try:
            async with asyncio.timeout(self.limits.seconds):
                await self.app(scope, counted, guarded)
        except TimeoutError:
            if not started:
                await _answer(send, 503, f"the answer took longer than {self.limits.seconds:g} seconds.")


def _host_name(host: str) -> str:
    """Return the name in a Host header, without the port."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdecimal() else host).lower()


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": {"kind": "refused", "message": sentence}}).encode()
    headers = {**HEADERS, "content-type": "application/json", "content-length": str(len(body))}
    await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
    await send({"type": "http.response.body", "body": body})
