"""What scikit-learn asks of tables and labels: checks, each with the sentence that scikit-learn's users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from sklearn.utils.validation import column_or_1d

from unless.errors import DataError, listing
from unless.logic.program import label_text, same_label, unnamed_default
from unless.table.columns import RawColumn
from unless.table.frames import RawTable
from unless.table.labels import Labels, index_of, plain_label, read_labels
from unless.table.pandas_columns import is_pandas_series

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Label


def read_training_labels(y: Any) -> Labels:
    """Read the labels, refusing what scikit-learn refuses: several columns, or numbers that are no classes."""
    if isinstance(y, RawColumn) or is_pandas_series(y):
        return read_labels(y)
    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series) and not series.dtype.is_numeric():
        return read_labels(y)
    array = column_or_1d(y if isinstance(series, nw.Series) else np.asarray(y), warn=True)
    return read_labels(y if isinstance(series, nw.Series) else array)


def has_names(X: Any) -> bool:
    """Tell whether the columns of a table have names."""
    if isinstance(X, RawTable):
        return True
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    if isinstance(X, Sequence):
        return bool(X) and isinstance(X[0], Mapping)
    # Asked of the type: a lazy frame works out its schema when the attribute itself is read.
    return hasattr(type(X), "columns") or hasattr(type(X), "column_names")


def check_names(fitted: list[str], found: list[str]) -> None:
    """Refuse other columns than those of fit, or another order."""
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


def with_classes(program: Program, classes: Sequence[Label] | None) -> tuple[Program, NDArray[Any]]:
    """Return the labels there are, sorted, and the program with its default named if only one label can be it."""
    target = program.target
    if classes is None:
        return program, _sorted_labels((*target.labels, target.default))
    rest = [label for label in classes if not any(same_label(label, one) for one in target.labels)]
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


def label_indices(program: Program, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index among the classes of each label of the target, the default last."""
    return np.array([index_of(classes, label) for label in (*program.target.labels, program.target.default)])
