"""Learning in a thread of its own, watched rule by rule, and stopped when told.

In: a function that learns, given a watcher. Out: its program, or the reason why there is none. The watcher raises in
the learner's thread when stopping was asked for, so nothing half-learned comes out.
"""

from __future__ import annotations

import time
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.errors import UnlessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.learn.fold import Progress
    from unless.logic.program import Program

    Learn = Callable[[Callable[[Progress], None]], Program]

Stage = OneOf["running", "done", "stopped", "failed"]


class StoppedError(UnlessError):
    """The user asked to stop."""


class Learning:
    """One run of the learner."""

    def __init__(self, learn: Learn, on_done: Callable[[Program], None]) -> None:
        self._learn = learn
        self._on_done = on_done
        self._stop = Event()
        self.stage: Stage = "running"
        self.progress: Progress | None = None
        self.error = ""
        self.begun = time.perf_counter()
        self.seconds = 0.0
        self._thread = Thread(target=self._run, name="learning", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask the learner to stop after the rule at hand."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    def data(self) -> dict[str, Any]:
        """Return how far it is, as plain data."""
        progress = self.progress
        return {
            "stage": self.stage,
            "n_rules": progress.n_rules if progress else 0,
            "n_left": progress.n_left if progress else None,
            "n_all": progress.n_all if progress else None,
            "seconds": round(self._elapsed(), 2),
            "error": self.error,
        }

    def _elapsed(self) -> float:
        return time.perf_counter() - self.begun if self.stage == "running" else self.seconds

    def _watch(self, progress: Progress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise StoppedError

    def _run(self) -> None:
        stage: Stage = "failed"
        try:
            program = self._learn(self._watch)
            if self._stop.is_set():
                raise StoppedError
            self._on_done(program)
            stage = "done"
        except StoppedError:
            stage = "stopped"
        except (UnlessError, ValueError, MemoryError) as error:
            self.error = str(error) or type(error).__name__
        finally:
            self.seconds = time.perf_counter() - self.begun
            self.stage = stage
