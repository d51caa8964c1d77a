"""The guard in front of every request: who may ask, how much they may send, how long they may take, how many at once.

In: an ASGI application. Out: one that answers only requests addressed to it by name (a page that re-points its own
name at this machine is refused by the Host header), only from its own pages (Origin, Sec-Fetch-Site), with its token
if it has one (`access_token`), with bodies up to a limit, within a time. A request takes up room once it has come
whole, so slow senders keep nobody out. Every answer carries headers that forbid scripts, frames and addresses from
elsewhere.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from unless.web.refusals import RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from unless.web.access_token import AccessToken

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


@dataclass(frozen=True)
class RequestLimits:
    """What one request may take."""

    body_bytes: int = 8 * MIB
    seconds: float = 60.0
    at_once: int = 128
    """Requests that are answered side by side; more are refused, which bounds memory."""
    by_path: Mapping[str, int] = field(default_factory=dict)
    """Bytes accepted at some paths instead."""

    def bytes_at(self, path: str) -> int:
        """Return how many bytes a request to a path may send."""
        return self.by_path.get(path, self.body_bytes)


TOKEN_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>unless asks for its token</title></head>
<body><main><h1>This page asks for its token</h1>
<p>Open the whole address that <code>unless</code> printed in the terminal when it started; it ends in
<code>?token=…</code>.</p>
<p>Each start has a token of its own, so an address of an earlier start does not work any more. What you did is
kept.</p></main></body></html>
"""


class Guard:
    """ASGI middleware: refuses what does not belong here."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: frozenset[str] = LOOPBACK,
        limits: RequestLimits | None = None,
        token: AccessToken | None = None,
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.limits = limits or RequestLimits()
        self.token = token
        self.busy = 0

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
        if self.token is not None:
            welcomed = self.token.welcome(scope, headers)
            if welcomed is not None:
                await _send(send, 303, b"", {**HEADERS, **welcomed})
                return
            if not self.token.is_known(scope, headers):
                await _ask_for_token(send, self.token.asked_for, is_page="text/html" in headers.get("accept", ""))
                return
        await self._bounded(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Say why a request is refused before it is read, or return None."""
        host = headers.get("host", "")
        if _host_name(host) not in self.hosts:
            return 403, f"this server answers to {', '.join(sorted(self.hosts))}, not to {host[:100]!r}."
        origin = headers.get("origin")
        if origin is not None and not _is_of(origin, host):
            return 403, "requests from other sites are refused."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope["path"] != "/":
            return 403, "requests from other sites are refused."
        limit = self.limits.bytes_at(scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            return 413, f"the request has {length[:20]} bytes; at most {limit:,} are accepted here."
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application within the limits of time, length and number."""
        visit = _Visit(self, receive, send, self.limits.bytes_at(scope["path"]))
        try:
            if scope["method"] in ("GET", "HEAD"):
                visit.enter()
            async with asyncio.timeout(self.limits.seconds):
                await self.app(scope, visit.receive, visit.send)
        except RequestError as error:
            await _answer(send, error.status, str(error))
        except TimeoutError:
            if not visit.started:
                await _answer(send, 503, f"the answer took longer than {self.limits.seconds:g} seconds.")
        finally:
            self.busy -= visit.is_in


class _Visit:
    """One request under way: how much it has sent, and whether it has taken up room."""

    def __init__(self, guard: Guard, receive: Receive, send: Send, limit: int) -> None:
        self.guard, self.limit = guard, limit
        self._receive, self._send = receive, send
        self.taken = 0
        self.is_in = self.started = False
        self.status = 0

    async def receive(self) -> Message:
        """Hand on what the client sends, up to a length, and take up room once it has come whole."""
        message = await self._receive()
        self.taken += len(message.get("body", b""))
        if self.taken > self.limit:
            self.status = 413
            msg = f"the request is longer than {self.limit:,} bytes."
            raise RequestError(msg, 413)
        if not self.is_in and message["type"] == "http.request" and not message.get("more_body", False):
            self.enter()
        return message

    def enter(self) -> None:
        """Take up room, if there is any."""
        if self.guard.busy >= self.guard.limits.at_once:
            self.status = 503
            msg = f"{self.guard.limits.at_once} requests are being answered; ask again in a moment."
            raise RequestError(msg, 503)
        self.is_in = True
        self.guard.busy += 1

    async def send(self, message: Message) -> None:
        """Hand on what is answered, with headers that guard it."""
        if message["type"] == "http.response.start":
            self.started = True
            # A framework reports an unreadable body as 400; here it was its length, or there was no room.
            message["status"] = self.status or message["status"]
            message["headers"] = [*message.get("headers", []), *ENCODED]
        await self._send(message)


def _is_of(origin: str, host: str) -> bool:
    """Tell whether an Origin header names this host; one that is no address names none."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _host_name(host: str) -> str:
    """Return the name in a Host header, without the port."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdecimal() else host).lower()


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


ENCODED = _encoded(HEADERS)


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": {"kind": "refused", "message": sentence}}).encode()
    await _send(send, status, body, {**HEADERS, "content-type": "application/json"})


async def _ask_for_token(send: Send, sentence: str, *, is_page: bool) -> None:
    """Ask for the token: a person's browser in a page, anything else in data."""
    if is_page:
        await _send(send, 401, TOKEN_PAGE.encode(), {**HEADERS, "content-type": "text/html; charset=utf-8"})
    else:
        await _answer(send, 401, sentence)


async def _send(send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    whole = _encoded({**headers, "content-length": str(len(body))})
    await send({"type": "http.response.start", "status": status, "headers": whole})
    await send({"type": "http.response.body", "body": body})
