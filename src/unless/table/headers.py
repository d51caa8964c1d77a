"""The header of a text with separators: which line it is, which separator it uses, what the columns are called.

In: the content of a file of text in UTF-8. Out: a `Header`. Title lines above it are passed over, columns of one name
get a number, those without a name are called by their number; each of these is said. A path that ends in
`#noheader` has none: its columns are called column_1, column_2, ...
"""

from __future__ import annotations

import csv
import io
import logging
import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from unless.errors import DataError, listing
from unless.logic.column_names import tidy
from unless.logic.values import read_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.table.content import Content

log = logging.getLogger("unless")

SEPARATORS = ",\t;|"
NO_HEADER = "noheader"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLANK = " \t\r\n\v\f"
MOST_COLUMNS = 100_000
GLANCE = 30
"""So many lines are looked at to find the header."""


@dataclass(frozen=True, slots=True)
class Header:
    """The column names, the separator between them, and the byte at which the rows begin."""

    names: tuple[str, ...]
    separator: str
    end: int


def read_header(content: Content) -> Header:
    """Find and read the column names."""
    if content.part not in ("", NO_HEADER):
        msg = f"{content.origin} is a text: after '#' there may be '{NO_HEADER}', not {content.part!r}."
        raise DataError(msg)
    with content.open() as file:
        begin = len(BYTE_ORDER_MARK) if file.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK else 0
        file.seek(begin)
        # A character for each byte: the lengths of lines are then those in the file.
        lines = io.TextIOWrapper(file, encoding="latin-1", newline="")
        seen = list(islice(lines, GLANCE))
        if not any(line.strip(BLANK) for line in chain(seen, lines)):
            msg = f"{content.origin} is empty; a table has a line of column names and at least one row."
            raise DataError(msg)
        separator = _separator(seen)
        above = _lines_above(seen, separator) if not content.part else _blank_lines(seen)
        begin += sum(map(len, seen[:above]))
        read: list[str] = []
        try:
            cells = next(csv.reader(_decoded(read, chain(seen[above:], lines)), delimiter=separator))
        except csv.Error as error:
            if "field limit" in str(error):
                longest = csv.field_size_limit()
                msg = f"{content.origin}: the name of a column has over {longest:,} characters; is a quote open?"
            else:
                msg = f"cannot read {content.origin} as CSV: {str(error).splitlines()[0]}."
            raise DataError(msg) from None
    if len(cells) > MOST_COLUMNS:
        msg = f"{content.origin} has {len(cells):,} columns; at most {MOST_COLUMNS:,} are read."
        raise DataError(msg)
    if content.part == NO_HEADER:
        return Header(tuple(f"column_{i + 1}" for i in range(len(cells))), separator, begin)
    _remark(content.origin, cells, above, _widths(seen[above + 1 :], separator))
    return Header(_names(content.origin, cells), separator, begin + sum(map(len, read)))


def _decoded(read: list[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as text, and keep those that were needed in `read`."""
    for line in lines:
        read.append(line)
        yield line.encode("latin-1").decode("utf-8", errors="replace")


def _widths(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the cells of each line, as far as one line tells them."""
    found = []
    for line in lines:
        try:
            found.append(next(csv.reader([line], delimiter=separator), []))
        except csv.Error:
            found.append([])
    return found


def _separator(lines: Sequence[str]) -> str:
    """Choose the separator that gives most lines the same number of cells, more than one."""

    def merit(mark: str) -> tuple[float, int, int]:
        widths = _record_widths(lines, mark)
        (width, n_lines), *_ = Counter(widths).most_common(1) or [(0, 0)]
        alike = n_lines if width > 1 else 0
        first = next(line for line in [*lines, ""] if line.strip(BLANK) or not line)
        return alike, first.count(mark), -SEPARATORS.index(mark)

    return max(SEPARATORS, key=merit)


def _record_widths(lines: Sequence[str], mark: str) -> list[int]:
    """Return how many cells each record has; one whose cells have line breaks counts once for each of its lines."""
    reader, done, widths = csv.reader(lines, delimiter=mark), 0, []
    try:
        for cells in reader:
            widths += [len(cells)] * (reader.line_num - done) if any(cell.strip(BLANK) for cell in cells) else []
            done = reader.line_num
    except csv.Error:  # a cell without an end: the lines before it tell
        pass
    return widths


def _blank_lines(lines: Sequence[str]) -> int:
    """Count the blank lines at the beginning."""
    return next((index for index, line in enumerate(lines) if line.strip(BLANK)), 0)


def _lines_above(lines: Sequence[str], separator: str) -> int:
    """Count the lines above the header: blank ones, and titles, which have few cells where the table has many."""
    cells = _widths(lines, separator)
    widths = Counter(len(some) for line, some in zip(lines, cells, strict=True) if line.strip(BLANK))
    width = max(widths, key=lambda each: (widths[each], each))
    if widths[width] < 2:
        return _blank_lines(lines)
    named = width - min(_blank_at_end(some) for some in cells if len(some) == width)
    for index, (line, some) in enumerate(zip(lines, cells, strict=True)):
        if line.count('"') % 2:
            break  # a cell of several lines, which is no title
        filled = sum(1 for cell in some if cell.strip(BLANK))
        if not line.strip(BLANK) or (width > 1 and filled <= max(1, width // 3) and filled < width):
            continue
        is_header = len(some) == width and filled == named and not any(read_number(cell) is not None for cell in some)
        return index if is_header else _blank_lines(lines)
    return _blank_lines(lines)


def _blank_at_end(cells: Sequence[str]) -> int:
    """Count the blank cells at the end of a line: where each line ends in a separator, the last column has no name."""
    return next((n for n, cell in enumerate(reversed(cells)) if cell.strip(BLANK)), len(cells))


def _remark(origin: str, cells: Sequence[str], above: int, below: Sequence[Sequence[str]]) -> None:
    """Say what was passed over, and when the header looks like a row."""
    if above:
        log.warning("%s: the header is taken to be line %d, and what stands above is passed over.", origin, above + 1)
    elif alike := _like_the_rows(cells, below):
        log.warning(
            "%s: the first line looks like a row (%s), and is taken as the names of the columns. "
            "If it is a row, write '%s#%s'.", origin, listing(map(repr, alike[:3])), origin, NO_HEADER,
        )  # fmt: skip
    elif cells and all(read_number(cell) is not None for cell in cells):
        log.warning(
            "%s: the first line holds numbers only, and is taken as the names of the columns. "
            "If it is a row, write '%s#%s'.", origin, origin, NO_HEADER,
        )  # fmt: skip


def _like_the_rows(cells: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Return the names with digits that are written as the cells under them are: dates, amounts, numbers of files.

    Whole numbers may be names (of years), so they count only beside others; one alone may be by chance.
    """
    rows = [row for row in below if len(row) == len(cells)]
    shapes = [_shape(cell) for cell in cells]
    alike = [
        (cell, shape)
        for index, (cell, shape) in enumerate(zip(cells, shapes, strict=True))
        if "9" in shape and 2 * sum(_shape(row[index]) == shape for row in rows) > len(rows)
    ]
    is_sure = len(alike) >= min(2, len(cells)) and any(shape != "9" for _, shape in alike)
    return [cell for cell, shape in alike if shape != "9"] if is_sure else []


def _shape(cell: str) -> str:
    """Return how a text is written, with one 9 for any digits.

    >>> _shape("V-1007"), _shape("28.11.2023"), _shape("$1,200.50"), _shape("age")
    ('V-9', '9.9.9', '$9,9.9', 'age')
    """
    return re.sub(r"[0-9]+", "9", cell.strip(BLANK))


def _names(origin: str, cells: Sequence[str]) -> tuple[str, ...]:
    """Return one name for each column: those called alike get a number, those not called at all their own."""
    cells = [cell if tidy(cell) else "" for cell in cells]  # a name of blanks is none
    taken = Counter(cells)
    twins = sorted(name for name, n in taken.items() if n > 1 and name)
    names: list[str] = []
    met: Counter[str] = Counter()
    for index, name in enumerate(cells):
        met[name] += 1
        given = name or f"column_{index + 1}"
        number = met[name]
        while (name and number > 1 and given == name) or (given != name and given in taken):
            given = f"{name or 'column'}_{number if name else index + 1 + number}"
            number += 1
        taken[given] += given != name
        names.append(given)
    if twins:
        renamed = [new for new, old in zip(names, cells, strict=True) if old in twins and new != old]
        log.warning("%s: several columns are called %s; the later ones are called %s.",
            origin, listing(map(repr, twins)), listing(map(repr, renamed)))  # fmt: skip
    if not all(cells):
        nameless = [new for new, old in zip(names, cells, strict=True) if not old]
        if len(nameless) == 1:
            log.warning("%s: a column has no name, and is called %r.", origin, nameless[0])
        else:
            shown = listing(map(repr, nameless))
            log.warning("%s: %d columns have no name, and are called %s.", origin, len(nameless), shown)
    return tuple(names)
