"""How well a program predicts: the confusion of one label with all others, and the metrics that come from it.

With more than two labels, precision, recall and F1 are of the one label; accuracy is always the share of all rows that
are predicted right (`Scores.confused` counts those that are wrong although neither label is the positive one).
`METRICS` is the one list of them: plain data, comparisons, texts and pages are made from it. A new metric is a row here
and its name in each language file. Those of probabilities are measured in `evaluate.reliability`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Scores:
    """The four counts for the positive label; `scores["recall"]` is what they give.

    `confused` of the `tn` rows are wrong all the same: one of the other labels was taken for another.

    >>> scores = Scores("yes", tp=3, fp=1, fn=0, tn=4)
    >>> scores["precision"], scores["recall"]
    (0.75, 1.0)
    """

    positive: str
    tp: int
    fp: int
    fn: int
    tn: int
    confused: int = 0

    @property
    def n_right(self) -> int:
        """Count the rows predicted right, whatever their label."""
        return self.tp + self.tn - self.confused

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return self.tp + self.fp + self.fn + self.tn

    def __getitem__(self, metric: str) -> float:
        return METRICS[metric].value(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        counts = {name: n for name, n in asdict(self).items() if name != "confused"}
        return {**counts, "n_rows": self.n_rows, **{name: self[name] for name in METRICS}}


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that the counts give; one that is not `of_label` is said of all labels at once."""

    name: str
    value: Callable[[Scores], float]
    of_label: bool = True
    higher_is_better: bool = True


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", lambda s: _share(s.n_right, s.n_rows), of_label=False),
        Metric("precision", lambda s: _share(s.tp, s.tp + s.fp)),
        Metric("recall", lambda s: _share(s.tp, s.tp + s.fn)),
        Metric("f1", lambda s: _share(2 * s.tp, 2 * s.tp + s.fp + s.fn)),
    )
}
LABEL_METRICS = tuple(name for name, metric in METRICS.items() if metric.of_label)
GRADE_METRICS = {"auc": True, "log_loss": False, "brier": False}
"""What is measured of probabilities (see `evaluate.reliability`), and whether higher is better."""


def is_higher_better(metric: str) -> bool:
    """Tell whether a metric, of labels or of probabilities, should be high."""
    return GRADE_METRICS[metric] if metric in GRADE_METRICS else METRICS[metric].higher_is_better


def score(actual: Sequence[str], predicted: Sequence[str], positive: str) -> Scores:
    """Compare the actual labels with the predicted ones."""
    both = list(zip(actual, predicted, strict=True))
    pairs = [(a == positive, b == positive) for a, b in both]
    return Scores(
        positive,
        tp=pairs.count((True, True)),
        fp=pairs.count((False, True)),
        fn=pairs.count((True, False)),
        tn=pairs.count((False, False)),
        confused=sum(a != b and positive not in (a, b) for a, b in both),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
