"""The check on unseen rows, in a thread of its own: beside learning, where there is a second core.

In: training data and settings. Out: `Unseen`, when it is asked for. Kernels run without Python's lock, so two learnings
take less time than one after the other; what they find does not depend on it.
"""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import TrainingData
    from unless.logic.unseen_rows import Unseen

MOST_ROWS = 1_000_000
"""Of larger tables, two learnings at once would want too much memory."""
A_MOMENT = 0.1
"""Seconds until it is looked again how far the check is."""


class Checking:
    """A check that begins at once where that helps, else when it is waited for."""

    def __init__(self, rows: TrainingData, settings: LearnerSettings) -> None:
        self._rows, self._settings = rows, settings
        self._fold: tuple[int, int] | None = None
        self._found: Unseen | BaseException | None = None
        self._thread = Thread(target=self._run, name="check", daemon=True)
        has_time = getattr(settings, "time_limit", None) is None  # a second learning would take of it
        if has_time and rows.n_rows <= MOST_ROWS and (os.cpu_count() or 1) > 1:
            self._thread.start()

    def _run(self) -> None:
        from unless.learn.unseen import check_unseen

        try:
            self._found = check_unseen(self._rows, self._settings, on_fold=self._begin)
        except BaseException as error:  # raised where the check is waited for
            self._found = error

    def _begin(self, fold: int, n: int) -> None:
        self._fold = fold, n

    def result(self, on_fold: Callable[[int, int], None] | None) -> Unseen | None:
        """Wait for what was found; None if learning was cut short."""
        if self._thread.ident is None:
            self._thread.start()
        while self._thread.is_alive():
            self._thread.join(A_MOMENT)
            if on_fold is not None and self._fold is not None:
                on_fold(*self._fold)
        if isinstance(self._found, BaseException):
            raise self._found
        return self._found
