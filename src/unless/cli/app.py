"""The `unless` command: which commands there are, and what happens to errors.

An `UnlessError` becomes one message on standard error and exit code 2, without a traceback; Ctrl-C becomes exit code
130. Anything else is a defect of ours and keeps its traceback. Only the module of the command that is asked for is
loaded: most of the time of a short command is loading.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from unless.cli.overwriting import CarefulCommand
from unless.errors import UnlessError, absent_part

if TYPE_CHECKING:
    from collections.abc import Iterable

COMMANDS = (
    "demo", "look", "learn", "rules", "grade", "predict", "score", "explain", "ask", "edit", "compare", "diff",
    "recourse", "test", "audit", "watch", "export", "report", "studio", "serve", "bench", "warm-up",
)  # fmt: skip
"""The commands, in the order in which they are listed; each is the function of that name in the module of that name."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where standard output goes to a disk that is full."""
LASTING = frozenset({"studio", "serve", "bench"})
"""The commands that stay; all others are over in a moment, so they neither look for garbage nor tidy up at the end."""


class Commands(TyperGroup):
    """The commands; Ctrl-C is answered here, before typer answers it in its own, changing way."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("unless: interrupted; nothing was written.", err=True)
            raise typer.Exit(130) from None


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the command with some or all of its commands."""
    app = typer.Typer(
        name="unless",
        cls=Commands,
        help="Learn default rules with exceptions from mixed tables; read, edit and prove them.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name in names:
        stem = name.replace("-", "_")
        app.command(name, cls=CarefulCommand)(getattr(import_module(f"unless.cli.{stem}"), stem))
    app.callback(invoke_without_command=True)(_options)
    return app


def _options(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        from unless import __version__

        typer.echo(__version__)
        raise typer.Exit


def run() -> None:
    """Run the command line, and leave at once: taking apart what was loaded would take as long as a short command."""
    _open_what_is_closed()
    if _asked() in LASTING:
        main()
        return
    gc.disable()
    # NumPy would start a thread for each core when it is loaded; no linear algebra here is large enough for them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code: object = 0
    try:
        main()
    except SystemExit as leaving:
        code = leaving.code
    atexit._run_exitfuncs()  # temporary folders go, logs are written
    code = _flushed() or code
    os._exit(code if isinstance(code, int) else int(code is not None))


def _open_what_is_closed() -> None:
    """Let nothing be read from, and written to, streams that the caller has closed (`>&-`): Python has none then."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (as long as the process)


def main() -> None:
    """Run the command line; it ends by SystemExit."""
    try:
        make_app([_asked()] if _asked() in COMMANDS else COMMANDS)()
    except UnlessError as error:
        typer.echo(f"unless: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        advice = absent_part(error.name or "")
        if not advice:
            raise
        typer.echo(f"unless: this needs {error.name}, which is not installed. {advice}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has had enough; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        typer.echo(f"unless: cannot write what it says: {error.strerror}.", err=True)
        sys.exit(2)


def _flushed() -> int:
    """Write what is still kept back; return an exit code, 0 where nobody wants to read on."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return 0
    except OSError as error:
        with suppress(OSError):
            typer.echo(f"unless: cannot write what it says: {error.strerror}.", err=True)
        return 2
    return 0


def _asked() -> str:
    return sys.argv[1] if len(sys.argv) > 1 else ""
