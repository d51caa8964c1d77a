"""Where two programs differ: a proof that they are equal, or the few largest regions in which they decide otherwise.

In: two programs of the same target that read cells alike, and perhaps rows of a table. Out: a `Difference`: boxes where
few of them hold all that differs, else parts by rules, which always cover.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.boxes import boxes_of
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.rule_changes import rule_changes
from unless.logic.renamed_columns import called_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.program import Program
    from unless.logic.reason.changed_parts import Difference
    from unless.logic.reason.questions import Row

MOST = 10
ENOUGH = 0.95
"""Boxes that hold less than this share of the rows that flip are given up for parts by rules."""
FEW = 3
"""So many boxes are read at a glance; of more, parts by rules are preferred where they are fewer."""
FOR_BOXES = 0.6
"""The share of the time that boxes may take; the rest is for parts by rules."""


def difference(
    old: Program, new: Program, rows: Iterable[Row] = (), *, most: int = MOST, seconds: float = 10.0
) -> Difference:
    """Compare two programs on all rows that there can be; those of `rows` that flip are counted."""
    old = called_like(old, new)
    check_comparable(old, new)
    until = time.monotonic() + seconds
    rows = [row for row in rows if not same_label(decide(old, row), decide(new, row))]
    engine = Engine([old, new], seconds=seconds * FOR_BOXES)
    boxes = boxes_of(engine, rows, most=most, until=until - (1 - FOR_BOXES) * seconds)
    covers = boxes.is_complete or (rows and boxes.n_covered >= ENOUGH * len(rows))
    if boxes.verdict != "yes" or (covers and len(boxes.parts) <= FEW):
        return boxes
    by_rules = rule_changes(engine, rows, most=most, until=until)
    is_better = by_rules.parts and not (covers and len(boxes.parts) <= len(by_rules.parts))
    return by_rules if is_better else boxes


def check_comparable(old: Program, new: Program) -> None:
    """Refuse two programs that predict different columns, or see different values in one cell."""
    if old.target.column != new.target.column:
        msg = f"the programs predict {old.target.column!r} and {new.target.column!r}; only one target can be compared."
        raise DataError(msg)
    if {*old.missing} != {*new.missing}:
        one, other = (", ".join(map(repr, sorted(p.missing))) or "no word" for p in (old, new))
        msg = f"missing is {one} in one program and {other} in the other; they read different values."
        raise DataError(msg)
    columns = {column.name: column for column in old.columns}
    tested = {*old.used_columns, *new.used_columns}
    for column in new.columns:
        before = columns.get(column.name)
        if column.name not in tested or before is None:
            continue
        if (before.kind, before.reading) != (column.kind, column.reading):
            was, now = (f"{c.kind} {c.reading}".strip() for c in (before, column))
            msg = f"column {column.name!r} is {was} in one program and {now} in the other; they read different values."
            raise DataError(msg)
