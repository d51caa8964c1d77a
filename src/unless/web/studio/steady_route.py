"""Answers that were overtaken: a request reads the session while another one opens a table, undoes or learns.

In: the session. Out: a class of routes. Where work fails and the session is another one by then, rows of one table met
a program of another: the answer says to look again. What fails while nothing changed is a fault, and stays one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from unless.errors import UnlessError
from unless.web.refusals import ClientGoneError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from starlette.requests import Request
    from starlette.responses import Response

    from unless.web.session import Session

    Handler = Callable[[Request], Coroutine[Any, Any, Response]]

MEANT = (UnlessError, ClientGoneError, RequestValidationError, HTTPException)
"""What is raised on purpose, and answered by `answer_errors`."""


class OvertakenError(UnlessError):
    """The session changed while an answer was worked out."""

    status = 409

    def __init__(self) -> None:
        super().__init__("the table or the program changed while this was worked out; look again.")


def steady_route(session: Session) -> type[APIRoute]:
    """Return the routes of a session."""

    def mark() -> tuple[object, ...]:
        return session.opened, session.settings, session.timeline.revision, session.learning

    class SteadyRoute(APIRoute):
        def get_route_handler(self) -> Handler:
            handle = super().get_route_handler()

            async def steady(request: Request) -> Response:
                before = mark()
                try:
                    return await handle(request)
                except MEANT:
                    raise
                except Exception:
                    if mark() == before:
                        raise
                    raise OvertakenError from None

            return steady

    return SteadyRoute
