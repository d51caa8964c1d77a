"""What grades rows: whole points for conditions, a curve from points to a probability, and the rows behind it.

A program decides; its grade says how sure that is, and ranks rows. For each label there is a card: the points of the
lines that hold are added up, and the probability is 1 / (1 + exp(-(slope * points + offset))). With two labels
there is one card, of the label that rules conclude. Nothing here decides: where a card speaks against the program, its
probability is moved to one half (`evaluate.probabilities`). The bands say how many training rows had how many points,
and how many of them had the label.

>>> card = Card("late", (Award(3, Literal("age", ">", 40)), Award(2, Decided())), 0.5, -2.0)
>>> round(card.probability(5), 3)
0.622
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from unless.errors import ProgramError
from unless.logic.rules import Label, Literal, OneOf

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = re.compile(r"[0-9a-f]{4,64}|")
MOST = 10**9
"""Points and their bands are below this."""
MOST_ROWS = 10**18
LARGEST = 1e300
"""Ratios of costs are below this, and above one in so many."""
STEEPEST = 700.0
"""Beyond this the exponential function leaves the numbers there are."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A condition of a grade: the cell of a column is blank."""

    column: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A condition of a grade: the program itself decides for the label of the card."""


CellCondition: TypeAlias = Literal | OneOf | Blank
"""What a grade asks of one column."""


@dataclass(frozen=True, slots=True)
class Both:
    """A condition of a grade: two conditions hold together."""

    first: CellCondition
    second: CellCondition


GradeCondition: TypeAlias = CellCondition | Both | Decided


def cell_conditions(condition: GradeCondition) -> tuple[CellCondition, ...]:
    """Return what a condition asks of columns: one or two things, or none where it is the program's decision."""
    if isinstance(condition, Decided):
        return ()
    return (condition.first, condition.second) if isinstance(condition, Both) else (condition,)


@dataclass(frozen=True, slots=True)
class Award:
    """Whole points, perhaps below zero, if a condition holds or, with `unless`, where it does not.

    `line` is that of the text they were read from, else 0.
    """

    points: int
    condition: GradeCondition
    unless: bool = False
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.unless and isinstance(self.condition, Decided):
            msg = "a line of a grade gives points unless the program decides for its label; accepted: if it does."
            raise ProgramError(msg)
        if not _is_whole(self.points) or self.points == 0 or abs(self.points) >= MOST:
            msg = f"a line of a grade gives {self.points!r} points; accepted: whole numbers other than 0."
            raise ProgramError(msg)


@dataclass(frozen=True, slots=True)
class Band:
    """Training rows with so many points: from, to, how many rows there are, and how many of them have the label."""

    low: int
    high: int
    n_rows: int
    n_label: int

    def __post_init__(self) -> None:
        numbers = (self.low, self.high, self.n_rows, self.n_label)
        if not all(map(_is_whole, numbers)) or not -MOST < self.low <= self.high < MOST:
            msg = f"a band of a grade is from {self.low!r} to {self.high!r}; accepted: whole points, the fewer first."
            raise ProgramError(msg)
        if not 0 <= self.n_label <= self.n_rows < MOST_ROWS:
            msg = f"a band of a grade has {self.n_label} of {self.n_rows} rows; accepted: all of its rows at most."
            raise ProgramError(msg)


@dataclass(frozen=True, slots=True)
class Card:
    """The points of one label, the curve that makes probabilities of them, and the training rows in bands."""

    label: Label
    awards: tuple[Award, ...]
    slope: float
    offset: float
    bands: tuple[Band, ...] = ()

    def __post_init__(self) -> None:
        if not (_is_finite(self.slope) and _is_finite(self.offset)):
            msg = f"the curve of a grade is {self.slope!r}, {self.offset!r}; accepted: finite numbers."
            raise ProgramError(msg)
        object.__setattr__(self, "slope", float(self.slope))  # JSON has whole ones, of which a file holds the nearest
        object.__setattr__(self, "offset", float(self.offset))
        for before, after in itertools.pairwise(self.bands):
            if after.low <= before.high:
                msg = f"a band of a grade from {after.low} follows one up to {before.high}; accepted: rising bands."
                raise ProgramError(msg)

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the columns that the conditions test."""
        return tuple(dict.fromkeys(part.column for a in self.awards for part in cell_conditions(a.condition)))

    def probability(self, points: int) -> float:
        """Return the probability of the label at so many points, before it is made to agree with the program."""
        height = self.slope * points + self.offset
        return 1.0 / (1.0 + math.exp(max(-STEEPEST, min(STEEPEST, -height))))

    def band(self, points: int) -> Band | None:
        """Return the band that so many points fall into: the nearest one, where no training row had as many.

        Of two as near it is that of more points.
        """
        return min(reversed(self.bands), key=lambda band: max(band.low - points, points - band.high, 0), default=None)


@dataclass(frozen=True, slots=True)
class Grade:
    """The cards of a program: one of two labels, else one of each.

    `mark` names the clauses that it was made for, and is empty where somebody wrote it by hand. `is_weighed`
    says that rows weighed differently in learning: then probabilities are of the rows as weighed, and the bands still
    count rows. Where that was by what two labels cost, `cost_ratio` says how many times an error on the card's label
    costs one on the other: the odds of all rows are multiplied by it, and what they were is known.
    """

    mark: str
    cards: tuple[Card, ...]
    is_weighed: bool = False
    cost_ratio: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.mark, str) or not MARK.fullmatch(self.mark):
            msg = f"the mark of a grade is {self.mark!r}; accepted: 4 to 64 of 0-9 and a-f, or none."
            raise ProgramError(msg)
        if not isinstance(self.is_weighed, bool):
            msg = f"a grade is weighed: {self.is_weighed!r}; accepted: true or false."
            raise ProgramError(msg)
        if self.is_weighed and not self.mark:
            msg = "a grade is weighed and has no mark; accepted: that of the program that it was learned for."
            raise ProgramError(msg)
        ratio = self.cost_ratio
        if ratio is None:
            return
        is_ratio = _is_finite(ratio) and 1 / LARGEST <= ratio <= LARGEST
        if not (is_ratio and self.is_weighed and len(self.cards) == 1):
            msg = f"a grade is weighed by {ratio!r}; accepted: a number above 0, where two labels share one card."
            raise ProgramError(msg)

    def as_they_are(self, probability: float) -> float | None:
        """Return the probability among rows as they are, given that of rows as weighed; None if it is not known.

        >>> Grade("abcd", (Card("late", (), 0.0, 0.0),), True, 3.0).as_they_are(0.5)
        0.25
        """
        return None if self.cost_ratio is None else float(unweighed(probability, self.cost_ratio))

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the columns that some card tests."""
        return tuple(dict.fromkeys(column for card in self.cards for column in card.columns))

    @property
    def conditions(self) -> Iterator[GradeCondition]:
        """Yield the conditions of all cards."""
        return (award.condition for card in self.cards for award in card.awards)


def unweighed(probability: Any, ratio: float) -> Any:
    """Return what a probability, or an array of them, was before the odds were multiplied by a ratio of costs."""
    return probability / (probability + ratio * (1.0 - probability))


def _is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)


def _is_finite(number: object) -> bool:
    """Tell whether this is a number that can be reckoned with: JSON has other things, and whole ones of any length."""
    return math.isfinite(number) if isinstance(number, float) else _is_whole(number) and -LARGEST < number < LARGEST
