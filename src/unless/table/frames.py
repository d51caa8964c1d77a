"""Any table in memory becomes a `RawTable`: pandas, polars, pyarrow, anything narwhals knows, NumPy, lists of dicts.

The rows keep their order and the columns their names; nothing is interpreted beyond "number, text or missing". What
cannot be read (nested values) is refused here, by column name and with the way out. Files come
as polars frames: narwhals is loaded only for the frames of other libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError, listing
from unless.logic.column_names import found_name, matched, remark_names
from unless.table.columns import RawColumn, dated_column, spell
from unless.table.objects import TAKE_OUT, from_objects, refusing_half_characters
from unless.table.pandas_columns import from_pandas, from_vector, is_pandas_frame, is_pandas_series

if TYPE_CHECKING:
    import narwhals as nw


class LazyColumns(Mapping[str, RawColumn]):
    """Columns that are converted when they are asked for: a program tests few of a table's columns."""

    def __init__(self, names: Iterable[str], convert: Callable[[str], RawColumn]) -> None:
        self._convert = convert
        self._columns: dict[str, RawColumn | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> RawColumn:
        column = self._columns[name]
        if column is None:
            column = self._columns[name] = self._convert(name)
        return column

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass(frozen=True, slots=True, eq=False)
class RawTable:
    """Columns by name, in order, all of the same length.

    `kept` are the numbers that the rows have in their file, ascending, where others of it were left out: answers name
    these, so that every command means the same row by a number. `also` are further names of columns: those that the
    file has, where a program calls them otherwise.
    """

    columns: Mapping[str, RawColumn]
    n_rows: int
    kept: np.ndarray[Any, np.dtype[np.intp]] | None = None
    also: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with refusing_half_characters():
            "\n".join(self.columns).encode()

    @property
    def names(self) -> tuple[str, ...]:
        """Name the columns, in order."""
        return tuple(self.columns)

    def name_of(self, name: str) -> str:
        """Return what a column is called here, or say which there are."""
        called = self.also.get(name, name)
        return called if called in self.columns else found_name(name, self.names)

    def column(self, name: str) -> RawColumn:
        """Return one column or say which there are."""
        return self.columns[self.name_of(name)]

    def called_as(self, names: Iterable[str], *, aloud: bool = True) -> RawTable:
        """Return the table with its columns called as somebody else calls them, where that is clear; say which.

        The names that the file has are known all the same, and are what other names are compared with.

        >>> table = RawTable({"income": RawColumn("income", numbers=pl.Series([1.0]))}, 1).called_as(["income "])
        >>> table.names, table.name_of("income")
        (('income ',), 'income ')
        """
        in_file = {called: name for name, called in self.also.items()}
        keys = {in_file.get(name, name): name for name in self.columns}
        found = matched(names, keys)
        also = {name: called for called, name in found.items() if called != name}
        if also == self.also:
            return self
        if aloud:
            remark_names({called: name for name, called in also.items() if self.also.get(name) != called})
        before = {also.get(name, name): key for name, key in keys.items()}
        columns = LazyColumns(before, lambda name: replace(self.columns[before[name]], name=name))
        return RawTable(columns, self.n_rows, self.kept, also)

    def without(self, dropped: Iterable[str]) -> RawTable:
        """Return the table without some columns, each of which must be there."""
        gone = {self.name_of(name) for name in dropped}
        left = LazyColumns((n for n in self.names if n not in gone), self.columns.__getitem__)
        return RawTable(left, self.n_rows, self.kept, self.also)

    def with_columns(self, more: Mapping[str, Callable[[], RawColumn]]) -> RawTable:
        """Return the table with more columns, made when they are asked for."""
        made = LazyColumns((*self.names, *more), lambda name: more[name]() if name in more else self.columns[name])
        return RawTable(made, self.n_rows, self.kept, self.also)

    def take(self, rows: np.ndarray[Any, np.dtype[np.intp]]) -> RawTable:
        """Return some rows, in the order of their numbers given; they are numbered anew."""
        columns = LazyColumns(self.names, lambda name: self.columns[name].take(rows))
        return RawTable(columns, len(rows), also=self.also)

    def keep(self, rows: np.ndarray[Any, np.dtype[np.intp]]) -> RawTable:
        """Return some rows, ascending, that are still called by the numbers they have in the file.

        >>> table = RawTable({}, 3).keep(np.array([0, 2]))
        >>> table.n_rows, table.number(1), table.find([1, 2])
        (2, 2, [1])
        """
        return replace(self.take(rows), kept=rows if self.kept is None else self.kept[rows])

    def number(self, row: int) -> int:
        """Return the number that a row has in the file."""
        return row if self.kept is None else int(self.kept[row])

    def find(self, numbers: Sequence[int]) -> list[int]:
        """Return the rows that have these numbers in the file; those that were left out are passed over."""
        if self.kept is None:
            return list(numbers)
        rows = np.searchsorted(self.kept, numbers).tolist()
        pairs = zip(rows, numbers, strict=True)
        return [row for row, number in pairs if row < self.n_rows and self.number(row) == number]


def raw_table(data: Any) -> RawTable:
    """Read any table."""
    if isinstance(data, RawTable):
        return data
    if isinstance(data, np.ndarray):
        return _from_array(data)
    if isinstance(data, Sequence) and not isinstance(data, str | bytes | memoryview):
        return _from_rows(data)
    if isinstance(data, Mapping) and not is_sparse(data):  # a sparse matrix may be a dict
        return _collect((str(name), _listed_column(str(name), values)) for name, values in data.items())
    if isinstance(data, pl.DataFrame | pl.LazyFrame):
        return _from_polars(data.collect() if isinstance(data, pl.LazyFrame) else data)
    return _from_other(data)


def _from_pandas_frame(data: Any) -> RawTable:
    origins = _origins(data.columns)
    return RawTable(LazyColumns(origins, lambda name: from_pandas(name, data.iloc[:, origins[name]])), len(data))


def _origins(names: Iterable[Any]) -> dict[str, int]:
    """Return the position of each column by its name as text; no two may be called alike."""
    found: dict[str, int] = {}
    for position, name in enumerate(names):
        if str(name) in found:
            raise DataError(_called_alike(name))
        found[str(name)] = position
    return found


def _from_other(data: Any) -> RawTable:
    """Read a frame of another library, or what can become an array."""
    if is_pandas_frame(data):
        return _from_pandas_frame(data)
    if is_sparse(data):
        return _from_sparse(data.tocsc())
    frame = _wrapped_frame(data)
    if frame is not None:
        return _from_frame(frame)
    if hasattr(data, "__arrow_c_array__"):  # a record batch
        _origins(data.schema.names)
        return _from_polars(pl.DataFrame(data))
    if hasattr(data, "__array__"):
        return _from_array(np.asarray(data))
    msg = (
        f"cannot read a table from {type(data).__name__}; accepted: a pandas, polars or pyarrow table, "
        "a two-dimensional NumPy array, a sparse matrix, or a list of dicts."
    )
    raise DataError(msg)


def is_sparse(data: Any) -> bool:
    """Tell whether something is a sparse matrix or array of SciPy, without importing SciPy."""
    return hasattr(data, "tocsc") and hasattr(data, "toarray")


def _from_sparse(matrix: Any) -> RawTable:
    """Read a sparse matrix column by column: what is not stored is the number 0."""

    def convert(name: str) -> RawColumn:
        return from_vector(name, matrix[:, [int(name[1:])]].toarray().ravel())

    return RawTable(LazyColumns((f"x{j}" for j in range(matrix.shape[1])), convert), matrix.shape[0])


def is_dask(data: Any) -> bool:
    """Tell whether something is a Dask data frame or series, without importing Dask."""
    return type(data).__module__.partition(".")[0] == "dask" and hasattr(type(data), "to_delayed")


def raw_column(name: str, values: Any) -> RawColumn:
    """Read one column, for instance of labels, from a series, an array or a list."""
    if isinstance(values, pl.Series):
        return _from_polars_series(name, values)
    if is_pandas_series(values):
        return from_pandas(name, values)
    series = wrapped_series(values)
    if series is not None:
        return _from_series(name, series)
    if isinstance(values, np.ndarray):
        return from_vector(name, values)
    return from_objects(name, list(values))


def wrapped_series(values: Any) -> nw.Series[Any] | None:
    """Wrap a series of any library; None when it is none."""
    if isinstance(values, np.ndarray | list | tuple | RawColumn):
        return None
    import narwhals as nw

    series: Any = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _collect(columns: Iterable[tuple[str, RawColumn]]) -> RawTable:
    found: dict[str, RawColumn] = {}
    for name, column in columns:
        if name in found:
            raise DataError(_called_alike(name))
        found[name] = column
    lengths = {column.n_rows for column in found.values()}
    if len(lengths) > 1:
        msg = f"columns differ in length: {listing(f'{n} has {c.n_rows}' for n, c in found.items())}."
        raise DataError(msg)
    return RawTable(found, lengths.pop() if lengths else 0)


def _wrapped_frame(data: Any) -> nw.DataFrame[Any] | None:
    """Wrap a frame of any library; None when it is none."""
    import narwhals as nw

    try:
        frame: Any = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = list(data.column_names if hasattr(type(data), "column_names") else data.columns)
        raise DataError(_called_alike(next(name for name in names if names.count(name) > 1))) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _listed_column(name: str, values: Any) -> RawColumn:
    """Read one column of a dict of columns."""
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        msg = f"column {name!r} is a {type(values).__name__}; a dict is a table when each value is a list."
        raise DataError(msg)
    return raw_column(name, values)


def _from_polars(frame: pl.DataFrame) -> RawTable:
    columns = LazyColumns(frame.columns, lambda name: _from_polars_series(name, frame.get_column(name)))
    return RawTable(columns, frame.height)


def _from_polars_series(name: str, series: pl.Series) -> RawColumn:
    dtype = series.dtype
    if dtype.is_temporal():
        return dated_column(name, series)
    if dtype == pl.Boolean:
        return RawColumn(name, text=_spell_flags(series))
    if dtype.is_numeric():
        return RawColumn(name, numbers=series)
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return RawColumn(name, text=series, is_declared=dtype != pl.String)
    if dtype.is_nested():
        msg = f"column {name!r} is nested ({dtype}); a cell is a number or a word. {TAKE_OUT}"
        raise DataError(msg)
    return from_objects(name, series.to_list())


def _from_frame(frame: nw.DataFrame[Any]) -> RawTable:
    origins = dict(zip(_origins(frame.columns), frame.columns, strict=True))
    # get_column, because names may be whole numbers, which frame[name] takes for row numbers.
    return RawTable(LazyColumns(origins, lambda name: _from_series(name, frame.get_column(origins[name]))), len(frame))


def _called_alike(name: object) -> str:
    return f"two columns are called {str(name)!r}; each column needs a name of its own."


def _from_series(name: str, series: nw.Series[Any]) -> RawColumn:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_temporal():
        return dated_column(name, series.to_polars())
    if dtype == nw.Boolean:
        return RawColumn(name, text=_spell_flags(_polars(series)))
    if dtype.is_numeric():
        return RawColumn(name, numbers=_polars(series))
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _from_text(name, series)
    return from_objects(name, series.to_list())


def _from_text(name: str, series: nw.Series[Any]) -> RawColumn:
    """Read text or categories; the categories of a frame may themselves be numbers or flags, and are words then."""
    column = _polars(series)
    if column.dtype == pl.Boolean:
        return RawColumn(name, text=_spell_flags(column))
    if column.dtype.is_numeric():
        return RawColumn(name, text=spell(column))
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return RawColumn(name, text=column)
    return from_objects(name, column.to_list())


def _polars(series: nw.Series[Any]) -> pl.Series:
    """Convert without copying where the library allows it."""
    try:
        return series.to_polars()
    except (ImportError, TypeError, ValueError, pl.exceptions.PolarsError):
        return _objects_series(series.to_list())


def _objects_series(values: list[Any]) -> pl.Series:
    """Build a series from Python values without pyarrow."""
    present = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in present):
        return pl.Series(values, dtype=pl.String)
    return pl.Series(values, strict=False)


def _spell_flags(flags: pl.Series) -> pl.Series:
    """Spell booleans the way Python and CSV files do."""
    spelled = pl.when(flags).then(pl.lit("True")).when(~flags).then(pl.lit("False"))
    return pl.select(spelled.otherwise(None)).to_series()


def _from_array(array: np.ndarray[Any, Any]) -> RawTable:
    if isinstance(array, np.matrix):
        array = np.asarray(array)  # a column of a matrix is a matrix
    if array.dtype.names:
        return _collect((name, from_vector(name, array[name])) for name in array.dtype.names)
    if array.ndim != 2:
        msg = f"the array has {array.ndim} dimension(s), a table has 2. Reshape your data, as X.reshape(-1, 1)."
        raise DataError(msg)
    if not array.shape[1]:
        return RawTable({}, len(array))
    return _collect((f"x{j}", from_vector(f"x{j}", array[:, j])) for j in range(array.shape[1]))


def _from_rows(rows: Sequence[Any]) -> RawTable:
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = dict.fromkeys(name for row in rows for name in row)
        return _collect((str(name), from_objects(str(name), [row.get(name) for row in rows])) for name in names)
    widths = {_width(row) for row in rows}
    if rows and widths != {0} and len(widths) == 1:
        return _collect((f"x{j}", from_objects(f"x{j}", [row[j] for row in rows])) for j in range(widths.pop()))
    if not rows:
        return RawTable({}, 0)
    msg = (
        f"row 0 is a {type(rows[0]).__name__}; a list is a table when each row is a dict, or a list of the same length."
    )
    raise DataError(msg)


def _width(row: Any) -> int:
    """Count the cells of a row that is a list, a tuple or an array; 0 where it is none."""
    if isinstance(row, np.ndarray):
        return len(row) if row.ndim == 1 else 0
    return len(row) if isinstance(row, Sequence) and not isinstance(row, str) else 0
