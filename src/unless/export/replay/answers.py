"""What engines answer to vectors, and how it is held against what the program says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.holds import decide, read_row
from unless.logic.program import label_text
from unless.logic.reason.deciding import deciding_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.export.vectors import Cell
    from unless.logic.program import Program
    from unless.logic.rules import Label

CLOSE = 1e-12
"""How near probabilities of more than two labels must be: engines may add in another order."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """What an engine says of a row; a refused row has no label. What it cannot say is None."""

    label: Label | None
    rule: str | None = None
    probability: float | None = None
    as_they_are: float | None = None
    is_refused: bool = False


def row_key(columns: Iterable[str]) -> str:
    """Name the column that numbers the rows of a replay as no other is called."""
    key, taken = "unless_key", {name.lower() for name in columns}
    while key in taken:
        key += "_"
    return key


def expected_answer(program: Program, row: Mapping[str, Cell]) -> EngineAnswer:
    """Return what the program says of a row of raw cells."""
    graded = () if program.grade is None else program.grade.columns
    try:
        values = read_row(program, row, tuple(dict.fromkeys((*program.used_columns, *graded))))
    except DataError:
        return EngineAnswer(None, is_refused=True)
    label, rule = decide(program, values), deciding_rule(program, values)
    if program.grade is None:
        return EngineAnswer(label, rule)
    from unless.evaluate.row_risk import row_risk  # here: it loads arrays

    risk = row_risk(program, values)
    return EngineAnswer(label, rule) if risk is None else EngineAnswer(label, rule, risk.probability, risk.as_they_are)


def agree(expected: EngineAnswer, found: EngineAnswer, *, rules: bool = True, grades: bool = True) -> bool:
    """Tell whether an engine says what the program says: label, rule and probabilities."""
    if expected.is_refused or found.is_refused:
        return expected.is_refused == found.is_refused
    same = same_constant(expected.label, found.label)
    if rules:
        same = same and (expected.rule or "") == (found.rule or "")
    if grades:
        same = same and _same_probability(expected.probability, found.probability)
        same = same and _same_probability(expected.as_they_are, found.as_they_are)
    return same


def same_constant(label: Label | None, found: object) -> bool:
    """Tell whether a constant that came back is the label; it may be spelled as text, or a truth value as 1 or 0."""
    return label == found or (label is not None and isinstance(found, str) and label_text(label) == found)


def _same_probability(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return a == b or math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE)
