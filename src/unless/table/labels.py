"""The labels of the rows: the distinct ones, sorted, and a code per row. Their types stay as they came."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from unless.errors import DataError
from unless.table.columns import RawColumn, cells
from unless.table.frames import raw_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.rules import Label

UNNAMED = "label"
"""What the target is called when the labels come without a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The distinct labels, sorted, and the place of each row's label among them."""

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
    series: Any = nw.from_native(y, series_only=True, pass_through=True)
    name = str(getattr(y, "name", None) or UNNAMED)
    if isinstance(series, nw.Series) and _is_text(series):
        return _from_column(raw_column(name, y))
    if isinstance(y, RawColumn):
        return _from_column(y)
    return _from_array(name, np.asarray(y.to_numpy() if isinstance(series, nw.Series) else y))


def _is_text(series: nw.Series[Any]) -> bool:
    """Tell whether labels are text; the categories of pandas may be numbers or flags, which stay what they are."""
    if series.dtype == nw.Categorical:
        first = series.drop_nulls().head(1).to_list()
        return not first or isinstance(first[0], str)
    return series.dtype in (nw.String, nw.Enum)


def _from_column(column: RawColumn) -> Labels:
    if column.text is None:
        assert column.numbers is not None
        return _from_array(column.name, column.numbers.to_numpy())
    words = cells(column, "categorical").words
    assert words is not None
    _refuse_missing(words.codes < 0)
    return Labels(column.name, np.array(words.lexicon, dtype=object), words.codes.astype(np.intp))


def _from_array(name: str, array: NDArray[Any]) -> Labels:
    if array.dtype.kind == "f":
        _refuse_missing(np.isnan(array))
    elif array.dtype.kind == "O":
        _refuse_missing(np.array([_is_missing(label) for label in array.tolist()], dtype=bool))
    try:
        classes, codes = np.unique(array, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in array.tolist()})
        msg = f"labels are of several types ({', '.join(kinds)}) and cannot be sorted; make them all text."
        raise DataError(msg) from None
    return Labels(name, classes, codes)


def _is_missing(label: Any) -> bool:
    """Tell whether a label is None, NaN, or pandas' NA."""
    return label is None or type(label).__name__ == "NAType" or (isinstance(label, float) and math.isnan(label))


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        first = int(missing.argmax())
        msg = f"{int(missing.sum())} row(s) have no label, the first is row {first}; every row needs a label."
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
