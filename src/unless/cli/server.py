"""Running a server from the command line: what is missing is said, the address is printed, Ctrl-C ends it."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from importlib.util import find_spec
from threading import Timer
from typing import TYPE_CHECKING

import typer

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    import uvicorn
    from starlette.types import ASGIApp

LAST_ANSWERS = 2
"""Seconds that requests under way have to come to their end after Ctrl-C."""
LAST_RESORT = 5.0
"""Seconds after which the process ends, whatever its threads still do. Files are written whole or not at all."""
INTERRUPTED = 130


def needs(extra: str, modules: Sequence[str]) -> None:
    """Refuse where an extra is not installed."""
    absent = [name for name in modules if find_spec(name) is None]
    if absent:
        msg = f"{', '.join(absent)} cannot be imported; install what is missing with: pip install 'unless[{extra}]'"
        raise DataError(msg)


def run(
    app: ASGIApp, host: str, port: int, *, open_page: bool = False, token: str | None = None, docs: str = ""
) -> None:
    """Serve until interrupted; `token` is printed with the address, `docs` is where a page says how to ask."""
    import uvicorn

    class Server(uvicorn.Server):
        """Ends for sure: a thread that computes cannot be stopped, the process can."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            last = Timer(LAST_RESORT, os._exit, [INTERRUPTED])
            last.daemon = True
            last.start()
            super().handle_exit(sig, frame)

    listening = listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    typer.echo(f"unless: listening on {address} (Ctrl-C ends it)", err=True)
    page = address if token is None else f"{address}?token={token}"
    if token is not None:
        typer.echo(f"unless: open {page}", err=True)
    if docs:
        typer.echo(f"unless: how to ask: {address}{docs}", err=True)
    if open_page:
        import webbrowser

        Timer(0.5, webbrowser.open, [page]).start()
    with suppress(KeyboardInterrupt):  # uvicorn has ended in order, and raises it again
        Server(config_of(app)).run(sockets=[listening])


def config_of(app: ASGIApp) -> uvicorn.Config:
    """Return how an application is served."""
    import uvicorn

    from unless.web.connections import PatientProtocol

    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS,
    )


def listen(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes any free one."""
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        msg = f"cannot listen on {host}, port {port}: {error.strerror or error}. Hint: choose another with --port."
        raise DataError(msg) from None
    # Connections inherit it. Without it each answer on a connection that is kept may wait 40 ms for the client's word.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
