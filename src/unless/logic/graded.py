"""What a grade says of one row, in plain Python: which labels have probabilities, and how a line of them is made.

In: a graded program, and what the points say of each label. Out: probabilities that add up to 1, the decided label
having the largest: where the points speak against it, it is moved to one half, or with more than two labels to the
likeliest other one, and by `JUST` beyond. `evaluate.probabilities` does the same for whole columns, to the last digit;
a test holds the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.program import label_text, label_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.grade import Grade
    from unless.logic.program import Program
    from unless.logic.rules import Label

JUST = 1e-9
"""How far beyond the threshold a probability is that would otherwise speak against the program."""


def grade_of(program: Program) -> Grade:
    """Return the grade of a program, or say that it has none."""
    if program.grade is None:
        msg = "the program has no grade, so it gives no probabilities. Hint: unless grade MODEL.lp DATA -o NEW.lp."
        raise DataError(msg)
    return program.grade


def graded_labels(program: Program) -> tuple[Label, ...]:
    """Return the labels that have a probability: those concluded, the default, and those that only the grade knows."""
    labels = (*program.target.labels, program.target.default, *(card.label for card in grade_of(program).cards))
    return tuple({label_text(label): label for label in reversed(labels)}[text] for text in graded_texts(program))


def graded_texts(program: Program) -> list[str]:
    """Return the same labels as text."""
    return label_texts(program.target, grade_of(program))


def graded_columns(program: Program) -> tuple[str, ...]:
    """Name the columns that a program and its grade test."""
    graded = () if program.grade is None else program.grade.columns
    return tuple(dict.fromkeys((*program.used_columns, *graded)))


def raw_line(texts: Sequence[str], by_card: Sequence[tuple[str, float]]) -> list[float]:
    """Return what the points alone say of each label, given what each card says of its own."""
    line = [0.0] * len(texts)
    for text, probability in by_card:
        index = texts.index(text)
        line[index] = probability
        if len(by_card) == 1:
            line[1 - index] = 1.0 - probability
    return line


def agreeing_line(raw: Sequence[float], decided: int) -> list[float]:
    """Make what the points say of a row add up to 1, the decided label having the largest.

    >>> agreeing_line([0.25, 0.75], 1), agreeing_line([0.25, 0.75], 0)
    ([0.25, 0.75], [0.500000001, 0.499999999])
    """
    if len(raw) == 2:
        line = [0.0, 0.0]
        line[decided], line[1 - decided] = moved(raw[decided], True), moved(raw[1 - decided], False)
        return line
    total = in_order(raw)
    line = [share / total for share in raw] if total > 0 else [1.0 / len(raw)] * len(raw)
    others = max((share for i, share in enumerate(line) if i != decided), default=0.0)
    line[decided] = max(line[decided], others + JUST)
    total = in_order(line)
    return [share / total for share in line]


def moved(probability: float, is_decided: bool) -> float:
    """Move the probability of one of two labels to the side that the program decides for."""
    return max(probability, 0.5 + JUST) if is_decided else min(probability, 0.5 - JUST)


def in_order(line: Sequence[float]) -> float:
    """Add up from left to right: the one order that every way of adding keeps, so that sums agree to the last digit."""
    total = 0.0
    for share in line:
        total += share
    return total
