"""What the paper printed: its result tables as data, and what can be said of a figure from the others of its row.

A row of figures hangs together: precision and recall, with the number of positives in the table, give the accuracy.
So a printed accuracy can be checked without running anything, for either label as the positive one.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

ROUNDING = 0.005
"""Figures are printed with two decimals."""

FOLDS = 0.01
"""Means of ratios over folds are not ratios of means; on these tables the difference stays below this."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One row of a result table, one learner."""

    table: int
    data: str
    learner: str
    rows: int
    columns: int
    figures: dict[str, Any]

    def value(self, figure: str) -> float | None:
        """Return a figure, or None where the paper has none, or only words."""
        value = self.figures.get(figure)
        return float(value) if isinstance(value, int | float) else None


@cache
def printed() -> tuple[Printed, ...]:
    """Return every row of the paper's result tables."""
    text = files("unless.bench").joinpath("published.toml").read_text(encoding="utf-8")
    return tuple(Printed(**row) for row in tomllib.loads(text)["result"])


def printed_for(data: str, learner: str) -> tuple[Printed, ...]:
    """Return what the paper printed for one learner on one table, under whatever reading: one row per result table."""
    return tuple(row for row in printed() if row.data == data.removesuffix("*") and row.learner == as_printed(learner))


def as_printed(learner: str) -> str:
    """Return the learner whose published figures another reading of it stands beside."""
    return learner.removesuffix("-information")


CAPTIONS = {
    4: "Comparison of FOLD-R and FOLD-R++ on various Datasets",
    5: "Comparison of RIPPER and FOLD-R++ on various Datasets",
    6: "Comparison of XGBoost and FOLD-R++ on various Datasets",
}

PAPER_TABLES = tuple(dict.fromkeys(row.data for row in printed() if row.table == 5))
"""The 15 tables, in the paper's order."""


def implied_accuracy(precision: float, recall: float, share: float) -> float:
    """Return the accuracy that goes with a precision and a recall when this share of rows is positive."""
    found = recall * share
    wrong = found * (1 - precision) / precision
    return 1 - (share - found) - wrong


def accuracy_range(row: Printed, share: float) -> tuple[float, float] | None:
    """Return the accuracies that a row's precision and recall allow, rounding and folds considered."""
    precision, recall = row.value("precision"), row.value("recall")
    if precision is None or recall is None:
        return None
    near = [
        implied_accuracy(min(1.0, precision + a), min(1.0, recall + b), share)
        for a, b in product((-ROUNDING, ROUNDING), repeat=2)
    ]
    return min(near) - FOLDS - ROUNDING, max(near) + FOLDS + ROUNDING


def repeated_rows() -> list[tuple[Printed, Printed]]:
    """Return pairs of rows of different learners with all figures alike, time included: one was copied."""
    rows = printed()
    return [
        (a, b)
        for i, a in enumerate(rows)
        for b in rows[i + 1 :]
        if a.data == b.data and a.learner != b.learner and a.figures == b.figures and a.value("milliseconds")
    ]
