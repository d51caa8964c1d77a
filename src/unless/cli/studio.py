"""`unless studio`: a page on this machine to learn, read, question and edit rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unless.cli.arguments import Host, Port


def studio(
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="A file (CSV, Excel, Parquet, Arrow) or a database.", show_default=False),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL.lp", help="Open this model file, and save to it.", show_default=False),
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 8645,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where drafts and uploads are kept.", show_default="~/.local/state/unless"),
    ] = None,
    with_token: Annotated[
        bool, typer.Option("--token/--no-token", help="Ask for the token that is printed with the address.")
    ] = True,
    max_upload: Annotated[int, typer.Option(min=1, help="How long an uploaded file may be, in bytes.")] = 256 << 20,
) -> None:
    """Open a page on this machine: from a table to rules you trust."""
    from unless.cli.server import needs, run

    needs("studio", ["fastapi", "uvicorn", "python_multipart"])
    from unless.web.access_token import AccessToken
    from unless.web.applications import studio_app
    from unless.web.security import LOOPBACK
    from unless.web.start_session import start_session

    session = start_session(data, model, state)
    token = AccessToken() if with_token else None
    app = studio_app(session, hosts=LOOPBACK | {host.lower()}, max_upload=max_upload, token=token)
    run(app, host, port, open_page=open_page, token=None if token is None else token.token)
