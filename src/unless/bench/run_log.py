"""The log of a run: JSON lines, what the folds are first, then a line per fold, and one where a cell was stopped.

Lines are only added, each as soon as it is known: a run that was killed, at whatever moment, goes on with the next fold
when the same command is given again. More shuffles, more time, other tables and learners may be asked of the same
log; other folds may not, as their figures would be mixed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from unless.bench.measurements import Cell, FoldResult
from unless.errors import DataError
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from unless.bench.measurements import RunSettings

FAILED, ABSENT = "failed", "absent"
NOT_RUN = "not run"


@dataclass(slots=True)
class CellLog:
    """What the log has of a cell: folds by shuffle and number, processor seconds used, and how it last ended."""

    folds: dict[tuple[int, int], FoldResult] = field(default_factory=dict)
    used: float = 0.0
    stopped_at: float = 0.0
    ended: str = ""
    note: str = ""

    def take(self, line: dict[str, Any]) -> None:
        """Take in a line."""
        self.used += line.get("used", 0.0)
        if "result" in line:
            self.folds[line["shuffle"], line["fold"]] = FoldResult(**line["result"])
        if "stopped_at" in line:
            self.stopped_at = line["stopped_at"]
        if "ended" in line:
            self.ended, self.note = line["ended"], line["note"]

    def cell(self, data: str, learner: str, settings: RunSettings) -> Cell:
        """Return the cell: full shuffles, or the folds of the first."""
        shuffles = []
        for shuffle in range(settings.shuffles):
            found = [self.folds.get((shuffle, fold)) for fold in range(settings.folds)]
            if all(found):
                shuffles.append(tuple(fold for fold in found if fold is not None))
        rest = () if shuffles else tuple(fold for (shuffle, _), fold in sorted(self.folds.items()) if shuffle == 0)
        if self.ended == ABSENT:
            return Cell(data, learner, "absent", note=self.note)
        if self.ended == FAILED and not shuffles:
            return Cell(data, learner, "failed", (), rest, self.note)
        if len(shuffles) == settings.shuffles:
            return Cell(data, learner, "done", tuple(shuffles))
        note = "slow" if shuffles else "not yet"
        if self.stopped_at:
            note = f"over {self.stopped_at:g} s" + ("" if self.folds else " a fold")
        if not self.used and not self.stopped_at:
            note = NOT_RUN
        return Cell(data, learner, "fewer" if shuffles else "part", tuple(shuffles), rest, note)


class RunLog:
    """The cells of a run, kept in a file."""

    def __init__(self, path: Path, settings: RunSettings) -> None:
        self.path = path
        self.settings = settings
        self._cells: defaultdict[tuple[str, str], CellLog] = defaultdict(CellLog)
        self._head = {"folds": settings.folds, "seed": settings.seed}
        if path.exists():
            self._load()
        else:
            write_text(path, json.dumps(self._head) + "\n")

    def of(self, data: str, learner: str) -> CellLog:
        """Return what there is of a cell."""
        return self._cells[data, learner]

    def cell(self, data: str, learner: str) -> Cell:
        """Return a cell as it stands."""
        return self.of(data, learner).cell(data, learner, self.settings)

    def add(self, data: str, learner: str, line: dict[str, Any]) -> None:
        """Keep a line, in the file too."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"data": data, "learner": learner, **line}) + "\n")
        self.of(data, learner).take(line)

    def forget(self, tables: Iterable[str], learners: Iterable[str]) -> None:
        """Drop what there is of some learners on some tables, from the file too."""
        gone = set(product(tables, learners))
        lines = [line for line in self._lines() if (line.get("data"), line.get("learner")) not in gone]
        write_text(self.path, "".join(json.dumps(line) + "\n" for line in lines))
        for key in gone:
            self._cells.pop(key, None)

    def _load(self) -> None:
        self._read(self._understand)

    def _lines(self) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        self._read(lines.extend)
        return lines

    def _read(self, use: Callable[[list[dict[str, Any]]], object]) -> None:
        """Read the lines; one that was being written when the run was killed is not whole, and is left out."""
        try:
            text = self.path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            if whole != text:
                write_text(self.path, whole)
            use([json.loads(line) for line in whole.splitlines()])
        except (OSError, ValueError, TypeError, KeyError, IndexError) as error:
            msg = f"{self.path} is not the log of a run ({error}); name another output, or remove it."
            raise DataError(msg) from None

    def _understand(self, lines: list[dict[str, Any]]) -> None:
        if lines[0] != self._head:
            if set(lines[0]) != set(self._head):
                msg = f"its first line is {lines[0]}"
                raise ValueError(msg)
            msg = (
                f"{self.path} is the log of a run with {lines[0]}, and now {self._head} is asked; "
                "name another output, or remove it."
            )
            raise DataError(msg)
        for line in lines[1:]:
            self.of(line["data"], line["learner"]).take(line)
