"""What is open in the studio: a table, how it is read, a program, and the draft of the next one.

In: what a person does. Out: answers made by the library, each worked out once per program and kept. All state that a
person would miss is written to the `SessionStore` after every change; the rest can be worked out again. One lock
guards the state; reading answers needs none, because programs, tables and views do not change. What was done to one
table is put on a shelf while another one is open, so undo never crosses tables and nothing is lost.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import UnlessError
from unless.evaluate.compare import compare_views
from unless.evaluate.coverage import covered_rows
from unless.logic.column_names import sought_names
from unless.logic.kept_constraints import UNCONSTRAINED
from unless.logic.text.parser import parse
from unless.table.kind_choice import override
from unless.web.learning_settings import (
    LISTS,
    PLAIN,
    UNSET,
    LearningOrder,
    StudioSettings,
    learn_program,
    learn_sizes,
)
from unless.web.learning_thread import Learning
from unless.web.open_table import OpenTable, TableOrigin, open_table
from unless.web.studio.kept_apart import held_out_rows
from unless.web.studio.model_file import ModelFile
from unless.web.studio.program_on_table import NothingOpenError, ProgramOnTable
from unless.web.studio.program_work import ProgramWork
from unless.web.studio.timeline import Timeline
from unless.web.studio.versions import Versions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.evaluate.comparison import Comparison
    from unless.learn.size_path import Frontier
    from unless.logic.program import Program
    from unless.web.session_store import SessionStore
    from unless.web.studio.kept_apart import KeptApart
    from unless.web.warm_up_thread import WarmUp

    Rows = NDArray[np.bool_]

KEPT = 4
"""How many programs' views are kept: the current one, the draft, and some that were looked at before."""


class Session(ProgramWork):
    """One person's work on one table."""

    def __init__(
        self,
        store: SessionStore,
        origin: TableOrigin | None = None,
        program: Program | None = None,
        save_to: str | None = None,
        warm_up: WarmUp | None = None,
    ) -> None:
        super().__init__()
        self.store = store
        self.model_file = None if save_to is None else ModelFile(save_to)
        self.warm_up = warm_up
        self.model: str | None = None
        self.opened: OpenTable | None = None
        self.settings = StudioSettings({})
        self.shelf: dict[str, dict[str, Any]] = {}
        self.learning: Learning[Any] | None = None
        self.sizes: Frontier | None = None
        self._sizes_apart: KeptApart | None = None
        self._on_table: OrderedDict[Program, ProgramOnTable] = OrderedDict()
        self._splits: dict[KeptApart | None, dict[str, Rows]] = {}
        self._comparison: tuple[tuple[Program, Program], Comparison] | None = None
        self._restore(origin, program)
        if program is not None and str(program) != self.model:
            # The file has changed since, or is new here: it goes first, and what was there can be gone back to.
            self._keep_to_constraints(program)
            self.model = str(program)
            self._use_model(program)

    # Opening and settings

    def open(self, origin: TableOrigin, names: Sequence[str] = ()) -> None:
        """Open another table; what was done to the one before is put on the shelf, and found there again.

        `names` are what its columns are called here, if the file calls them otherwise.
        """
        opened = open_table(origin)
        with self.lock:
            self.stop()
            waiting = self.program if self.opened is None and self.model is not None else None
            self._shelve()
            shelved = self.shelf.pop(_shelf_name(origin), None)
            known = sought_names(waiting) if waiting is not None else names or _names_of(shelved)
            self._begin(opened.called_as(known))
            self._take_up(shelved)
            if waiting is not None and self.program != waiting:  # a model file that waited for its table
                self.settings = self.settings.constrained_by(waiting, opened)
                self._use_model(waiting)
            self.keep()

    def leave_out_unlabelled(self) -> None:
        """Leave out the rows without a label, and go on with the same settings: the rest is a table of its own."""
        with self.lock:
            opened, settings = self.need_table(), self.settings
            if settings.target is None:
                msg = "choose the column to predict first."
                raise NothingOpenError(msg)
            labelled = replace(opened.origin, labelled_in=settings.target, unlabelled=settings.missing)
            self.open(labelled, opened.table.names)
            self.settings = settings
            self.keep()

    def _begin(self, opened: OpenTable) -> None:
        guesses = opened.guesses
        unusable = tuple(name for name, guess in guesses.items() if not guess.usable)
        kinds = {name: guess.kind for name, guess in guesses.items()}
        positive = "approved" if opened.origin.kind == "example" else None
        target = opened.table.names[-1]
        left_out = (*unusable, *(name for name in opened.identifiers if name != target))
        settings = StudioSettings(kinds, left_out, target=target, positive=positive)
        # Both at once: whoever reads meanwhile must not see one table with the settings of another.
        self.opened, self.settings = opened, settings
        self.start_anew()
        self.sizes = None
        self._forget()

    def _keep_to_constraints(self, program: Program) -> None:
        """Take the constraints of a model file into the settings, unless it had the same when it was last opened."""
        known = UNCONSTRAINED
        if self.model is not None:
            with suppress(UnlessError):  # what an older release kept may be no program to this one
                known = parse(self.model).constraints
        if self.opened is not None and program.constraints != known:
            self.settings = self.settings.constrained_by(program, self.opened)

    def _use_model(self, program: Program) -> None:
        """Make the program of the model file the one in use; nobody knows from which rows another one was learned."""
        now = self.timeline.now
        apart = now.apart if str(program) == now.program else None
        self.take(program, f"Opened {self.save_name or 'the model file'}.", apart)

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some settings; null is no change, but for what can be unset."""
        with self.lock:
            self.settings = self._changed(changes)
            self.keep()

    def _changed(self, changes: Mapping[str, Any]) -> StudioSettings:
        opened, old = self.need_table(), self.settings
        changes = {name: value for name, value in changes.items() if value is not None or name in UNSET}
        kinds = changes.get("kinds", {})
        words = [name for name, kind in kinds.items() if kind == "categorical"]
        numbers = [name for name, kind in kinds.items() if kind == "numerical"]
        changed = replace(old, kinds=override(old.kinds, words, numbers))
        pairs = [name for pair in changes.get("never_together", ()) for name in pair]
        single = [changes[name] for name in ("target", "apart_column") if changes.get(name) is not None]
        barred = (*changes.get("left_out", ()), *changes.get("forbidden", ()))
        for name in (*barred, *changes.get("directions", ()), *pairs, *single):
            opened.check_name(name)
        plain = {name: changes[name] for name in PLAIN if name in changes}
        lists = {name: tuple(dict.fromkeys(map(_frozen, changes[name]))) for name in LISTS if name in changes}
        plain |= {"max_rules": plain["max_rules"] or None} if "max_rules" in plain else {}
        given: dict[str, Any] = {**plain, **lists}
        changed = replace(changed, **given)
        if changed.target != old.target and "positive" not in changes:
            changed = replace(changed, positive=None, costs={})
        return changed

    # Learning

    def learn(self) -> Learning[Any]:
        """Start to learn; one run at a time."""
        order = self._order()
        return self._run(
            "rules",
            lambda watch: learn_program(order, watch),
            lambda program: self._learned(order.opened, order.apart, program),
        )

    def learn_sizes(self) -> Learning[Any]:
        """Start to learn programs of all sizes."""
        order = self._order()

        def done(found: Frontier) -> None:
            if self.opened is order.opened:
                self.sizes, self._sizes_apart = found, order.apart

        return self._run("sizes", lambda watch: learn_sizes(order, watch), done)

    def choose_size(self, number: int) -> None:
        """Use one of the programs of all sizes."""
        points = () if self.sizes is None else self.sizes.points
        program = points[number].program if number < len(points) else None
        if program is None:
            msg = "there is no program of that size; learn programs of all sizes first."
            raise NothingOpenError(msg)
        self.take(program, f"Used the program of size {number + 1}.", self._sizes_apart)

    def _order(self) -> LearningOrder:
        with self.lock:  # the rows are those of this table, whatever is opened meanwhile
            opened, settings = self.need_table(), self.settings
            apart = settings.kept_apart(opened)
            return LearningOrder(opened, settings, self._split(apart)["training"], apart, self.locked)

    def _run(self, what: str, work: Callable[..., Any], done: Callable[[Any], None]) -> Learning[Any]:
        with self.lock:
            if self.learning is None or self.learning.look() != "running":
                compiled = None if self.warm_up is None else self.warm_up.compiled(self.settings.learner)
                self.learning = Learning(work, done, compiled, what)
            return self.learning

    def _learned(self, opened: OpenTable, apart: KeptApart | None, program: Program) -> None:
        with self.lock:
            if self.opened is not opened:
                return
            self._on_table.clear()
            is_cut_short = self.learning is not None and self.learning.is_cut_short
            said = "Learned the rules, until stopped." if is_cut_short else "Learned the rules."
            self.take(program, said, apart)
        # The figures are asked for next: work them out before learning is said to be done.
        on_table = self.on_table(program)
        on_table.coverage("held_out", self.rows("held_out"))
        _ = on_table.findings

    def stop(self) -> None:
        """Stop learning, if it runs."""
        if self.learning is not None:
            self.learning.stop()

    # Answers

    def need_table(self) -> OpenTable:
        """Return the open table."""
        if self.opened is None:
            msg = "no table is open; open a file or the example first."
            raise NothingOpenError(msg)
        return self.opened

    def save(self) -> str:
        """Write the program in use to the model file that the user named, and return its path."""
        with self.lock:
            if self.model_file is None:
                msg = "no model file was named; download the program instead, or start with --model."
                raise NothingOpenError(msg)
            text = str(self.need_program())
            self.model_file.write(text)
            self.model = text  # the file of this session: at the next start it is no other one, and no draft makes way
            self.keep()
            return str(self.model_file.path)

    @property
    def save_name(self) -> str | None:
        """Name the model file, without its folder."""
        return None if self.model_file is None else self.model_file.path.name

    def on_table(self, program: Program) -> ProgramOnTable:
        """Return what was worked out about a program on the open table."""
        with self.lock:
            if program not in self._on_table:
                self._on_table[program] = ProgramOnTable(program, self.need_table())
            self._on_table.move_to_end(program)
            while len(self._on_table) > KEPT:
                self._on_table.popitem(last=False)
            return self._on_table[program]

    @property
    def apart(self) -> KeptApart | None:
        """Return how rows were kept apart when the program was learned; None where that was on another table."""
        return None if self.is_other_table else self.timeline.now.apart

    @property
    def is_other_table(self) -> bool:
        """Tell whether the program was learned in the studio from a table that is not the open one, as it is now."""
        apart = self.timeline.now.apart
        return apart is not None and (self.opened is None or self.opened.digest != apart.table)

    def rows(self, split: str) -> Rows:
        """Return which rows belong to a split: those learned from, those held out, or all."""
        return self._split(self.apart)[split]

    def _split(self, apart: KeptApart | None) -> dict[str, Rows]:
        with self.lock:
            if apart not in self._splits:
                held_out = held_out_rows(self.need_table(), apart)
                self._splits[apart] = {"all": np.ones_like(held_out), "training": ~held_out, "held_out": held_out}
            return self._splits[apart]

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
            self.store.write({**self.work(), "model": self.model, "shelf": self.shelf})

    def work(self) -> dict[str, Any]:
        """Return what was done to the open table as plain data: what a project file holds."""
        return {
            "origin": None if self.opened is None else asdict(self.opened.origin),
            "settings": asdict(self.settings),
            "timeline": self.timeline.data(),
            "versions": self.versions.data(),
            "checks": self.checks,
        }

    def take_up(self, work: dict[str, Any]) -> None:
        """Go on with what a project file holds, on the table that is open."""
        with self.lock:
            self._take_up(work)
            self.timeline.revision += 1
            self.keep()

    def _shelve(self) -> None:
        if self.opened is not None and (self.timeline.past or self.versions.kept):
            self.shelf[_shelf_name(self.opened.origin)] = self.work()

    def _restore(self, origin: TableOrigin | None, program: Program | None) -> None:
        """Take up where the last session with this table stopped; `program` is that of the model file, if there is."""
        state = self.store.read()
        if state is not None:
            self.model, self.shelf = state["model"], state["shelf"]
            if origin is None and state["origin"]:
                origin = _origin_of(state["origin"])
        if origin is not None:
            names = sought_names(program) if program is not None else _names_of(state)
            self._reopen(origin, names, known=state is not None)
        if state is not None:
            self._take_up(state)

    def _reopen(self, origin: TableOrigin, names: Sequence[str], *, known: bool) -> None:
        try:
            self._begin(open_table(origin).called_as(names))
        except UnlessError:
            # A file that the user named must be there; one of a session before may be gone, its edits are not.
            if not known or origin.kind == "file":
                raise

    def _take_up(self, work: dict[str, Any] | None) -> None:
        if work is None:
            return
        self.timeline, self.versions = Timeline.of(work["timeline"]), Versions.of(work["versions"])
        self.checks = work["checks"]
        kept = dict(work["settings"])
        if self.opened is not None and set(kept["kinds"]) == set(self.opened.table.names):
            lists = {name: tuple(map(_frozen, kept.get(name, ()))) for name in LISTS}
            self.settings = StudioSettings(**{**kept, **lists})
        self._forget()

    def _forget(self) -> None:
        self._on_table.clear()
        self._splits = {}
        self._comparison = None


def _names_of(work: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return what the columns of a table were called when it was worked on."""
    return () if work is None else tuple(work["settings"]["kinds"])


def _shelf_name(origin: TableOrigin) -> str:
    labelled = f" {origin.labelled_in} {' '.join(origin.unlabelled)}" if origin.labelled_in else ""
    return f"{origin.kind} {origin.path or origin.name}{labelled}"


def _origin_of(data: Mapping[str, Any]) -> TableOrigin:
    return TableOrigin(**{name: _frozen(value) for name, value in data.items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
