"""The learners are compiled while a person looks at the page, in a thread of its own, one after the other.

In: how to warm a learner. Out: for each learner an event that is set once it is compiled, or loaded from the cache of
this machine. Learning waits for its event and says so; nothing else waits.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from threading import Event, Thread, get_ident
from typing import TYPE_CHECKING, get_args

import numpy as np

from unless.datasets import loans
from unless.table.frames import raw_table
from unless.web.learning_settings import LearningOrder, StudioSettings, learn_program
from unless.web.open_table import OpenTable, TableOrigin
from unless.web.schemas import Learner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WARMED: tuple[Learner, ...] = get_args(Learner)
"""The learners that the studio offers, in the order in which they are compiled."""
FEW_ROWS = 600
"""Enough for columns of few values and of many, which are coded in different widths."""

logger = logging.getLogger("unless")


class WarmUp:
    """Warms every learner, once."""

    def __init__(self, warm: Callable[[Learner], object]) -> None:
        self._warm = warm
        self._compiled = {learner: Event() for learner in WARMED}

    def start(self) -> None:
        """Begin, in a thread of its own."""
        Thread(target=self._run, name="warm-up", daemon=True).start()

    def compiled(self, learner: Learner) -> Event:
        """Return the event that a learner is compiled."""
        return self._compiled[learner]

    def _run(self) -> None:
        for learner, compiled in self._compiled.items():
            try:
                self._warm(learner)
            except Exception:
                # Whatever is wrong, learning itself says it to the person who asked.
                logger.exception("the learner %s could not be compiled ahead", learner)
            finally:
                compiled.set()


@contextmanager
def unheard() -> Iterator[None]:
    """Say nothing of what the library remarks in this thread: who has opened a table knows nothing of another one."""
    here = get_ident()

    def is_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here or record.levelno > logging.WARNING

    logger.addFilter(is_elsewhere)
    try:
        yield
    finally:
        logger.removeFilter(is_elsewhere)


def warm_learner(learner: Learner) -> None:
    """Compile a learner, or load it from its cache, by learning from a few rows as the studio does."""
    few = OpenTable(TableOrigin("example", "loans"), raw_table(loans(FEW_ROWS)), is_text=True)
    with unheard():
        kinds = {name: guess.kind for name, guess in few.guesses.items()}
    settings = StudioSettings(kinds, target=few.table.names[-1], learner=learner)
    learn_program(LearningOrder(few, settings, np.ones(FEW_ROWS, dtype=bool)), lambda _: None)
