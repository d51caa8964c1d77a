"""Questions about all rows, and the three answers to them.

A question is a yes-or-no function of one row: what a program decides, whether a literal, a helper or a clause holds,
and what `not`, `and`, `or` make of such. An answer is yes, with a row; no, which is a proof; or not decided, when the
budget ended first. That is never taken for a no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from typing import Literal as OneOf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.clause import Clause
    from unless.logic.program import Program
    from unless.logic.reason.regions import Region
    from unless.logic.rules import Label, Value

    Row = Mapping[str, Value | None]

Verdict = OneOf["yes", "no", "not decided"]


@dataclass(frozen=True, slots=True, eq=False)
class Decides:
    """The program decides this label."""

    program: Program
    label: Label


@dataclass(frozen=True, slots=True, eq=False)
class Differs:
    """Two programs decide different labels."""

    old: Program
    new: Program


@dataclass(frozen=True, slots=True, eq=False)
class BodyHolds:
    """The body of a clause of the program holds."""

    program: Program
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """The value of a column is in a region, which is made of whole cells."""

    column: str
    region: Region


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """The question has the answer no."""

    question: Question


@dataclass(frozen=True, slots=True, eq=False)
class All:
    """All of the questions have the answer yes."""

    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Any:
    """Some of the questions has the answer yes."""

    questions: tuple[Question, ...]


Question: TypeAlias = Decides | Differs | BodyHolds | Within | Not | All | Any


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """Whether there is such a row (or two, which differ in one column only); yes comes with it, and with its cost."""

    verdict: Verdict
    row: Row | None = None
    other: Row | None = None
    cost: float = 0.0

    def __bool__(self) -> bool:
        """Refuse to be taken for yes or no: there are three answers."""
        msg = "an answer is yes, no or not decided; look at its verdict."
        raise TypeError(msg)


NO = RowAnswer("no")
NOT_DECIDED = RowAnswer("not decided")
