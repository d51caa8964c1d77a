"""The scikit-learn face of the optimised learner: `UnlessClassifier`.

Weights of rows and the frontier are its own; the rest is as in `rule_classifier`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.base import clone

from unless.errors import Note
from unless.estimators.rule_classifier import RuleClassifier
from unless.estimators.sklearn_inputs import Warns
from unless.learn.front import frontier, learn
from unless.learn.learners import UnlessSettings

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from unless.estimators.rule_classifier import IdentifierChoice
    from unless.learn.learners import PointsChoice
    from unless.learn.optimise.growing.growth_limits import Step
    from unless.learn.size_path import Frontier
    from unless.logic.program import Program
    from unless.logic.rules import Label, Rule

STOPPED = "learning was stopped early: this is the best program so far (stopped_ is True)."


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
        The label that the rules conclude; None takes the rarer one, by `sample_weight` and a `class_weight` given by
        label if there are any; 'balanced' and `costs` make none rarer. Only for two labels, as are `monotonic_cst` and
        `locked`.
    forbidden : sequence of str, default=()
        Columns that no rule may test.
    apart : sequence of pairs of str, default=()
        Columns that must not stand together in a rule and its exceptions.
    allow_not_equal : bool, default=True
        Whether rules may say that a word is not there.
    monotonic_cst : dict or array of 1, 0 and -1, default=None
        By column 1 or -1: larger numbers may only speak for, or against, `positive` (or the last of `classes_`). An
        array has one for each column, in order, with 0 for those that are free.
    locked : str, Program or sequence of Rule, default=None
        Rules to keep as they are: learning works around them. They do not count for `max_rules`.
    class_weight : dict, 'balanced' or None, default=None
        The weight of a row by its label; only the ratios matter.
    costs : dict, default=None
        What an error on rows of a label costs, such as `{"late": 5}`; 1 for labels not named. Only the ratios matter.
    categorical_features, missing_values, identifiers, readings, date_parts, background, background_columns :
        As in `FoldRPPClassifier`.
    n_jobs : int, default=None
        Threads that read and bin columns and grow inner folds; None is one, -1 takes all cores. The program does not
        depend on it.

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

    trace_: tuple[Step, ...]
    stopped_: bool

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
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        locked: str | Program | Sequence[Rule] | None = None,
        class_weight: Any = None,
        costs: Mapping[Any, float] | None = None,
        categorical_features: Any = "from_dtype",
        missing_values: Sequence[str] = (),
        identifiers: IdentifierChoice = "warn",
        readings: Mapping[str, str] | None = None,
        date_parts: Mapping[str, Sequence[str]] | None = None,
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
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.identifiers = identifiers
        self.readings = readings
        self.date_parts = date_parts
        self.background = background
        self.background_columns = background_columns
        self.n_jobs = n_jobs

    def fit(  # type: ignore[override]  # scikit-learn wants sample_weight here
        self, X: Any, y: Any, sample_weight: Any = None, *, on_progress: Callable[[Any], None] | None = None
    ) -> Self:
        """Learn a program.

        Parameters
        ----------
        X : table
            A pandas, polars or pyarrow table, an array, a sparse matrix, a dict of columns, or a list of dicts. Words,
            numbers and missing values need no preparation.
        y : labels
            A series, array or list, with one for each row.
        sample_weight : array of shape (n_rows,), default=None
            How much each row counts.
        on_progress : callable, default=None
            Hears of each step; what it raises as KeyboardInterrupt ends learning with the best program so far.

        Returns
        -------
        self : the fitted classifier.

        Examples
        --------
        >>> rows = [{"age": age} for age in range(40)]
        >>> model = UnlessClassifier().fit(rows, ["young" if row["age"] < 18 else "old" for row in rows])
        >>> model.predict([{"age": 12}, {"age": 30}]).tolist()
        ['young', 'old']

        """
        self._settings()
        with Warns():
            task = self._weighed_task(X, y, sample_weight)
            return self._keep(learn(task, self._settings(task.names), on_progress=on_progress))

    def _keep(self, learned: Any) -> Self:
        self.trace_, self.stopped_ = learned.trace, learned.stopped
        super()._keep(learned)
        if learned.stopped:  # a search over many fits goes on, and shows its score as that of a whole one
            Note(STOPPED).warn()
        return self

    def _settings(self, names: Sequence[str] | None = None) -> UnlessSettings:
        settings = super()._settings(names)
        assert isinstance(settings, UnlessSettings)
        return settings

    def frontier(self, X: Any, y: Any, sample_weight: Any = None, *, auc: bool = False) -> Frontier:
        """Return programs from one literal to the limits, each with its cross-validated accuracy; fits nothing.

        Each program grows out of the one before it, in the whole table and in each fold, so the whole path costs a few
        fits. `size_penalty` has no say here, and there is no stopping halfway.

        Parameters
        ----------
        X, y, sample_weight :
            As in `fit`.
        auc : bool, default=False
            Whether to grade the program of each fold too, and say how well grades rank held-out rows.

        Returns
        -------
        Frontier
            Its `points` have a program each; `elbow` is the index of the one to look at first.

        Examples
        --------
        >>> rows = [{"age": age} for age in range(40)]
        >>> path = UnlessClassifier().frontier(rows, ["young" if row["age"] < 18 else "old" for row in rows])
        >>> [point.n_literals for point in path.points]
        [1]

        """
        # Work on a copy: asking for the path leaves the fitted model as it is.
        other = clone(self)
        other._settings()
        with Warns():
            task = other._weighed_task(X, y, sample_weight)
            return frontier(task, other._settings(task.names), auc=auc)
