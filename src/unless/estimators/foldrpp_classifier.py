"""The scikit-learn face of FOLD-R++: `FoldRPPClassifier`. What all classifiers share is in `rule_classifier`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.estimators.rule_classifier import RuleClassifier
from unless.learn.learners import FoldRPPSettings

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from unless.estimators.rule_classifier import IdentifierChoice
    from unless.logic.rules import Label


class FoldRPPClassifier(RuleClassifier):
    """Learn default rules with exceptions by FOLD-R++; for more than two labels, rules in an order, by FOLD-RM.

    With more than two labels each rule is learned for the commonest label of the rows that are left, and a row has the
    label of the first rule that holds. The program says that order itself (docs/classes.md).

    Parameters
    ----------
    ratio : float, default=0.5
        A rule takes literals until its negatives are at most `ratio` times its positives; the rest are left to
        exceptions. Smaller: longer rules with fewer exceptions.
    heuristic : 'gain' or 'mgi', default='gain'
        How the best literal is chosen: by information gain, or by the impurity of FOLD-SE, which gives fewer rules.
    tail : float, default=0.0
        FOLD-SE's share of the training rows: a rule or exception that covers fewer is not kept (0.005 is usual).
    positive : label, default=None
        The label that the rules conclude; None takes the rarer one, by `sample_weight` and a `class_weight` given by
        label if there are any. Only for two labels.
    categorical_features : 'from_dtype', None, or a list, default='from_dtype'
        Which columns hold words only, by name, position or mask; all others are numerical (and may hold words too).
        'from_dtype' takes text, categories and booleans as categorical.
    missing_values : sequence of str, default=()
        Words that mean missing, such as '?', or '-999', which means the number too. Blank and null cells always do.
    identifiers : 'warn', 'drop' or 'keep', default='warn'
        What is done about columns that name their rows, such as an application number: warn of them, leave them out, or
        say nothing. All learn from what they keep.
    readings : dict, default=None
        How text is read, by column, such as `{"amount": "1.234,56", "start": "dd.mm.yyyy"}` (docs/tables.md). Such
        columns are numerical.
    date_parts : dict, default=None
        Parts of dates as columns of their own, such as `{"start": ["weekday", "age@2024-01-01"]}`.
    background : str or path, default=None
        Background knowledge (docs/background.md): the text itself, or the path of a file. What its clauses say of a
        row becomes literals that the rules may use; those used stay in the program.
    background_columns : sequence of str, default=()
        Columns that only the background may test, such as a name or a code.
    class_weight : dict, 'balanced' or None, default=None
        The weight of a row by its label. Rows are counted, so weights that are no multiples of the smallest are rounded
        to eighths of their mean.
    n_jobs : int, default=None
        Threads for encoding; None is one, -1 takes all cores. The rules do not depend on it.

    Attributes
    ----------
    classes_ : the labels, sorted.
    program_ : the `Program`; `str(program_)` is the model file.
    rules_ : tuple of `Rule`, the same nested.
    feature_names_in_, n_features_in_ : as in scikit-learn.
    feature_importances_ : the share of training rows that would be predicted otherwise if a column were blank.

    Examples
    --------
    >>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
    >>> model = FoldRPPClassifier(positive="flies").fit(rows, ["flies", "walks", "walks"])
    >>> model.predict(rows).tolist()
    ['flies', 'walks', 'walks']

    """

    learner = FoldRPPSettings

    def __init__(  # noqa: PLR0913  (scikit-learn wants every parameter here)
        self,
        ratio: float = 0.5,
        *,
        heuristic: str = "gain",
        tail: float = 0.0,
        positive: Label | None = None,
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
        self.ratio = ratio
        self.heuristic = heuristic
        self.tail = tail
        self.positive = positive
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.identifiers = identifiers
        self.readings = readings
        self.date_parts = date_parts
        self.background = background
        self.background_columns = background_columns
        self.class_weight = class_weight
        self.n_jobs = n_jobs
