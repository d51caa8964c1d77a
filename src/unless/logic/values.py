"""One cell becomes a value: a number, a word, or missing. The scalar twin of `table`, in plain Python.

`table` reads whole columns with polars and must agree with this module on every cell; a property test holds the two
together.
"""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import TYPE_CHECKING

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from unless.logic.rules import Kind, Value

    Reader = Callable[[str], float | None]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What Unicode calls white space, and polars strips. Python's own `strip` takes some control characters with it."""
EXACT = 2**53
"""Below this every whole number is a float."""
SHORT = 6
"""So many digits of a number are enough for readers, where no other number is near."""


def number_word(number: float) -> str:
    """Spell a number as a word: the shortest text that reads back as it, whole numbers without a point.

    >>> number_word(8.0), number_word(0.1)
    ('8', '0.1')
    """
    return str(int(number)) if number.is_integer() and abs(number) < EXACT else repr(number)


def short_number(number: float, beside: Iterable[float] = ()) -> float:
    """Round a number for readers: to six digits and no fewer than two decimals, or as many as tell it from others.

    Rounding keeps the order of numbers, so what is compared in words compares as the numbers themselves do, if each is
    rounded `beside` the others. Whole numbers stay as they are.

    >>> short_number(0.7986111111111112), short_number(1234567.891), short_number(0.7986111111111112, [0.7986114])
    (0.798611, 1234567.89, 0.7986111)
    """
    if number.is_integer() or not math.isfinite(number):
        return number
    digits, near = SHORT, None
    while (rounded := _rounded(number, digits)) != number:
        near = _neighbours(number, beside) if near is None else near
        if all(_rounded(other, digits) != rounded for other in near):
            break
        digits += 1
    return rounded


def _rounded(number: float, digits: int) -> float:
    return round(number, max(2, digits - 1 - math.floor(math.log10(abs(number))))) if number else number


def _neighbours(number: float, others: Iterable[float]) -> list[float]:
    """Return the next lower and the next higher number: if these look different, all others do."""
    low, high = -math.inf, math.inf
    for other in others:
        if low < other < number:
            low = other
        elif number < other < high:
            high = other
    return [end for end in (low, high) if math.isfinite(end)]


def read_number(text: str) -> float | None:
    """Read text as a number, or return None; blanks around it do not matter.

    >>> read_number(" 12.50 "), read_number("12 cm"), read_number("inf")
    (12.5, None, None)
    """
    text = text.strip(BLANKS)
    return float(text) if NUMBER.fullmatch(text) else None


def missing_numbers(missing: Collection[str], read: Reader = read_number) -> frozenset[float]:
    """Return the numbers that words for missing are read as: '-999' means -999, -999.0 and "-999.00" alike.

    >>> missing_numbers(["?", "-999"])
    frozenset({-999.0})
    """
    read_as = (read(word) for word in missing if word.strip(BLANKS) == word)
    return frozenset(number for number in read_as if number is not None)


def read_cell(
    column: str, kind: Kind, cell: object, missing: Collection[str] = (), read: Reader = read_number
) -> Value | None:
    """Read one cell of a column of that kind; None is missing. `read` reads text as a number, where it is one."""
    if isinstance(cell, bool) or type(cell).__name__ in ("bool_", "bool"):
        cell = str(bool(cell))
    if isinstance(cell, str):
        return _read_text(column, kind, cell, missing, read)
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if not isinstance(cell, Real) and type(cell).__name__ != "Decimal":
        msg = f"column {column!r} holds a {type(cell).__name__}; accepted: a number, text, or missing."
        raise DataError(msg)
    number = float(cell)  # type: ignore[arg-type]
    if math.isnan(number):
        return None
    if kind == "categorical":
        word = number_word(number)
        return None if word in missing else word
    return _present(column, number, missing, read)


def _read_text(column: str, kind: Kind, text: str, missing: Collection[str], read: Reader) -> Value | None:
    """Read text; blanks at its ends say nothing, and words that differ by them only are one word."""
    word = text.strip(BLANKS)
    if not word or word in missing or text in missing:
        return None
    number = read(word) if kind == "numerical" else None
    return word if number is None else _present(column, number, missing, read)


def _present(column: str, number: float, missing: Collection[str], read: Reader) -> float | None:
    if math.isinf(number):
        msg = f"column {column!r} holds an infinite number, {number}; numbers must be finite."
        raise DataError(msg)
    return None if missing and number in missing_numbers(missing, read) else number + 0.0
