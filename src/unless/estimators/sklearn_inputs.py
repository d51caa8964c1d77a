"""What scikit-learn asks of tables and labels: checks, each with the sentence that scikit-learn's users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from unless.errors import DataError, listing
from unless.logic.program import label_text, same_label, unnamed_default
from unless.table.columns import RawColumn
from unless.table.frames import RawTable
from unless.table.labels import Labels, index_of, plain, read_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Label


def positive_place(classes: NDArray[Any], counts: NDArray[np.intp], positive: Label | None) -> int:
    """Return the place of the positive label among the two classes."""
    shown = listing(repr(plain(label)) for label in classes)
    if len(classes) < 2:
        msg = f"Classifier can't train when only one class is present: all labels are {shown}."
        raise DataError(msg)
    if len(classes) > 2:
        msg = (
            f"Only binary classification is supported. The type of the target is multiclass: "
            f"{len(classes)} labels, {shown}. Hint: compare one label with the rest, y == {plain(classes[0])!r}."
        )
        raise DataError(msg)
    if positive is None:
        return int(np.argmax(counts))
    place = index_of(classes, positive)
    if place < 0:
        msg = f"positive={positive!r} is not a label; labels: {shown}."
        raise DataError(msg)
    return place


def is_ordered(classes: NDArray[Any], for_two: Mapping[str, object]) -> bool:
    """Tell whether there are more than two labels; then refuse what is given of `for_two`."""
    if len(classes) <= 2:
        return False
    for name, value in for_two.items():
        if value is not None:
            shown = listing(repr(plain(label)) for label in classes)
            msg = f"{name}={value!r} is for two labels, not for {len(classes)}: {shown}. Leave it out."
            raise DataError(msg)
    return True


def no_cells(n_rows: int, n_columns: int) -> str:
    """Say that a table has no rows or no columns."""
    return (
        f"Found array with {n_rows} sample(s) and {n_columns} feature(s) (shape=({n_rows}, {n_columns})) "
        "while a minimum of 1 is required."
    )


def read_training_labels(y: Any) -> Labels:
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
    rest = [label for label in classes if not any(same_label(label, told) for told in target.labels)]
    if target.default == unnamed_default(target.labels) and len(rest) == 1:
        program = replace(program, target=replace(target, default=plain(rest[0])))
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
