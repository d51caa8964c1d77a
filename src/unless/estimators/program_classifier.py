"""Predicting by a program: what every classifier does once it has one, learned or given.

In: any table. Out: labels, probabilities, proofs, a score; of Dask data frames, where they are. A classifier predicts
with its program and nothing else: what `program_` says is what `predict` does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from unless.errors import DataError
from unless.estimators.column_matching import matched
from unless.estimators.rule_figures import RuleFigures
from unless.estimators.sklearn_inputs import label_indices, with_classes
from unless.evaluate.predict import decided, read_cells, row_values
from unless.evaluate.shares import smoothed_shares
from unless.explain.proof.prover import prove_values
from unless.learn.task import no_cells
from unless.logic.forms.nest import nest
from unless.table.frames import RawTable, is_dask, raw_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.explain.proof.tree import Proof
    from unless.logic.program import Program
    from unless.logic.rules import Label, Rule


class ProgramClassifier(RuleFigures, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that has a program; `shares_` are the shares of the classes for each way to be decided."""

    classes_: NDArray[Any]
    program_: Program
    shares_: NDArray[np.float64]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    @cached_property
    def rules_(self) -> tuple[Rule, ...]:
        """Return the program as nested rules; learning sets them, a given program is nested when they are asked for."""
        return nest(self.program_)

    @classmethod
    def from_program(cls, program: Program, classes: Sequence[Label] | None = None) -> Self:
        """Make a classifier that predicts by a given program, without fitting.

        It takes any table with the columns that the program tests. `classes` are the labels there are, if the program
        does not name them all. No rows have been counted, so its probabilities only tell which label is predicted.

        >>> from unless import FoldRPPClassifier, parse
        >>> model = FoldRPPClassifier.from_program(parse("size(X,'big') :- cm(X,N), N > 100.0."), ["big", "small"])
        >>> model.predict([{"cm": 120}, {"cm": None}]).tolist()
        ['big', 'small']
        """
        program, labels = with_classes(program, classes)
        categorical = [column.name for column in program.columns if column.kind == "categorical"]
        positive = program.target.labels[0]
        model = cls(positive=positive, categorical_features=categorical, missing_values=program.missing)
        model.program_, model.classes_ = program, labels
        predicted = label_indices(program, labels)
        model.shares_ = smoothed_shares(np.zeros((len(predicted), len(labels))), predicted)
        return model

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the label of each row; of a Dask data frame, lazily, as a Dask series.

        Parameters
        ----------
        X : table
            A pandas, polars or pyarrow table, an array, a sparse matrix, or a list of dicts. A list of dicts is matched
            by name: a key that is not there is missing. An array after a frame, and a frame after an
            array, are matched by position, with scikit-learn's warning.

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
        probabilities = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class among the training rows that are predicted alike, smoothed; rows sum to 1.

        Columns follow `classes_`, and the largest entry of a row is always that of the predicted label.
        """
        if is_dask(X):
            from unless.distributed import map_rows

            check_is_fitted(self)
            frame: NDArray[np.float64] = map_rows(self.predict_proba, X, self.classes_.tolist(), np.float64, "")
            return frame
        table = self._read(X)
        shares: NDArray[np.float64] = self.shares_[self._ways(table)]
        return shares

    def explain(self, X: Any, *, all_rules: bool = False) -> list[Proof]:
        """Prove the label of each row; `all_rules` shows every rule that holds, not just the first."""
        table = self._read(X)
        columns = read_cells(self.program_, table)
        proofs = (
            prove_values(self.program_, row_values(columns, row), row_name=row, all_rules=all_rules)
            for row in range(table.n_rows)
        )
        if not hasattr(self, "n_features_in_"):
            return list(proofs)  # made from a program: no rows were counted
        shares = self.shares_[self._ways(table)].max(axis=1).tolist()
        return [replace(proof, confidence=share) for proof, share in zip(proofs, shares, strict=True)]

    def _html_repr(self) -> str:
        """Show what was learned below what scikit-learn shows of any estimator, in a notebook."""
        shown: str = estimator_html_repr(self)
        if not hasattr(self, "program_"):
            return shown
        from unless.explain.faces.picture import picture

        return f"{shown}\n<div>{picture(self.program_)}</div>"

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose label is predicted; of Dask data frames, counted where they are."""
        if is_dask(X):
            from unless.distributed import count_right

            check_is_fitted(self)
            return count_right(self.predict, X, y)
        return float(super().score(X, y, sample_weight))

    def _ways(self, table: RawTable) -> NDArray[np.intp]:
        return decided(self.program_, read_cells(self.program_, table), table.n_rows)

    def _read(self, X: Any) -> RawTable:
        check_is_fitted(self)
        table = self._read_rows(X)
        if not hasattr(self, "n_features_in_"):
            return table  # made from a program, which finds its columns by name
        fitted = getattr(self, "feature_names_in_", None)
        return matched(X, table, fitted, self.n_features_in_, type(self).__name__)

    def _read_rows(self, X: Any) -> RawTable:
        table = raw_table(X)
        if table.n_rows == 0 or not table.columns:
            raise DataError(no_cells(table.n_rows, len(table.columns)))
        return table
