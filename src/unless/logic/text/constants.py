"""Constants as they stand in a program: words in quotes, numbers that read back exactly, labels with their type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unless.logic.rules import Label

ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quote(text: str, mark: str = "'") -> str:
    r"""Write text as a quoted atom, or with another mark as a text in double quotes.

    >>> print(quote("it's"))
    'it\'s'
    """
    return mark + "".join(f"\\{mark}" if c == mark else _escape(c) for c in text) + mark


def number_text(number: float) -> str:
    """Write a number so that it reads back exactly.

    >>> number_text(-3.5), number_text(1e22)
    ('-3.5', '1e+22')
    """
    return repr(float(number))


def label_constant(label: Label) -> str:
    """Write a label so that its type comes back: quoted text, a number, or true and false."""
    if isinstance(label, str):
        return quote(label)
    return repr(label).lower() if isinstance(label, bool) else repr(label)


def _escape(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character < " " or character in "\x7f\x85\u2028\u2029":
        return f"\\x{ord(character):x}\\"
    return character
