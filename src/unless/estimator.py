"""The scikit-learn face: `FoldRPPClassifier`, and `RuleClassifier`, what it shares with every other learner of rules.

A classifier reads any table, learns a program, and predicts with that program and nothing else: what `program_` says
is what `predict` does. Hyper-parameters are only stored by `__init__` and checked by `fit`, as scikit-learn expects.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import narwhals as nw
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import estimator_html_repr
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from unless.errors import DataError, listing, unknown_column
from unless.files import read_text
from unless.learn.columns import encode
from unless.learn.fold import Fold
from unless.learn.ordered import FoldRM
from unless.learn.rows import all_rows
from unless.learn.splits import Chooser
from unless.lesson import Lesson, class_place, flatten_lesson, leaf_shares, plain_label, told_places
from unless.logic.background import read_background
from unless.logic.nest import nest
from unless.logic.program import Clause, Program, Target, label_text, same_label, unnamed_default
from unless.logic.prove import prove_values
from unless.predict import Truth, decided, leaf_places, read_cells, row_values
from unless.rules import Column, Label, Rule
from unless.table.cells import flag_cells
from unless.table.frames import RawTable, raw_table
from unless.table.kinds import kinds_from_choice
from unless.table.labels import Labels, read_labels
from unless.table.raw import RawColumn, cells
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from unless.learn.fold import Progress
    from unless.learn.rows import LocalRows
    from unless.logic.prove import Proof
    from unless.rules import Kind
    from unless.table.cells import Cells


class RuleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What every learner of rules shares: reading tables, keeping a program, predicting by it.

    A learner has the parameters below beside its own, and says in `_rules` how its rules are learned.
    """

    positive: Label | None
    categorical_features: Any
    missing_values: Sequence[str]
    background: str | os.PathLike[str] | None
    background_columns: Sequence[str]
    n_jobs: int | None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "positive": [object],
        "categorical_features": ["array-like", str, None],
        "missing_values": ["array-like", tuple],
        "background": [str, os.PathLike, None],
        "background_columns": ["array-like", tuple],
        "n_jobs": [Interval(Integral, -1, None, closed="left"), None],
    }

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, *, on_rule: Callable[[Progress], None] | None = None) -> Self:
        """Learn a program; `on_rule` is told after each rule."""
        lesson = self._lesson(*self._read_training(X, y))
        rules = self._rules(lesson, on_rule)
        return self._keep(lesson, rules, flatten_lesson(lesson, rules))

    def _rules(self, lesson: Lesson, on_rule: Callable[[Progress], None] | None) -> tuple[Rule, ...]:
        """Learn rules for the positive rows."""
        raise NotImplementedError

    def _lesson(self, table: RawTable, labels: Labels, weights: NDArray[np.float64] | None = None) -> Lesson:
        """Read the table into what a learner needs."""
        kinds = kinds_from_choice(table, self.categorical_features)
        missing = tuple(self.missing_values)
        self.classes_ = labels.classes
        positive = self._positive_place(labels, weights)
        told, *others = (plain_label(label) for label in np.roll(self.classes_, -positive))
        # With more than two classes the labels and the default are known when the rules are.
        default = others[0] if len(others) == 1 else told
        name = labels.name if labels.name not in kinds else f"{labels.name} (target)"
        described = [Column(name, kinds[name]) for name in table.names]
        read = _cells(table, kinds, missing, self._threads())
        theory = Program(Target(name, (told,), default), tuple(described), self._background(name, described), missing)
        columns = encode(self._candidates(theory, read), self._threads())
        return Lesson(theory, read, columns, labels, positive, weights)

    def _keep(self, lesson: Lesson, rules: tuple[Rule, ...], program: Program) -> Self:
        """Keep what was learned, and count the classes of the rows that each leaf decides."""
        self.rules_: tuple[Rule, ...] = rules
        self.program_: Program = program
        self.shares_ = leaf_shares(program, self.classes_, lesson)
        return self

    @classmethod
    def from_program(cls, program: Program, classes: Sequence[Label] | None = None) -> Self:
        """Make a classifier that predicts by a given program, without fitting.

        It takes any table with the columns that the program tests. `classes` are the labels there are, if the program
        does not name them all. No rows have been counted, so its probabilities only tell which label is predicted.

        >>> from unless import parse
        >>> model = FoldRPPClassifier.from_program(parse("size(X,'big') :- cm(X,N), N > 100.0."), ["big", "small"])
        >>> model.predict([{"cm": 120}, {"cm": None}]).tolist()
        ['big', 'small']
        """
        program, labels = _with_classes(program, classes)
        categorical = [column.name for column in program.columns if column.kind == "categorical"]
        positive = program.target.labels[0]
        model = cls(positive=positive, categorical_features=categorical, missing_values=program.missing)
        model.program_, model.rules_, model.classes_ = program, nest(program), labels
        model.shares_ = leaf_shares(program, labels)
        return model

    def _background(self, target: str, columns: Sequence[Column]) -> tuple[Clause, ...]:
        if self.background is None:
            return ()
        text = self.background if isinstance(self.background, str) else read_text(self.background)
        return read_background(text, target, columns)

    def _candidates(self, theory: Program, read: Mapping[str, Cells]) -> dict[str, Cells]:
        """Return what literals may test: the helpers of the background first, so that they win ties, then columns."""
        for name in self.background_columns:
            if name not in read:
                raise DataError(unknown_column(name, tuple(read)))
        n_rows = next(iter(read.values())).n_rows
        helpers = Truth(theory, read, n_rows).helpers if theory.clauses else {}
        found = {name: flag_cells(helpers[name]) for name in theory.helpers}
        return found | {name: column for name, column in read.items() if name not in self.background_columns}

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the label of each row."""
        table = self._read(X)
        told = told_places(self.program_, self.classes_)
        places = decided(self.program_, read_cells(self.program_, table), table.n_rows)
        labels: NDArray[Any] = self.classes_[told[places]]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class among the training rows that the same clause decides, smoothed.

        Rows sum to 1, columns follow `classes_`, and the largest entry of a row is that of the predicted label. Where
        no clause concludes a label, the exception that stopped the first clause tells rows apart.
        """
        table = self._read(X)
        places = leaf_places(self.program_, read_cells(self.program_, table), table.n_rows)
        shares: NDArray[np.float64] = self.shares_[places]
        return shares

    def explain(self, X: Any, *, all_rules: bool = False) -> list[Proof]:
        """Prove the label of each row; `all_rules` shows every rule that holds, not just the first."""
        table = self._read(X)
        columns = read_cells(self.program_, table)
        return [
            prove_values(self.program_, row_values(columns, row), row_name=row, all_rules=all_rules)
            for row in range(table.n_rows)
        ]

    def _html_repr(self) -> str:
        """Show what was learned below what scikit-learn shows of any estimator, in a notebook."""
        shown: str = estimator_html_repr(self)
        if not hasattr(self, "program_"):
            return shown
        from unless.explain.picture import picture

        return f"{shown}\n<div>{picture(self.program_)}</div>"

    def _read_training(self, X: Any, y: Any) -> tuple[RawTable, Labels]:
        if y is None:
            msg = "requires y to be passed, but the target y is None."
            raise ValueError(msg)
        table = self._read_rows(X)
        self._remember_features(X, table)
        labels = _read_labels(y)
        if len(labels) != table.n_rows:
            msg = f"the table has {table.n_rows} rows and there are {len(labels)} labels; each row needs one label."
            raise DataError(msg)
        return table, labels

    def _read(self, X: Any) -> RawTable:
        check_is_fitted(self)
        table = self._read_rows(X)
        self._check_features(X, table)
        return table

    def _read_rows(self, X: Any) -> RawTable:
        if hasattr(X, "toarray") and hasattr(X, "tocsr"):
            msg = "Sparse data was passed, but a table of cells is required. Use X.toarray()."
            raise TypeError(msg)
        table = raw_table(X)
        if table.n_rows == 0 or not table.columns:
            msg = f"Found array with {table.n_rows} sample(s) and {len(table.columns)} feature(s)"
            msg += f" (shape=({table.n_rows}, {len(table.columns)})) while a minimum of 1 is required."
            raise DataError(msg)
        return table

    def _remember_features(self, X: Any, table: RawTable) -> None:
        self.n_features_in_ = len(table.columns)
        self._names = table.names
        if _has_names(X):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_features(self, X: Any, table: RawTable) -> None:
        """Refuse other columns than those of fit, or another order; as scikit-learn does."""
        if not hasattr(self, "n_features_in_"):
            return  # made from a program, which finds its columns by name
        if _has_names(X) and hasattr(self, "feature_names_in_"):
            _check_names(list(self.feature_names_in_), list(table.names))
        if len(table.columns) != self.n_features_in_:
            msg = (
                f"X has {len(table.columns)} features, but {type(self).__name__} "
                f"is expecting {self.n_features_in_} features as input."
            )
            raise DataError(msg)

    def _positive_place(self, labels: Labels, weights: NDArray[np.float64] | None) -> int:
        """Return the place of the positive label among the two classes."""
        classes = labels.classes
        shown = listing(repr(plain_label(label)) for label in classes)
        if len(classes) < 2:
            msg = f"Classifier can't train when only one class is present: all labels are {shown}."
            raise DataError(msg)
        if len(classes) > 2 and self.__sklearn_tags__().classifier_tags.multi_class:
            if self.positive is not None:
                msg = f"positive={self.positive!r} is for two labels, not for {len(classes)}: {shown}. Leave it out."
                raise DataError(msg)
            return int(np.argmax(labels.counts()))
        if len(classes) > 2:
            msg = (
                f"Only binary classification is supported. The type of the target is multiclass: "
                f"{len(classes)} labels, {shown}. "
                f"Hint: compare one label with the rest, y == {plain_label(classes[0])!r}."
            )
            raise DataError(msg)
        if self.positive is None:
            return self._positive_by_default(labels, weights)
        place = class_place(classes, self.positive)
        if place < 0:
            msg = f"positive={self.positive!r} is not a label; labels: {shown}."
            raise DataError(msg)
        return place

    def _positive_by_default(self, labels: Labels, weights: NDArray[np.float64] | None) -> int:
        return int(np.argmax(labels.counts()))

    def _threads(self) -> int:
        return os.cpu_count() or 1 if self.n_jobs in (None, -1) else max(1, int(self.n_jobs))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = False
        return tags


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

    def __init__(  # noqa: PLR0913  (scikit-learn wants every parameter here)
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

    def _rules(self, lesson: Lesson, on_rule: Callable[[Progress], None] | None) -> tuple[Rule, ...]:
        """Learn by FOLD-R++, or by FOLD-RM where there are more than two labels."""
        labels = lesson.labels
        chooser = Chooser(lesson.columns, mgi=self.heuristic == "mgi")
        least = max(1, math.floor(self.tail * len(labels)))
        fold: Fold[LocalRows] = Fold(chooser, self.ratio, on_rule, least)
        if not lesson.is_ordered:
            return fold.learn(all_rows(lesson.columns, lesson.is_positive), lesson.label)[0]
        by_class = [all_rows(lesson.columns, labels.codes == place) for place in range(len(labels.classes))]
        return FoldRM(fold).learn(by_class, [plain_label(label) for label in labels.classes])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


def _cells(table: RawTable, kinds: Mapping[str, Kind], missing: Sequence[str], n_threads: int) -> dict[str, Cells]:
    def read(name: str) -> Cells:
        return cells(table.columns[name], kinds[name], missing)

    return dict(zip(table.names, map_columns(read, table.names, table.n_rows, n_threads), strict=True))


def _read_labels(y: Any) -> Labels:
    """Read the labels, refusing what scikit-learn refuses: several columns, or numbers that are no classes."""
    if isinstance(y, RawColumn):
        return read_labels(y)
    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series) and not series.dtype.is_numeric():
        return read_labels(y)
    array = column_or_1d(y if isinstance(series, nw.Series) else np.asarray(y), warn=True)
    labels = read_labels(y if isinstance(series, nw.Series) else array)
    check_classification_targets(array)
    return labels


def _with_classes(program: Program, classes: Sequence[Label] | None) -> tuple[Program, NDArray[Any]]:
    """Return the labels there are, sorted, and the program with its default named if only one label can be it."""
    target = program.target
    if classes is None:
        return program, _sorted_labels((*target.labels, target.default))
    rest = [label for label in classes if not any(same_label(label, told) for told in target.labels)]
    if target.default == unnamed_default(target.labels) and len(rest) == 1:
        program = replace(program, target=replace(target, default=plain_label(rest[0])))
    for label in (*target.labels, program.target.default):
        if not any(same_label(label, one) for one in classes):
            msg = f"the program may predict {label!r}, which is not among the classes: {listing(map(repr, classes))}."
            raise DataError(msg)
    return program, _sorted_labels(classes)


def _sorted_labels(labels: Sequence[Label]) -> NDArray[Any]:
    """Return distinct labels in an array that keeps their types; sorted where they can be."""
    distinct = list(dict.fromkeys(labels))
    kinds = {type(label) for label in distinct}
    if len(kinds) == 1 or kinds <= {int, float}:
        return np.unique(np.array(distinct, dtype=object if str in kinds else None))
    array = np.empty(len(distinct), dtype=object)
    array[:] = sorted(distinct, key=label_text)
    return array


def _has_names(X: Any) -> bool:
    if isinstance(X, RawTable):
        return True
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    if isinstance(X, Sequence):
        return bool(X) and isinstance(X[0], Mapping)
    # Asked of the type: a lazy frame works out its schema when the attribute itself is read.
    return hasattr(type(X), "columns") or hasattr(type(X), "column_names")


def _check_names(fitted: list[str], found: list[str]) -> None:
    if fitted == found:
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(found) - set(fitted)), sorted(set(fitted) - set(found))
    if unseen:
        message += "Feature names unseen at fit time:\n" + "".join(f"- {name}\n" for name in unseen[:5])
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + "".join(f"- {name}\n" for name in missing[:5])
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise DataError(message)
