"""Cells as the table writes them: dates as dates, amounts with all their digits; of a page of rows, or of all.

In: a session, a column, rows. Out: a polars series of numbers, or of texts where the column has any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unless.logic.readings import say_number
from unless.table.cells import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.table.cells import Cells
    from unless.web.session import Session


EXACT = 2.0**53
"""Whole numbers below are exact as floats."""


def read_cells_of(session: Session, name: str) -> Cells:
    """Read a column as the settings say."""
    opened, settings = session.need_table(), session.settings
    opened.check_name(name)
    return opened.read(opened.table.columns[name], settings.kinds[name], settings.missing)


def shown_cells(session: Session, name: str, rows: NDArray[np.intp]) -> pl.Series:
    """Return the cells of a column at some rows, as the table writes them; missing ones are null."""
    opened, settings = session.need_table(), session.settings
    name = opened.table.name_of(name)  # a draft may write it otherwise
    cells, column = read_cells_of(session, name), opened.described(name, settings.kinds[name])
    if column.reading and opened.table.columns[name].text is not None:
        cells = opened.read(opened.table.columns[name], "categorical", settings.missing)
    numbers = None if cells.numbers is None else cells.numbers[rows]
    codes = None if cells.words is None else cells.words.codes[rows]
    if codes is None or (numbers is not None and (codes == MISSING).all()):
        assert numbers is not None
        if not column.reading:
            return _plain_numbers(name, numbers, is_whole=_is_whole(cells.known_numbers()))
        return pl.Series(name, _said(numbers, lambda number: say_number(column, number)), dtype=pl.String)
    assert cells.words is not None
    texts = np.array([*cells.words.lexicon, None], dtype=object)[codes]
    if numbers is not None:
        texts = np.where(codes == MISSING, _said(numbers, lambda number: say_number(column, number)), texts)
    return pl.Series(name, texts.tolist(), dtype=pl.String)


def _is_whole(known: NDArray[np.float64]) -> bool:
    """Tell whether a column counts: all of its numbers are whole, and none is too large to be exact."""
    return bool(((known == np.round(known)) & (np.abs(known) < EXACT)).all())


def _plain_numbers(name: str, numbers: NDArray[np.float64], *, is_whole: bool) -> pl.Series:
    """Return numbers with nulls; whole ones without a point, as people write them."""
    series = pl.Series(name, numbers, nan_to_null=True)
    return series.cast(pl.Int64) if is_whole else series


def _said(numbers: NDArray[np.float64], say: Callable[[float], str]) -> NDArray[np.object_]:
    """Say each number, every distinct one once."""
    distinct, codes = np.unique(numbers, return_inverse=True)
    texts = [None if np.isnan(number) else say(number) for number in distinct.tolist()]
    return np.array([*texts, None], dtype=object)[codes]
