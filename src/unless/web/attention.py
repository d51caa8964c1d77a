"""Long work in pieces: others are served in between, and work that nobody waits for ends.

In: the ASGI way to hear from the client. Out: `pause`, to be awaited between pieces: it lets others work, is where a
time limit ends the work, and raises `ClientGoneError` once the client has left.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from unless.web.refusals import ClientGoneError

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from types import TracebackType

    from starlette.types import Message, Receive

PIECE = 0.004
"""Seconds of work after which others have their turn."""


class Attention:
    """Attention to the client and to others, while something takes long."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._leaving: asyncio.Task[Message] | None = None
        self._until = time.perf_counter() + PIECE

    def __enter__(self) -> Attention:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._leaving is not None:
            self._leaving.cancel()

    @property
    def is_due(self) -> bool:
        """Tell whether a piece has taken long enough."""
        return time.perf_counter() >= self._until

    async def pause(self) -> None:
        """Let others work; end if the client has left."""
        self._listen()
        await asyncio.sleep(0)
        if self._leaving is not None and self._leaving.done():
            raise ClientGoneError
        self._until = time.perf_counter() + PIECE

    async def wait(self, work: Awaitable[bytes]) -> bytes:
        """Wait for work that is done elsewhere; it is cancelled if the client leaves."""
        doing = asyncio.ensure_future(work)
        leaving = self._listen()
        try:
            await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise ClientGoneError
            return doing.result()
        finally:
            if not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)

    def _listen(self) -> asyncio.Task[Message]:
        if self._leaving is None:
            self._leaving = asyncio.ensure_future(self._receive())
        return self._leaving
