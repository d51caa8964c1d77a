"""Write the page of commands from the commands: `python docs/write_cli.py` writes cli.md beside this file."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer

from unless.cli.app import app
from unless.logic.text.files import write_text

HEAD = """\
# Commands

This page is written by `docs/write_cli.py` from what `unless COMMAND --help` says. Every command exits with 0 on
success and with 2 on bad input, with one message on standard error; Ctrl-C exits with 130 and leaves no half-written
file.
"""


def page() -> str:
    """Return the page as Markdown."""
    return HEAD + "".join(_command(info.callback) for info in app.registered_commands)


def _command(command: Any) -> str:
    described = [_Option(p, _hints(command)[p.name]) for p in inspect.signature(command).parameters.values()]
    usage = " ".join(
        ["unless", command.__name__.replace("_", "-"), *(option.usage for option in described if option.is_argument)]
    )
    rows = "".join(f"| `{option.spelled}` | {option.told} |\n" for option in described)
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    return f"\n## `{usage}`\n\n{inspect.cleandoc(command.__doc__)}\n{table}"


def _hints(command: Any) -> dict[str, Any]:
    return get_type_hints(command, include_extras=True)


class _Option:
    """One argument or option of a command, as its signature declares it."""

    def __init__(self, parameter: inspect.Parameter, hint: Any) -> None:
        self.type, self.info = hint.__origin__, hint.__metadata__[-1]
        self.name, self.default = parameter.name.replace("_", "-"), parameter.default
        self.is_argument = isinstance(self.info, typer.models.ArgumentInfo)

    @property
    def usage(self) -> str:
        shown = (self.info.metavar or self.name.upper()).strip("[]")
        return shown if self.default is inspect.Parameter.empty else f"[{shown}]"

    @property
    def spelled(self) -> str:
        if self.is_argument:
            return self.usage
        # In Annotated, typer keeps the first name given as if it were a default.
        first = [self.info.default] if isinstance(self.info.default, str) else []
        names = ", ".join([*first, *(self.info.param_decls or ())] or [f"--{self.name}"])
        return names if self.type is bool else f"{names} {self.info.metavar or self._kind}"

    @property
    def _kind(self) -> str:
        kinds = {float: "NUMBER", int: "N"}
        return next((kinds[kind] for kind in kinds if kind is self.type or kind in get_args(self.type)), "TEXT")

    @property
    def told(self) -> str:
        told = (self.info.help or "").replace("|", "\\|")
        if self.default is inspect.Parameter.empty:
            return told if self.is_argument else f"{told} Required."
        return told if self.default in (None, False) else f"{told} Default: {self.default}."


if __name__ == "__main__":
    write_text(Path(__file__).parent / "cli.md", page())
