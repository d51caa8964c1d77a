"""Running a server from the command line: what is missing is said, and the address is printed."""

from __future__ import annotations

import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from unless.errors import DataError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

MAX_WAITING = 128
"""More requests at once than this are refused, which bounds memory."""


def needs_studio() -> None:
    """Refuse where the extra is not installed."""
    absent = [name for name in ("fastapi", "uvicorn", "python_multipart") if find_spec(name) is None]
    if absent:
        msg = f"{', '.join(absent)} cannot be imported; install them with: pip install 'unless[studio]'"
        raise DataError(msg)


def run(app: ASGIApp, host: str, port: int, *, open_page: bool = False) -> None:
    """Serve until interrupted."""
    import uvicorn

    listening = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    typer.echo(f"unless: listening on {address} (Ctrl-C ends it)", err=True)
    if open_page:
        import webbrowser
        from threading import Timer

        Timer(0.5, webbrowser.open, [address]).start()
    config = uvicorn.Config(app, log_level="warning", limit_concurrency=MAX_WAITING, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes any free one."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        msg = f"cannot listen on {host}, port {port}: {error.strerror or error}. Hint: choose another with --port."
        raise DataError(msg) from None
