"""Work for one request that ends when nobody waits for its answer any more.

In: a request, and work that calls a function between its steps. Out: what the work gives. The work is done in a thread;
once the browser has closed the connection, because the page went on or was closed, the next step ends it.
"""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from starlette.concurrency import run_in_threadpool

from unless.web.refusals import ClientGoneError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

T = TypeVar("T")


async def while_wanted(request: Request, work: Callable[[Callable[[], None]], T]) -> T:
    """Do work until it is done, or until nobody waits for it."""
    gone = Event()

    def step() -> None:
        if gone.is_set():
            raise ClientGoneError

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    listening = asyncio.ensure_future(listen())
    try:
        return await run_in_threadpool(work, step)
    finally:
        listening.cancel()
