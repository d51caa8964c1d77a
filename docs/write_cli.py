"""Write the page of commands from the commands: `python docs/write_cli.py` writes cli.md beside this file."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args

import typer

from unless.cli.app import make_app
from unless.logic.text.files import write_text

HEAD = """\
# Commands

This page is written by `docs/write_cli.py` from what `unless COMMAND --help` says. Every command exits with 0 on
success and with 2 on bad input, with one message on standard error; `diff`, `recourse`, `test` and `watch` also
[answer by their exit code](policy.md#the-command-line). Ctrl-C exits with 130 and leaves no half-written file.
"""


def page() -> str:
    """Return the page as Markdown."""
    return HEAD + "".join(_command(info.callback) for info in make_app().registered_commands)


def _command(command: Any) -> str:
    described = [_Option(each) for each in inspect.signature(command, eval_str=True).parameters.values()]
    name = command.__name__.replace("_", "-")
    usage = " ".join(["unless", name, *(option.usage for option in described if option.is_argument)])
    rows = "".join(f"| `{_cell(option.spelled)}` | {_cell(option.said)} |\n" for option in described)
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    return f"\n## `{usage}`\n\n{inspect.cleandoc(command.__doc__)}\n{table}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


class _Option:
    """One argument or option of a command, as its signature declares it."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        hint = parameter.annotation
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
        is_flag = self.type is bool or bool in get_args(self.type)
        return names if is_flag else f"{names} {self.info.metavar or self._kind}"

    @property
    def _kind(self) -> str:
        kinds = {float: "NUMBER", int: "N"}
        return next((kinds[kind] for kind in kinds if kind is self.type or kind in get_args(self.type)), "TEXT")

    @property
    def said(self) -> str:
        said = self.info.help or ""
        if getattr(self.info, "rich_help_panel", None):
            said += f" {self.info.rich_help_panel}."
        if self.default is inspect.Parameter.empty:
            return said if self.is_argument else f"{said} Required."
        return said if self.default in (None, False) else f"{said} Default: {self.default}."


if __name__ == "__main__":
    write_text(Path(__file__).parent / "cli.md", page())
