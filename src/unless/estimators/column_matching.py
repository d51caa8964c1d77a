"""The columns of a table beside those of `fit`: by name where both have names, else by position.

In: what was passed, as a table, and the names that `fit` saw. Out: a table whose columns are called as in `fit`, in any
order that a program asks for. The names of a frame must be those of `fit`, letter by letter and in their order, as
scikit-learn asks of all estimators; where they are meant to be, the refusal says how to rename them. A frame after an
array, or an array after a frame, is matched by position with scikit-learn's own warning, as explainers of any model
need it. A dict of columns is a frame, and so are rows with tables beside them. Records (dicts), which scikit-learn does
not know, are matched by name as all else is (`logic.column_names`): a key that no record has is missing everywhere, one
that `fit` did not see is passed over.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.column_names import matched as alike
from unless.table.beside_rows import RowsBeside
from unless.table.columns import RawColumn
from unless.table.frames import LazyColumns, RawTable, is_sparse

if TYPE_CHECKING:
    from collections.abc import Callable


def is_records(X: Any) -> bool:
    """Tell whether a table is a list of dicts."""
    return isinstance(X, Sequence) and bool(X) and isinstance(X[0], Mapping)


def has_names(X: Any) -> bool:
    """Tell whether the columns of a table have names."""
    if isinstance(X, RawTable | RowsBeside) or is_records(X) or (isinstance(X, Mapping) and not is_sparse(X)):
        return True
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    # Asked of the type: a lazy frame works out its schema when the attribute itself is read.
    return any(hasattr(type(X), name) for name in ("columns", "column_names")) or hasattr(X, "__arrow_c_array__")


def matched(X: Any, table: RawTable, fitted: Sequence[str] | None, names: Sequence[str], model: str) -> RawTable:
    """Return a table with the columns of fit.

    `fitted` are their names, None if they had none, or if somebody who asks with arrays took them away, as SHAP does of
    its copy; `names` are what the program calls them.
    """
    n_fitted = len(names)
    if is_records(X) and fitted is not None:
        return _by_key(table, list(fitted))
    is_named = has_names(X)
    if is_named and fitted is not None:
        _check_names(list(fitted), list(table.names))
    if len(table.columns) != n_fitted:
        msg = f"X has {len(table.columns)} features, but {model} is expecting {n_fitted} features as input."
        raise DataError(msg)
    if is_named and fitted is not None:
        return table
    if fitted is None and not is_named:
        return table if table.names == tuple(names) else _renamed(table, names)
    if fitted is None:
        warnings.warn(f"X has feature names, but {model} was fitted without feature names", UserWarning, stacklevel=4)
        return _renamed(table, names)
    warnings.warn(
        f"X does not have valid feature names, but {model} was fitted with feature names", UserWarning, stacklevel=4
    )
    return _renamed(table, names)


def _by_key(table: RawTable, fitted: list[str]) -> RawTable:
    """Match records by name; one that is spelled otherwise than any of fit, where some of fit is absent, is refused."""
    table = table.called_as(fitted)
    absent = [name for name in fitted if name not in table.columns]
    if absent and any(name not in fitted for name in table.names):
        _check_names(fitted, list(table.names))
    return _with_columns(
        fitted, table.n_rows, lambda name: table.columns[name] if name in table.columns else _blank(name, table.n_rows)
    )


def _blank(name: str, n_rows: int) -> RawColumn:
    return RawColumn(name, numbers=pl.Series([None] * n_rows, dtype=pl.Float64))


def blanked(table: RawTable, blank: str) -> RawTable:
    """Return the table with every cell of one column missing."""
    return _with_columns(
        table.names, table.n_rows, lambda name: _blank(name, table.n_rows) if name == blank else table.columns[name]
    )


def _renamed(table: RawTable, names: Sequence[str]) -> RawTable:
    before = dict(zip(names, table.names, strict=True))
    return _with_columns(names, table.n_rows, lambda name: replace(table.columns[before[name]], name=name))


def _with_columns(names: Sequence[str], n_rows: int, column: Callable[[str], RawColumn]) -> RawTable:
    return RawTable(LazyColumns(names, column), n_rows)


def _check_names(fitted: list[str], found: list[str]) -> None:
    """Refuse other columns than those of fit, or another order; in the words of scikit-learn."""
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
    meant = {name: called for called, name in alike(fitted, found).items() if called != name}
    if meant:
        message += f"Hint: rename columns of X that are written otherwise than in fit: {meant!r}.\n"
    raise DataError(message)
