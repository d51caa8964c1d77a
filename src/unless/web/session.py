"""What is open in the studio: a table, how it is read, a program, and the draft of the next one.

In: what a person does. Out: answers made by the library, each worked out once per program and kept. All state that a
person would miss is written to the `SessionStore` after every change; the rest can be worked out again. One lock
guards the state; reading answers needs none, because programs, tables and views do not change.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import PurePath
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from unless.errors import UnlessError
from unless.evaluate.compare import compare_views
from unless.evaluate.coverage import covered_rows, view_coverage, view_seen
from unless.evaluate.view import View
from unless.logic.check.findings import check
from unless.logic.text.parser import parse
from unless.table.kinds import override
from unless.web.learning_settings import PLAIN, HeldOut, StudioSettings, draw_rows, learn_program
from unless.web.learning_thread import Learning
from unless.web.open_table import OpenTable, TableOrigin, open_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from unless.evaluate.comparison import Comparison
    from unless.evaluate.figures import Coverage
    from unless.logic.check.findings import Finding
    from unless.logic.program import Program
    from unless.web.session_store import SessionStore
    from unless.web.warm_up_thread import WarmUp

    Rows = NDArray[np.bool_]

T = TypeVar("T")

HISTORY = 20
"""How many earlier programs can be gone back to."""
KEPT = 4
"""How many programs' views are kept: the current one, the draft, and some that were looked at before."""


class NothingOpenError(UnlessError):
    """Something was asked for that needs a table or a program first."""

    status = 409


class ProgramOnTable:
    """A program looked at on the open table: its view and what follows from it, worked out when asked for."""

    def __init__(self, program: Program, opened: OpenTable) -> None:
        self.program = program
        self.view = View(program, opened.table, read=opened.read)
        self._kept: dict[str, Any] = {}

    def kept(self, name: str, work_out: Callable[[], T]) -> T:
        """Return something about the program that is worked out once."""
        if name not in self._kept:
            self._kept[name] = work_out()
        found: T = self._kept[name]
        return found

    def coverage(self, split: str, rows: Rows) -> Coverage:
        """Return the figures of the rules on some rows."""
        return self.kept(split, lambda: view_coverage(self.view, rows))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Return what an editor should know."""
        return check(self.program, view_seen(self.view))


class Session:
    """One person's work on one table."""

    def __init__(
        self,
        store: SessionStore,
        origin: TableOrigin | None = None,
        program: Program | None = None,
        save_to: str | None = None,
        warm_up: WarmUp | None = None,
    ) -> None:
        self.lock = RLock()
        self.store = store
        self.save_to = save_to
        self.warm_up = warm_up
        self.model: str | None = None
        self.opened: OpenTable | None = None
        self.settings = StudioSettings({})
        self.program: Program | None = None
        self.draft: str | None = None
        self.history: list[str] = []
        self.learning: Learning | None = None
        self.learned_on: HeldOut | None = None
        self._on_table: OrderedDict[Program, ProgramOnTable] = OrderedDict()
        self._splits: dict[HeldOut | None, dict[str, Rows]] = {}
        self._comparison: tuple[tuple[Program, Program], Comparison] | None = None
        self._restore(origin)
        if program is not None and str(program) != self.model:
            # The file has changed since, or is new here: it goes first, and what was there can be gone back to.
            self.model = str(program)
            self.accept(program)

    # Opening and settings

    def open(self, origin: TableOrigin) -> None:
        """Open another table; what belonged to the one before is gone, except the program text in the history."""
        opened = open_table(origin)
        with self.lock:
            self.stop()
            self._remember_program()
            self._begin(opened)
            self.program, self.draft = None, None
            self.keep()

    def _begin(self, opened: OpenTable) -> None:
        self.opened = opened
        guesses = opened.guesses
        unusable = tuple(name for name, guess in guesses.items() if not guess.usable)
        kinds = {name: guess.kind for name, guess in guesses.items()}
        positive = "approved" if opened.origin.kind == "example" else None
        target = opened.table.names[-1]
        left_out = (*unusable, *(name for name in opened.identifiers if name != target))
        self.settings = StudioSettings(kinds, left_out, target=target, positive=positive)
        self.learned_on = None
        self._forget()

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some settings."""
        opened, old = self.need_table(), self.settings
        kinds = changes.get("kinds", {})
        words = [name for name, kind in kinds.items() if kind == "categorical"]
        numbers = [name for name, kind in kinds.items() if kind == "numerical"]
        changed = replace(old, kinds=override(old.kinds, words, numbers))
        named = [*changes.get("left_out", ()), *([changes["target"]] if "target" in changes else [])]
        for name in named:
            opened.table.column(name)
        plain = {name: changes[name] for name in PLAIN if name in changes}
        lists = {name: tuple(dict.fromkeys(changes[name])) for name in ("left_out", "missing") if name in changes}
        changed = replace(changed, **plain, **lists)  # type: ignore[arg-type]
        if changed.target != old.target and "positive" not in changes:
            changed = replace(changed, positive=None)
        with self.lock:
            self.settings = changed
            self.keep()

    # Learning

    def learn(self) -> Learning:
        """Start to learn; one run at a time."""
        opened, settings = self.need_table(), self.settings
        with self.lock:
            if self.learning is None or self.learning.stage != "running":
                self.learning = Learning(
                    lambda watch: learn_program(opened, settings, self._rows_to_learn_from(settings), watch),
                    lambda program: self._learned(opened, settings, program),
                    None if self.warm_up is None else self.warm_up.compiled(settings.learner),
                )
            return self.learning

    def _rows_to_learn_from(self, settings: StudioSettings) -> Rows:
        target = settings.target
        return self._split(None if target is None else HeldOut(target, settings.held_out))["training"]

    def _learned(self, opened: OpenTable, settings: StudioSettings, program: Program) -> None:
        with self.lock:
            if self.opened is not opened:
                return
            assert settings.target is not None
            self.learned_on = HeldOut(settings.target, settings.held_out)
            self._on_table.clear()
            self.accept(program)
        # The figures are asked for next: work them out before learning is said to be done.
        on_table = self.on_table(program)
        on_table.coverage("all", self.rows("all"))
        _ = on_table.findings

    def stop(self) -> None:
        """Stop learning, if it runs."""
        if self.learning is not None:
            self.learning.stop()

    # The program and its draft

    def accept(self, program: Program) -> None:
        """Make a program the current one; the one before can be gone back to."""
        with self.lock:
            self._remember_program()
            self.program, self.draft = program, None
            self.keep()

    def undo(self) -> None:
        """Go back to the program before."""
        with self.lock:
            if not self.history:
                msg = "there is no earlier program to go back to."
                raise NothingOpenError(msg)
            self.program, self.draft = parse(self.history.pop()), None
            self.keep()

    def keep_draft(self, text: str) -> None:
        """Keep the text in the editor; the text of the program itself is no draft."""
        with self.lock:
            self.draft = None if self.program is not None and text == str(self.program) else text
            self.keep()

    def _remember_program(self) -> None:
        if self.program is not None:
            text = str(self.program)
            if not self.history or self.history[-1] != text:
                self.history = [*self.history, text][-HISTORY:]

    # Answers

    def need_table(self) -> OpenTable:
        """Return the open table."""
        if self.opened is None:
            msg = "no table is open; open a file or the example first."
            raise NothingOpenError(msg)
        return self.opened

    def need_program(self) -> Program:
        """Return the current program."""
        if self.program is None:
            msg = "there is no program yet; learn one first."
            raise NothingOpenError(msg)
        return self.program

    def need_save_path(self) -> str:
        """Return the model file that the user named."""
        if self.save_to is None:
            msg = "no model file was named; download the program instead, or start with --model."
            raise NothingOpenError(msg)
        return self.save_to

    @property
    def save_name(self) -> str | None:
        """Name the model file, without its folder."""
        return None if self.save_to is None else PurePath(self.save_to).name

    def on_table(self, program: Program) -> ProgramOnTable:
        """Return what was worked out about a program on the open table."""
        with self.lock:
            if program not in self._on_table:
                self._on_table[program] = ProgramOnTable(program, self.need_table())
            self._on_table.move_to_end(program)
            while len(self._on_table) > KEPT:
                self._on_table.popitem(last=False)
            return self._on_table[program]

    def rows(self, split: str) -> Rows:
        """Return which rows belong to a split: those learned from, those held out, or all."""
        return self._split(self.learned_on)[split]

    def _split(self, held: HeldOut | None) -> dict[str, Rows]:
        """Hold out rows at random, of each label alike, the same ones every time; none where nothing was learned."""
        with self.lock:
            if held not in self._splits:
                held_out = np.zeros(self.need_table().table.n_rows, dtype=bool)
                n_held = 0 if held is None else round(len(held_out) * held.share)
                if held is not None and 0 < n_held < len(held_out):
                    held_out[draw_rows(self.need_table(), held.target, n_held)] = True
                self._splits[held] = {"all": np.ones_like(held_out), "training": ~held_out, "held_out": held_out}
            return self._splits[held]

    def comparison(self, draft: Program) -> Comparison:
        """Compare the current program with a draft on all rows."""
        pair = (self.need_program(), draft)
        kept = self._comparison
        if kept is None or kept[0] != pair:
            kept = self._comparison = (pair, compare_views(self.on_table(pair[0]).view, self.on_table(draft).view))
        return kept[1]

    def covered(self, program: Program, number: str) -> Rows:
        """Return the rows that a rule or exception covers."""
        return covered_rows(self.on_table(program).view, number)

    # Keeping

    def keep(self) -> None:
        """Write down what a person would miss."""
        with self.lock:
            self.store.write(
                {
                    "origin": None if self.opened is None else asdict(self.opened.origin),
                    "settings": asdict(self.settings),
                    "learned_on": None if self.learned_on is None else asdict(self.learned_on),
                    "model": self.model,
                    "program": None if self.program is None else str(self.program),
                    "draft": self.draft,
                    "history": self.history,
                }
            )

    def _restore(self, origin: TableOrigin | None) -> None:
        """Take up where the last session with this table stopped."""
        state = self.store.read()
        if origin is None and state is not None and state["origin"]:
            origin = TableOrigin(**state["origin"])
        if origin is not None:
            self._reopen(origin, state)
        if state is not None:
            self.program = None if state["program"] is None else parse(state["program"])
            self.draft, self.history, self.model = state["draft"], state["history"], state["model"]

    def _reopen(self, origin: TableOrigin, state: dict[str, Any] | None) -> None:
        try:
            self._begin(open_table(origin))
        except UnlessError:
            # A file that the user named must be there; one of a session before may be gone, its edits are not.
            if state is None or origin.kind == "file":
                raise
            return
        if state is None:
            return
        kept = dict(state["settings"])
        known = self.need_table().table.names
        if set(kept["kinds"]) == set(known):
            tuples = {name: tuple(kept[name]) for name in ("left_out", "missing")}
            self.settings = StudioSettings(**{**kept, **tuples})
            self.learned_on = None if state["learned_on"] is None else HeldOut(**state["learned_on"])

    def _forget(self) -> None:
        self._on_table.clear()
        self._splits = {}
        self._comparison = None
