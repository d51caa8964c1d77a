"""The grade of a program in words: the points of each column's values, and the bands of points with their probability.

In: a program with a grade, and the words of a language. Out: `CardWords`, a table of points by column, from 0, and one
of bands. Numbers, sets and blanks are said as in rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.words.conditions import Conditions
from unless.explain.words.entry_phrases import EntryPhrases, in_full
from unless.explain.words.language import capital
from unless.logic.forms.column_points import points_by_column, values_of
from unless.logic.forms.entries import ColumnTest
from unless.logic.grade import Decided, cell_conditions
from unless.logic.program import GRADE_AGAIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.explain.words.language import Language
    from unless.logic.forms.column_points import ColumnPoints, PointsByColumn
    from unless.logic.grade import Award, Band, Card, CellCondition
    from unless.logic.program import Program
    from unless.logic.rules import Label

BAND_KEYS = ("points", "probability", "rows", "of_label", "share")


@dataclass(frozen=True, slots=True)
class ColumnWords:
    """A column, and its entries: points, and the values that get them."""

    column: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CardWords:
    """One label's card: its title, points by column, the head of the bands and the bands, all as texts.

    `start` and `lines` are pairs of points and what they are for: what every row begins with, if anything, and what
    asks two columns together or the rules.
    """

    title: str
    start: tuple[tuple[str, str], ...]
    columns: tuple[ColumnWords, ...]
    lines: tuple[tuple[str, str], ...]
    band_head: tuple[str, ...]
    bands: tuple[tuple[str, ...], ...]
    note: str


def grade_words(program: Program, words: Language) -> list[CardWords]:
    """Say the grade of a program, a card for each label that has one; nothing where there is no grade."""
    cards = () if program.grade is None else program.grade.cards
    return [_card(card, program, words) for card in cards]


def old_words(words: Language) -> str:
    """Say that a grade is of the program before an edit."""
    return words.say("grade", "old", command=GRADE_AGAIN)


def weighed_words(program: Program, words: Language) -> list[str]:
    """Say that probabilities are of weighed rows, or which of two is, where those of rows as they are stand beside."""
    grade = program.grade
    if grade is None or not grade.is_weighed:
        return []
    if grade.cost_ratio is None:
        return [words.say("grade", "weighed", command=GRADE_AGAIN)]
    return [words.say("grade", "weighed_beside", **weight_gaps(grade.cards[0].label, grade.cost_ratio, words))]


def weight_gaps(label: Label, ratio: float, words: Language) -> dict[str, str]:
    """Return the label whose rows weighed more or less than others, and how many times as much they did, rounded."""
    return {"label": words.label(label), "ratio": words.number(float(f"{ratio:.3g}"))}


def measured_words(program: Program, words: Language) -> list[str]:
    """Say of which rows measured probabilities are, where rows weighed differently in learning."""
    grade = program.grade
    if grade is None or grade.cost_ratio is None:
        return weighed_words(program, words)
    return [words.say("grade", "measured", **weight_gaps(grade.cards[0].label, grade.cost_ratio, words))]


def probability_words(program: Program, words: Language) -> list[str]:
    """Say what measures of probabilities must not be taken for: whose they are, and of which rows."""
    return [*([old_words(words)] if program.has_old_grade else []), *measured_words(program, words)]


def grade_notes(program: Program, words: Language) -> list[str]:
    """Say in short of which rows measured probabilities are, where that is asked, and if of rules before an edit."""
    grade = program.grade
    if grade is None:
        return []
    is_known = grade.cost_ratio is not None
    keys = {"weighed": grade.is_weighed and not is_known, "measured": is_known, "old": program.has_old_grade}
    return [words.say("risk", key) for key, is_so in keys.items() if is_so]


def award_words(awards: Iterable[Award], label: Label, program: Program, words: Language) -> list[tuple[str, str]]:
    """Say lines of points: how many, and what for."""
    columns = {column.name: column for column in program.columns}
    conditions = Conditions(words)

    def test(part: CellCondition) -> str:
        values = values_of(part)
        return conditions.test(ColumnTest(columns[part.column], values, beside=in_full(values)))

    def said(award: Award) -> str:
        if isinstance(award.condition, Decided):
            return words.say("grade", "decided", label=words.label(label))
        tests = words.listed([test(part) for part in cell_conditions(award.condition)], "both")
        return words.say("grade", "unless", tests=tests) if award.unless else tests

    return [(signed(award.points, words), said(award)) for award in awards]


def start_words(by_column: PointsByColumn, words: Language) -> tuple[tuple[str, str], ...]:
    """Say what every row begins with; nothing where that is nothing."""
    return ((signed(by_column.start, words), words.say("grade", "start")),) if by_column.start else ()


def signed(points: int, words: Language) -> str:
    """Write points, those below zero with a minus sign."""
    return words.whole(points).replace("-", "\N{MINUS SIGN}")


def _card(card: Card, program: Program, words: Language) -> CardWords:
    label = words.label(card.label)
    by_column = points_by_column(card, program.columns)
    old = [words.say("risk", "old")] if program.has_old_grade else []
    return CardWords(
        title=capital(words.say("grade", "title", label=label)),
        start=start_words(by_column, words),
        columns=tuple(_column(each, words) for each in by_column.columns),
        lines=tuple(award_words(by_column.lines, card.label, program, words)),
        band_head=tuple(words.say("grade", key, label=label) for key in _band_keys(program)),
        bands=tuple(_band(band, card, program, words) for band in card.bands),
        note=" ".join([*_note(card, program, words), *weighed_words(program, words), *old]),
    )


def _band_keys(program: Program) -> tuple[str, ...]:
    """Name the figures of a band: two probabilities where rows weighed differently and both are known."""
    points, probability, *others = BAND_KEYS
    beside = [] if program.grade is None or program.grade.cost_ratio is None else ["as_weighed"]
    return (points, probability, *beside, *others)


def _note(card: Card, program: Program, words: Language) -> list[str]:
    """Say how points are added up, and what is made of the probability so that it agrees with the rules."""
    assert program.grade is not None
    label = words.label(card.label)
    added = "note" if card.awards else "no_points"
    agreed = "to_half" if len(program.grade.cards) == 1 else "to_largest"
    if program.grade.cost_ratio is not None:
        agreed = "weighed_to_half"
    return [words.say("grade", key, label=label) for key in (added, agreed)]


def _column(by_column: ColumnPoints, words: Language) -> ColumnWords:
    said = EntryPhrases(words)
    points = (signed(entry.points, words) for entry in by_column.entries)
    return ColumnWords(said.title(by_column.column), tuple(zip(points, said.entries(by_column), strict=True)))


def _band(band: Band, card: Card, program: Program, words: Language) -> tuple[str, ...]:
    """Say a band: its points, the probability from its low end to its high end, and the training rows in it."""
    assert program.grade is not None
    ends = dict.fromkeys((band.low, band.high))
    ranges = [[signed(end, words) for end in ends], [words.percent(card.probability(end)) for end in ends]]
    if program.grade.cost_ratio is not None:  # first what a row's chances are, then what the program decides by
        ranges.insert(1, [words.percent(program.grade.as_they_are(card.probability(end))) for end in ends])
    share = words.percent(band.n_label / band.n_rows if band.n_rows else None)
    joined = (_range([*dict.fromkeys(each)], words) for each in ranges)
    return (*joined, words.whole(band.n_rows), words.whole(band.n_label), share)


def _range(ends: list[str], words: Language) -> str:
    return ends[0] if len(ends) == 1 else words.say("grade", "to", low=ends[0], high=ends[1])
