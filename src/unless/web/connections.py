"""Connections that keep nobody out: one that says nothing is closed, and of too many the one that waits longest.

In: uvicorn's protocol for HTTP, whichever is installed. Out: the same with a time for the head of each request, and
with a number of connections beyond which the one that has been waiting on its client for longest is closed for a new
one. Requests that have come whole are never closed for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

    HttpProtocol: Any
else:
    HttpProtocol = AutoHTTPProtocol

HEAD_SECONDS = 10.0
"""So long may a client take to send the head of a request."""
MAX_CONNECTIONS = 512


class PatientProtocol(HttpProtocol):  # type: ignore[misc]
    """A connection whose patience ends."""

    _deadline: asyncio.TimerHandle | None = None
    waiting_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a connection, perhaps in place of one that waits on its client."""
        if len(self.connections) >= MAX_CONNECTIONS:
            waiting = [each for each in self.connections if each.waits_on_client]
            if waiting:
                longest = min(waiting, key=lambda each: each.waiting_since)
                self.connections.discard(longest)
                longest.transport.abort()
        super().connection_made(transport)
        self._begin_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends; the time for a head runs from its first byte."""
        if self._deadline is None and not self.is_answering:
            self._begin_waiting()
        super().data_received(data)
        if self.is_answering:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request; for its first byte uvicorn waits no longer than for idle connections."""
        self.waiting_since = self.loop.time()
        super().on_response_complete()

    @property
    def is_answering(self) -> bool:
        """Tell whether the head of a request has come, and its answer is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def waits_on_client(self) -> bool:
        """Tell whether the client has something to send before anything can be done."""
        return not self.is_answering or bool(self.cycle.more_body)

    def _begin_waiting(self) -> None:
        self.waiting_since = self.loop.time()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.is_answering and not self.transport.is_closing():
            self.transport.abort()
