"""The scikit-learn face: `FoldRPPClassifier`, and `RuleClassifier`, what it shares with every other learner of rules.

A classifier reads any table, learns a program, and predicts with that program and nothing else: what `program_` says
is what `predict` does. Hyper-parameters are only stored by `__init__` and checked by `fit`, as scikit-learn expects.
"""

from __future__ import annotations

import os
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import estimator_html_repr
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from unless.errors import DataError, listing, unknown_column
from unless.files import read_text
from unless.inputs import check_names, has_names, label_place, plain_label, read_target, with_classes
from unless.learn.columns import encode
from unless.learn.fold import Fold
from unless.learn.rows import all_rows
from unless.learn.splits import Chooser
from unless.logic.background import read_background
from unless.logic.flatten import flatten
from unless.logic.nest import nest
from unless.logic.program import Clause, Program, Target
from unless.logic.prove import prove_values
from unless.predict import Truth, decided, read_cells, row_values
from unless.rules import Column, Label, Rule
from unless.table.cells import flag_cells
from unless.table.frames import RawTable, raw_table
from unless.table.kinds import kinds_from_choice
from unless.table.raw import cells
from unless.table.threads import map_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from unless.learn.columns import Columns
    from unless.learn.fold import Progress
    from unless.learn.rows import LocalRows
    from unless.logic.prove import Proof
    from unless.rules import Kind
    from unless.table.cells import Cells
    from unless.table.labels import Labels


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
        table, labels = self._read_training(X, y)
        kinds = kinds_from_choice(table, self.categorical_features)
        return self._learn(table, kinds, labels, on_rule)

    def _rules(
        self, columns: Columns, rows: LocalRows, label: Label, on_rule: Callable[[Progress], None] | None
    ) -> tuple[tuple[Rule, ...], LocalRows]:
        """Learn rules for the positive rows; return also the rows that none covers."""
        raise NotImplementedError

    def _learn(
        self,
        table: RawTable,
        kinds: Mapping[str, Kind],
        labels: Labels,
        on_rule: Callable[[Progress], None] | None,
    ) -> Self:
        missing = tuple(self.missing_values)
        self.classes_ = labels.classes
        positive = self._positive_place(labels)
        told, other = plain_label(self.classes_[positive]), plain_label(self.classes_[1 - positive])
        name = labels.name if labels.name not in kinds else f"{labels.name} (target)"
        described = [Column(name, kinds[name]) for name in table.names]
        read = _cells(table, kinds, missing, self._threads())
        theory = Program(Target(name, (told,), other), tuple(described), self._background(name, described), missing)
        columns = encode(self._candidates(theory, read), self._threads())
        rows = all_rows(columns, labels.codes == positive)
        rules, uncovered = self._rules(columns, rows, told, on_rule)
        self.rules_: tuple[Rule, ...] = rules
        self.program_: Program = flatten(rules, theory.target, described, missing, theory.clauses)
        covered = [rows.n_pos - uncovered.n_pos, rows.n_neg - uncovered.n_neg]
        counts = np.array([covered, [uncovered.n_pos, uncovered.n_neg]])
        shares = np.array([_agreeing_shares(counts[0], 0), _agreeing_shares(counts[1], 1)])
        self.shares_ = shares if positive == 0 else shares[:, ::-1]
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
        program, labels = with_classes(program, classes)
        categorical = [column.name for column in program.columns if column.kind == "categorical"]
        positive = program.target.labels[0]
        model = cls(positive=positive, categorical_features=categorical, missing_values=program.missing)
        model.program_, model.rules_, model.classes_ = program, nest(program), labels
        told = [label_place(labels, label) for label in (*program.target.labels, program.target.default)]
        nothing = np.zeros(len(labels), dtype=np.intp)
        model.shares_ = np.array([_agreeing_shares(nothing, place) for place in told])
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
        probabilities = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class among the training rows that are predicted alike, smoothed; rows sum to 1.

        Columns follow `classes_`, and the largest entry of a row is always that of the predicted label.
        """
        table = self._read(X)
        shares: NDArray[np.float64] = self.shares_[self._places(table)]
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

    def _places(self, table: RawTable) -> NDArray[np.intp]:
        return decided(self.program_, read_cells(self.program_, table), table.n_rows)

    def _read_training(self, X: Any, y: Any) -> tuple[RawTable, Labels]:
        if y is None:
            msg = "requires y to be passed, but the target y is None."
            raise ValueError(msg)
        table = self._read_rows(X)
        self._remember_features(X, table)
        labels = read_target(y)
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
        if has_names(X):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_features(self, X: Any, table: RawTable) -> None:
        """Refuse other columns than those of fit, or another order; as scikit-learn does."""
        if not hasattr(self, "n_features_in_"):
            return  # made from a program, which finds its columns by name
        if has_names(X) and hasattr(self, "feature_names_in_"):
            check_names(list(self.feature_names_in_), list(table.names))
        if len(table.columns) != self.n_features_in_:
            msg = (
                f"X has {len(table.columns)} features, but {type(self).__name__} "
                f"is expecting {self.n_features_in_} features as input."
            )
            raise DataError(msg)

    def _positive_place(self, labels: Labels) -> int:
        """Return the place of the positive label among the two classes."""
        classes = labels.classes
        shown = listing(repr(plain_label(label)) for label in classes)
        if len(classes) < 2:
            msg = f"Classifier can't train when only one class is present: all labels are {shown}."
            raise DataError(msg)
        if len(classes) > 2:
            msg = (
                f"Only binary classification is supported. The type of the target is multiclass: "
                f"{len(classes)} labels, {shown}. "
                f"Hint: compare one label with the rest, y == {plain_label(classes[0])!r}."
            )
            raise DataError(msg)
        if self.positive is None:
            return int(np.argmax(labels.counts()))
        place = label_place(classes, self.positive)
        if place < 0:
            msg = f"positive={self.positive!r} is not a label; labels: {shown}."
            raise DataError(msg)
        return place

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
    """Learn default rules with exceptions by FOLD-R++.

    Parameters
    ----------
    ratio : float, default=0.5
        A rule takes literals until its negatives are at most `ratio` times its positives; the rest are left to
        exceptions. Smaller: longer rules with fewer exceptions.
    positive : label, default=None
        The label that the rules conclude; None takes the most frequent one.
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
    }

    def __init__(
        self,
        ratio: float = 0.5,
        *,
        positive: Label | None = None,
        categorical_features: Any = "from_dtype",
        missing_values: Sequence[str] = (),
        background: str | os.PathLike[str] | None = None,
        background_columns: Sequence[str] = (),
        n_jobs: int | None = None,
    ) -> None:
        self.ratio = ratio
        self.positive = positive
        self.categorical_features = categorical_features
        self.missing_values = missing_values
        self.background = background
        self.background_columns = background_columns
        self.n_jobs = n_jobs

    def _rules(
        self, columns: Columns, rows: LocalRows, label: Label, on_rule: Callable[[Progress], None] | None
    ) -> tuple[tuple[Rule, ...], LocalRows]:
        """Learn by FOLD-R++."""
        fold: Fold[LocalRows] = Fold(Chooser(columns), self.ratio, on_rule)
        return fold.learn(rows, label)


def _cells(table: RawTable, kinds: Mapping[str, Kind], missing: Sequence[str], n_threads: int) -> dict[str, Cells]:
    def read(name: str) -> Cells:
        return cells(table.columns[name], kinds[name], missing)

    return dict(zip(table.names, map_columns(read, table.names, table.n_rows, n_threads), strict=True))


def _agreeing_shares(counts: NDArray[np.intp], told: int) -> NDArray[np.float64]:
    """Smooth counts into shares (Laplace) in which the label told has the largest."""
    shares: NDArray[np.float64] = (counts + 1.0) / (counts.sum() + len(counts))
    if np.argmax(shares) != told or np.sum(shares == shares.max()) > 1:
        # The program is the model: where its training rows speak against it, it is barely more likely than not.
        others = np.delete(shares, told)
        shares = np.insert(others * 0.5 / others.sum() * (1 - 1e-9), told, 0.0)
        shares[told] = 1.0 - shares.sum()
    return shares
