"""Points as written: a sum that adds up the points of the cases that hold, and must reach a threshold.

    loan(X,'refused') :- at_least(5, [3*debt_ratio_high1(X), 2*history_is_defaulted(X), 2*income_low1(X)]).

In: a goal as written. Out: `Points`, or an error that points at the part that is wrong. How s(CASP) adds them up is
said by clauses at the end of a program (`sums`); the grammar skips them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark import Tree

from unless.errors import ProgramError
from unless.logic.clause import MAX_POINTS, Points
from unless.logic.text.written import as_token, finite, name_text, only_token

if TYPE_CHECKING:
    from lark import Token

    from unless.logic.text.written import ProgramText, RawGoal


def read_points(goal: RawGoal, row: str, reader: ProgramText) -> Points:
    """Read a sum of points."""
    threshold, *awards = (part for part in goal.tree.children if isinstance(part, Tree))
    read = [_award(award, row, reader) for award in awards]
    try:
        return Points(tuple(read), _whole(threshold, "the threshold of points is", reader))
    except ProgramError as error:
        raise reader.error(goal.tree, str(error).rstrip(".")) from None


def _award(award: Tree[Token], row: str, reader: ProgramText) -> tuple[int, str]:
    """Read one case and its points."""
    points, name, variable = award.children
    case = name_text(name)
    if str(as_token(variable)) != row:
        raise reader.error(award, f"unsafe: {variable} is not the row of this clause, {row}")
    assert isinstance(points, Tree)
    return _whole(points, f"{case!r} is worth", reader), case


def _whole(part: Tree[Token], what: str, reader: ProgramText) -> int:
    """Read a whole number of points; how many there may be is known to `Points`."""
    number = finite(reader, only_token(part))
    if not number.is_integer():
        raise reader.error(part, f"{what} {number:g}; points are whole numbers from 1 to {MAX_POINTS:,}")
    return int(number)
