"""The scikit-learn face of FOLD-R: its own law of learning, everything else as in `RuleClassifier`.

In: any table and labels. Out: a program, as from every classifier here. The law itself is `learn.fold.foldr`, and
docs/fold-r.md says how the paper's Algorithm 1 is read where it leaves something open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.estimators.rule_classifier import RuleClassifier
from unless.learn.learners import FoldRSettings

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from unless.estimators.rule_classifier import IdentifierChoice
    from unless.logic.rules import Label


class FoldRClassifier(RuleClassifier):
    """Learn default rules with exceptions by FOLD-R, the forerunner of FOLD-R++ (docs/fold-r.md).

    It has no `ratio`: a rule takes positive literals until no negative is left or none gains, and the negatives left
    become exceptions. `heuristic="information"` chooses by the gain of FOLD-R++, among positive literals, with ratio 0.
    All other parameters and the attributes are those of `FoldRPPClassifier`.

    Examples
    --------
    >>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
    >>> model = FoldRClassifier(positive="flies").fit(rows, ["flies", "walks", "walks"])
    >>> model.predict(rows).tolist()
    ['flies', 'walks', 'walks']

    """

    learner = FoldRSettings

    def __init__(  # noqa: PLR0913  (scikit-learn wants every parameter here)
        self,
        *,
        positive: Label | None = None,
        heuristic: str = "foil",
        categorical_features: Any = "from_dtype",
        missing_values: Sequence[str] = (),
        identifiers: IdentifierChoice = "warn",
        readings: Mapping[str, str] | None = None,
        date_parts: Mapping[str, Sequence[str]] | None = None,
        background: str | os.PathLike[str] | None = None,
        background_columns: Sequence[str] = (),
        class_weight: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.positive = positive
        self.heuristic = heuristic
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.identifiers = identifiers
        self.readings = readings
        self.date_parts = date_parts
        self.background = background
        self.background_columns = background_columns
        self.class_weight = class_weight
        self.n_jobs = n_jobs
