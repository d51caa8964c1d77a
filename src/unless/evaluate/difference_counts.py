"""The difference of two programs on a table: how many rows each region holds, and whether they are better off.

In: two programs and any table, perhaps with labels. Out: a `Difference` whose parts are counted over all rows. The
search looks at some of the rows that flip, evenly spread; what it finds is counted on all of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.compare import Flips
from unless.evaluate.predict import row_values
from unless.evaluate.region_rows import in_part
from unless.evaluate.view import View
from unless.logic.reason.difference import MOST, check_comparable, difference
from unless.logic.renamed_columns import called_like
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.reason.changed_parts import ChangedPart, Difference

LOOKED_AT = 1000
"""At most so many of the rows that flip lead the search."""


def difference_on(
    old: Program, new: Program, data: Any, target: str | None = None, *, most: int = MOST, seconds: float = 10.0
) -> Difference:
    """Compare two programs on all rows that there can be, and count those of a table."""
    old = called_like(old, new)
    check_comparable(old, new)
    table = raw_table(data)
    before, after = (View(program, table, target) for program in (old, new))
    flips = Flips(before, after)
    spread = {int(i) for i in np.linspace(0, len(flips) - 1, LOOKED_AT)} if len(flips) else set()
    found = difference(old, new, [flips[i].values for i in sorted(spread)], most=most, seconds=seconds)
    return _counted(found, before, after, flips)


def _counted(found: Difference, before: View, after: View, flips: Flips) -> Difference:
    """Count the rows that flip, all of them, in each part, and put the largest first."""
    if not len(flips):
        return replace(found, n_flips=0, n_covered=0)
    covered = np.zeros(before.table.n_rows, dtype=bool)
    verdicts = {row: flip.verdict for row, flip in zip(flips.rows.tolist(), flips, strict=True)}
    parts: list[ChangedPart] = []
    for part in found.parts:
        inside = in_part(part, before, after)
        covered |= inside
        counts: Counter[str] = Counter(verdicts[row] for row in np.flatnonzero(inside).tolist())
        counts.pop("unknown", None)
        parts.append(_with_row(replace(part, n_rows=int(inside.sum()), verdicts=dict(counts)), inside, before, after))
    parts.sort(key=lambda part: (-part.n_rows, -part.share))
    return replace(found, parts=tuple(parts), n_flips=len(flips), n_covered=int(covered.sum()))


def _with_row(part: ChangedPart, inside: NDArray[np.bool_], before: View, after: View) -> ChangedPart:
    """Show a part by its first row in the table, if it has one there."""
    if not inside.any():
        return part
    first = int(np.argmax(inside))
    values = row_values({**before.truth.columns, **after.truth.columns}, first)
    return replace(part, row=values, row_number=before.table.number(first))
