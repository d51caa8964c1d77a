"""Cells: one learner on one table, some shuffles of some folds each. What came out.

A shuffle is full when all its folds are there; only full shuffles make figures, so that no mean over fewer folds passes
for one. A cell without a full shuffle keeps its folds apart (`rest`): they are shown by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.evaluate.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Status = OneOf["done", "fewer", "part", "failed", "absent"]
"""All shuffles; some full ones; none (folds of the first at most); an error; a package that is not installed."""

Figure = OneOf["accuracy", "precision", "recall", "f1"]
FIGURES: tuple[Figure, ...] = ("accuracy", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is measured: folds of shuffles, from a first seed; `limit` is processor seconds for one cell."""

    folds: int
    shuffles: int
    seed: int
    limit: float


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
    """One learner on one table; `note` says what went wrong, or why there is no more."""

    data: str
    learner: str
    status: Status
    shuffles: tuple[tuple[FoldResult, ...], ...] = ()
    rest: tuple[FoldResult, ...] = ()
    note: str = ""

    @property
    def is_full(self) -> bool:
        """Tell whether there are figures."""
        return bool(self.shuffles)

    @property
    def folds(self) -> tuple[FoldResult, ...]:
        """Return the folds of full shuffles, or those there are if none is full."""
        return tuple(fold for shuffle in self.shuffles for fold in shuffle) or self.rest

    def mean(self, figure: Figure) -> float | None:
        """Return the mean of a figure over the folds."""
        return self._mean(lambda fold: fold.scores[figure])

    def means(self, figure: Figure) -> list[float]:
        """Return the mean over the folds of each full shuffle."""
        return [fmean(fold.scores[figure] for fold in shuffle) for shuffle in self.shuffles]

    def spread(self, figure: Figure) -> float | None:
        """Return the standard deviation of a figure between shuffles; None where there is one."""
        return _deviation(self.means(figure))

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

    def summary(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        means: dict[str, object] = {figure: self.mean(figure) for figure in FIGURES}
        by_shuffle = {f"{figure}_by_shuffle": self.means(figure) for figure in FIGURES}
        sizes = {"seconds": self.seconds, "rules": self.rules, "literals": self.literals}
        about = {"data": self.data, "learner": self.learner, "status": self.status, "note": self.note}
        counts = {"n_shuffles": len(self.shuffles), "n_folds": len(self.folds)}
        return {**about, **counts, **means, **by_shuffle, **sizes}


def positives(cell: Cell) -> float:
    """Return the share of positive rows."""
    n = sum(fold.scores.n_rows for fold in cell.folds)
    return sum(fold.tp + fold.fn for fold in cell.folds) / n


def _deviation(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None
