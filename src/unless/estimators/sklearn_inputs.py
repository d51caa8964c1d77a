"""What scikit-learn asks of tables and labels: checks, each with the sentence that scikit-learn's users know."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np
from sklearn.utils.validation import column_or_1d

from unless.errors import DataError, listing
from unless.logic.graded import graded_labels
from unless.logic.program import label_text, same_label, unnamed_default
from unless.table.columns import RawColumn
from unless.table.labels import Labels, index_of, plain_label, read_labels
from unless.table.objects import unmasked
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
    array = column_or_1d(y if isinstance(series, nw.Series) else np.asarray(unmasked(y)), warn=True)
    return read_labels(y if isinstance(series, nw.Series) else array)


class Warns(logging.Filter):
    """Says as warnings, once each, what the library notes while it reads a table; what other threads do is theirs.

    To be used in a method that the user calls, or `below` so many: the warnings point to the line of the call, and
    nothing is logged.
    """

    def __init__(self, below: int = 0) -> None:
        super().__init__()
        self._below = below
        self._thread = threading.get_ident()
        self._noted: dict[str, None] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep a note of this thread from the log."""
        is_ours = record.thread == self._thread and record.levelno >= logging.WARNING
        if is_ours:
            self._noted[record.getMessage()] = None
        return not is_ours

    def __enter__(self) -> Self:
        logging.getLogger("unless").addFilter(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("unless").removeFilter(self)
        for text in self._noted:
            warnings.warn(text, UserWarning, stacklevel=3 + self._below)


def directions(constraint: Any, names: Sequence[str] | None) -> Any:
    """Return `monotonic_cst` by name: scikit-learn's array has 1, 0 or -1 for each column in order."""
    if constraint is None or isinstance(constraint, Mapping) or not isinstance(constraint, Iterable):
        return constraint
    signs = list(constraint)
    for sign in signs:
        if sign not in (-1, 0, 1):
            msg = f"monotonic_cst has {sign!r}; accepted in an array: 1, 0 and -1, one for each column."
            raise DataError(msg)
    if names is None:
        return None  # known when the table is read
    if len(signs) != len(names):
        msg = f"monotonic_cst has {len(signs)} directions for {len(names)} columns; it has one for each column."
        raise DataError(msg)
    return {name: int(sign) for name, sign in zip(names, signs, strict=True) if sign}


def with_classes(program: Program, classes: Sequence[Label] | None) -> tuple[Program, NDArray[Any]]:
    """Return the labels there are, sorted, and the program with its default named if only one label can be it."""
    target = program.target
    if classes is None:
        return program, _sorted_labels(
            (*target.labels, target.default) if not program.grade else graded_labels(program)
        )
    classes = [plain_label(label) for label in classes]
    rest = [label for label in classes if not any(same_label(label, one) for one in target.labels)]
    if target.default == unnamed_default(target.labels) and len(rest) == 1:
        program = replace(program, target=replace(target, default=rest[0]))
    _check_classes((*target.labels, program.target.default), classes, "may predict")
    if program.grade is not None:
        _check_classes(graded_labels(program), classes, "has a probability for")
    return program, _sorted_labels(classes)


def _check_classes(labels: Sequence[Label], classes: Sequence[Label], what: str) -> None:
    """Refuse classes that lack a label of the program."""
    for label in labels:
        if not any(same_label(label, one) for one in classes):
            msg = f"the program {what} {label!r}, which is not among the classes: {listing(map(repr, classes))}."
            raise DataError(msg)


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
