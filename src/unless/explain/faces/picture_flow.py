"""Setting text in a picture: words, framed conditions and tables of points, side by side or on further lines.

In: texts, and the room that there is. Out: the parts drawn so far, and where they end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element
from unless.explain.faces.text_width import text_width, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = 14
BOLD = 15
"""What size bold letters seem to have: they are wider."""
LINE = 20
CHIP = 24
MAX_LINES = 5
"""A condition longer than this many lines is cut; its whole text is still in the tooltip."""


class Flow:
    """Sets words and chips side by side and goes to the next line where they would not fit."""

    def __init__(self, left: int, top: int, right: int) -> None:
        self.start = left
        self.left, self.right = left, max(right, left + 120)
        self.x, self.y = left, top
        self.bottom = top + CHIP
        self.parts: list[Markup] = []

    def word(self, text: str, look: str) -> None:
        """Set plain text."""
        size = BOLD if look == "strong" else SIZE
        for line in wrap(text, self.right - self.left, size, MAX_LINES):
            width = text_width(line, size)
            self._make_room(width)
            self.parts.append(picture_text(line, self.x, self.y + 17, look))
            self.x += width + 10

    def hang(self) -> None:
        """Let further lines start here, if that leaves them room."""
        if self.right - self.x > 260:
            self.left = self.x

    def chip(self, text: str, before: str) -> None:
        """Set one condition, framed, on the same line as the word before it."""
        taken = text_width(before, SIZE) + 10 if before else 0
        lines = wrap(text, self.right - self.left - taken - 20, SIZE, MAX_LINES)
        width = max(text_width(line, SIZE) for line in lines) + 20
        self._make_room(taken + width)
        if before:
            self.word(before, "quiet")
        self._frame(text, lines, width)
        if len(lines) > 1:
            self._next_line()

    def table(self, rows: Sequence[tuple[str, str]]) -> None:
        """Set points and what they are given for, a row each, below what stands there."""
        room = max(text_width(points, BOLD) for points, _ in rows)
        left = self.start + 8
        y = self.bottom + 6 if self.parts else self.bottom
        for points, text in rows:
            lines = wrap(text, self.right - left - room - 14, SIZE, MAX_LINES)
            self.parts.append(picture_text(points, left + room, y + 15, "strong", "end"))
            for line in lines:
                self.parts.append(picture_text(line, left + room + 12, y + 15, None))
                y += LINE
        self.bottom = y + 2

    def _frame(self, text: str, lines: Sequence[str], width: int) -> None:
        height = CHIP + LINE * (len(lines) - 1)
        frame = element("rect", x=self.x, y=self.y, width=width, height=height, rx=8, class_="chip")
        middle = self.x + width // 2
        written = [picture_text(line, middle, self.y + 17 + i * LINE, None, "middle") for i, line in enumerate(lines)]
        self.parts.append(element("g", element("title", text), frame, *written))
        self.x += width + 10
        self.bottom = max(self.bottom, self.y + height)

    def _make_room(self, width: int) -> None:
        if self.x > self.left and self.x + width > self.right:
            self._next_line()
        self.bottom = max(self.bottom, self.y + CHIP)

    def _next_line(self) -> None:
        self.x, self.y = self.left, self.bottom + 6


def card_frame(x: int, y: int, right: int, bottom: int, look: str) -> Markup:
    """Draw the frame of a card."""
    return element("rect", x=x, y=y, width=right - x, height=bottom - y, rx=10, class_=look)


def picture_text(text: str, x: int, y: int, look: str | None, anchor: str | None = None) -> Markup:
    """Draw a line of text."""
    return element("text", text, x=x, y=y, class_=look, text_anchor=anchor)
