"""Predicting and counting on Dask frames, partition by partition, lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.coverage import coverage, join_coverages

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.logic.program import Program


def map_rows(task: Callable[[Any], NDArray[Any]], X: Any, columns: list[Any] | None, dtype: Any, name: str) -> Any:
    """Apply a task to each partition, lazily: one value per row, or one per row and column."""
    import pandas as pd

    empty = pd.Series([], dtype=dtype, name=name) if columns is None else pd.DataFrame(columns=columns, dtype=dtype)
    return X.map_partitions(_mapped, task, empty, meta=empty)


def _mapped(table: Any, task: Callable[[Any], NDArray[Any]], empty: Any) -> Any:
    if not len(table):
        return empty
    if empty.ndim == 1:
        return type(empty)(task(table), index=table.index, dtype=empty.dtype, name=empty.name)
    return type(empty)(task(table), index=table.index, columns=empty.columns)


def lazy_coverage(program: Program, frame: Any, target: str | None = None) -> Any:
    """Return the coverage of a program on a Dask data frame as a delayed value: `.compute()` counts."""
    from dask import delayed

    count, join = delayed(coverage), delayed(join_coverages)
    return join([count(program, part, target) for part in frame.to_delayed()])


def count_right(task: Callable[[Any], NDArray[Any]], X: Any, y: Any) -> float:
    """Return the share of rows whose label a task predicts, counted where the rows are."""
    from dask import compute, delayed

    right = delayed(_right)
    pairs = zip(X.to_delayed(), y.to_delayed(), strict=True)
    counts = compute([right(task, table, labels) for table, labels in pairs])[0]
    n_right, n_rows = (sum(count[k] for count in counts) for k in (0, 1))
    return float(n_right / n_rows) if n_rows else 0.0


def _right(task: Callable[[Any], NDArray[Any]], table: Any, labels: Any) -> tuple[int, int]:
    if not len(table):
        return 0, 0
    return int((task(table) == np.asarray(labels)).sum()), len(table)
