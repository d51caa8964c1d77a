"""The form that all exports are printed from: tests that are true or false, never a third thing.

A column of the form gives, for a row, a number, a word or nothing. A test is made of guards (is it a number, is it a
word, is it blank), of what may be asked under a guard (a comparison, an equality), and of and, or, not, named tests and
sums of points. `Compared` has a guard `IsNumber` beside it wherever it stands, and `Equal` a guard `IsWord`: a printer
that writes all of them down is right in a language with NULL, with types, or with neither. The first rule that holds
decides. Nothing here knows a target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias
from typing import Literal as Choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.rules import Column, Label

ANSWERS = ("predicted", "rule", "probability", "probability_as_they_are")
NumberOp = Choice["<=", ">", "<", ">=", "=="]


@dataclass(frozen=True, slots=True)
class IsNumber:
    """The cell of a column is a number."""

    column: str


@dataclass(frozen=True, slots=True)
class IsWord:
    """The cell of a column is a word."""

    column: str


@dataclass(frozen=True, slots=True)
class IsBlank:
    """The cell of a column is missing."""

    column: str


@dataclass(frozen=True, slots=True)
class Compared:
    """The number of a column compares so with a number; asked only beside `IsNumber`."""

    column: str
    op: NumberOp
    number: float


@dataclass(frozen=True, slots=True)
class Equal:
    """The word of a column is this one; asked only beside `IsWord`."""

    column: str
    word: str


@dataclass(frozen=True, slots=True)
class And:
    """All of some tests are true; of none it is true."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of some tests is true; of none it is false."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """A test is false."""

    test: Test


@dataclass(frozen=True, slots=True)
class Named:
    """A test that has a name, among `DecisionForm.named`."""

    name: str


@dataclass(frozen=True, slots=True)
class Reaches:
    """The points of the tests that are true add up to a threshold or more."""

    awards: tuple[tuple[int, Test], ...]
    threshold: int


Test: TypeAlias = IsNumber | IsWord | IsBlank | Compared | Equal | And | Or | Negation | Named | Reaches


@dataclass(frozen=True, slots=True)
class DecidingRule:
    """A rule by its number as people count them, its label, and when it holds."""

    number: str
    label: Label
    test: Test


@dataclass(frozen=True, slots=True)
class PointsCard:
    """The points of one label: whole numbers for tests, more if the label is decided for, and what they amount to.

    `probabilities` maps every total that the points can have to the probability that the curve gives it, `as_they_are`
    to that among rows as they are, where rows weighed differently in learning by a known ratio.
    """

    label: Label
    awards: tuple[tuple[int, Test], ...]
    decided: int
    probabilities: Mapping[int, float]
    as_they_are: Mapping[int, float] | None = None


@dataclass(frozen=True)
class DecisionForm:
    """A program as tests: columns to read, named tests in order, rules of which the first that holds decides, grade.

    `labels` are those that have a card or may be decided for, in the order of the grade's probabilities; `taken` are
    the names of all columns that the table is known to have.
    """

    target: str
    columns: tuple[Column, ...]
    missing: tuple[str, ...]
    named: Mapping[str, Test]
    rules: tuple[DecidingRule, ...]
    default: Label
    labels: tuple[Label, ...]
    cards: tuple[PointsCard, ...] = ()
    taken: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """Name the label, the rule and what is said of probabilities; otherwise where the table has such a column."""
        taken, prefix = {name.lower() for name in self.taken}, ""
        while not taken.isdisjoint(f"{prefix}{name}" for name in ANSWERS):
            prefix = f"{prefix}_" if prefix else "unless_"
        said = ANSWERS if self.plain_card else ANSWERS[:3] if self.cards else ANSWERS[:2]
        return tuple(f"{prefix}{name}" for name in said)

    @property
    def plain_card(self) -> PointsCard | None:
        """Return the card that also says the probability among rows as they are, if there is one."""
        return next((card for card in self.cards if card.as_they_are is not None), None)

    @cached_property
    def asked(self) -> dict[str, frozenset[type]]:
        """Map each column to the guards that some test of it has: what a printer must read of it."""
        found: dict[str, set[type]] = {column.name: set() for column in self.columns}
        for test in self.all_tests():
            for part in walk(test):
                if isinstance(part, IsNumber | IsWord | IsBlank):
                    found[part.column].add(type(part))
        return {name: frozenset(kinds) for name, kinds in found.items()}

    def all_tests(self) -> Iterator[Test]:
        """Yield all tests: named ones, those of rules, those of cards."""
        yield from self.named.values()
        yield from (rule.test for rule in self.rules)
        yield from (test for card in self.cards for _, test in card.awards)

    @cached_property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Group the named tests so that each asks only for those of groups before its own."""
        level: dict[str, int] = {}
        for name, test in self.named.items():
            level[name] = 1 + max((level[p.name] for p in walk(test) if isinstance(p, Named)), default=-1)
        groups: list[list[str]] = [[] for _ in range(1 + max(level.values(), default=-1))]
        for name, n in level.items():
            groups[n].append(name)
        return tuple(map(tuple, groups))

    @cached_property
    def thresholds(self) -> dict[str, tuple[float, ...]]:
        """Map each column to the numbers that it is compared with, in order."""
        found: dict[str, set[float]] = {}
        for test in self.all_tests():
            for part in walk(test):
                if isinstance(part, Compared):
                    found.setdefault(part.column, set()).add(part.number)
        return {name: tuple(sorted(numbers)) for name, numbers in found.items()}

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """Map each column to the words that it is asked for, in the order of the tests."""
        found: dict[str, dict[str, None]] = {}
        for test in self.all_tests():
            for part in walk(test):
                if isinstance(part, Equal):
                    found.setdefault(part.column, {})[part.word] = None
        return {name: tuple(words) for name, words in found.items()}


def walk(test: Test) -> Iterator[Test]:
    """Yield a test and all tests in it; what has a name is not gone into."""
    waiting = [test]
    while waiting:
        part = waiting.pop()
        yield part
        match part:
            case And(tests) | Or(tests):
                waiting += tests
            case Negation(inner):
                waiting.append(inner)
            case Reaches(awards):
                waiting += [inner for _, inner in awards]
            case _:
                pass
