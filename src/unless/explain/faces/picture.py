"""A program as a picture: SVG, a card for each rule, its exceptions as cards inside it, with bars for the figures.

In: a program, perhaps its `Coverage`. Out: the text of one SVG, 800 wide, the same for the same input. Light and dark
follow the reader's setting; fonts are the reader's own, and widths are reckoned generously (`text_width`), so that
text wraps before it overflows. Everything is escaped by `markup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element, join, style
from unless.explain.faces.text_width import text_width, wrap
from unless.explain.words.brief import brief_goals
from unless.explain.words.language import language
from unless.logic.forms.outline import outline
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.evaluate.figures import Coverage, Figures
    from unless.explain.words.language import Language
    from unless.logic.forms.outline import Entry
    from unless.logic.program import Program

WIDTH = 800
MARGIN = 16
PADDING = 12
INDENT = 20
GAP = 10
SIZE = 14
BOLD = 15
"""What size bold letters seem to have: they are wider."""
LINE = 20
CHIP = 24
BAR = 60
FIGURES = 248
"""How wide the column of bars and their texts is."""
MAX_LINES = 5
"""A condition longer than this many lines is cut; its whole text is still in the tooltip."""


def picture(program: Program, coverage: Coverage | None = None, *, lang: str = "en") -> str:
    """Draw a program as SVG, with the figures of its rules where they are given."""
    words = language(lang)
    entries = outline(program)
    pen = _Pen(coverage, words)
    parts, y = pen.heading(program, entries)
    for entry in entries:
        drawn, y = pen.card(entry, MARGIN, y, WIDTH - MARGIN)
        parts.append(drawn)
        y += GAP
    drawn, y = pen.default(program, y)
    height = y + MARGIN
    return element(
        "svg",
        element("title", words.say("picture", "title", target=program.target.column)),
        style("picture.css"),
        element("rect", width=WIDTH, height=height, class_="page"),
        *parts,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        height=height,
        role="img",
        class_="unless-picture",
    )


class _Pen:
    """Draws cards from top to bottom; each method returns what it drew and where it ends."""

    def __init__(self, coverage: Coverage | None, words: Language) -> None:
        self.coverage = coverage
        self.words = words
        self.figures = {} if coverage is None else coverage.by_number

    def heading(self, program: Program, entries: Sequence[Entry]) -> tuple[list[Markup], int]:
        """Draw the name of the target, what there is, and what the colours mean."""
        lines, y, parts = wrap(program.target.column, WIDTH - 2 * MARGIN, 22, 2), MARGIN, []
        for line in lines:
            y += 26
            parts.append(_text(line, MARGIN, y - 6, "head"))
        below = [entry for rule in entries for entry in rule.walk() if entry.kind == "exception"]
        parts += [_text(self._size(len(entries), len(below)), MARGIN, y + 14, "quiet"), *self._keys(y + 14)]
        return parts, y + 14 + PADDING + 4

    def _size(self, n_rules: int, n_exceptions: int) -> str:
        """Say how large the program is, and on how many rows the figures are."""
        words = self.words
        size = {"rules": words.count("rules", n_rules), "exceptions": words.count("exceptions", n_exceptions)}
        if self.coverage is None:
            return words.say("picture", "size", **size)
        return words.say("picture", "size_on_rows", **size, rows=words.count("rows", self.coverage.n_rows))

    def _keys(self, y: int) -> list[Markup]:
        """Draw what the colours of the bars mean, up to the right edge."""
        if self.coverage is None:
            return []
        keys = [("rows", self.words.say("picture", "of_all_rows"))]
        if self.coverage.has_labels:
            keys += [(key, self.words.say("coverage", key)) for key in ("right", "wrong")]
        x, parts = WIDTH - MARGIN, []
        for look, meaning in reversed(keys):
            x -= 17 + text_width(meaning, 12)
            parts += _key(look, meaning, x, y)
            x -= GAP
        return parts

    def card(self, entry: Entry, x: int, y: int, right: int) -> tuple[Markup, int]:
        """Draw a rule or exception with all that stands under it."""
        inner = x + PADDING
        parts, bottom = self._row(
            self._lead(entry), brief_goals(entry.clause, self.words), inner, y + PADDING, self.figures.get(entry.number)
        )
        for below in entry.entries:
            inset = right - 6 if entry.depth < 3 else right
            drawn, bottom = self.card(below, inner + _indent(entry), bottom + 8, inset)
            parts.append(drawn)
        if entry.cut:
            bottom += LINE
            parts.append(_text(self.words.say("picture", "cut"), inner, bottom, "quiet small"))
        bottom += PADDING - (4 if entry.entries else 0)
        return join([_card(x, y, right, bottom, _tone(entry)), *parts]), bottom

    def default(self, program: Program, y: int) -> tuple[Markup, int]:
        """Draw what is predicted when no rule holds."""
        lead = [self.words.say("picture", "else", label=label_text(program.target.default))]
        parts, bottom = self._row(lead, [], MARGIN + PADDING, y + PADDING, self.figures.get("else"))
        bottom += PADDING
        return join([_card(MARGIN, y, WIDTH - MARGIN, bottom, "card"), *parts]), bottom

    def _row(
        self, lead: Iterable[str], chips: Sequence[str], x: int, y: int, figures: Figures | None
    ) -> tuple[list[Markup], int]:
        """Draw the words and conditions of one clause beside its bars."""
        edge = WIDTH - MARGIN - PADDING - 18
        flow = _Flow(x, y, edge if self.coverage is None else edge - FIGURES - GAP)
        for word in lead:
            flow.word(word, "strong")
        flow.hang()
        for i, chip in enumerate(chips):
            flow.chip(chip, self.words.say("picture", "and") if i else "")
        bottom = flow.bottom
        if figures is not None:
            flow.parts += self._bars(figures, edge - FIGURES, y)
            bottom = max(bottom, y + 2 * LINE)
        return flow.parts, bottom

    def _bars(self, figures: Figures, x: int, y: int) -> list[Markup]:
        """Draw how many of all rows are covered, and which share of them rightly."""
        assert self.coverage is not None
        length = _length(figures.covered, self.coverage.n_rows)
        covered = self.words.count("rows", figures.covered)
        longer = self.words.say("picture", "covered_alone", rows=covered, alone=self.words.whole(figures.alone))
        covered = longer if text_width(longer, 12) <= FIGURES - BAR else covered
        parts = [
            _bar(x, y + 4, BAR, "track"),
            _bar(x, y + 4, length, "rows"),
            _text(covered, x + BAR + 8, y + 14, "small"),
        ]
        if figures.precision is None:
            return parts
        good = _length(figures.right or 0, figures.covered)
        share = self.words.say("picture", "right", share=self.words.percent(figures.precision))
        wrong = [_bar(x, y + LINE + 4, BAR, "wrong")] if figures.wrong else []
        return [*parts, *wrong, _bar(x, y + LINE + 4, good, "right"), _text(share, x + BAR + 8, y + LINE + 14, "small")]

    def _lead(self, entry: Entry) -> list[str]:
        """Say what stands before the conditions of a clause."""
        if entry.kind == "rule":
            return [entry.number, self.words.say("picture", "rule", label=label_text(entry.label))]
        return [self.words.say("picture", entry.kind)]


class _Flow:
    """Sets words and chips side by side and goes to the next line where they would not fit."""

    def __init__(self, left: int, top: int, right: int) -> None:
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
            self.parts.append(_text(line, self.x, self.y + 17, look))
            self.x += width + 10

    def hang(self) -> None:
        """Let further lines start here, if that leaves them room."""
        if self.right - self.x > 200:
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

    def _frame(self, text: str, lines: Sequence[str], width: int) -> None:
        height = CHIP + LINE * (len(lines) - 1)
        frame = element("rect", x=self.x, y=self.y, width=width, height=height, rx=8, class_="chip")
        middle = self.x + width // 2
        written = [_text(line, middle, self.y + 17 + i * LINE, None, "middle") for i, line in enumerate(lines)]
        self.parts.append(element("g", element("title", text), frame, *written))
        self.x += width + 10
        self.bottom = max(self.bottom, self.y + height)

    def _make_room(self, width: int) -> None:
        if self.x > self.left and self.x + width > self.right:
            self._next_line()
        self.bottom = max(self.bottom, self.y + CHIP)

    def _next_line(self) -> None:
        self.x, self.y = self.left, self.bottom + 6


def _tone(entry: Entry) -> str:
    if entry.kind == "rule":
        return "card"
    return "for" if entry.supports else "against"


def _indent(entry: Entry) -> int:
    """Go in a step, smaller steps where it is deep already: the words need their room."""
    return INDENT if entry.depth < 5 else 4


def _card(x: int, y: int, right: int, bottom: int, look: str) -> Markup:
    return element("rect", x=x, y=y, width=right - x, height=bottom - y, rx=10, class_=look)


def _bar(x: int, y: int, length: int, look: str) -> Markup:
    return element("rect", x=x, y=y, width=length, height=12, rx=3, class_=look)


def _length(part: int, whole: int) -> int:
    """Return the length of a bar; a few rows are still to be seen, and a few less than all too."""
    if not part or not whole:
        return 0
    return BAR if part == whole else min(BAR - 2, max(2, round(BAR * part / whole)))


def _key(look: str, meaning: str, x: int, y: int) -> list[Markup]:
    sample = element("rect", x=x, y=y - 11, width=12, height=12, rx=3, class_=look)
    return [sample, _text(meaning, x + 17, y, "small")]


def _text(text: str, x: int, y: int, look: str | None, anchor: str | None = None) -> Markup:
    return element("text", text, x=x, y=y, class_=look, text_anchor=anchor)
