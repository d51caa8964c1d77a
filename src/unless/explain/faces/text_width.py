"""How wide text is, without asking a font: generous guesses, so that what is drawn by any font fits.

The widths are those of a wide common face (Verdana, DejaVu Sans), in parts of the font size; scripts written in full
squares count one and a bit. In: text and size. Out: pixels, or lines.
"""

from __future__ import annotations

import math
import unicodedata

CLASSES = {
    "ijl|.,:;'!`": 0.35,
    'frt()[]{}-/\\" ': 0.42,
    "w<>=+~^_#&*?": 0.84,
    "mMWQO@%≤≥≠…–—": 1.0,
}
WIDTHS = {character: width for characters, width in CLASSES.items() for character in characters}
ELLIPSIS = "…"
LONGEST = 4000
"""No more characters than these are looked at: nobody reads more in a picture, and words may be megabytes long."""


def text_width(text: str, size: int) -> int:
    """Return how many pixels wide a text is at most.

    >>> text_width("age ≤ 27", 14)
    72
    """
    return math.ceil(size * sum(map(_width, text)))


def wrap(text: str, width: int, size: int, max_lines: int) -> list[str]:
    """Break text into lines that fit; at blanks where there are some, else anywhere; cut after `max_lines`."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(" ".join(text[:LONGEST].split()) or " ", width, size):
        if line and text_width((line + piece).rstrip(), size) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
        if len(lines) >= max_lines:
            return [*lines[:-1], _cut(lines[-1], width, size)]
    return [*lines, line.rstrip() or " "]


def _pieces(text: str, width: int, size: int) -> list[str]:
    """Split text after blanks; what is wider than a line is split anywhere."""
    pieces: list[str] = []
    for word in text.split(" "):
        part = ""
        for character in word:
            if part and text_width(part + character, size) > width:
                pieces.append(part)
                part = ""
            part += character
        pieces.append(part + " ")
    return pieces


def _cut(line: str, width: int, size: int) -> str:
    while line and text_width(line + ELLIPSIS, size) > width:
        line = line[:-1]
    return line + ELLIPSIS


def _width(character: str) -> float:
    if character in WIDTHS:
        return WIDTHS[character]
    if unicodedata.combining(character):
        return 0.0
    if character.isascii():
        return 0.78 if character.isupper() else 0.65
    return 1.1 if unicodedata.east_asian_width(character) in "WF" else 0.9
