"""The vocabulary of learning: `Literal` and `Rule`, frozen and nested, without behaviour; and the table of operators.

A literal is one test on one column; a rule has a head (the label it concludes, `None` for an exception), a body of
conditions, and exceptions, which are rules again. A condition is a literal, or one of three things that literals are
put together to: a set of words, the complement of a literal, a scorecard. In a program these are helper predicates.
Everything else in the package speaks in these words, and this module imports nothing but the errors.

What an operator is called, compares and means stands once, in `OPERATORS`: truth, grammar, printer, regions and phrases
read it there. Words for people stand in the language files.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from typing import Literal as Choice

from unless.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.terms import Atom

Number = float
Word = str
Value = Number | Word
Label = bool | int | float | str
"""A class label as the user gave it."""

Kind = Choice["numerical", "categorical"]
Op = Choice["=<", ">", "<", ">=", "=", "!="]


@dataclass(frozen=True, slots=True)
class Operator:
    """All that there is to know of an operator.

    A test of a number fails for words and missing; a test of a word sees numbers and missing as None, no word.
    `opposite` is what is true of a number (or of a word, or of none) where the test fails; `a op b` is `b mirror a`.
    An upper bound lets the numbers below it through, a lower bound those above; a strict one not the bound itself.
    Background knowledge may use the spelling of Prolog or of answer-set programs.
    """

    symbol: Op
    tests: Choice["number", "word"]
    compare: Callable[[Any, Any], Any]
    opposite: Op
    mirror: Op
    sign: str
    bound: Choice["upper", "lower"] | None = None
    is_strict: bool = False
    is_denial: bool = False
    prolog: str = ""
    answer_set: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return the symbol and the other ways to write it."""
        return tuple(filter(None, (self.symbol, self.prolog, self.answer_set)))


OPERATORS: dict[str, Operator] = {
    each.symbol: each
    for each in (
        Operator("=<", "number", operator.le, opposite=">", mirror=">=", sign="≤", bound="upper", answer_set="<="),
        Operator(">", "number", operator.gt, opposite="=<", mirror="<", sign=">", bound="lower", is_strict=True),
        Operator("<", "number", operator.lt, opposite=">=", mirror=">", sign="<", bound="upper", is_strict=True),
        Operator(">=", "number", operator.ge, opposite="<", mirror="=<", sign="≥", bound="lower"),
        Operator("=", "word", operator.eq, opposite="!=", mirror="=", sign="="),
        Operator("!=", "word", operator.ne, opposite="=", mirror="!=", sign="≠", is_denial=True, prolog="\\="),
    )
}
NUMBER_OPS = {symbol: each for symbol, each in OPERATORS.items() if each.tests == "number"}


def word_op(*, negated: bool) -> Op:
    """Return the operator of a goal that asks for a word, or, negated, for its absence."""
    return "!=" if negated else "="


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
        if self.op not in OPERATORS:
            msg = f"{self.op!r} is not an operator; operators: {', '.join(OPERATORS)}"
            raise ProgramError(msg)
        if self.op in NUMBER_OPS:
            if isinstance(self.value, str) or not math.isfinite(self.value):
                msg = f"{self.column!r} {self.op} {self.value!r}: {self.op} takes a finite number"
                raise ProgramError(msg)
            # One zero: `-0.0` and `0.0` are the same threshold and must print alike.
            object.__setattr__(self, "value", float(self.value) + 0.0)
        elif not isinstance(self.value, str):
            msg = f"{self.column!r} {self.op} {self.value!r}: {self.op} takes a word, in quotes"
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
    """A column's name and kind: numerical (numbers, perhaps some words) or categorical (words only).

    `values` are the numbers that a numerical column had in training, where they are few and whole: a threshold can
    then be said as an equality. They are known of columns that a program tests, and play no part in what it means.
    `reading` is how its cells are written, where they are not plain numbers (see `readings`).
    `atoms` are a conjunction over relations, which the column is the truth of, and then its text is the name (see
    `relations`).
    """

    name: str
    kind: Kind
    values: tuple[int, ...] = ()
    reading: str = ""
    atoms: tuple[Atom, ...] = ()
