"""The scikit-learn face of FOLD-R++: `FoldRPPClassifier`. What all classifiers share is in `rule_classifier`."""

from __future__ import annotations

import math
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from unless.estimators.rule_classifier import RuleClassifier
from unless.evaluate.shares import smoothed_shares
from unless.learn.fold.chooser import Chooser
from unless.learn.fold.foldrm import FoldRM
from unless.learn.fold.foldrpp import Fold
from unless.learn.lesson import told_places
from unless.logic.forms.flatten import flatten_ordered
from unless.logic.program import label_text
from unless.table.labels import plain

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from unless.learn.fold.foldrpp import Progress
    from unless.learn.rows.codes import Columns
    from unless.logic.program import Program
    from unless.logic.rules import Label, Rule


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
        The label that the rules conclude; None takes the most frequent one. Only for two labels.
    categorical_features : 'from_dtype', None, or a list, default='from_dtype'
        Which columns hold words only, by name, position or mask; all others are numerical (and may hold words too).
        'from_dtype' takes text, categories and booleans as categorical.
    missing_values : sequence of str, default=()
        Words that mean missing, such as '?' or 'NA'. Blank and null cells always do.
    background : str or path, default=None
        Background knowledge (docs/background.md): the text itself, or the path of a file. What its clauses say of a
        row becomes literals that the rules may use; those used stay in the program.
    background_columns : sequence of str, default=()
        Columns that only the background may test, such as a name or a code.
    n_jobs : int, default=None
        Threads for encoding; None takes all cores. The rules do not depend on it.

    Attributes
    ----------
    classes_ : the labels, sorted.
    program_ : the `Program`; `str(program_)` is the model file.
    rules_ : tuple of `Rule`, the same nested.
    feature_names_in_, n_features_in_ : as in scikit-learn.

    Examples
    --------
    >>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
    >>> model = FoldRPPClassifier(positive="flies").fit(rows, ["flies", "walks", "walks"])
    >>> model.predict(rows).tolist()
    ['flies', 'walks', 'walks']

    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RuleClassifier._parameter_constraints,
        "ratio": [Interval(Real, 0.0, 1.0, closed="both")],
        "heuristic": [StrOptions({"gain", "mgi"})],
        "tail": [Interval(Real, 0.0, 1.0, closed="left")],
    }

    def __init__(
        self,
        ratio: float = 0.5,
        *,
        heuristic: str = "gain",
        tail: float = 0.0,
        positive: Label | None = None,
        categorical_features: Any = "from_dtype",
        missing_values: Sequence[str] = (),
        background: str | os.PathLike[str] | None = None,
        background_columns: Sequence[str] = (),
        n_jobs: int | None = None,
    ) -> None:
        self.ratio = ratio
        self.heuristic = heuristic
        self.tail = tail
        self.positive = positive
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.background = background
        self.background_columns = background_columns
        self.n_jobs = n_jobs

    def _rules(
        self,
        columns: Columns,
        rows: Any,
        label: Label,
        on_rule: Callable[[Progress], None] | None,
        finished: Sequence[Rule],
    ) -> tuple[tuple[Rule, ...], Any]:
        """Learn by FOLD-R++."""
        return self._fold(columns, rows.n_pos + rows.n_neg, on_rule).learn(rows, label, finished)

    def _fold(self, columns: Columns, n_rows: int, on_rule: Callable[[Progress], None] | None) -> Fold[Any]:
        chooser = Chooser(columns, mgi=self.heuristic == "mgi")
        return Fold(chooser, self.ratio, on_rule, max(1, math.floor(self.tail * n_rows)))

    def _ordered(
        self,
        theory: Program,
        columns: Columns,
        by_class: Sequence[Any],
        on_rule: Callable[[Progress], None] | None,
    ) -> Self:
        """Learn by FOLD-RM; the default is the commonest label of the rows that no rule covers."""
        labels = [plain(label) for label in self.classes_]
        fold = self._fold(columns, by_class[0].n_pos + by_class[0].n_neg, on_rule)
        rules, counts = FoldRM(fold).learn(by_class, labels)
        rest = counts[-1] if counts[-1].any() else counts.sum(axis=0)
        target = replace(theory.target, default=labels[int(np.argmax(rest))])
        program = flatten_ordered(rules, target, theory.columns, theory.missing, theory.clauses)
        told = {label_text(label): place for place, label in enumerate(program.target.labels)}
        decides = [told[label_text(rule.head)] for rule in rules if rule.head is not None]
        by_label = np.zeros((len(told) + 1, len(labels)), dtype=np.intp)
        np.add.at(by_label, [*decides, -1], counts)
        places = told_places(program, self.classes_)
        self.rules_, self.program_ = rules, program
        self.shares_ = smoothed_shares(by_label, places)
        return self
