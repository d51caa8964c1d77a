"""`unless serve`: the API of one program."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.arguments import Host, ModelFile, Port


def serve(
    model: ModelFile,
    host: Host = "127.0.0.1",
    port: Port = 8646,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name that requests may address; can be given several times."),
    ] = None,
    max_bytes: Annotated[int, typer.Option(min=1, help="How long a request may be.")] = 8 << 20,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="How long an answer may take.")] = 60.0,
) -> None:
    """Answer predictions with reasons over HTTP: /api/predict, /api/explain, /api/program, /api/compare."""
    from unless.cli.server import needs_studio, run

    needs_studio()
    from unless.logic.text.files import load
    from unless.web.applications import serve_app
    from unless.web.security import LOOPBACK, RequestLimits

    program = load(model)
    hosts = LOOPBACK | {host.lower(), *(name.lower() for name in allow_host or ())}
    run(serve_app(program, hosts=hosts, limits=RequestLimits(max_bytes, max_seconds)), host, port)
