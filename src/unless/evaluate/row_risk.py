"""One row's probability, with the points behind it: what people are shown beside a label.

In: a graded program and the values of a row. Out: `Risk`. With two labels it is about the label that rules conclude,
whatever is predicted; with more, about the one that is predicted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.logic.grade import Blank, Both, Decided, cell_conditions
from unless.logic.graded import agreeing_line, graded_texts, in_order, raw_line
from unless.logic.holds import awards_that_hold, decide
from unless.logic.program import label_text
from unless.logic.rules import Literal, word_op

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.grade import Award, Band, Card, GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Label, Value


@dataclass(frozen=True, slots=True)
class Risk:
    """The probability of a label, the points it comes from, the lines that gave them, and the training rows alike.

    `by_points` is what the points alone say, before the probability was made to agree with the program; `by_card` is
    what the card of this label says, before those of several labels were made to add up to 1. `blank` names the columns
    that might have given points, and hold nothing. `is_old` says that the grade is of the program before an edit.
    `as_they_are` is what the points say of rows as they are, if rows weighed differently in learning and it is known:
    those of the label `cost_ratio` times as much as others.
    """

    label: Label
    probability: float
    by_points: float
    points: int
    awards: tuple[Award, ...]
    band: Band | None
    is_weighed: bool = False
    is_old: bool = False
    by_card: float | None = None
    blank: tuple[str, ...] = ()
    as_they_are: float | None = None
    cost_ratio: float | None = None

    @property
    def is_moved(self) -> bool:
        """Tell whether the points alone speak against the program."""
        return abs(self.probability - self.by_points) > 1e-6

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        band = self.band
        return {
            "label": self.label,
            "probability": self.probability,
            "by_points": self.by_points,
            "points": self.points,
            "awards": [
                {"points": a.points, "condition": condition_data(a.condition), "unless": a.unless} for a in self.awards
            ],
            "training": None
            if band is None
            else {"from": band.low, "to": band.high, "rows": band.n_rows, "of_label": band.n_label},
            "is_weighed": self.is_weighed,
            "is_old": self.is_old,
            "by_card": self.by_points if self.by_card is None else self.by_card,
            "blank": list(self.blank),
            "as_they_are": self.as_they_are,
            "cost_ratio": self.cost_ratio,
        }


def condition_data(condition: GradeCondition) -> dict[str, Any]:
    """Return a condition of a grade as plain data."""
    if isinstance(condition, Decided):
        return {"decided": True}
    if isinstance(condition, Both):
        return {"both": [condition_data(condition.first), condition_data(condition.second)]}
    if isinstance(condition, Blank):
        return {"column": condition.column, "blank": True}
    if isinstance(condition, Literal):
        return {"column": condition.column, "op": condition.op, "value": condition.value}
    return {"column": condition.column, "op": word_op(negated=condition.negated), "values": list(condition.words)}


def row_risk(program: Program, values: Mapping[str, Value | None]) -> Risk | None:
    """Return the risk of a row, given the values of the columns that the program and its grade test."""
    grade = program.grade
    if grade is None:
        return None
    decided = decide(program, values)
    texts = graded_texts(program)
    mine = texts.index(label_text(decided))
    totals = {label_text(card.label): _total(awards_that_hold(card, values, decided)) for card in grade.cards}
    by_card = [(text, card.probability(totals[text])) for card in grade.cards for text in [label_text(card.label)]]
    raw = raw_line(texts, by_card)
    shown = texts.index(label_text(grade.cards[0].label)) if len(grade.cards) == 1 else mine
    card = next(card for card in grade.cards if label_text(card.label) == texts[shown])
    points = totals[texts[shown]]
    return Risk(
        card.label,
        agreeing_line(raw, mine)[shown],
        raw[shown] / in_order(raw),
        points,
        awards_that_hold(card, values, decided),
        card.band(points),
        grade.is_weighed,
        program.has_old_grade,
        raw[shown],
        _blank(card, values),
        grade.as_they_are(raw[shown]),
        grade.cost_ratio,
    )


def _blank(card: Card, values: Mapping[str, Value | None]) -> tuple[str, ...]:
    """Name the columns of a card that hold nothing; where a line is about just that, it has been heard."""
    asked = (part for award in card.awards for part in cell_conditions(award.condition))
    heard = {part.column for part in asked if isinstance(part, Blank)}
    return tuple(name for name in card.columns if values.get(name) is None and name not in heard)


def _total(awards: tuple[Award, ...]) -> int:
    return sum(award.points for award in awards)
