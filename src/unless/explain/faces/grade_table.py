"""The grade of a program as a lender reads it: points by column, from 0, then bands with probability and rows.

In: a program. Out: text no wider than the width that is given; empty where there is no grade. As HTML it is a part of
the pages of `html_pages`.
"""

from __future__ import annotations

from textwrap import wrap as wrap_text
from typing import TYPE_CHECKING

from unless.explain.faces.paper_text import INDENT
from unless.explain.faces.plain_text import WIDTH, hanging
from unless.explain.words.grade_words import grade_words
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.explain.words.grade_words import CardWords, ColumnWords
    from unless.logic.program import Program

GAP, BAR = "  ", "|"
MOST = 3
"""A name of a column takes at most one of so many parts of a line; a longer one has a line of its own."""
NARROWEST = 20


def grade_text(program: Program, *, lang: str = "en", width: int = WIDTH) -> str:
    """Write the grade as text."""
    return "\n\n".join("\n".join(_lines(card, width)) for card in grade_words(program, language(lang)))


def _lines(card: CardWords, width: int) -> Iterator[str]:
    yield card.title
    yield from _plain_lines(card.start, width)
    room = min(max((len(each.column) for each in card.columns), default=0), width // MOST)
    for each in card.columns:
        yield from _column(each, room, width)
    yield from _plain_lines(card.lines, width)
    if not card.bands:
        return
    yield ""
    widths = [max(map(len, column)) for column in zip(card.band_head, *card.bands, strict=True)]
    for cells in (card.band_head, *card.bands):
        yield "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
    yield ""
    yield from wrap_text(card.note, width)


def _plain_lines(lines: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    for points, text in lines:
        yield from hanging(f"{INDENT}{text}: {points}", width)


def _column(column: ColumnWords, room: int, width: int) -> Iterator[str]:
    """Write a column's name, and beside it its entries, each unbroken if it fits into a line."""
    beside = " " * (len(INDENT) + room + len(GAP))
    name = f"{INDENT}{column.column:{room}}{GAP}"
    if len(name) > len(beside):
        yield from hanging(name, width)
        name = beside
    *others, last = [f"{text}: {points}" for points, text in column.entries]
    lines = [name]
    for entry in (*(f"{other} {BAR} " for other in others), last):
        if len(lines[-1]) > len(beside) and len(lines[-1] + entry.rstrip()) > width:
            lines.append(beside)
        lines[-1] += entry
    for line in lines:
        yield from wrap_text(
            line.rstrip(), max(width, len(beside) + NARROWEST), subsequent_indent=beside, break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
