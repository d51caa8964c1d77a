"""The vocabulary of learning: `Literal` and `Rule`, frozen and nested, without behaviour.

A literal is one test on one column; a rule has a head (the label it concludes, `None` for an exception), a body of
conditions, and exceptions, which are rules again. A condition is a literal, or one of three things that literals are
put together to: a set of words, the complement of a literal, a scorecard. In a program these are helper predicates.
Everything else in the package speaks in these words, and this module imports nothing but the errors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal as Choice
from typing import TypeAlias

from unless.errors import ProgramError

Number = float
Word = str
Value = Number | Word
Label = bool | int | float | str
"""A class label as the user gave it."""

Op = Choice["=<", ">", "<", ">=", "=", "!="]
NUMBER_OPS: frozenset[str] = frozenset({"=<", ">", "<", ">="})
WORD_OPS: frozenset[str] = frozenset({"=", "!="})
Kind = Choice["numerical", "categorical"]


@dataclass(frozen=True, slots=True)
class Literal:
    """One test on one column: `=<` `>` (also `<` `>=`) against a number, `=` `!=` against a word.

    >>> Literal("age", "=<", 27)
    Literal(column='age', op='=<', value=27.0)
    """

    column: str
    op: Op
    value: Value

    def __post_init__(self) -> None:
        if self.op in NUMBER_OPS:
            if isinstance(self.value, str) or not math.isfinite(self.value):
                msg = f"{self.column!r} {self.op} {self.value!r}: {self.op} takes a finite number"
                raise ProgramError(msg)
            # One zero: `-0.0` and `0.0` are the same threshold and must print alike.
            object.__setattr__(self, "value", float(self.value) + 0.0)
        elif self.op in WORD_OPS:
            if not isinstance(self.value, str):
                msg = f"{self.column!r} {self.op} {self.value!r}: {self.op} takes a word, in quotes"
                raise ProgramError(msg)
        else:
            msg = f"{self.op!r} is not an operator; operators: =<, >, <, >=, =, !="
            raise ProgramError(msg)


@dataclass(frozen=True, slots=True)
class OneOf:
    """Membership in a set of words; negated, the exact complement: numbers, missing and unseen words belong to it."""

    column: str
    words: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Negated:
    """The exact complement of a numeric literal: it holds for words and missing too."""

    literal: Literal


Simple: TypeAlias = Literal | OneOf | Negated
"""A condition on one column."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Points for conditions: it holds when the points of those that hold reach the threshold."""

    awards: tuple[tuple[int, Simple], ...]
    threshold: int


Condition: TypeAlias = Simple | Scorecard


@dataclass(frozen=True, slots=True)
class Rule:
    """A default with exceptions: it holds when its body holds and none of its exceptions does.

    `head` is the label that the rule concludes; an exception has none.
    """

    head: Label | None
    body: tuple[Condition, ...]
    exceptions: tuple[Rule, ...] = ()

    @property
    def literals(self) -> tuple[Literal, ...]:
        """Return the conditions that are single literals: all of them, in what FOLD-R and FOLD-R++ learn."""
        return tuple(condition for condition in self.body if isinstance(condition, Literal))


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and kind: numerical (numbers, perhaps some words) or categorical (words only)."""

    name: str
    kind: Kind
