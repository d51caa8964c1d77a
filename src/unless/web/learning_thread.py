"""Learning in a thread of its own, watched step by step, and stopped on request.

In: a function that learns, given a watcher, and perhaps an event to wait for until the learner is compiled. Out: its
program, or the reason why there is none. When stopping was asked for, the watcher raises in the learner's thread what
Ctrl-C raises: the learner of whole programs gives the best so far, FOLD-R++ gives nothing, because half of its rules
are no program. Asked twice, or after `PATIENCE` seconds, it is given up: it may go on for a while, but nobody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from typing import Literal as OneOf

from unless.errors import UnlessError

if TYPE_CHECKING:
    from unless.learn.fold.foldrpp import Progress
    from unless.learn.optimise.grow import Step
    from unless.web.learning_settings import Fold

    Watched = Progress | Step | Fold

T = TypeVar("T")
Learn = Callable[[Callable[[Any], None]], T]
Stage = OneOf["running", "done", "stopped", "failed"]
POLL = 0.05
"""Seconds between two looks whether waiting should stop."""
PATIENCE = 60.0
"""Seconds after which a learner that does not stop is given up."""


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
        self.error = ""
        self.begun = time.perf_counter()
        self.seconds = 0.0
        self._thread = Thread(target=self._run, name="learning", daemon=True)
        self._thread.start()

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
            "stopping": stage == "running" and self._stop.is_set(),
            "waiting_for": self.waiting_for,
            "n_rules": progress.n_rules if progress else 0,
            "n_left": getattr(progress, "n_left", None),
            "n_all": getattr(progress, "n_all", None),
            "n_errors": getattr(progress, "errors", None),
            "fold": getattr(progress, "number", None),
            "n_folds": getattr(progress, "n_folds", None),
            "seconds": round(self._elapsed(), 2),
            "error": self.error,
        }

    def _elapsed(self) -> float:
        return time.perf_counter() - self.begun if self.stage == "running" else self.seconds

    def _watch(self, progress: Watched) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise KeyboardInterrupt

    def _await_compiling(self) -> None:
        """Wait until the learner is compiled; that does not count as time to learn."""
        if self._compiled is not None:
            while not self._compiled.wait(POLL):
                if self._stop.is_set():
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
