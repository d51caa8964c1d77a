"""The grade of a program as a lender reads it: points column by column, then bands with probability and rows.

In: a program. Out: text no wider than the width that is given; empty where there is no grade. As HTML it is a part of
the pages of `html_pages`.
"""

from __future__ import annotations

from textwrap import wrap as wrap_text
from typing import TYPE_CHECKING

from unless.explain.faces.plain_text import WIDTH, points_lines
from unless.explain.words.grade_words import grade_words
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.grade_words import CardWords
    from unless.logic.program import Program


def grade_text(program: Program, *, lang: str = "en", width: int = WIDTH) -> str:
    """Write the grade as text."""
    return "\n\n".join("\n".join(_lines(card, width)) for card in grade_words(program, language(lang)))


def _lines(card: CardWords, width: int) -> Iterator[str]:
    yield card.title
    yield from points_lines(card.awards, width)
    if not card.bands:
        return
    yield ""
    widths = [max(map(len, column)) for column in zip(card.band_head, *card.bands, strict=True)]
    for cells in (card.band_head, *card.bands):
        yield "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
    yield ""
    yield from wrap_text(card.note, width)
