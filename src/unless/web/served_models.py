"""The model files that a server answers for: read at the start, and again when they change.

In: paths. Out: `ServedProgram`s by name, the stem of the file. A file that was changed is read in a thread, while the
program before it goes on; one that cannot be read leaves it in force, and is said, once, in the log and in `/models`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, UnlessError, did_you_mean, listing
from unless.logic.program import OLD_GRADE
from unless.logic.text.files import load
from unless.web.refusals import RequestError
from unless.web.served_program import ServedProgram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.web.prometheus import ServerMetrics

LOOK_EVERY = 1.0
"""Seconds between two looks at the files."""
Stamp = tuple[int, int, int]
log = logging.getLogger("unless.serve")


@dataclass
class ModelSlot:
    """One file: the program in force, since when, what the file looked like, and what is wrong with it now."""

    path: Path | None
    served: ServedProgram
    stamp: Stamp | None
    since: float
    problem: str = ""

    def data(self) -> dict[str, Any]:
        """Describe it for a list of models."""
        served = self.served
        about = {"model": served.name, "version": served.version, "target": served.program.target.column}
        return {**about, "since": round(self.since, 3), "problem": self.problem or None}


class ServedModels:
    """Programs by name."""

    def __init__(self, slots: Iterable[ModelSlot], metrics: ServerMetrics) -> None:
        self.slots = {slot.served.name: slot for slot in slots}
        self.metrics = metrics
        self._look_now = asyncio.Event()
        for slot in self.slots.values():
            metrics.model(slot.served.name, slot.served.version, slot.since)

    def find(self, name: str | None) -> ServedProgram:
        """Return the program of a name, or the only one."""
        if name is None and len(self.slots) == 1:
            return next(iter(self.slots.values())).served
        if name is None or name not in self.slots:
            hint = "" if name is None else did_you_mean(name, self.slots)
            asked = "several models are served" if name is None else f"there is no model {name[:100]!r}"
            msg = f"{asked}; ask /models/NAME/..., where NAME is one of: {listing(self.slots)}.{hint}"
            raise RequestError(msg, 404)
        return self.slots[name].served

    def look_now(self) -> None:
        """Look at the files at once, and read each again."""
        self._look_now.set()

    async def watch(self) -> None:
        """Read files again when they change, or when asked to, for ever."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look_now.wait(), LOOK_EVERY)
            asked = self._look_now.is_set()
            self._look_now.clear()
            for slot in self.slots.values():
                await self.renew(slot, asked=asked)

    async def renew(self, slot: ModelSlot, *, asked: bool = False) -> None:
        """Read a file again if it changed, or if asked to."""
        if slot.path is None:
            return
        stamp = stamp_of(slot.path)
        if stamp == slot.stamp and not asked:
            return
        slot.stamp = stamp
        try:
            served = await asyncio.to_thread(_read, slot.path)
        except (UnlessError, OSError) as error:
            problem = f"the program of before goes on, because its file cannot be read: {error}"
            if problem != slot.problem:
                log.warning("%s", problem)
            slot.problem = problem
            self.metrics.reloaded(slot.served.name, is_new=False)
            return
        was_broken, slot.problem = bool(slot.problem), ""
        if served.version != slot.served.version:
            log.warning("%s: version %s, before it %s.", slot.path, served.version, slot.served.version)
            slot.served, slot.since = served, time()
            self.metrics.model(served.name, served.version, slot.since)
            self.metrics.reloaded(served.name, is_new=True)
        elif was_broken:
            log.warning("%s can be read again: version %s, as before.", slot.path, served.version)


def read_models(paths: Iterable[str | Path]) -> list[ModelSlot]:
    """Read the files at the start; here one that cannot be read is refused."""
    slots: dict[str, ModelSlot] = {}
    for path in map(Path, paths):
        stamp, served = stamp_of(path), _read(path)
        if served.name in slots:
            msg = f"two model files are named {served.name!r}: {slots[served.name].path} and {path}; rename one."
            raise DataError(msg)
        slots[served.name] = ModelSlot(path, served, stamp, time())
    return list(slots.values())


def stamp_of(path: Path) -> Stamp | None:
    """Return what changes when a file does: its time, length and number; None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> ServedProgram:
    program = load(path)
    if program.has_old_grade:
        log.warning("%s: %s", path, OLD_GRADE)
    return ServedProgram(path.stem, program)
