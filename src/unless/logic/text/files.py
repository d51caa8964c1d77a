"""Files in and out: models as text, written whole or not at all.

A model file is the program's text, nothing else: no pickle, nothing executed on loading. What is wrong with one is
said with its name, because some commands read two.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import DataError, ProgramError, ProgramSyntaxError, half_character
from unless.logic.program import MAX_CHARACTERS, Program
from unless.logic.text.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 4 * MAX_CHARACTERS
"""As many as the longest program that is read can have, whatever its letters."""

OF_PROGRAMS = (":-", "%@")
"""What nearly every program has, and nearly no table."""
NO_PROGRAM = "Hint: this looks like no model file; commands take the model file first, then the table."


def load(path: str | os.PathLike[str]) -> Program:
    """Load a program from a model file, or from the JSON of `unless export`."""
    text = read_text(path)
    if text.lstrip().startswith("{"):
        from unless.logic.text.json_program import read_program_json

        with naming(path):
            return read_program_json(text)
    from unless.logic.text.parser import parse  # here: who only writes files needs no parser

    with naming(path):
        try:
            return parse(text)
        except ProgramSyntaxError as error:
            if any(mark in text for mark in OF_PROGRAMS):
                raise
            raise error.advised(NO_PROGRAM) from None


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say of which model file an error is."""
    try:
        yield
    except ProgramSyntaxError as error:
        raise error.said_of(os.fspath(path)) from None
    except ProgramError as error:
        msg = f"{os.fspath(path)}: {error}"
        raise ProgramError(msg) from None
    except DataError as error:
        msg = f"{os.fspath(path)}: {error}"
        raise DataError(msg) from None


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text of logic: a program, or background knowledge."""
    file = _named(path)
    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            msg = f"{file} is not a file; a model is read from a file."
            raise DataError(msg)
        if file.is_file() and file.stat().st_size > MAX_BYTES:
            msg = f"{file} has {file.stat().st_size:,} bytes; a logic program is a short text."
            raise DataError(msg)
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        msg = f"cannot read {file}: {error.strerror or error}."
        raise DataError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{file} is not UTF-8 text (byte {error.start}); a logic program is text."
        raise DataError(msg) from None


def save(model: object, path: str | os.PathLike[str]) -> None:
    """Save a program, or the program of a fitted classifier, as text."""
    program = getattr(model, "program_", model)
    if not isinstance(program, Program):
        msg = f"a {type(model).__name__} is no program and has none yet; save a program or a fitted classifier."
        raise DataError(msg)
    text = str(program)
    if len(text) > MAX_CHARACTERS:
        msg = (
            f"the program has {len(text):,} characters; a model file has at most {MAX_CHARACTERS:,}, so it could not "
            "be read again. Hint: shorten the labels and words of the table, or learn from fewer labels."
        )
        raise DataError(msg)
    write_text(path, text)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole or not at all."""
    file = _named(path)
    try:
        with whole_file(file) as stream:
            stream.write(encoded(text))
    except OSError as error:
        msg = f"cannot write {os.path.realpath(file)}: {error.strerror or error}."
        raise DataError(msg) from None


def _named(path: str | os.PathLike[str]) -> Path:
    """Return a path; what no file system takes as a name is refused."""
    if not isinstance(path, str | os.PathLike):
        msg = f"a model file is named by text or a path, not by a {type(path).__name__}."
        raise DataError(msg)
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise DataError(half_character(error)) from None
    if b"\0" in name:
        msg = f"{os.fspath(path)!r} is no name of a file: it holds a null character."
        raise DataError(msg)
    return Path(path)


def encoded(text: str) -> bytes:
    """Return a text as UTF-8; half a character, which broken input can hold, cannot be written."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(half_character(error)) from None
