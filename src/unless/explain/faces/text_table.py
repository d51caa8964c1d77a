"""Tables for a terminal: cells one under the other, broken at blanks where a line would be too long.

In: rows of short texts, and how many characters there are. Out: lines. The widest columns give way first, none below
its longest word; a table that is still too wide stays so.
"""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = "  "


def aligned(table: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Write the cells of a table one under the other.

    >>> aligned([["rule", "share now"], ["1", "41.3 % (38 % to 44 %)"]], 20)
    ['rule  share now', '1     41.3 % (38 %', '      to 44 %)']
    """
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    least = [max(len(word) for cell in column for word in cell.split() or [""]) for column in zip(*table, strict=True)]
    gap = GAP
    while width is not None and sum(widths) + len(gap) * (len(widths) - 1) > width:
        wide = [i for i in range(len(widths)) if widths[i] > least[i]]
        if wide:
            widths[max(wide, key=widths.__getitem__)] -= 1
        elif gap == GAP:
            gap = " "
        else:
            break
    return [line for row in table for line in _lines(row, widths, gap)]


def _lines(row: Sequence[str], widths: Sequence[int], gap: str) -> list[str]:
    cells = [
        [cell] if len(cell) <= n else wrap(cell, n, break_long_words=False, break_on_hyphens=False)
        for cell, n in zip(row, widths, strict=True)
    ]
    parts = zip_longest(*cells, fillvalue="")
    return [gap.join(part.ljust(n) for part, n in zip(line, widths, strict=True)).rstrip() for line in parts]
