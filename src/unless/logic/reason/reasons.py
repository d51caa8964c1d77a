"""Reasons for a letter: the few values of a row that fix its label, each of which matters.

In: a program, an engine for it, a row. Out: the values of a smallest sufficient set. Each matters: without it the
others would leave another label possible. Those that would change the label alone, all else as it is, come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.sufficient import sufficient

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.reason.questions import Row
    from unless.logic.reason.reasoner import Engine
    from unless.logic.rules import Value


@dataclass(frozen=True, slots=True)
class ValueReason:
    """A value that matters; `alone` tells that another value there, all else as it is, gives another label."""

    column: str
    value: Value | None
    alone: bool


def reasons(engine: Engine, program: Program, row: Row) -> tuple[ValueReason, ...] | None:
    """Return the values that fix the label of a row, or None where that was not decided."""
    columns = sufficient(engine, program, row)
    if columns is None:
        return None
    found = [ValueReason(column, row.get(column), _alone(engine, program, row, column)) for column in columns]
    return tuple(sorted(found, key=lambda reason: not reason.alone))


def _alone(engine: Engine, program: Program, row: Row, column: str) -> bool:
    """Tell whether another value in one column alone changes the label."""
    label = decide(program, row)
    others = ({**row, column: cell.value} for cell in engine.space.cells[column])
    return any(not same_label(decide(program, other), label) for other in others)
