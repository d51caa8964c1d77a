"""What the form means, in the plainest way: a row of raw cells in, the decision out. Exports are printed, not run."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from unless.export.raw_cells import form_cell
from unless.export.two_valued import And, Compared, Equal, IsBlank, IsNumber, IsWord, Named, Negation, Or, Reaches
from unless.logic.graded import JUST, in_order, moved
from unless.logic.program import same_label

COMPARE = {"<=": operator.le, ">": operator.gt, "<": operator.lt, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True)
class FormDecision:
    """A label, the number of the rule that decides (empty where none does), and the probability, where graded.

    Of two labels the probability is that of the card's label, of more that of the label decided for. `as_they_are` is
    that among rows as they are, where rows weighed differently in learning by a known ratio.
    """

    label: object
    rule: str
    probability: float | None = None
    as_they_are: float | None = None


def evaluate_form(form, row):
    """Decide a row of raw cells."""
    cells = {column.name: form_cell(column, row, form.missing) for column in form.columns}
    known = {}
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


def _is_true(test, cells, known):
    match test:
        case IsNumber(column):
            return isinstance(cells[column], float)
        case IsWord(column):
            return isinstance(cells[column], str)
        case IsBlank(column):
            return cells[column] is None
        case Compared(column, op, number):
            return bool(COMPARE[op](cells[column], number))
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


def _total(card, cells, known, label):
    points = sum(points for points, test in card.awards if _is_true(test, cells, known))
    return points + card.decided * same_label(card.label, label)


def shown_probability(form, label, totals):
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
