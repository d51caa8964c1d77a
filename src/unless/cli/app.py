"""The `unless` command: which commands there are, and what happens to errors.

An `UnlessError` becomes one message on standard error and exit code 2, without a traceback; Ctrl-C becomes exit code
130. Anything else is a defect of ours and keeps its traceback.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from unless.cli import (
    ask,
    bench,
    compare,
    demo,
    edit,
    explain,
    learn,
    predict,
    report,
    rules,
    score,
    serve,
    studio,
    warm_up,
)
from unless.errors import UnlessError


class Commands(TyperGroup):
    """The commands; Ctrl-C is answered here, before typer answers it in its own, changing way."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("unless: interrupted; nothing was written.", err=True)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="unless",
    cls=Commands,
    help="Learn default rules with exceptions from mixed tables; read, edit and prove them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    demo.demo,
    learn.learn,
    rules.rules,
    predict.predict,
    score.score,
    explain.explain,
    ask.ask,
    edit.edit,
    compare.compare,
    report.report,
    studio.studio,
    serve.serve,
    bench.bench,
    warm_up.warm_up,
):
    app.command()(command)


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        from unless import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    try:
        app()
    except UnlessError as error:
        typer.echo(f"unless: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has had enough; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
