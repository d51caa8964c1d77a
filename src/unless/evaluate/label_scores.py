"""How well a program predicts each label, one against all others.

In: a view whose rows have labels. Out: `LabelScores` of every label that occurs, actual or predicted, those of the
program first, in its own order, and then those that only the table has. `is_many` says whether there are more than two
labels: then no figure of a label may be shown without its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.evaluate.scores import LABEL_METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.evaluate.reliability import Reliability
    from unless.evaluate.scores import Scores
    from unless.evaluate.view import View

COUNTS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True)
class LabelScores:
    """The counts of one label, and how true its probabilities are, where there is a grade."""

    scores: Scores
    reliability: Reliability | None = None

    @property
    def n_rows(self) -> int:
        """Count the rows that have the label."""
        return self.scores.tp + self.scores.fn

    def figures(self) -> dict[str, float]:
        """Return the metrics of labels and of probabilities, by name."""
        graded = {} if self.reliability is None else self.reliability.measures()
        return {**{name: self.scores[name] for name in LABEL_METRICS}, **graded}

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {**{name: getattr(self.scores, name) for name in COUNTS}, **self.figures()}


def is_many(view: View) -> bool:
    """Tell whether program and table have more than two labels together."""
    return len(view.label_texts) > 2


def label_scores(view: View) -> list[LabelScores]:
    """Count right and wrong for each label that occurs."""
    found = [LabelScores(view.scores(text), view.reliability(label=text)) for text in view.label_texts]
    return [each for each in found if each.scores.tp + each.scores.fp + each.scores.fn]


def mean_figures(scores: Sequence[LabelScores]) -> dict[str, float]:
    """Return the mean of each figure over the labels that have it, every label counting alike."""
    figures = [each.figures() for each in scores]
    names = dict.fromkeys(name for each in figures for name in each)
    return {name: _mean([each[name] for each in figures if name in each]) for name in names}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
