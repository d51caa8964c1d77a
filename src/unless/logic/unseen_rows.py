"""How good programs learned like this one were on rows that they had not seen: counts, kept with the program.

`mark` names the clauses that were learned (`Program.mark`), so that after an edit the figures are known to be of the
program before it. With several folds each row was held out once; with one, a part of the rows was.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError

if TYPE_CHECKING:
    from unless.logic.rules import Label

Z = 1.959963984540054
"""Of 95 % of all draws from a normal distribution, the most distant."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """How many held-out rows were right, by the learned programs and by always saying the commonest label."""

    n_rows: int
    n_right: int
    n_folds: int
    commonest: Label
    n_commonest: int
    auc: float | None = None
    mark: str = ""

    def __post_init__(self) -> None:
        counts = self.n_right <= self.n_rows and self.n_commonest <= self.n_rows and self.n_rows > 0 < self.n_folds
        if not counts or (self.auc is not None and not (isfinite(self.auc) and 0 <= self.auc <= 1)):
            msg = "figures of unseen rows must fit together: no more rows right than there are, AUC from 0 to 1."
            raise ProgramError(msg)

    @property
    def accuracy(self) -> float:
        """Return the share of held-out rows whose label was right."""
        return self.n_right / self.n_rows

    @property
    def interval(self) -> tuple[float, float]:
        """Return where the accuracy lies, with 95 % confidence."""
        return wilson(self.n_right, self.n_rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the mark as plain data."""
        low, high = self.interval
        return {
            "rows": self.n_rows,
            "folds": self.n_folds,
            "accuracy": self.accuracy,
            "accuracy_low": low,
            "accuracy_high": high,
            "commonest_label": self.commonest,
            "accuracy_of_commonest_label": self.n_commonest / self.n_rows,
            "auc": self.auc,
        }


def wilson(n_right: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, with 95 % confidence.

    >>> [round(end, 3) for end in wilson(90, 100)]
    [0.826, 0.945]
    """
    share, weight = n_right / n_rows, Z * Z / n_rows
    middle = share + weight / 2
    reach = sqrt(weight * (share * (1 - share) + weight / 4))
    return (middle - reach) / (1 + weight), (middle + reach) / (1 + weight)
