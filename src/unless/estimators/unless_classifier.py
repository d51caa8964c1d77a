"""The scikit-learn face of the optimised learner: `UnlessClassifier`.

Weights of rows, calibrated probabilities and the path of programs are its own; the rest is as in `rule_classifier`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self
from typing import Literal as OneOf

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _check_sample_weight

from unless.errors import DataError, SettingError
from unless.estimators.rule_classifier import RuleClassifier
from unless.estimators.sklearn_inputs import label_indices, read_training_labels
from unless.evaluate.leaves import leaf_indices, leaves
from unless.evaluate.predict import read_cells
from unless.evaluate.shares import agreeing, leaf_labels, smoothed_shares
from unless.learn.front import frontier, learn
from unless.learn.learners import UnlessSettings
from unless.learn.optimise.training import content_folds
from unless.learn.settings import either, words
from unless.learn.task import Watch, read_task

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.learners import PointsChoice
    from unless.learn.size_path import Frontier
    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.logic.rules import Label, Rule
    from unless.table.frames import RawTable

CALIBRATE = either(words("folds"), None)


class UnlessClassifier(RuleClassifier):
    """Learn few default rules with exceptions, optimised together (docs/unless-classifier.md).

    One objective decides everything: the weight of the training errors plus a price for each literal and rule. With
    more than two labels it is met label after label, the rarest first, and the commonest needs no rules; a row has the
    label of the first rule that holds, and the program says that order itself (docs/classes.md).

    Parameters
    ----------
    size_penalty : float, default=1.0
        The one knob: larger gives a shorter program.
    max_rules, max_literals, max_depth : int, default=None, 5, 2
        Hard limits: rules and exceptions in all, conditions in one body, exceptions above one another. `max_rules=None`
        is 15; with more than two labels, 15 times their number.
    points : bool or 'auto', default='auto'
        Whether a condition may be a scorecard: points for tests, and a threshold. 'auto' lets inner folds decide.
    time_limit : float, default=None
        Seconds; then the best program so far is kept. Ctrl-C does the same.
    positive : label, default=None
        The label that the rules conclude; None takes the rarer one. Only for two labels, as are `monotonic_cst`
        and `locked`.
    forbidden : sequence of str, default=()
        Columns that no rule may test.
    apart : sequence of pairs of str, default=()
        Columns that must not stand together in a rule and its exceptions.
    allow_not_equal : bool, default=True
        Whether rules may say that a word is not there.
    monotonic_cst : dict, default=None
        By column 1 or -1: larger numbers may only speak for, or against, `positive` (or the last of `classes_`).
    locked : str, Program or sequence of Rule, default=None
        Rules to keep as they are: learning works around them. They do not count for `max_rules`.
    class_weight : dict, 'balanced' or None, default=None
        The weight of a row by its label.
    costs : dict, default=None
        What an error on rows of a label costs, such as `{"late": 5}`; 1 for labels not named.
    calibrate : 'folds' or None, default=None
        Whether `predict_proba` is corrected by what programs learned without a fifth of the rows say of that fifth.
        This takes five more fits; the program stays the same.
    categorical_features, missing_values, background, background_columns, n_jobs :
        As in `FoldRPPClassifier`.

    Attributes
    ----------
    classes_, program_, rules_, feature_names_in_, n_features_in_ : as in `FoldRPPClassifier`.
    trace_ : tuple of `Step`, how the objective fell.
    stopped_ : bool, whether time or patience ended before learning did.

    Examples
    --------
    >>> rows = [{"age": age, "town": town} for age in range(40) for town in ("here", "there")]
    >>> labels = ["young" if row["age"] < 18 and row["town"] == "here" else "old" for row in rows]
    >>> UnlessClassifier().fit(rows, labels).rules_[0].body
    (Literal(column='age', op='=<', value=17.0), Literal(column='town', op='=', value='here'))

    """

    learner = UnlessSettings

    def __init__(  # noqa: PLR0913  (scikit-learn wants every parameter here)
        self,
        size_penalty: float = 1.0,
        *,
        max_rules: int | None = None,
        max_literals: int = 5,
        max_depth: int = 2,
        points: PointsChoice = "auto",
        time_limit: float | None = None,
        positive: Label | None = None,
        forbidden: Sequence[str] = (),
        apart: Sequence[tuple[str, str]] = (),
        allow_not_equal: bool = True,
        monotonic_cst: Mapping[str, int] | None = None,
        locked: str | Program | Sequence[Rule] | None = None,
        class_weight: Any = None,
        costs: Mapping[Any, float] | None = None,
        calibrate: OneOf["folds"] | None = None,
        categorical_features: Any = "from_dtype",
        missing_values: Sequence[str] = (),
        background: str | os.PathLike[str] | None = None,
        background_columns: Sequence[str] = (),
        n_jobs: int | None = None,
    ) -> None:
        self.size_penalty = size_penalty
        self.max_rules = max_rules
        self.max_literals = max_literals
        self.max_depth = max_depth
        self.points = points
        self.time_limit = time_limit
        self.positive = positive
        self.forbidden = forbidden
        self.apart = apart
        self.allow_not_equal = allow_not_equal
        self.monotonic_cst = monotonic_cst
        self.locked = locked
        self.class_weight = class_weight
        self.costs = costs
        self.calibrate = calibrate
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.background = background
        self.background_columns = background_columns
        self.n_jobs = n_jobs

    def fit(  # type: ignore[override]  # scikit-learn wants sample_weight here
        self, X: Any, y: Any, sample_weight: Any = None, *, on_progress: Callable[[Any], None] | None = None
    ) -> Self:
        """Learn a program; `on_progress` hears of each step."""
        began = time.monotonic()
        settings = self._settings()
        task = self._weighed_task(X, y, sample_weight)
        self._keep(learn(task, settings, on_progress=on_progress))
        if self.calibrate == "folds" and not self.stopped_:
            self.shares_ = self._calibrated(X, task, settings, began)
        return self

    def fit_files(self, paths: Any, target: str, **options: Any) -> Self:
        """Learn a program from files, folders, globs or remote paths, whose codes must fit into memory."""
        if self.calibrate is not None:
            msg = "calibrate='folds' learns from a table in memory again and again: read the files and use fit."
            raise DataError(msg)
        return super().fit_files(paths, target, **options)

    def _keep(self, learned: Any) -> Self:
        self.trace_, self.stopped_ = learned.trace, learned.stopped
        return super()._keep(learned)

    def _settings(self) -> UnlessSettings:
        if not CALIBRATE.test(self.calibrate):
            msg = "calibrate"
            raise SettingError(msg, self.calibrate, CALIBRATE.words)
        settings = super()._settings()
        assert isinstance(settings, UnlessSettings)
        return settings

    def _weighed_task(self, X: Any, y: Any, sample_weight: Any) -> Task:
        if sample_weight is None:
            return self._task(X, y)
        n_rows = len(read_training_labels(y))
        weights = _check_sample_weight(sample_weight, np.empty(n_rows), ensure_non_negative=True)
        return self._task(X, y, weights=weights)

    def _calibrated(self, X: Any, task: Task, settings: UnlessSettings, began: float) -> NDArray[np.float64]:
        """Correct the shares by programs learned without the rows that they are tested on; cut short, leave them."""
        data = read_task(task, settings, Watch())
        if (data.counts < 2).any():
            msg = "calibrate='folds' needs at least two rows of each label, so that each can be learned without one."
            raise DataError(msg)
        table, labels = self._read_rows(X), data.local.labels
        weights = np.ones(len(labels)) if data.weights is None else data.weights
        folds = content_folds(data.columns, labels, data.weights)
        seen = np.empty((len(labels), 2))
        for fold in range(folds.max() + 1):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            left = None if self.time_limit is None else max(0.0, self.time_limit - (time.monotonic() - began))
            other = clone(self).set_params(
                calibrate=None, class_weight=None, costs=None, time_limit=left
            )  # in the weights
            other.fit(table.take(train), self.classes_[labels[train]], weights[train])
            if other.stopped_:
                self.stopped_ = True
                return self.shares_
            shares = other.predict_proba(table.take(test))
            predicted = other.classes_[shares.argmax(axis=1)]
            seen[test] = np.column_stack([shares.max(axis=1), predicted == self.classes_[labels[test]]])
        predicted = leaf_labels(self.program_, label_indices(self.program_, self.classes_))
        return calibrated(self.shares_, predicted, seen, weights)

    @classmethod
    def from_program(cls, program: Program, classes: Sequence[Label] | None = None) -> Self:
        """Make a classifier that predicts by a given program, without fitting (see `FoldRPPClassifier`)."""
        model = super().from_program(program, classes)
        predicted = leaf_labels(model.program_, label_indices(model.program_, model.classes_))
        nothing = np.zeros((len(leaves(model.program_)), len(model.classes_)))
        model.shares_ = smoothed_shares(nothing, predicted)
        return model

    def _ways(self, table: RawTable) -> NDArray[np.intp]:
        """Tell rows apart by the clause that decides them."""
        return leaf_indices(self.program_, read_cells(self.program_, table), table.n_rows)

    def frontier(self, X: Any, y: Any, sample_weight: Any = None) -> Frontier:
        """Return programs from one literal to the limits, each with its cross-validated accuracy; fits nothing.

        Each program grows out of the one before it, in the whole table and in each fold, so the whole path costs a few
        fits. `size_penalty` has no say here, and there is no stopping halfway.
        """
        # Work on a copy: asking for the path leaves the fitted model as it is.
        other = clone(self)
        return frontier(other._weighed_task(X, y, sample_weight), other._settings())


def calibrated(
    shares: NDArray[np.float64], predicted: NDArray[np.intp], seen: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Correct the share of the predicted label, leaf by leaf, by how often such a share was right on held-out rows.

    `seen` has for each held-out row the share that a program learned without it gave to its label, and whether the
    label was right. The correction never turns a larger share into a smaller one (isotonic regression).
    """
    from sklearn.isotonic import IsotonicRegression

    edge = 1.0 / (len(seen) + 2.0)  # no certainty from a sample
    curve = IsotonicRegression(y_min=edge, y_max=1.0 - edge, out_of_bounds="clip")
    curve.fit(seen[:, 0], seen[:, 1], weights)
    every = np.arange(len(shares))
    old = shares[every, predicted]
    new = curve.predict(old)
    left = np.maximum(1.0 - old, np.finfo(np.float64).tiny)  # a share may be so near 1 that nothing is left
    others = shares * ((1.0 - new) / left)[:, None]
    others[every, predicted] = new
    return np.array([agreeing(line, label) for line, label in zip(others, predicted, strict=True)])
