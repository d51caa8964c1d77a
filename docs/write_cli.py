"""Write the page of commands from the commands themselves: `python docs/write_cli.py` writes cli.md beside this file."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import typer.main

from unless.cli.app import app
from unless.files import write_text

HEAD = """\
# Commands

This page is written by `docs/write_cli.py` from what `unless COMMAND --help` says. Every command exits with 0 on
success and with 2 on bad input, with one message on standard error; Ctrl-C exits with 130 and leaves no half-written
file.
"""


def page() -> str:
    """Return the page as Markdown."""
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return HEAD + "".join(_command(name, commands[name]) for name in commands)


def _command(name: str, command: Any) -> str:
    usage = " ".join(["unless", name, *(_usage(parameter) for parameter in command.params if _is_argument(parameter))])
    rows = "".join(f"| {_spelled(p)} | {_told(p)} |\n" for p in command.params if p.name != "help")
    return f"\n## `{usage}`\n\n{inspect.cleandoc(command.help or '')}\n\n| | |\n|---|---|\n{rows}"


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _usage(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()).strip("[]")
    return name if parameter.required else f"[{name}]"


def _spelled(parameter: Any) -> str:
    if _is_argument(parameter):
        return f"`{_usage(parameter)}`"
    value = "" if getattr(parameter, "is_flag", False) else f" {parameter.metavar or parameter.type.name.upper()}"
    return f"`{', '.join(parameter.opts)}{value}`"


def _told(parameter: Any) -> str:
    told = (parameter.help or "").replace("|", "\\|")
    default = parameter.default
    if default in (None, False, (), []) or callable(default) or "UNSET" in repr(default):
        return told
    return f"{told} Default: {default}."


if __name__ == "__main__":
    write_text(Path(__file__).parent / "cli.md", page())
