"""The scikit-learn face of the flagship learner: `UnlessClassifier`.

It asks `optimise` for one program that weighs errors against size, and turns the user's wishes by name (columns to
leave alone, directions, rules to keep) into what the search understands. Wishes are checked by `fit`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self
from typing import Literal as OneOf

import numpy as np
from sklearn.base import _fit_context, clone
from sklearn.utils._param_validation import Interval, StrOptions

from unless.errors import DataError
from unless.estimators.rule_classifier import RuleClassifier
from unless.estimators.sklearn_inputs import is_ordered, positive_place
from unless.evaluate.leaves import leaf_indices, leaves
from unless.evaluate.predict import read_cells
from unless.learn.constraints import read_constraints
from unless.learn.lesson import (
    Lesson,
    calibrated,
    flatten_lesson,
    kept_clauses,
    leaf_shares,
    preference,
    row_weights,
    told_places,
    where_kept_hold,
)
from unless.learn.optimise.fit import Options, learn, prepare
from unless.learn.optimise.one_label_at_a_time import learn_in_order
from unless.learn.optimise.path import elbow, frontier
from unless.learn.optimise.training import N_FOLDS, content_folds
from unless.learn.size_path import Frontier, Stop
from unless.logic.forms.flatten import flatten_ordered
from unless.logic.forms.nest import nest
from unless.logic.program import Clause, Program
from unless.table.frames import is_dask
from unless.table.kinds import kinds_from_choice
from unless.table.labels import plain

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.optimise.fit import PointsWish, Run
    from unless.learn.optimise.grow import Step
    from unless.logic.rules import Label, Rule
    from unless.table.frames import RawTable


MAX_RULES = 15
"""More are not read; with more than two labels, this many for each."""


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
        Whether a condition may be a scorecard: points for tests, and a threshold. 'auto' lets inner folds decide, on
        tables of up to 9000 rows; larger ones do without.
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
    (Literal(column='town', op='=', value='here'), Literal(column='age', op='=<', value=17.0))

    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RuleClassifier._parameter_constraints,
        "size_penalty": [Interval(Real, 0.0, None, closed="neither")],
        "max_rules": [Interval(Integral, 1, None, closed="left"), None],
        "max_literals": [Interval(Integral, 1, 200, closed="both")],
        "max_depth": [Interval(Integral, 0, None, closed="left")],
        "points": ["boolean", StrOptions({"auto"})],
        "time_limit": [Interval(Real, 0.0, None, closed="left"), None],
        "forbidden": ["array-like", tuple],
        "apart": ["array-like", tuple],
        "allow_not_equal": ["boolean"],
        "monotonic_cst": [dict, None],
        "locked": [str, Program, "array-like", tuple, None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "calibrate": [StrOptions({"folds"}), None],
    }

    def __init__(  # noqa: PLR0913  (scikit-learn wants every parameter here)
        self,
        size_penalty: float = 1.0,
        *,
        max_rules: int | None = None,
        max_literals: int = 5,
        max_depth: int = 2,
        points: PointsWish = "auto",
        time_limit: float | None = None,
        positive: Label | None = None,
        forbidden: Sequence[str] = (),
        apart: Sequence[tuple[str, str]] = (),
        allow_not_equal: bool = True,
        monotonic_cst: Mapping[str, int] | None = None,
        locked: str | Program | Sequence[Rule] | None = None,
        class_weight: Any = None,
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
        self.calibrate = calibrate
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.background = background
        self.background_columns = background_columns
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, on_progress: Callable[[Step], None] | None = None
    ) -> Self:
        """Learn a program; `on_progress` is told after each step."""
        began = time.monotonic()
        lesson = self._weighed_lesson(X, y, sample_weight)
        if len(self.classes_) > 2:
            self._fit_in_order(lesson, on_progress)
        else:
            self._fit_two(lesson, on_progress)
        self.shares_ = leaf_shares(self.program_, self.classes_, lesson)
        if self.calibrate == "folds" and not self.stopped_:
            self.shares_ = self._calibrated(X, lesson, began)
        return self

    def _fit_two(self, lesson: Lesson, on_progress: Callable[[Step], None] | None) -> None:
        """Learn rules for one label against the other."""
        kept = kept_clauses(lesson, self.locked)
        learned = learn(self._run(lesson, kept, on_progress), lesson.label)
        self.trace_, self.stopped_ = learned.trace, learned.stopped
        self.program_ = flatten_lesson(lesson, learned.rules, kept)
        theory = replace(lesson.theory, clauses=(*kept, *lesson.theory.clauses))
        self.rules_ = (*nest(theory), *learned.rules)

    def _fit_in_order(self, lesson: Lesson, on_progress: Callable[[Step], None] | None) -> None:
        """Learn rules for one label after the other."""
        labels = [plain(label) for label in self.classes_]
        run = self._run(lesson, (), on_progress)
        learned = learn_in_order(run, lesson.labels.codes, labels)
        self.trace_, self.stopped_ = learned.trace, learned.stopped
        theory = lesson.theory
        target = replace(theory.target, default=labels[learned.default])
        self.rules_ = learned.rules
        self.program_ = flatten_ordered(learned.rules, target, theory.columns, theory.missing, theory.clauses)

    def _calibrated(self, X: Any, lesson: Lesson, began: float) -> NDArray[np.float64]:
        """Correct the shares by programs learned without the rows that they are tested on; cut short, leave them."""
        table, codes = self._read_rows(X), lesson.labels.codes
        if (lesson.labels.counts() < 2).any():
            msg = "calibrate='folds' needs at least two rows of each label, so that each can be learned without one."
            raise DataError(msg)
        weights = np.ones(len(codes)) if lesson.weights is None else lesson.weights
        folds = content_folds(lesson.columns, codes, lesson.weights)
        seen = np.empty((len(codes), 2))
        for fold in range(folds.max() + 1):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            left = None if self.time_limit is None else max(0.0, self.time_limit - (time.monotonic() - began))
            other = clone(self).set_params(calibrate=None, class_weight=None, time_limit=left)  # weights have the class
            other.fit(table.take(train), self.classes_[codes[train]], weights[train])
            if other.stopped_:
                self.stopped_ = True
                return self.shares_
            shares = other.predict_proba(table.take(test))
            told = other.classes_[shares.argmax(axis=1)]
            seen[test] = np.column_stack([shares.max(axis=1), told == self.classes_[codes[test]]])
        places = told_places(self.program_, self.classes_)
        told = np.array([places[leaf.label] for leaf in leaves(self.program_)])
        return calibrated(self.shares_, told, seen, weights)

    def fit_files(self, places: Any, target: str, **options: Any) -> Self:
        """Refuse: the whole program is optimised over rows in memory."""
        msg = "UnlessClassifier learns from a table in memory: read the files and use fit, or use FoldRPPClassifier."
        raise DataError(msg)

    @classmethod
    def from_program(cls, program: Program, classes: Sequence[Label] | None = None) -> Self:
        """Make a classifier that predicts by a given program, without fitting (see `FoldRPPClassifier`)."""
        model = super().from_program(program, classes)
        model.shares_ = leaf_shares(model.program_, model.classes_)
        return model

    def _places(self, table: RawTable) -> NDArray[np.intp]:
        """Tell rows apart by the clause that decides them."""
        return leaf_indices(self.program_, read_cells(self.program_, table), table.n_rows)

    def frontier(self, X: Any, y: Any, sample_weight: Any = None) -> Frontier:
        """Return programs from one literal to the limits, each with its cross-validated accuracy; fits nothing.

        Each program grows out of the one before it, in the whole table and in each fold, so the whole path costs a few
        fits. `size_penalty` has no say here, and there is no stopping halfway.
        """
        # Work on a copy: asking for the path leaves the fitted model as it is.
        other = clone(self)
        lesson = other._weighed_lesson(X, y, sample_weight)
        if len(lesson.labels.classes) > 2:
            msg = f"the path of programs is for two labels; there are {len(lesson.labels.classes)}."
            raise DataError(msg)
        if len(lesson.labels) < N_FOLDS:
            msg = f"the path of programs needs at least {N_FOLDS} rows; there are {len(lesson.labels)}."
            raise DataError(msg)
        kept = kept_clauses(lesson, self.locked)
        path = frontier(other._run(lesson, kept, None), lesson.label)
        if not path:
            msg = "no literal pays on this table: there is no path of programs to choose from."
            raise DataError(msg)
        stops = tuple(
            Stop(
                flatten_lesson(lesson, point.rules, kept),
                point.n_rules,
                point.literals,
                point.accuracy,
                point.spread,
                point.training_accuracy,
                point.size_penalty,
            )
            for point in path
        )
        return Frontier(stops, elbow(path))

    def _weighed_lesson(self, X: Any, y: Any, sample_weight: Any) -> Lesson:
        if is_dask(X):
            msg = "UnlessClassifier learns on one machine only; on a cluster, use FoldRPPClassifier."
            raise DataError(msg)
        table, labels = self._read_training(X, y)
        weights = row_weights(labels, sample_weight, self.class_weight)
        kinds = kinds_from_choice(table, self.categorical_features)
        self.classes_ = labels.classes
        for_two = {"positive": self.positive, "monotonic_cst": self.monotonic_cst, "locked": self.locked}
        positive = 0
        if not is_ordered(labels.classes, for_two):
            positive = positive_place(labels.classes, preference(self.locked, labels, weights), self.positive)
        theory = self._theory(kinds, labels.name, positive)
        read, columns = self._code(theory, table, kinds, labels)
        return Lesson(theory, read, columns, labels, positive, weights)

    def _run(self, lesson: Lesson, kept: Sequence[Clause], on_progress: Callable[[Step], None] | None) -> Run:
        """Bin the table for the search."""
        books, theory = lesson.columns.books, lesson.theory
        wished = read_constraints(self.forbidden, self.apart, self.monotonic_cst, books, theory)
        # Directions are seen from the label that the rules conclude.
        turn = -1 if self.positive is None and lesson.positive != len(self.classes_) - 1 else 1
        options = Options(
            float(self.size_penalty),
            self._most_rules() if self.max_rules is None else int(self.max_rules),
            int(self.max_literals),
            int(self.max_depth),
            self.points,
            wished.forbidden,
            wished.apart,
            bool(self.allow_not_equal),
            {name: turn * direction for name, direction in wished.directions.items()},
            self.time_limit,
            None,
            on_progress,
        )
        return prepare(lesson.columns, lesson.is_positive, lesson.weights, where_kept_hold(lesson, kept), options)

    def _most_rules(self) -> int:
        return MAX_RULES if len(self.classes_) == 2 else MAX_RULES * len(self.classes_)
