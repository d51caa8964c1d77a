"""Predicting by a program: what every classifier does once it has one, learned or given.

In: any table. Out: labels, probabilities, proofs, a score; of Dask data frames, where they are. A classifier predicts
with its program and nothing else: what `program_` says is what `predict` does.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from unless.errors import DataError
from unless.estimators.column_matching import matched
from unless.estimators.row_reasons import RowReasons
from unless.estimators.rule_figures import RuleFigures
from unless.estimators.sklearn_inputs import Warns, label_indices, read_training_labels, with_classes
from unless.evaluate.predict import decided, read_cells, row_values
from unless.evaluate.probabilities import agreeing, cell_probabilities
from unless.explain.proof.prover import prove_values, with_risk
from unless.learn.task import no_cells
from unless.logic.column_names import sought_names
from unless.logic.forms.nest import nest
from unless.logic.graded import graded_columns, graded_labels
from unless.logic.program import OLD_GRADE, Program
from unless.table.beside_rows import RowsBeside
from unless.table.frames import RawTable, is_dask, raw_table
from unless.table.labels import index_of
from unless.table.related_tables import RelatedTables
from unless.table.unlike_cells import remark_unlike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unless.explain.proof.tree import Proof
    from unless.logic.kept_constraints import Constraints
    from unless.logic.rules import Label, Rule
    from unless.table.cells import Cells

TINY = float(np.finfo(np.float64).tiny)
EPSILON = float(np.finfo(np.float64).eps)


def _asked(constraints: Constraints, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return constraints as parameters of a classifier, of those that it has: fitted again, it keeps to them."""
    asked = {
        "forbidden": constraints.forbidden,
        "apart": constraints.apart,
        "monotonic_cst": dict(constraints.directions) or None,
    }
    return {name: value for name, value in asked.items() if name in parameters}


class ProgramClassifier(RowReasons, RuleFigures, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that has a program, whose grade gives probabilities."""

    classes_: NDArray[Any]
    program_: Program
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _names: tuple[str, ...]

    @cached_property
    def rules_(self) -> tuple[Rule, ...]:
        """Return the program as nested rules; learning sets them, a given program is nested when they are asked for."""
        return nest(self.program_)

    @classmethod
    def from_program(cls, program: Program, classes: Sequence[Label] | None = None) -> Self:
        """Make a classifier that predicts by a given program, without fitting.

        It takes any table with the columns that the program tests. `classes` are the labels there are, if the program
        does not name them all. Its probabilities are those of the program's grade; without a grade they only tell which
        label is predicted.

        >>> from unless import FoldRPPClassifier, parse
        >>> model = FoldRPPClassifier.from_program(parse("size(X,'big') :- cm(X,N), N > 100.0."), ["big", "small"])
        >>> model.predict([{"cm": 120}, {"cm": None}]).tolist()
        ['big', 'small']
        """
        if not isinstance(program, Program):
            msg = (
                f"a {type(program).__name__} is no program. Hint: unless.load(path) reads one, unless.parse(text) too."
            )
            raise DataError(msg)
        program, labels = with_classes(program, classes)
        categorical = [column.name for column in program.columns if column.kind == "categorical"]
        positive = program.target.labels[0]
        model = cls(positive=positive, categorical_features=categorical, missing_values=program.missing)
        if program.constraints:
            model.set_params(**_asked(program.constraints, model.get_params()))
        model.program_, model.classes_ = program, labels
        return model

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the label of each row; of a Dask data frame, lazily, as a Dask series.

        Parameters
        ----------
        X : table
            A pandas, polars or pyarrow table, an array, a sparse matrix, a dict of columns, or a list of dicts. A list
            of dicts is matched by name: a key that is not there is missing. An array after a frame, and a frame after
            an array, are matched by position, with scikit-learn's warning.

        Returns
        -------
        ndarray of shape (n_rows,)
            A label of `classes_` for each row.

        """
        if is_dask(X):
            from unless.distributed import map_rows

            check_is_fitted(self)
            series: NDArray[Any] = map_rows(self.predict, X, None, self.classes_.dtype, self.program_.target.column)
            return series
        with Warns():
            table = self._read(X)
            labels: NDArray[Any] = self.classes_[self._decided(self._cells(table), table.n_rows)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, from the points of the program's grade; rows sum to 1.

        Columns follow `classes_`, and the largest entry of a row is always that of the predicted label. A program
        without a grade only tells which label that is.

        Parameters
        ----------
        X : table
            Rows as for `predict`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probabilities, in the order of `classes_`; of a Dask data frame, a Dask data frame.

        Examples
        --------
        >>> from unless import FoldRPPClassifier
        >>> rows = [{"age": age} for age in range(40)]
        >>> model = FoldRPPClassifier().fit(rows, ["young" if row["age"] < 18 else "old" for row in rows])
        >>> (model.predict_proba([{"age": 12}, {"age": 30}]) > 0.5).tolist()  # old, young
        [[False, True], [True, False]]

        """
        if is_dask(X):
            from unless.distributed import map_rows

            check_is_fitted(self)
            frame: NDArray[np.float64] = map_rows(self.predict_proba, X, self.classes_.tolist(), np.float64, "")
            return frame
        with Warns():
            return self._probabilities(self._read(X))

    def _probabilities(self, table: RawTable) -> NDArray[np.float64]:
        program, n_classes = self.program_, len(self.classes_)
        if program.has_old_grade:
            warnings.warn(OLD_GRADE, UserWarning, stacklevel=3)
        read = self._cells(table, graded_columns(program))
        if program.grade is None:
            return agreeing(np.full((table.n_rows, n_classes), 1.0 / n_classes), self._decided(read, table.n_rows))
        found = np.zeros((table.n_rows, n_classes))
        columns = [index_of(self.classes_, label) for label in graded_labels(program)]
        found[:, columns] = cell_probabilities(program, read, decided(program, read, table.n_rows))
        return found

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithms of `predict_proba`; a class that cannot be has minus infinity.

        Parameters
        ----------
        X : table
            Rows as for `predict`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms of the probabilities, in the order of `classes_`.

        """
        with Warns(), np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self._probabilities(self._read(X)))
        return logarithms

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return log-odds of the second class, above 0 where it is predicted; of more than two, those of each class.

        Parameters
        ----------
        X : table
            Rows as for `predict`.

        Returns
        -------
        ndarray of shape (n_rows,), of more than two classes (n_rows, n_classes)
            The log-odds of `predict_proba`.

        """
        with Warns():
            found = np.clip(self._probabilities(self._read(X)), TINY, 1.0 - EPSILON)
        odds: NDArray[np.float64] = np.log(found) - np.log1p(-found)
        return odds[:, 1] if len(self.classes_) == 2 else odds

    def explain(self, X: Any, *, all_rules: bool = False) -> list[Proof]:
        """Prove the label of each row.

        Parameters
        ----------
        X : table
            Rows as for `predict`.
        all_rules : bool, default=False
            Whether every rule that holds is shown, not just the first.

        Returns
        -------
        list of Proof
            One for each row; `str(proof)` is the proof in words.

        Examples
        --------
        >>> from unless import FoldRPPClassifier, parse
        >>> model = FoldRPPClassifier.from_program(parse("size(X,'big') :- cm(X,N), N > 100.0."), ["big", "small"])
        >>> model.explain([{"cm": 120}])[0].label
        'big'

        """
        with Warns():
            table = self._read(X)
            program = self.program_
            graded = self._cells(table, graded_columns(program))
        columns = {name: graded[name] for name in program.used_columns}
        return [
            replace(
                with_risk(
                    prove_values(program, row_values(columns, row), row_name=row, all_rules=all_rules),
                    row_values(graded, row),
                ),
                witnesses=X.witnesses(program, row) if isinstance(X, RowsBeside) else {},
            )
            for row in range(table.n_rows)
        ]

    def _html_repr(self) -> str:
        """Show what was learned below what scikit-learn shows of any estimator, in a notebook."""
        shown: str = estimator_html_repr(self)
        if not hasattr(self, "program_"):
            return shown
        from unless.explain.faces.picture import picture

        return f"{shown}\n<div>{picture(self.program_)}</div>"

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose label is predicted; of Dask data frames, counted where they are.

        Parameters
        ----------
        X : table
            Rows as for `predict`.
        y : labels
            Those of the rows.
        sample_weight : array of shape (n_rows,), default=None
            How much each row counts.

        Returns
        -------
        float
            From 0 to 1.

        """
        if is_dask(X):
            from unless.distributed import count_right

            check_is_fitted(self)
            return count_right(self.predict, X, y)
        labels = read_training_labels(y)
        return float(super().score(X, labels.classes[labels.codes], sample_weight))

    def _decided(self, read: Mapping[str, Cells], n_rows: int) -> NDArray[np.intp]:
        """Return the index of the predicted class of each row."""
        return label_indices(self.program_, self.classes_)[decided(self.program_, read, n_rows)]

    def _cells(self, table: RawTable, more: Sequence[str] = ()) -> dict[str, Cells]:
        """Read the columns that the program tests, and `more`; note which are not written as the program reads them."""
        read = read_cells(self.program_, table, more)
        remark_unlike(self.program_, read)
        return read

    def _read(self, X: Any) -> RawTable:
        check_is_fitted(self)
        table = self._read_rows(X)
        with Warns(below=1):
            if hasattr(self, "n_features_in_"):
                fitted = getattr(self, "feature_names_in_", None)
                table = matched(X, table, fitted, self._names, type(self).__name__)
            else:  # a given program finds its columns by name, as in the commands
                table = table.called_as(sought_names(self.program_))
        if isinstance(X, RowsBeside):
            return X.table_for(self.program_, table)
        RelatedTables(()).refuse_absent(self.program_, "RelatedRows(rows, {{{name!r}: (table, {keys})}})")
        return table

    def _read_rows(self, X: Any) -> RawTable:
        table = X.main if isinstance(X, RowsBeside) else raw_table(X)
        if table.n_rows == 0 or not table.columns:
            raise DataError(no_cells(table.n_rows, len(table.columns)))
        return table
