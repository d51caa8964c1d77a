"""Which rules decide which rows, as arrays and as a table: what every classifier with a program can say of data.

In: any table. Out: clause numbers, an indicator matrix, a frame of rules. Nothing here changes what is predicted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unless.errors import DataError
from unless.estimators.column_matching import blanked
from unless.estimators.sklearn_inputs import Warns, read_training_labels
from unless.evaluate.coverage import view_coverage
from unless.evaluate.leaves import leaf_indices
from unless.evaluate.predict import decided, label_word, read_cells, word_indices
from unless.evaluate.truth import Truth
from unless.evaluate.view import View
from unless.logic.date_parts import date_part
from unless.table.frames import RawTable
from unless.table.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.evaluate.figures import Figures
    from unless.logic.program import Program
    from unless.table.cells import Cells

SAMPLE = 10_000
"""So many training rows, at even distances, are kept to measure what columns matter."""


class RuleFigures:
    """What a classifier with a program says of its rules."""

    program_: Program
    _sample: RawTable
    _importances: NDArray[np.float64]
    _names: tuple[str, ...]

    def _read(self, X: Any) -> RawTable:
        raise NotImplementedError

    def _cells(self, table: RawTable, more: Sequence[str] = ()) -> dict[str, Cells]:
        raise NotImplementedError

    def __str__(self) -> str:
        """Show the rules; before fitting, the parameters."""
        return str(self.program_) if hasattr(self, "program_") else repr(self)

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Tell how each row is decided.

        Parameters
        ----------
        X : table
            Rows as for `predict`.

        Returns
        -------
        ndarray of shape (n_rows,)
            A number for each row: rows with one number are decided by the same rule, or fall to the default because
            of the same exception. The numbers below the number of rules are those of the rules, in their order.

        """
        with Warns():
            table = self._read(X)
            return leaf_indices(self.program_, self._cells(table), table.n_rows)

    def decision_path(self, X: Any) -> Any:
        """Tell which clauses hold for each row.

        Parameters
        ----------
        X : table
            Rows as for `predict`.

        Returns
        -------
        sparse array of shape (n_rows, n_clauses)
            1 where a clause of `program_.clauses`, rule or exception, holds for the row.

        """
        from scipy.sparse import csr_array

        with Warns():
            table = self._read(X)
            truth = Truth(self.program_, self._cells(table), table.n_rows, {})
        holds = [truth.clause(clause) for clause in self.program_.clauses]
        return csr_array(np.column_stack(holds) if holds else np.zeros((table.n_rows, 0), dtype=bool), dtype=np.int8)

    def rules_frame(self, X: Any, y: Any = None) -> Any:
        """Return the rules and exceptions as a table, with what each covers in some rows.

        Parameters
        ----------
        X : table
            Rows as for `predict`.
        y : labels, default=None
            Those of the rows; without them nothing is said of what is right.

        Returns
        -------
        DataFrame
            Of pandas where it is installed, else of polars, with a row for each rule and exception and for the
            default: `number` ('1', its exception '1.1', ..., 'else'), `kind`, `label`, `rule` (as text), `covered`
            (rows), `correct` (of them) and `precision` (their share).

        Examples
        --------
        >>> from unless import FoldRPPClassifier
        >>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
        >>> labels = ["flies", "walks", "walks"]
        >>> frame = FoldRPPClassifier(positive="flies").fit(rows, labels).rules_frame(rows, labels)
        >>> frame["covered"].tolist(), frame["precision"].tolist()
        ([1, 2], [1.0, 1.0])

        """
        with Warns():
            lines = self._coverage(self._read(X), y)
        return _frame(
            {
                "number": [line.number for line in lines],
                "kind": [line.kind for line in lines],
                "label": [line.label for line in lines],
                "rule": [line.rule for line in lines],
                "covered": [line.covered for line in lines],
                "correct": [line.right for line in lines],
                "precision": [line.precision for line in lines],
            }
        )

    def _coverage(self, table: RawTable, y: Any) -> Sequence[Figures]:
        view = View(self.program_, table)
        if y is not None:
            view.actual = _label_indices(self.program_, y, table.n_rows)
        return view_coverage(view).lines

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Return for each column the share of training rows that would be predicted otherwise if it were blank.

        Of more than 10,000 training rows, 10,000 at even distances are asked. The shares do not add up to 1: a column
        that decides nothing alone has 0, and two columns may each decide the same row.
        """
        if hasattr(self, "_importances"):
            return self._importances
        check_is_fitted(self)
        if not hasattr(self, "_sample"):
            msg = "feature_importances_ needs the rows of `fit`: a program, files or a cluster leave none here."
            raise AttributeError(msg)
        sample: RawTable = self._sample
        before = self._predicted(sample)
        shares = [
            float((self._predicted(blanked(sample, name)) != before).mean()) if name in sample.columns else 0.0
            for name in self._names
        ]
        self._importances = np.array(shares)
        return self._importances

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept in a file: no rows of the table, only what they said of the columns."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]  # scikit-learn's is a dict
        state.pop("_training", None)  # left by a fit that failed
        if state.pop("_sample", None) is not None:
            state["_importances"] = self.feature_importances_
        return state

    def _forget_rows(self) -> None:
        """Forget what was kept of the rows of an earlier fit, one that failed too: those of files are not kept."""
        for name in ("_training", "_sample", "_importances"):
            self.__dict__.pop(name, None)

    def _predicted(self, table: RawTable) -> NDArray[np.intp]:
        return decided(self.program_, read_cells(self.program_, table), table.n_rows)

    def _keep_sample(self, table: RawTable) -> None:
        """Keep some training rows of the columns that the program tests."""
        rows = np.arange(0, table.n_rows, max(1, -(-table.n_rows // SAMPLE)))
        parts = {each.name: part.source for each in self.program_.columns if (part := date_part(each.reading))}
        names = dict.fromkeys(parts.get(name, name) for name in self.program_.used_columns)
        self._sample = RawTable({name: table.columns[name].take(rows) for name in names}, len(rows))
        self.__dict__.pop("_importances", None)


def _label_indices(program: Program, y: Any, n_rows: int) -> NDArray[np.intp]:
    """Return the index of each row's own label among those of a program, -1 where it does not know it."""
    labels = read_training_labels(y)
    if len(labels) != n_rows:
        msg = f"the table has {n_rows} rows and there are {len(labels)} labels; each row needs one label."
        raise DataError(msg)
    words = [label_word(plain_label(label)) for label in labels.classes]
    return word_indices(program, words)[labels.codes]


def _frame(columns: dict[str, list[Any]]) -> Any:
    """Make a frame of columns, of pandas if it is there."""
    try:
        import pandas as pd
    except ImportError:
        import polars as pl

        return pl.DataFrame(columns, strict=False)
    return pd.DataFrame(columns)
