"""The program that is worked on: the one in use, the draft of the next, what is locked, named versions, tests.

In: changes, each with the revision that the person was looking at. Out: the next step of the timeline, kept at once by
whoever inherits from this.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.errors import UnlessError
from unless.explain.words.edit_words import edit_sentences
from unless.explain.words.language import language
from unless.logic.text.parser import parse
from unless.web.explained_row import LANGUAGE
from unless.web.studio.locked_rules import locked_numbers, locked_program
from unless.web.studio.program_on_table import NothingOpenError
from unless.web.studio.timeline import TYPED, Moment, Timeline
from unless.web.studio.versions import Versions

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.web.studio.kept_apart import KeptApart


NO_PROGRAM = "there is no program yet; learn one first."
Which = OneOf["program", "draft"]
"""The program in use, or the draft of the next one."""


@lru_cache(maxsize=16)
def parsed(text: str) -> Program:
    """Read a program, once."""
    return parse(text)


class ProgramWork:
    """What a person does to a program."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.start_anew()

    def start_anew(self) -> None:
        """Forget the program, its versions and its tests."""
        self.timeline = Timeline()
        self.versions = Versions()
        self.checks: dict[str, list[Any]] = {"cases": [], "properties": []}

    def keep(self) -> None:
        """Write down what a person would miss."""
        raise NotImplementedError

    def need_program(self) -> Program:
        """Return the current program."""
        program = self.program
        if program is None:
            raise NothingOpenError(NO_PROGRAM)
        return program

    @property
    def program(self) -> Program | None:
        """Return the program in use."""
        text = self.timeline.now.program
        return None if text is None else parsed(text)

    @property
    def draft(self) -> str | None:
        """Return the text of the draft, if there is one."""
        return self.timeline.now.draft

    @property
    def current(self) -> Program | None:
        """Return the program that is worked on: the draft if it can be read, else the program in use."""
        now = self.timeline.now  # read once: others may go on to another moment meanwhile
        try:
            return None if now.text is None else parsed(now.text)
        except UnlessError:
            return None if now.program is None else parsed(now.program)

    def need_current(self) -> Program:
        """Return the program that is worked on."""
        current = self.current
        if current is None:
            raise NothingOpenError(NO_PROGRAM)
        return current

    def chosen(self, which: Which) -> Program:
        """Return the program in use, or the draft; without a draft that can be read, that is the program too."""
        return self.need_program() if which == "program" else self.need_current()

    @property
    def locked(self) -> Program | None:
        """Return the rules that are locked, as a program."""
        current = self.current
        return None if current is None else locked_program(current, self.timeline.now.locked)

    @property
    def n_locked(self) -> int:
        """Count the rules that are locked, of those that there are now."""
        current = self.current
        return 0 if current is None else len(locked_numbers(current, self.timeline.now.locked))

    def accept(self, program: Program, said: str, revision: int | None = None) -> None:
        """Make a program the one in use that was made of it by hand: from which rows it was learned stays the same."""
        self.take(program, said, self.timeline.now.apart, revision)

    def take(self, program: Program, said: str, apart: KeptApart | None, revision: int | None = None) -> None:
        """Make a program the one in use; `apart` is how rows were kept apart from it, None where that is not known."""
        with self.lock:
            now = replace(self.timeline.now, program=str(program), draft=None, apart=apart)
            self.step(now, said, revision)

    def drop_draft(self, revision: int | None = None) -> None:
        """Drop the draft, with what was switched off or locked in it: all is as it was before the draft."""
        with self.lock:
            self.timeline.check(revision)
            now = self.timeline.now
            before = next((moment for moment, _ in reversed(self.timeline.past) if moment.draft is None), now)
            self.timeline.change(replace(now, draft=None, off=before.off, locked=before.locked), "Dropped the changes.")
            self.keep()

    def keep_draft(self, text: str, revision: int | None = None) -> None:
        """Keep the text in the editor; the text of the program itself is no draft."""
        with self.lock:
            self.timeline.check(revision)
            now = self.timeline.now
            self.timeline.change(replace(now, draft=None if text == now.program else text), TYPED)
            self.keep()

    def keep_version(self, name: str, comment: str, by: str = "") -> None:
        """Keep the program that is worked on under a name, with what is different from the version before."""
        with self.lock:
            current, kept = self.need_current(), self.versions.kept
            said = edit_sentences(parsed(kept[-1].program), current, language(LANGUAGE)) if kept else []
            self.versions.add(name, comment, str(current), by, tuple(said), self.timeline.now.apart)
            self.keep()

    def use_version(self, name: str, revision: int | None = None) -> None:
        """Go back to a version."""
        version = self.versions.find(name)
        self.take(parsed(version.program), f"Went back to {name}.", version.apart, revision)

    def remove_version(self, name: str) -> None:
        """Forget a version."""
        with self.lock:
            self.versions.remove(name)
            self.keep()

    def keep_checks(self, checks: dict[str, list[Any]]) -> None:
        """Keep other tests."""
        with self.lock:
            self.checks = checks
            self.keep()

    def step(self, moment: Moment, said: str, revision: int | None = None) -> None:
        """Go on to a moment."""
        with self.lock:
            self.timeline.check(revision)
            self.timeline.change(moment, said)
            self.keep()

    def undo(self, revision: int | None = None) -> str:
        """Undo one step, and say which."""
        with self.lock:
            self.timeline.check(revision)
            said = self.timeline.undo()
            self.keep()
            return said

    def redo(self, revision: int | None = None) -> str:
        """Do one step again, and say which."""
        with self.lock:
            self.timeline.check(revision)
            said = self.timeline.redo()
            self.keep()
            return said
