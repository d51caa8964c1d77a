"""Rows that are kept apart to test rules on: at random, the newest ones, or whole groups; or folds.

In: the open table and a `KeptApart`. Out: which rows are held out, the same ones every time. Folds hold out nothing for
good: rules are learned from all rows, and programs like them from all but one fold, so each row is once unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np

from unless.errors import DataError
from unless.evaluate.hold_out import SEED, hold_out
from unless.table.cells import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.web.open_table import OpenTable

How = OneOf["share", "newest", "groups", "folds"]


@dataclass(frozen=True)
class KeptApart:
    """How rows were kept apart: which share of them, by the labels of which target, by which column.

    `table` is the digest of the table that they are rows of: the same numbers are other rows of another table.
    """

    target: str
    share: float
    how: How = "share"
    column: str | None = None
    table: str = ""


def kept_apart_of(data: Mapping[str, Any] | None) -> KeptApart | None:
    """Read back how rows were kept apart."""
    return None if data is None else KeptApart(**data)


def held_out_rows(opened: OpenTable, apart: KeptApart | None) -> NDArray[np.bool_]:
    """Return which rows are held out; none where nothing was learned, or with folds."""
    n_rows = opened.table.n_rows
    found = np.zeros(n_rows, dtype=bool)
    n_held = 0 if apart is None or apart.how == "folds" else round(n_rows * apart.share)
    if apart is None or not 0 < n_held < n_rows:
        return found
    if apart.how == "newest":
        found[_newest(opened, apart, n_held)] = True
    elif apart.how == "groups":
        found = _groups(opened, apart, n_held)
    else:
        found[hold_out(_codes(opened, apart.target), n_held)] = True
    return found


def _newest(opened: OpenTable, apart: KeptApart, n_held: int) -> NDArray[np.intp]:
    """Return the rows with the largest numbers, or the latest dates, of a column."""
    numbers = opened.read(opened.table.column(_named(apart)), "numerical").numbers
    if numbers is None or np.isnan(numbers).all():
        msg = f"column {apart.column!r} holds no numbers or dates; rows cannot be kept apart by what is newest there."
        raise DataError(msg)
    # A row without a date is learned from: nobody knows that it is new.
    return np.argsort(np.where(np.isnan(numbers), -np.inf, numbers), kind="stable")[-n_held:]


def _groups(opened: OpenTable, apart: KeptApart, n_held: int) -> NDArray[np.bool_]:
    """Hold out whole groups, until there are about as many rows as asked for."""
    codes = _codes(opened, _named(apart))
    groups = np.unique(codes)
    if len(groups) < 2:
        msg = f"column {apart.column!r} has one group only; rows cannot be kept apart by it."
        raise DataError(msg)
    order = groups[np.argsort(np.random.PCG64(SEED).random_raw(len(groups)), kind="stable")]
    sizes = np.cumsum(np.array([int((codes == group).sum()) for group in order]))
    n_groups = min(max(1, int(np.argmin(np.abs(sizes - n_held))) + 1), len(groups) - 1)
    return np.asarray(np.isin(codes, order[:n_groups]))


def _codes(opened: OpenTable, name: str) -> NDArray[np.int32]:
    words = opened.read(opened.table.column(name), "categorical").words
    return np.full(opened.table.n_rows, MISSING, dtype=np.int32) if words is None else words.codes


def _named(apart: KeptApart) -> str:
    if apart.column is None:
        msg = "choose the column by which rows are kept apart."
        raise DataError(msg)
    return apart.column
