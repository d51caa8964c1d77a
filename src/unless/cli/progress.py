"""What commands say while they work: what the library remarks, how far learning is, and when that is cut short.

In: the log, and what a learner says of its progress. Out: lines on standard error; of progress, nothing where that is
no terminal.
"""

from __future__ import annotations

import logging
import sys
import warnings
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMED = 6
"""Of many columns that are read alike, so many are named, and the last."""


@contextmanager
def saying_what_is_kept(checkpoint: str | None, lang: str = "en") -> Iterator[None]:
    """Say, when learning is interrupted, that it can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is not None:
            from unless.explain.words.language import language

            typer.echo(f"unless: {language(lang).say('learned', 'kept', file=checkpoint)}", err=True)
        raise


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Show what the library has to say as lines on standard error, in a language."""
    handler, everything = _Speaking(lang), logging.getLogger()
    everything.addHandler(handler)
    try:
        yield
    finally:
        everything.removeHandler(handler)


EVENTS = "unless.serve"
"""What happens to a server's models: it happens again, and then it is said again."""


class _Speaking(logging.Handler):
    """Says messages as they come: each remark once, each event when it happens."""

    def __init__(self, lang: str) -> None:
        super().__init__(logging.WARNING)
        self._lang = lang
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        from unless.explain.faces.note_text import log_text

        message = log_text(record, lang=self._lang)
        if message not in self._said or record.name == EVENTS:
            self._said.add(message)
            typer.echo(f"unless: {message}", err=True)


@contextmanager
def gathering_notes(lang: str = "en") -> Iterator[list[str]]:
    """Gather what the library has to say, in a language, to be said with the result; where there is none, at once.

    What it says in other threads, of parts of the table, was said of the whole.
    """
    notes: list[str] = []
    logger, handler = logging.getLogger("unless"), _Gathering(notes, lang)
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = lambda message, *_, **__: handler.hear(message)
            yield notes
    except BaseException:
        for note in notes:
            typer.echo(f"unless: {note}", err=True)
        raise
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


class _Gathering(logging.Handler):
    """Keeps messages of the thread that gathers, each once."""

    def __init__(self, notes: list[str], lang: str) -> None:
        super().__init__(logging.WARNING)
        self.notes, self._thread, self._lang = notes, get_ident(), lang
        self._alike: dict[tuple[object, ...], tuple[list[str], str]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        from unless.explain.faces.note_text import log_text
        from unless.table.kind_remarks import MIXED, READ

        if get_ident() != self._thread:
            return
        message = log_text(record, lang=self._lang)
        args = record.args if isinstance(record.args, tuple) else ()
        if record.msg == MIXED:  # whatever the words among the numbers are
            self._note_alike(MIXED, str(args[0]), message)
        elif record.msg == READ and not any(args[3:]):  # no cell is written otherwise
            self._note_alike(READ, str(args[0]), message, *args[1:])
        else:
            self._note(message)

    def _note_alike(self, sentence: str, column: str, message: str, *rest: object) -> None:
        """Say one sentence of all columns of which the same is to be said, where the first of them was spoken of."""
        columns, said = self._alike.get((sentence, *rest), ([], ""))
        if column in columns:
            return
        columns.append(column)
        if said:
            together = self._of_several(sentence, columns, rest)
            self.notes[self.notes.index(said)] = together
        else:
            together = message
            self._note(message)
        self._alike[sentence, *rest] = columns, together

    def _of_several(self, sentence: str, columns: list[str], rest: tuple[object, ...]) -> str:
        from unless.errors import Count, listing
        from unless.explain.faces.note_text import note_text
        from unless.table.kind_remarks import MIXED, MIXED_COLUMNS, READ_COLUMNS

        if sentence == MIXED:
            return note_text(MIXED_COLUMNS, [listing(map(repr, columns))], lang=self._lang)
        ends = [*columns[:NAMED], "…", columns[-1]] if len(columns) > NAMED + 1 else columns
        return note_text(READ_COLUMNS, [Count(len(columns)), *rest, ", ".join(ends)], lang=self._lang)

    def hear(self, warning: Warning | str) -> None:
        """Keep a warning."""
        from unless.explain.faces.note_text import warning_text

        if get_ident() == self._thread:
            self._note(warning_text(warning, lang=self._lang))

    def _note(self, message: str) -> None:
        if message not in self.notes:
            self.notes.append(message)


@contextmanager
def showing_progress() -> Iterator[Callable[[Any], None] | None]:
    """Show how far learning is, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("learning") as status:
        yield lambda progress: status.update(_said(progress))


@contextmanager
def showing_folds() -> Iterator[Callable[[int, int], None] | None]:
    """Show which fold is held out, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("checking on rows it has not seen") as status:
        yield lambda fold, n: status.update(f"checking on rows it has not seen, {fold} of {n}")


def _said(progress: Any) -> str:
    """Say how far a learner is: of rows to cover (FOLD), or by what it has found (the optimised learner)."""
    if hasattr(progress, "n_left"):
        return f"learning rule {progress.n_rules + 1}, {progress.n_left:,} of {progress.n_all:,} rows left"
    where = "trying on some of the rows" if progress.action == "try" else "learning"
    size = f"{progress.n_rules} rules, {progress.n_literals} conditions"
    return f"{where}: {size}; Ctrl-C keeps the best program so far"
