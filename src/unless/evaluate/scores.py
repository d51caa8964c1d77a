"""How well a program predicts: the confusion of two labels, and the figures that come from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Scores:
    """The four counts for the positive label, and what they give."""

    positive: str
    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def accuracy(self) -> float:
        """Return the share of rows predicted right."""
        return _share(self.tp + self.tn, self.n_rows)

    @property
    def precision(self) -> float:
        """Return the share of rows predicted positive that are."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Return the share of positive rows that are predicted so."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        figures = {name: getattr(self, name) for name in ("n_rows", "accuracy", *LABEL_METRICS)}
        return {**asdict(self), **figures}


LABEL_METRICS = ("precision", "recall", "f1")
"""What is said of one label."""


def score(actual: Sequence[str], predicted: Sequence[str], positive: str) -> Scores:
    """Compare the actual labels with the predicted ones."""
    pairs = [(a == positive, b == positive) for a, b in zip(actual, predicted, strict=True)]
    return Scores(
        positive,
        tp=pairs.count((True, True)),
        fp=pairs.count((False, True)),
        fn=pairs.count((True, False)),
        tn=pairs.count((False, False)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
