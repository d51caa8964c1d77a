"""Learning in a thread of its own, watched step by step, and stopped on request.

In: a function that learns, given a watcher, and perhaps an event to wait for until the learner is compiled. Out: its
program, or the reason why there is none. When stopping was asked for, the watcher raises in the learner's thread what
Ctrl-C raises: the learner of whole programs gives the best so far, FOLD-R++ gives nothing, because half of its rules
are no program. Asked twice, or after `PATIENCE` seconds, it is given up: it may go on for a while, but nobody waits.
A page that is open looks now and then; where nobody looks any more, learning is stopped likewise.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from typing import Literal as OneOf

from unless.errors import UnlessError
from unless.web.learning_settings import Fold, WorkStage

if TYPE_CHECKING:
    from unless.learn.fold.foldrpp import Progress
    from unless.learn.optimise.growing.growth_limits import Step
    from unless.learn.size_path import PathStep

    Watched = Progress | Step | PathStep

T = TypeVar("T")
Learn = Callable[[Callable[[Any], None]], T]
Stage = OneOf["running", "done", "stopped", "failed"]
POLL = 0.05
"""Seconds between two looks whether waiting should stop."""
PATIENCE = 60.0
"""Seconds after which a learner that does not stop is given up."""
UNSEEN = 180.0
"""Seconds without anybody looking after which learning stops; browsers let hidden pages look once a minute."""
LEFT = 10.0
"""Seconds after which it stops if a page says that it is closed: it may be loaded again."""


class Learning(Generic[T]):
    """One run of a learner; `what` is learned: rules, or programs of all sizes."""

    def __init__(
        self, learn: Learn[T], on_done: Callable[[T], None], compiled: Event | None = None, what: str = "rules"
    ) -> None:
        self.what = what
        self._learn: Learn[T] = learn
        self._on_done = on_done
        self._compiled = compiled
        self._stop = Event()
        self._give_up = float("inf")
        self.stage: Stage = "running"
        self.progress: Watched | None = None
        self.doing = "reading"
        self.fold: Fold | None = None
        self._looked = time.perf_counter()
        self.is_cut_short = False
        self.error = ""
        self.begun = time.perf_counter()
        self.seconds = 0.0
        self._thread = Thread(target=self._run, name="learning", daemon=True)
        self._thread.start()

    def looked_at(self, *, is_leaving: bool = False) -> None:
        """Note that somebody looks, or is about to leave."""
        self._looked = time.perf_counter() - (UNSEEN - LEFT if is_leaving else 0.0)

    @property
    def is_stopping(self) -> bool:
        """Tell whether it was asked to stop, or nobody looks any more."""
        return self._stop.is_set() or time.perf_counter() - self._looked > UNSEEN

    def stop(self) -> None:
        """Ask the learner to stop after the step at hand; asked again, do not wait for it."""
        patience = 0.0 if self._stop.is_set() else PATIENCE
        self._stop.set()
        self._give_up = min(self._give_up, time.perf_counter() + patience)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    def look(self) -> Stage:
        """Return the stage; a learner that was asked to stop long ago counts as stopped."""
        if self.stage == "running" and time.perf_counter() > self._give_up:
            self.seconds, self.stage = self._elapsed(), "stopped"
        return self.stage

    @property
    def waiting_for(self) -> OneOf["compiling"] | None:
        """Name what the learner waits for before it can begin, if anything."""
        is_waiting = self.stage == "running" and self._compiled is not None and not self._compiled.is_set()
        return "compiling" if is_waiting else None

    def data(self) -> dict[str, Any]:
        """Return how far it is, as plain data."""
        stage, progress = self.look(), self.progress
        return {
            "what": self.what,
            "stage": stage,
            "stopping": stage == "running" and self.is_stopping,
            "cut_short": self.is_cut_short,
            "waiting_for": self.waiting_for,
            "doing": self.doing,
            "n_rules": progress.n_rules if progress else 0,
            "n_left": getattr(progress, "n_left", None),
            "n_all": getattr(progress, "n_all", None),
            "n_errors": getattr(progress, "errors", None),
            "is_trying": getattr(progress, "action", None) == "try",
            "n_done": getattr(progress, "n_done", None),
            "n_parts": getattr(progress, "n_parts", None),
            "fold": None if self.fold is None else self.fold.number,
            "n_folds": None if self.fold is None else self.fold.n_folds,
            "seconds": round(self._elapsed(), 2),
            "error": self.error,
        }

    def _elapsed(self) -> float:
        return time.perf_counter() - self.begun if self.stage == "running" else self.seconds

    def _watch(self, progress: Watched | WorkStage | Fold) -> None:
        if isinstance(progress, WorkStage):
            self.doing = progress.name
            if progress.is_last:
                return
        elif isinstance(progress, Fold):
            self.doing, self.fold = "folds", progress
        else:
            self.progress = progress
        if self.is_stopping:
            self.is_cut_short = True
            raise KeyboardInterrupt

    def _await_compiling(self) -> None:
        """Wait until the learner is compiled; that does not count as time to learn."""
        if self._compiled is not None:
            while not self._compiled.wait(POLL):
                if self.is_stopping:
                    raise KeyboardInterrupt
            self.begun = time.perf_counter()

    def _run(self) -> None:
        stage: Stage = "failed"
        try:
            self._await_compiling()
            found = self._learn(self._watch)
            if self.stage != "running":  # given up
                return
            self._on_done(found)
            stage = "done"
        except KeyboardInterrupt:
            stage = "stopped"
        except (UnlessError, ValueError, MemoryError) as error:
            self.error = str(error) or type(error).__name__
        finally:
            if self.stage == "running":
                self.seconds = time.perf_counter() - self.begun
                self.stage = stage
