"""Cells: one learner on one table, all folds. What came out, and the log of a run.

A cell's figures are the means over its folds, as in the paper. The log is JSON lines, the settings first, then a line
per cell, rewritten whole after each: a run that was interrupted goes on where it stopped, and a run with other
settings is not mixed in.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.errors import DataError
from unless.evaluate.scores import Scores
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Status = OneOf["done", "limit", "failed", "absent"]
Figure = OneOf["accuracy", "precision", "recall", "f1"]
FIGURES: tuple[Figure, ...] = ("accuracy", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class FoldResult:
    """One fold: the counts for the positive label, the time to fit, and the size of what was learned."""

    tp: int
    fp: int
    fn: int
    tn: int
    seconds: float
    rules: int | None
    literals: int | None

    @property
    def scores(self) -> Scores:
        """Return the counts as scores."""
        return Scores("yes", self.tp, self.fp, self.fn, self.tn)


@dataclass(frozen=True, slots=True)
class Cell:
    """One learner on one table; `note` says what went wrong."""

    data: str
    learner: str
    status: Status
    folds: tuple[FoldResult, ...] = ()
    note: str = ""

    def mean(self, figure: Figure) -> float | None:
        """Return the mean of a figure over the folds."""
        return self._mean(lambda fold: fold.scores[figure])

    def spread(self, figure: Figure) -> float | None:
        """Return the standard deviation of a figure over the folds."""
        return pstdev(fold.scores[figure] for fold in self.folds) if self.folds else None

    @property
    def seconds(self) -> float | None:
        """Return the mean time to fit."""
        return self._mean(lambda fold: fold.seconds)

    @property
    def rules(self) -> float | None:
        """Return the mean number of rules."""
        return self._mean(lambda fold: fold.rules)

    @property
    def literals(self) -> float | None:
        """Return the mean number of literals."""
        return self._mean(lambda fold: fold.literals)

    def _mean(self, read: Callable[[FoldResult], float | None]) -> float | None:
        found = [value for fold in self.folds if (value := read(fold)) is not None]
        return fmean(found) if found else None

    @staticmethod
    def read(data: dict[str, Any]) -> Cell:
        """Read a cell from plain data."""
        return Cell(**{**data, "folds": tuple(FoldResult(**fold) for fold in data["folds"])})

    def summary(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        means: dict[str, float | None] = {figure: self.mean(figure) for figure in FIGURES}
        sizes = {"seconds": self.seconds, "rules": self.rules, "literals": self.literals}
        about = {"data": self.data, "learner": self.learner, "status": self.status, "note": self.note}
        return {**about, "n_folds": len(self.folds), **means, **sizes}


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run's figures depend on, besides the machine."""

    folds: int
    seed: int
    limit: float


class RunLog:
    """The cells of a run, kept in a file of JSON lines."""

    def __init__(self, path: Path, settings: RunSettings) -> None:
        self.path = path
        self.settings = settings
        self.cells: dict[tuple[str, str], Cell] = {}
        if path.exists():
            self._load()

    def add(self, cell: Cell) -> None:
        """Keep a cell, in the file too."""
        self.cells[cell.data, cell.learner] = cell
        lines: Sequence[object] = [asdict(self.settings), *map(asdict, self.cells.values())]
        write_text(self.path, "".join(json.dumps(line) + "\n" for line in lines))

    def _load(self) -> None:
        try:
            first, *rest = (json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines())
            settings, cells = RunSettings(**first), [Cell.read(line) for line in rest]
        except (OSError, ValueError, TypeError, KeyError) as error:
            msg = f"{self.path} is not the log of a run ({error}); name another output, or remove it."
            raise DataError(msg) from None
        if settings != self.settings:
            msg = (
                f"{self.path} is the log of a run with {asdict(settings)}, and now {asdict(self.settings)} is asked; "
                "name another output, or remove it."
            )
            raise DataError(msg)
        self.cells = {(cell.data, cell.learner): cell for cell in cells}
