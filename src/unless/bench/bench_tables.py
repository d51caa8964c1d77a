"""The tables that are measured, each with its yes-or-no question and its folds.

A `BenchTable` has its columns in order (categorical, then numerical, as the paper's), words as text and numbers as
floats; a numerical column that also holds words stays text. The paper's tables come from a folder with
`datasets.toml`, which says for each its file, label, positive value and kinds of columns; any other table comes from a
file and options.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError, did_you_mean, listing
from unless.table.columns import cells
from unless.table.formats import read_file
from unless.table.frames import RawTable
from unless.table.kind_choice import kinds_of_file
from unless.table.kinds import KindRule, read_columns
from unless.table.labels import read_label_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from unless.table.cells import Cells

ROLES = "datasets.toml"

OTHER_READINGS = {"breast-w": "breast-w*"}
"""Tables that are measured a second time, as the paper may have read them: the other label positive, all numbers."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """Where a table is and what is asked of it; plain data, so that a worker process can read it.

    `is_other` asks the other question: whether a row does not have the positive label.
    """

    name: str
    path: str
    target: str
    positive: str
    categorical: tuple[str, ...]
    numerical: tuple[str, ...]
    is_other: bool = False

    def read(self) -> BenchTable:
        """Read the table."""
        raw, _ = read_file(self.path)
        columns = {name: cells(raw.column(name), "categorical") for name in self.categorical}
        numbers = {name: raw.column(name) for name in self.numerical}
        rule = KindRule("content", dict.fromkeys(self.numerical, "numerical"))
        for column in read_columns(RawTable(numbers, raw.n_rows), rule, aloud=False).values():
            columns[column.name] = cells(numbers[column.name], "numerical", (), column.reading)
        labels = read_label_texts(raw.column(self.target))
        frame = pl.DataFrame({name: _series(column) for name, column in columns.items()})
        return BenchTable(
            self.name,
            frame,
            np.array([(label == self.positive) != self.is_other for label in labels]),
            self.categorical,
        )


@dataclass(frozen=True, slots=True, eq=False)
class BenchTable:
    """Rows with a yes-or-no label."""

    name: str
    frame: pl.DataFrame
    y: NDArray[np.bool_]
    categorical: tuple[str, ...]

    @property
    def numerical(self) -> tuple[str, ...]:
        """Name the columns of numbers, perhaps with words among them."""
        return tuple(name for name in self.frame.columns if name not in self.categorical)

    def take(self, rows: NDArray[np.intp]) -> BenchTable:
        """Return some of the rows."""
        return replace(self, frame=self.frame[rows], y=self.y[rows])

    def folds(self, n: int, seed: int) -> Iterator[tuple[BenchTable, BenchTable]]:
        """Yield training and test rows of each fold, stratified and shuffled."""
        from sklearn.model_selection import StratifiedKFold

        for train, test in StratifiedKFold(n, shuffle=True, random_state=seed).split(self.y, self.y):
            yield self.take(train), self.take(test)


def paper_sources(folder: str | None, names: Sequence[str], known: Sequence[str]) -> list[TableSource]:
    """Find the paper's tables, or those named, in the data folder."""
    if folder is None:
        msg = f"the paper's tables are read from a folder with {ROLES}; name it by --data or in UNLESS_DATA."
        raise DataError(msg)
    path = Path(folder) / ROLES
    try:
        roles = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}."
        raise DataError(msg) from None
    except tomllib.TOMLDecodeError as error:
        msg = f"{path} is not TOML: {error}."
        raise DataError(msg) from None
    usable = [name for name in known if name in roles]
    refuse_unknown("table", names, usable)
    sources = [_source(name, roles[name], Path(folder)) for name in (names or usable)]
    return [reading for source in sources for reading in _readings(source)]


def file_source(
    path: str, target: str, positive: str | None, categorical: list[str], numerical: list[str]
) -> TableSource:
    """Describe a table of the user's own."""
    raw, is_text = read_file(path)
    labels = read_label_texts(raw.column(target))
    distinct = sorted(set(labels))
    if positive is None:
        positive = max(distinct, key=labels.count)
    elif positive not in distinct:
        msg = f"{positive!r} is not a label of {target!r}; labels: {listing(map(repr, distinct))}."
        raise DataError(msg)
    if len(distinct) < 2:
        msg = f"all labels of {target!r} are {distinct[0]!r}; two are needed to learn anything."
        raise DataError(msg)
    kinds = kinds_of_file(raw.without([target]), categorical, numerical, is_text=is_text)
    words = tuple(name for name, kind in kinds.items() if kind == "categorical")
    numbers = tuple(name for name, kind in kinds.items() if kind == "numerical")
    return TableSource(Path(path).name.split(".")[0], path, target, positive, words, numbers)


def _source(name: str, role: dict[str, Any], folder: Path) -> TableSource:
    return TableSource(
        name,
        str(folder / role["file"]),
        role["label"],
        role["positive"],
        tuple(role["categorical"]),
        tuple(role["numerical"]),
    )


def _readings(source: TableSource) -> Iterator[TableSource]:
    """Yield a table, and its other reading if it has one."""
    yield source
    if source.name in OTHER_READINGS:
        numbers = (*source.categorical, *source.numerical)
        name = OTHER_READINGS[source.name]
        yield replace(source, name=name, is_other=not source.is_other, categorical=(), numerical=numbers)


def refuse_unknown(what: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Refuse names that are not known."""
    for name in names:
        if name not in known:
            msg = f"there is no {what} {name!r}; {what}s: {', '.join(known)}.{did_you_mean(name, known)}"
            raise DataError(msg)


def _series(column: Cells) -> pl.Series:
    """Return a column as numbers where it has no words, else as text."""
    if column.words is None:
        assert column.numbers is not None
        return pl.Series(column.numbers).fill_nan(None)
    lexicon = pl.Series(column.words.lexicon, dtype=pl.String)
    codes = pl.Series(column.words.codes).cast(pl.Int64)
    text = lexicon.gather(codes.set(codes < 0, None)) if len(lexicon) else pl.repeat(None, column.n_rows, eager=True)
    if column.numbers is None:
        return text
    numbers = [None if math.isnan(number) else repr(number) for number in column.numbers.tolist()]
    return text.zip_with(text.is_not_null(), pl.Series(numbers, dtype=pl.String))
