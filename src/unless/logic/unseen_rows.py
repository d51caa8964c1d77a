"""How good programs learned like this one were on rows that they had not seen: counts, kept with the program.

`mark` names the clauses that were learned (`Program.mark`), so that after an edit the figures are known to be of the
program before it. With several folds each row was held out once; with one, a part of the rows was. What is counted
label by label, where labels weigh differently, is said after learning and is not kept with the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.rules import Label

Z = 1.959963984540054
"""Of 95 % of all draws from a normal distribution, the most distant."""


SAVED = ("n_rows", "n_right", "n_folds", "commonest", "n_commonest", "auc", "mark")
"""What of `Unseen` is kept with a program."""


@dataclass(frozen=True, slots=True)
class UnseenLabels:
    """Held-out rows label by label, how many of them were right, and what an error on one costs, if that was asked."""

    labels: tuple[Label, ...]
    n_rows: tuple[int, ...]
    n_right: tuple[int, ...]
    costs: tuple[float, ...] | None = None

    @property
    def balanced_accuracy(self) -> float:
        """Return the mean, over the labels that occur, of the share of their rows that was right.

        >>> UnseenLabels(("a", "b"), (10, 90), (8, 72)).balanced_accuracy
        0.8
        """
        shares = [right / n for right, n in zip(self.n_right, self.n_rows, strict=True) if n]
        return sum(shares) / len(shares)

    def found(self, mine: int) -> tuple[int, int, int]:
        """Return of one of two labels how many of its rows were right, how many it has, and how many were predicted it.

        >>> UnseenLabels(("a", "b"), (10, 90), (8, 72)).found(0)
        (8, 10, 26)
        """
        n_right, n_others = self.n_right[mine], sum(self.n_rows) - self.n_rows[mine]
        return n_right, self.n_rows[mine], n_right + n_others - (sum(self.n_right) - n_right)

    @property
    def one_label(self) -> float:
        """Return the balanced accuracy of saying the same label always."""
        return 1 / sum(n > 0 for n in self.n_rows)

    @property
    def mean_cost(self) -> float | None:
        """Return what errors cost a row; None without costs."""
        missed = [n - right for n, right in zip(self.n_rows, self.n_right, strict=True)]
        return None if self.costs is None else self._cost(missed, self.costs)

    @property
    def cheapest(self) -> tuple[Label, float] | None:
        """Return the label that costs least if it is always said, and what it costs a row; None without costs.

        >>> UnseenLabels(("a", "b"), (10, 90), (8, 81), (20.0, 1.0)).cheapest
        ('a', 0.9)
        """
        if self.costs is None:
            return None
        always = [self._cost([*self.n_rows[:i], 0, *self.n_rows[i + 1 :]], self.costs) for i in range(len(self.labels))]
        least = min(range(len(always)), key=always.__getitem__)
        return self.labels[least], always[least]

    def _cost(self, missed: Sequence[int], costs: Sequence[float]) -> float:
        return sum(n * cost for n, cost in zip(missed, costs, strict=True)) / sum(self.n_rows)

    def plus(self, other: UnseenLabels) -> UnseenLabels:
        """Return the counts of both together."""
        rows = tuple(a + b for a, b in zip(self.n_rows, other.n_rows, strict=True))
        right = tuple(a + b for a, b in zip(self.n_right, other.n_right, strict=True))
        return UnseenLabels(self.labels, rows, right, self.costs)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        counts = zip(self.labels, self.n_rows, self.n_right, strict=True)
        by_label = [{"label": label, "rows": n, "right": right} for label, n, right in counts]
        found: dict[str, Any] = {"balanced_accuracy": self.balanced_accuracy, "by_label": by_label}
        if self.cheapest is not None:
            label, cost = self.cheapest
            found |= {"mean_cost": self.mean_cost, "cheapest_label": label, "mean_cost_of_cheapest_label": cost}
        return found


@dataclass(frozen=True, slots=True)
class Unseen:
    """How many held-out rows were right, by the learned programs and by always saying the commonest label.

    `by_label` is there where rows weighed differently in learning, and only until the program is saved. So are the rows
    `gained`, which were right and have another label than the commonest.
    """

    n_rows: int
    n_right: int
    n_folds: int
    commonest: Label
    n_commonest: int
    auc: float | None = None
    mark: str = ""
    by_label: UnseenLabels | None = field(default=None, compare=False)
    gained: int | None = field(default=None, compare=False)

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
    def beats_commonest(self) -> bool | None:
        """Tell whether it is right more often than the commonest label by more than chance; None if that is not known.

        By McNemar's test, corrected for continuity, with 95 % confidence: it looks only at rows where one of both is
        right, so it sees differences that the interval of the accuracy does not. Where labels are about as common as
        each other there are many such rows, and the interval sees what the test does not.

        >>> Unseen(2000, 1816, 5, "no", 1800, gained=18).beats_commonest
        True
        >>> Unseen(500, 265, 5, "no", 263, gained=120).beats_commonest
        False
        >>> Unseen(40, 29, 5, "no", 20, gained=18).beats_commonest
        True
        """
        if self.gained is None:
            return None
        more = self.n_right - self.n_commonest
        return more - 1 > Z * sqrt(2 * self.gained - more) or self.interval[0] > self.n_commonest / self.n_rows

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
            **({} if self.gained is None else {"beats_commonest": self.beats_commonest}),
            **({} if self.by_label is None else self.by_label.as_dict()),
        }


def wilson(n_right: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, with 95 % confidence; of no rows it is anything.

    >>> [round(end, 3) for end in wilson(90, 100)]
    [0.826, 0.945]
    """
    if not n_rows:
        return 0.0, 1.0
    share, weight = n_right / n_rows, Z * Z / n_rows
    middle = share + weight / 2
    reach = sqrt(weight * (share * (1 - share) + weight / 4))
    # Where none or all are right that end is 0 or 1, which rounding would miss by a digit.
    low = (middle - reach) / (1 + weight) if n_right else 0.0
    return low, (middle + reach) / (1 + weight) if n_right < n_rows else 1.0
