"""What the form means, in the plainest way: a row of raw cells in, the decision out. Exports are printed, not run.

Tests pin this evaluator to `logic.holds` and `evaluate.row_risk`, and every export to both.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.export.two_valued import And, Compared, Equal, IsBlank, IsNumber, IsWord, Named, Negation, Or, Reaches
from unless.logic.date_parts import date_part
from unless.logic.graded import JUST, in_order
from unless.logic.program import same_label
from unless.logic.readings import read_part_cell
from unless.logic.values import EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.two_valued import DecisionForm, PointsCard, Test
    from unless.logic.rules import Column, Label, Value

COMPARE = {"<=": operator.le, ">": operator.gt, "<": operator.lt, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True, slots=True)
class FormDecision:
    """A label, the number of the rule that decides (empty where none does), and the probability, where graded.

    Of two labels the probability is that of the card's label, of more that of the label decided for. `as_they_are` is
    that among rows as they are, where rows weighed differently in learning by a known ratio.
    """

    label: Label
    rule: str
    probability: float | None = None
    as_they_are: float | None = None


def evaluate_form(form: DecisionForm, row: Mapping[str, object]) -> FormDecision:
    """Decide a row of raw cells."""
    cells = {column.name: form_cell(column, row, form.missing) for column in form.columns}
    known: dict[str, bool] = {}
    for name, test in form.named.items():
        known[name] = _is_true(test, cells, known)
    rule = next((rule for rule in form.rules if _is_true(rule.test, cells, known)), None)
    label = form.default if rule is None else rule.label
    number = "" if rule is None else rule.number
    if not form.cards:
        return FormDecision(label, number)
    totals = [_total(card, cells, known, label) for card in form.cards]
    plain = form.cards[0].as_they_are
    as_they_are = None if plain is None else plain[totals[0]]
    return FormDecision(label, number, shown_probability(form, label, totals), as_they_are)


def form_cell(column: Column, row: Mapping[str, object], missing: Sequence[str]) -> Value | None:
    """Read a cell; a number in a column of words stays a number."""
    cell = row.get(column.name)
    is_number = not isinstance(cell, bool | str) and cell is not None and hasattr(cell, "__float__")
    if is_number and column.kind == "categorical" and type(cell).__name__ not in ("bool_", "NAType", "NaTType"):
        number = float(cell)  # type: ignore[arg-type]
        if not math.isinf(number) and not (column.reading and date_part(column.reading) and column.name not in row):
            return None if math.isnan(number) else number + 0.0
    return read_part_cell(column, row, missing)


def _is_true(test: Test, cells: Mapping[str, Value | None], known: Mapping[str, bool]) -> bool:  # noqa: C901, PLR0911
    match test:
        case IsNumber(column):
            return isinstance(cells[column], float)
        case IsWord(column):
            return isinstance(cells[column], str)
        case IsBlank(column):
            return cells[column] is None
        case Compared(column, op, number):
            return bool(COMPARE[op](cells[column], number))  # type: ignore[arg-type]
        case Equal(column, word):
            return cells[column] == word
        case And(tests):
            return all(_is_true(inner, cells, known) for inner in tests)
        case Or(tests):
            return any(_is_true(inner, cells, known) for inner in tests)
        case Negation(inner):
            return not _is_true(inner, cells, known)
        case Named(name):
            return known[name]
        case Reaches(awards, threshold):
            return sum(points for points, inner in awards if _is_true(inner, cells, known)) >= threshold


def _total(card: PointsCard, cells: Mapping[str, Value | None], known: Mapping[str, bool], label: Label) -> int:
    points = sum(points for points, test in card.awards if _is_true(test, cells, known))
    return points + card.decided * same_label(card.label, label)


def shown_probability(form: DecisionForm, label: Label, totals: Sequence[int]) -> float:
    """Return the probability that goes with a decision, given the points of each card."""
    found = [card.probabilities[total] for card, total in zip(form.cards, totals, strict=True)]
    if len(found) == 1:
        return moved(found[0], same_label(form.cards[0].label, label))
    mine = next(i for i, card in enumerate(form.cards) if same_label(card.label, label))
    whole = in_order(found)
    shares = [p / whole for p in found] if whole > 0 else [1.0 / len(found)] * len(found)
    others = max(share for i, share in enumerate(shares) if i != mine)
    shares[mine] = max(shares[mine], others + JUST)
    return shares[mine] / in_order(shares)


def is_long(label: Label) -> bool:
    """Tell whether a label is a whole number of so many digits that engines would round it; there it is text."""
    return isinstance(label, int) and abs(label) > EXACT


def moved(probability: float, is_decided: bool) -> float:
    """Move the probability of one of two labels to the side that the program decides for."""
    return max(probability, 0.5 + JUST) if is_decided else min(probability, 0.5 - JUST)
