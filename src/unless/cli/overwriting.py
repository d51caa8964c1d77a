"""No command writes over what it reads: a table given as DATA and as -o would be lost.

In: the parameters of a command as they were typed. Out: a refusal, before anything is read. Links, folders, globs and
databases are followed to their files. A model may replace the model that it was made from. Nor do two options of one
command write the same file. A folder that is not there, or that stands where the file should, is said before hours of
learning, not after.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from typer.core import TyperCommand

from unless.cli.progress import speaking
from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITTEN = frozenset({"output", "html", "svg", "frontier_svg", "junit", "save", "checkpoint"})
"""The options that name a file to write."""
MODEL = ".lp"
STEM = "STEM"
"""How an option calls a name that files and a folder begin with."""


class CarefulCommand(TyperCommand):
    """A command that refuses to write over its own input, and remarks in the language that it is asked for."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless it would destroy what it reads."""
        for parameter in self.params:
            output = ctx.params.get(parameter.name)
            if parameter.name in WRITTEN and output:
                _refuse_no_file(parameter.opts[-1], output)
                if parameter.metavar != STEM:
                    _refuse_folder(parameter.opts[-1], output)
            if parameter.name in WRITTEN and output and Path(output).exists():
                makes_model = str(parameter.metavar).endswith(MODEL)
                read = [value for name, value in ctx.params.items() if name not in WRITTEN]
                _refuse_overwriting(parameter.opts[-1], output, read, makes_model=makes_model)
        _refuse_one_file_twice(
            [(each.opts[-1], ctx.params.get(each.name)) for each in self.params if each.name in WRITTEN]
        )
        with speaking(ctx.params.get("language") or "en"):
            return super().invoke(ctx)


def _refuse_no_file(option: str, output: str) -> None:
    folder = Path(output).parent
    if output == "-":
        msg = f"{option} - names no file. Hint: {option} /dev/stdout prints, {option} ./- is a file of that name."
        raise DataError(msg)
    if not folder.is_dir():
        msg = f"{option} {output} cannot be written: there is no folder {folder}. Hint: make it first."
        raise DataError(msg)


def _refuse_folder(option: str, output: str) -> None:
    if Path(output).is_dir():
        msg = f"{option} {output} cannot be written: it is a folder. Hint: name a file in it."
        raise DataError(msg)


def _refuse_one_file_twice(written: list[tuple[str, Any]]) -> None:
    named: dict[str, str] = {}
    for option, output in written:
        if output and (before := named.setdefault(os.path.realpath(output), option)) != option:
            msg = f"{before} and {option} would both write {output}. Hint: name two files."
            raise DataError(msg)


def _refuse_overwriting(option: str, output: str, read: list[Any], *, makes_model: bool) -> None:
    for given in _words(read):
        for file in _files(given):
            if _same(file, output) and not (makes_model and file.endswith(MODEL)):
                named = given if given == output else f"{given} ({output})"
                msg = f"{option} {output} would write over what is read: {named}. Hint: name another file."
                raise DataError(msg)


def _words(values: list[Any]) -> Iterator[str]:
    """Go through what may name a file: words, and words in lists."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (word for word in value if isinstance(word, str))


def _files(given: str) -> list[str]:
    """Return the files of this machine that an argument stands for."""
    from unless.table.content import local_files, split_part

    if "://" not in given:
        return local_files(split_part(given)[0])
    address = urlsplit(given)
    if address.scheme == "sqlite":
        return [unquote(address.path[1:])]
    return [unquote(address.path)] if address.scheme == "file" else []


def _same(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # what is no name of a file, or of none that exists
        return False
