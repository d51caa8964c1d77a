"""`unless edit`: a model file in the user's editor, checked on return, compared on data, written whole.

What was typed is never lost: a text that cannot be read goes back into the editor as it is, and whenever the session
ends without writing, the text is kept beside the model file as MODEL.lp.edited.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from unless.cli.arguments import (
    LabelColumn,
    LanguageName,
    ModelFile,
    OptionalData,
    read_data,
    remark_on_grade,
    saying_why,
)
from unless.cli.read_rows import labelled_rows
from unless.errors import DataError, UnlessError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.table.frames import RawTable


FLIPS = 5
"""How many flips are shown after an edit, each with its two proofs; `unless compare` shows more."""


def edit(
    model: ModelFile, data: OptionalData = None, target: LabelColumn = None, language: LanguageName = None
) -> None:
    """Open a model file in $EDITOR, check it, show what changed, and write it."""
    from unless.explain.words.language import language as read_language

    words = read_language(language or "en")
    path = Path(model)
    before = _read(path)
    old = _parse_or_none(before, path)
    table = None if data is None else read_data(data)[0]
    if table is not None and old is not None:
        table = labelled_rows(old, table, target)
    with _draft(path, before, words) as draft:
        session = _Session(draft, old, table, target, words)
        after = session.run()
        if after is None:
            return
        if _read(path) != before:
            msg = f"{path} was changed by someone else meanwhile; it was left alone."
            raise DataError(msg)
        from unless.logic.text.files import write_text

        write_text(path, after)
    typer.echo(words.say("command", "written", file=path), err=True)
    _remark_old(path.name, after, old, words)


def _remark_old(file: str, text: str, old: Program | None, words: Language) -> None:
    """Say what an edit left as it was: comments that say a rule otherwise than it now is, and the grade."""
    from unless.logic.text.parser import parse
    from unless.logic.text.remarks import old_remarks

    program = parse(text)
    if old is not None and (lines := old_remarks(text, old, program)):
        key = "old_comment" if len(lines) == 1 else "old_comments"
        said = words.say("command", key, file=file, lines=words.listed([words.whole(line) for line in lines]))
        typer.echo(f"unless: {said}", err=True)
    remark_on_grade(program, file, lang=words.name)


class _Session:
    """Editing until the text is a program that the user keeps."""

    def __init__(
        self, draft: Path, old: Program | None, table: RawTable | None, target: str | None, words: Language
    ) -> None:
        self.draft, self.old, self.table, self.target, self.words = draft, old, table, target, words
        self.before = _read(draft)

    def run(self) -> str | None:
        """Return the text to write, None when nothing changed; raise Exit when the user gives up."""
        while True:
            _open_editor(self.draft)
            try:
                text = _read(self.draft)
                if text == self.before:
                    typer.echo(self.words.say("command", "unchanged"), err=True)
                    return None
                worth_a_look = self._show(text)
            except UnlessError as error:
                typer.echo(f"unless: {error}", err=True)
                if _ask(self.words, "ask_again", "yes", "no") == "no":
                    raise typer.Exit(2) from None
                continue
            # Scripts have nobody to ask, and have asked for it.
            if not worth_a_look or not sys.stdin.isatty():
                return text
            answer = _ask(self.words, "ask_what", "write", "edit", "quit")
            if answer == "write":
                return text
            if answer == "quit":
                raise typer.Exit(1)

    def _show(self, text: str) -> bool:
        """Check a text and show what it changes; tell whether there was something to show."""
        from unless.evaluate.coverage import seen_values
        from unless.explain.words.finding_sentences import finding_text
        from unless.logic.check.findings import check
        from unless.logic.text.files import naming
        from unless.logic.text.parser import parse

        with naming(self.draft.name):
            program = parse(text)
        findings = check(program, None if self.table is None else seen_values(program, self.table))
        words = self.words
        for finding in findings:
            said = finding_text(finding, lang=words.name)
            typer.echo(words.say("command", "warning", finding=said), err=True)
        if self.table is None or self.old is None:
            return bool(findings)
        from unless.evaluate.compare import compare

        comparison = compare(self.old, program, self.table, self.target, saying_why(words.name))
        typer.echo(comparison.as_text(FLIPS, lang=words.name), nl=False)
        return bool(findings or comparison.flips)


@contextmanager
def _draft(path: Path, text: str, words: Language) -> Iterator[Path]:
    """Give a draft to edit, and keep what was typed if anything goes wrong."""
    folder = Path(tempfile.mkdtemp(prefix="unless-"))
    draft = folder / path.name
    draft.write_text(text, encoding="utf-8", newline="")
    before = draft.read_bytes()
    try:
        yield draft
    except BaseException:
        if draft.exists() and draft.read_bytes() != before:
            kept = _keep(draft, path)
            typer.echo(words.say("command", "kept_text", file=path, kept=kept), err=True)
            if kept == draft:
                raise
        shutil.rmtree(folder)
        raise
    shutil.rmtree(folder)


def _keep(draft: Path, path: Path) -> Path:
    """Copy a draft beside the model file, or leave it where it is if that cannot be; return where it is."""
    kept = _free_name(path)
    try:
        shutil.copyfile(draft, kept)
    except OSError:
        return draft
    return kept


def _free_name(path: Path) -> Path:
    """Return a name beside the model file that is not taken."""
    name, n = path.with_name(f"{path.name}.edited"), 1
    while name.exists():
        n += 1
        name = path.with_name(f"{path.name}.edited{n}")
    return name


def _read(path: Path) -> str:
    """Read a text as it is: line ends too, but not a mark of the encoding."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}."
        raise DataError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{path.name} is not UTF-8 text (byte {error.start}); a model file is text."
        raise DataError(msg) from None


def _parse_or_none(text: str, path: Path) -> Program | None:
    """Read the program before the edit; one that cannot be read is there to be mended."""
    from unless.logic.text.files import naming
    from unless.logic.text.parser import parse

    try:
        with naming(path):
            return parse(text)
    except UnlessError as error:
        typer.echo(f"unless: {error}", err=True)
        return None


def _open_editor(draft: Path) -> None:
    command = _editor()
    # Ctrl-C belongs to the editor while it is open; a handler of ours, unlike SIG_IGN, is not inherited by it.
    previous = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run([*command, str(draft)], check=False).returncode
    except OSError as error:
        msg = f"cannot start the editor {command[0]!r}: {error.strerror or error}. Hint: set EDITOR."
        raise DataError(msg) from None
    finally:
        signal.signal(signal.SIGINT, previous)
    if not draft.exists():
        msg = f"the editor {command[0]!r} removed the text; nothing was written."
        raise DataError(msg)
    if code != 0:
        msg = f"the editor {command[0]!r} ended with code {code}; nothing was written."
        raise DataError(msg)


def _editor() -> list[str]:
    """Return the command of the user's editor."""
    for name in ("EDITOR", "VISUAL"):
        if words := shlex.split(os.environ.get(name, "")):
            return words
    if not sys.stdin.isatty():  # an editor of the terminal would wait for ever
        msg = "there is no terminal to edit in. Hint: set EDITOR to a command that edits the file it is given."
        raise DataError(msg)
    for known in ("vi", "nano", "notepad"):
        if found := shutil.which(known):
            return [found]
    msg = "no editor was found. Hint: set EDITOR to the command of yours."
    raise DataError(msg)


def _ask(words: Language, question: str, *answers: str) -> str:
    """Ask until there is an answer; a first letter is enough, Enter is the first answer, the end of input the last."""
    typed = {answer: words.say("command", f"answer_{answer}") for answer in answers}
    choice = "/".join(f"[{word[0]}]{word[1:]}" for word in typed.values())
    while True:
        typer.echo(f"{words.say('command', question)} {choice}: ", nl=False, err=True)
        try:
            said = input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            typer.echo("", err=True)
            return answers[-1]
        for answer, word in typed.items():
            if word.startswith(said):
                return answer
