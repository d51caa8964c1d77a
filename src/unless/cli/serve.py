"""`unless serve`: the API of model files."""

from __future__ import annotations

from typing import Annotated

import typer

from unless.cli.arguments import Host, Port


def serve(
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL.lp...", help="Model files; each answers by its name without .lp.")
    ],
    host: Host = "127.0.0.1",
    port: Port = 8646,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name that requests may address; can be given several times."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse values of the wrong kind and absent columns instead of warning.")
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="UNLESS_TOKEN",
            metavar="TEXT",
            help="Ask for this token: Authorization: Bearer TEXT.",
            show_default=False,
        ),
    ] = None,
    max_bytes: Annotated[int, typer.Option(min=1, help="How long a request may be.")] = 8 << 20,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="How long an answer may take.")] = 60.0,
) -> None:
    """Answer predictions with reasons over HTTP; the page /docs says how. Files that change are read again."""
    from unless.cli.server import needs, run

    needs("serve", ["uvicorn"])
    from unless.web.access_token import AccessToken
    from unless.web.security import LOOPBACK, RequestLimits
    from unless.web.serve_application import serve_app
    from unless.web.served_models import read_models

    hosts = LOOPBACK | {host.lower(), *(name.lower() for name in allow_host or ())}
    limits = RequestLimits(max_bytes, max_seconds)
    asked = None if token is None else AccessToken(token)
    slots = read_models(models)
    app = serve_app(slots, hosts=hosts, limits=limits, strict=strict, token=asked)
    for slot in slots:
        typer.echo(f"unless: {slot.path}, version {slot.served.version}", err=True)
    run(app, host, port, docs="docs")
