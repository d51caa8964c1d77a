"""The labels of the rows, read and refused here and nowhere else.

In: a column, a series, an array or a list. Out: `Labels`, the distinct ones, sorted, with a code per row, whose types
stay as they came; or labels as words, as the cells of a categorical column. Every row has a label: rows of files that
have none are left out by those who read with `read_labelled`, and refused elsewhere. Whether labels are classes at all,
and not measurements, is asked by `refuse_measurements`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import Count, DataError
from unless.logic.values import BLANKS
from unless.table.cells import MISSING, Words
from unless.table.columns import RawColumn, cells
from unless.table.frames import raw_column, wrapped_series
from unless.table.objects import from_objects, refusing_half_characters, unmasked
from unless.table.pandas_columns import is_pandas_series

if TYPE_CHECKING:
    from collections.abc import Sequence

    import narwhals as nw
    from numpy.typing import NDArray

    from unless.logic.rules import Label

UNNAMED = "label"
"""What the target is called when the labels come without a name."""

ONE_UNLABELLED = "1 row has no label in column %r, and is left out."
UNLABELLED = "%s rows have no label in column %r, and are left out."

FLAGS = {bool, np.bool_}
NUMBERS = {int, float}
"""Types of labels that are kept as an array of their own."""

SPREAD = 1000
"""Whole numbers that lie no further apart are counted one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The distinct labels, sorted, and the index of each row's label among them."""

    name: str
    classes: NDArray[Any]
    codes: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.codes)

    def counts(self) -> NDArray[np.intp]:
        """Count the rows of each label."""
        return np.bincount(self.codes, minlength=len(self.classes))


def read_labels(y: Any) -> Labels:
    """Read labels from a column, a series, an array or a list; a row without a label is refused."""
    if isinstance(y, RawColumn):
        return _from_column(y)
    name = str(getattr(y, "name", None) or UNNAMED)
    if isinstance(y, pl.Series):
        is_text = y.dtype in (pl.String, pl.Categorical, pl.Enum)
        return _as_given(raw_column(name, y)) if is_text else _from_array(name, y.to_numpy())
    if is_pandas_series(y):
        is_text = type(y.dtype).__name__ == "StringDtype" or _has_words(y.array)
        return _as_given(raw_column(name, y)) if is_text else _from_array(name, np.asarray(y.to_numpy()))
    series = wrapped_series(y)
    if series is None:
        return _from_array(name, np.asarray(y))
    return _as_given(raw_column(name, y)) if _is_text(series) else _from_array(name, np.asarray(y.to_numpy()))


def read_labelled(column: RawColumn, missing: Sequence[str] = ()) -> tuple[Labels, NDArray[np.intp] | None]:
    """Read the labels of the rows that have one, and say which those are: None where all do.

    >>> labels, rows = read_labelled(RawColumn("ok", text=pl.Series(["yes", "no", "", "?"])), ["?"])
    >>> labels.classes.tolist(), rows.tolist()
    (['no', 'yes'], [0, 1])
    """
    has_label = labelled(column, missing)
    if has_label.all():
        return _from_column(column), None
    rows = np.flatnonzero(has_label)
    return _from_column(column.take(rows)), rows


def labelled(column: RawColumn, missing: Sequence[str] = ()) -> NDArray[np.bool_]:
    """Tell which rows have a label: neither blank nor a word that means missing."""
    words = cells(column, "categorical", missing).words
    assert words is not None
    return np.asarray(words.codes != MISSING)


def unlabelled_rows(name: str, n: int) -> str:
    """Say that rows without a label are left out."""
    sentence, *filled = unlabelled_note(name, n)
    return str(sentence % tuple(filled))


def unlabelled_note(name: str, n: int) -> tuple[Any, ...]:
    """Return the same as a note: the sentence, and what fills its gaps."""
    return (ONE_UNLABELLED, name) if n == 1 else (UNLABELLED, Count(n), name)


def _has_words(array: Any) -> bool:
    """Tell whether a pandas array has categories that are words; numbers and flags stay what they are."""
    return hasattr(array, "codes") and all(isinstance(each, str) for each in array.categories[:1])


def read_label_words(column: RawColumn) -> Words:
    """Read labels as words; a row without a label is refused."""
    words = cells(column, "categorical").words
    assert words is not None
    _refuse_missing(column.name, words.codes == MISSING)
    return words


def read_label_texts(column: RawColumn) -> list[str]:
    """Read labels as words, row by row; a row without a label is refused."""
    words = read_label_words(column)
    return [words.lexicon[code] for code in words.codes.tolist()]


def refuse_measurements(classes: NDArray[Any]) -> None:
    """Refuse labels that are numbers with a fraction; the rule, and the first words, are those of scikit-learn.

    >>> refuse_measurements(np.array([0.0, 1.0, 2.0]))
    """
    for label in classes.tolist() if classes.dtype.kind in "fO" else ():
        if isinstance(label, float) and not label.is_integer():
            msg = (
                f"Unknown label type: continuous. The label {label!r} is a measurement, not the name of a class; "
                "accepted: text, booleans and whole numbers. "
                f"Hint: ask a question with few answers, such as y > {label!r}, or make the labels text."
            )
            raise DataError(msg)


def _is_text(series: nw.Series[Any]) -> bool:
    """Tell whether labels are text."""
    import narwhals as nw

    return series.dtype in (nw.String, nw.Enum, nw.Categorical)


def _as_given(column: RawColumn) -> Labels:
    """Read the labels of a series, whose owner compares predictions with them: blanks at their ends stay."""
    if column.text is not None:
        distinct = column.text.unique().drop_nulls().cast(pl.String)
        if (distinct.str.strip_chars(BLANKS) != distinct).any():
            texts = column.text.cast(pl.String).fill_null("")
            _refuse_missing(column.name, (texts.str.strip_chars(BLANKS) == "").to_numpy())
            return Labels(column.name, *_distinct(np.array(texts.to_list(), dtype=object)))
    return _from_column(column)


def _from_column(column: RawColumn) -> Labels:
    if column.text is None:
        assert column.numbers is not None
        return _from_array(column.name, column.numbers.to_numpy())
    words = read_label_words(column)
    return Labels(column.name, np.array(words.lexicon, dtype=object), words.codes.astype(np.intp))


def _from_array(name: str, array: NDArray[Any]) -> Labels:
    array = array.astype(object) if array.dtype.kind == "T" else unmasked(array)  # T: text, unknown to scikit-learn
    if array.dtype.kind == "f":
        _refuse_missing(name, np.isnan(array))
    elif array.dtype.kind == "O":
        types = set(map(type, array.tolist()))
        if array.ndim == 1 and types == {str}:
            return _as_given(from_objects(name, array))
        _refuse_missing(name, np.array([_is_missing(label) for label in array.tolist()], dtype=bool))
        if types & FLAGS and not types <= FLAGS:  # True is 1 to whatever compares them
            raise DataError(_several_types(array))
        if types <= FLAGS or types <= NUMBERS:
            array = np.array(array.tolist())  # scikit-learn's metrics take no numbers that are objects
    try:
        classes, codes = _distinct(array)
    except TypeError:
        raise DataError(_several_types(array)) from None
    _refuse_unwritable(classes)
    return Labels(name, classes, codes)


def _several_types(labels: NDArray[Any]) -> str:
    kinds = sorted({type(label).__name__ for label in labels.tolist()})
    return f"labels are of several types ({', '.join(kinds)}) and cannot be sorted; make them all text."


def _refuse_unwritable(classes: NDArray[Any]) -> None:
    """Refuse labels that a model file cannot hold: dates, bytes, tuples, half characters."""
    with refusing_half_characters():
        "".join(label for label in classes.ravel() if isinstance(label, str)).encode()
    for label in map(plain_label, classes.ravel()):
        if not isinstance(label, str | bool | int | float):
            msg = (
                f"the label {label!r} is of type {type(label).__name__}; accepted: text, booleans and whole numbers. "
                "Hint: make the labels text, such as [str(label) for label in y]."
            )
            raise DataError(msg)


def _distinct(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct labels, ascending, and the index of each row's; small whole numbers need no sorting."""
    if array.dtype.kind not in "biu" or not array.size:
        return np.unique(array, return_inverse=True)
    low, high = int(array.min()), int(array.max())
    if high - low > SPREAD or max(-low, high) > np.iinfo(np.intp).max:
        return np.unique(array, return_inverse=True)
    shifted = array.astype(np.intp).ravel() - low
    occurs = np.bincount(shifted) > 0
    classes = (np.flatnonzero(occurs) + low).astype(array.dtype)
    return classes, (np.cumsum(occurs) - 1)[shifted]


def _is_missing(label: Any) -> bool:
    """Tell whether a label is None, NaN, or pandas' NA."""
    return label is None or type(label).__name__ == "NAType" or (isinstance(label, float) and math.isnan(label))


def _refuse_missing(name: str, missing: NDArray[np.bool_]) -> None:
    if missing.any():
        n, first = int(missing.sum()), int(missing.argmax())
        rows = "1 row" if n == 1 else f"{n:,} rows"
        msg = (
            f"column {name!r} has no label in {rows}, the first is row {first}; every row needs a label. "
            "Hint: leave such rows out."
        )
        raise DataError(msg)


def one_against_rest(column: RawColumn, label: str, rest: str) -> RawColumn:
    """Return a column of labels in which every label but one is called the rest."""
    words = cells(column, "categorical").words
    assert words is not None
    named = np.array([*(word if word == label else rest for word in words.lexicon), None], dtype=object)
    return RawColumn(column.name, text=pl.Series(named[words.codes].tolist(), dtype=pl.String))


def plain_label(label: Any) -> Label:
    """Return a label as a plain Python value."""
    plain: Label = label.item() if hasattr(label, "item") else label
    return plain


def index_of(classes: NDArray[Any], label: Any) -> int:
    """Return the index of a label among the classes, -1 when it is none."""
    return next((index for index, one in enumerate(classes.tolist()) if one == label), -1)
