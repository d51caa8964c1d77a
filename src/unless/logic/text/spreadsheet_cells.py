"""Words that a spreadsheet would run as formulas, in CSV that people open: an apostrophe before them makes them text.

One rule for every such file. A text is a formula if it begins with one of `MARKS` and something follows it, unless it
is a number: `-5` and the labels `+` and `-` stay as they are. The apostrophe is part of the file, so programs that read
it back want it raw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.values import read_number

if TYPE_CHECKING:
    from collections.abc import Iterable

MARKS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What formulas begin with; the last four are the wide letters that East Asian spreadsheets take for the first."""


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet might run a text.

    >>> [text for text in ("=1+2", "-5", "-", "+a1", "a=b", "@x") if is_formula(text)]
    ['=1+2', '+a1', '@x']
    """
    return len(text) > 1 and text.startswith(MARKS) and read_number(text) is None


def escaped(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run.

    >>> escaped("=HYPERLINK(1)"), escaped("plain")
    ("'=HYPERLINK(1)", 'plain')
    """
    return f"'{text}" if is_formula(text) else text


def formulas(cells: Iterable[object]) -> dict[object, str]:
    """Return the different cells that a spreadsheet would run, in order, each with its escaped text.

    >>> formulas(["yes", "=1+2", 3.5, "=1+2"])
    {'=1+2': "'=1+2"}
    """
    return {cell: escaped(cell) for cell in dict.fromkeys(cells) if isinstance(cell, str) and is_formula(cell)}
