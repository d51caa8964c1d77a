"""Records of a text with separators, one at a time: a line each, or several where a cell in quotes has line breaks.

In: lines. Out: the number of the line with which a record begins, and its cells. A quote inside a cell that begins with
none is a part of it. A quote that begins a cell, and closes on a later line where no cell ends, would swallow all lines
between: it is refused with its line.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def records(origin: str, lines: Iterable[str], separator: str, n_before: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of lines, of which so many stand before the first."""
    taken: list[str] = []

    def taking() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    begin = n_before + 1
    for cells in csv.reader(taking(), delimiter=separator):
        if len(taken) > 1:
            _refuse_open_quote(origin, taken, separator, begin)
        yield begin, cells
        begin += len(taken)
        taken.clear()


def _refuse_open_quote(origin: str, lines: list[str], separator: str, begin: int) -> None:
    try:
        next(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error:
        msg = (
            f"{origin}, line {begin}: a cell begins with a quote that is not closed before the end of the line, nor "
            "where a later cell ends. Hint: take the quote out, or write another behind the cell."
        )
        raise DataError(msg) from None
