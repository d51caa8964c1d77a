"""The grade of a program in words: what each line of points is for, and the bands of points with their probability.

In: a program with a grade, and the words of a language. Out: `CardWords`, a small table of points, column by column,
and one of bands. Numbers, sets and blanks are said as in rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.words.conditions import Conditions
from unless.explain.words.language import capital
from unless.logic.forms.entries import ColumnTest
from unless.logic.forms.value_sets import ValueSet
from unless.logic.grade import Blank, Decided, cell_conditions
from unless.logic.program import GRADE_AGAIN
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.explain.words.language import Language
    from unless.logic.grade import Award, Band, Card, CellCondition, GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Label

BAND_KEYS = ("points", "probability", "rows", "of_label", "share")


@dataclass(frozen=True, slots=True)
class CardWords:
    """One label's card: its title, the lines of points, the head of the bands and the bands, all as texts."""

    title: str
    awards: tuple[tuple[str, str], ...]
    band_head: tuple[str, ...]
    bands: tuple[tuple[str, ...], ...]
    note: str


def grade_words(program: Program, words: Language) -> list[CardWords]:
    """Say the grade of a program, a card for each label that has one; nothing where there is no grade."""
    cards = () if program.grade is None else program.grade.cards
    return [_card(card, program, words) for card in cards]


def weighed_words(program: Program, words: Language) -> list[str]:
    """Say that probabilities are of weighed rows, and what gives those of rows as they are; else nothing."""
    if program.grade is None or not program.grade.is_weighed:
        return []
    return [words.say("grade", "weighed", command=GRADE_AGAIN)]


def grade_notes(program: Program, words: Language) -> list[str]:
    """Say in short what no probability of a program must be taken for: of rows as they are, or of the rules now."""
    if program.grade is None:
        return []
    keys = {"weighed": program.grade.is_weighed, "old": program.has_old_grade}
    return [words.say("risk", key) for key, is_so in keys.items() if is_so]


def award_words(awards: Iterable[Award], label: Label, program: Program, words: Language) -> list[tuple[str, str]]:
    """Say lines of points: how many, and what for."""
    columns = {column.name: column for column in program.columns}
    conditions = Conditions(words, is_short=True)

    def said(condition: GradeCondition) -> str:
        if isinstance(condition, Decided):
            return words.say("grade", "decided", label=words.label(label))
        tests = [ColumnTest(columns[part.column], _values(part)) for part in cell_conditions(condition)]
        return words.listed([conditions.test(test) for test in tests], "both")

    return [(signed(award.points, words), said(award.condition)) for award in awards]


def signed(points: int, words: Language) -> str:
    """Write points, those below zero with a minus sign."""
    return words.whole(points).replace("-", "\N{MINUS SIGN}")


def _values(condition: CellCondition) -> ValueSet:
    if isinstance(condition, Literal):
        return ValueSet.of(condition)
    if isinstance(condition, Blank):
        return ValueSet((), others=False)
    return ValueSet((), frozenset(condition.words), others=False, missing=False)


def _card(card: Card, program: Program, words: Language) -> CardWords:
    label = words.label(card.label)
    order = {column.name: i for i, column in enumerate(program.columns)}

    def rank(award: Award) -> tuple[int, list[int]]:
        """Put the decision first, then what is asked of one column, then of two together."""
        parts = cell_conditions(award.condition)
        return len(parts), [order[part.column] for part in parts]

    awards = sorted(card.awards, key=rank)
    head = tuple(words.say("grade", key, label=label) for key in BAND_KEYS)
    bands = tuple(_band(band, card, words) for band in card.bands)
    old = [words.say("risk", "old")] if program.has_old_grade else []
    note = " ".join([words.say("grade", "note", label=label), *weighed_words(program, words), *old])
    title = capital(words.say("grade", "title", label=label))
    return CardWords(title, tuple(award_words(awards, card.label, program, words)), head, bands, note)


def _band(band: Band, card: Card, words: Language) -> tuple[str, ...]:
    """Say a band: its points, the probability from its low end to its high end, and the training rows in it."""
    ends = [(signed(end, words), words.percent(card.probability(end))) for end in dict.fromkeys((band.low, band.high))]
    points, chances = ([*dict.fromkeys(each)] for each in zip(*ends, strict=True))
    share = words.percent(band.n_label / band.n_rows if band.n_rows else None)
    joined = [each[0] if len(each) == 1 else words.say("grade", "to", low=each[0], high=each[1])
              for each in (points, chances)]  # fmt: skip
    return (*joined, words.whole(band.n_rows), words.whole(band.n_label), share)
