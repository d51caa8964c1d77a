"""A program as a picture: SVG, a card for each rule, its exceptions as cards inside it, with bars for the figures.

In: a program, perhaps its `Coverage`. Out: the text of one SVG, 800 wide or as narrow as a phone, the same for the same
input. Sets and ranges are said in place, points are a table. Light and dark follow the reader's setting; fonts are the
reader's own, and widths are reckoned generously (`text_width`), so that text wraps before it overflows. Everything is
escaped by `markup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element, join, style
from unless.explain.faces.picture_flow import LINE, Flow, card_frame, picture_text
from unless.explain.faces.text_width import text_width, wrap
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.explain.words.program_lines import points_below
from unless.logic.forms.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.evaluate.figures import Coverage, Figures
    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program

WIDTH = 800
NARROW = 380
"""How wide a picture for a phone is."""
MARGIN = 16
PADDING = 12
INDENT = 20
GAP = 10
BAR = 60
FIGURES = 248
"""How wide the column of bars and their texts is."""


def picture(program: Program, coverage: Coverage | None = None, *, lang: str = "en", width: int = WIDTH) -> str:
    """Draw a program as SVG, with the figures of its rules where they are given."""
    words = language(lang)
    entries = outline(program)
    pen = _Pen(coverage, words, width)
    parts, y = pen.heading(program, entries)
    for entry in entries:
        drawn, y = pen.card(entry, pen.margin, y, width - pen.margin)
        parts.append(drawn)
        y += GAP
    drawn, y = pen.default(program, y)
    height = y + pen.margin
    return element(
        "svg",
        element("title", words.say("picture", "title", target=program.target.column)),
        style("picture.css"),
        element("rect", width=width, height=height, class_="page"),
        *parts,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        class_="unless-picture",
    )


class _Pen:
    """Draws cards from top to bottom; each method returns what it drew and where it ends."""

    def __init__(self, coverage: Coverage | None, words: Language, width: int) -> None:
        self.coverage = coverage
        self.words = words
        self.width = width
        self.is_narrow = width < 2 * FIGURES + 100
        self.margin = 8 if self.is_narrow else MARGIN
        self.conditions = Conditions(words, is_short=True)
        self.figures = {} if coverage is None else coverage.by_number

    def heading(self, program: Program, entries: Sequence[Entry]) -> tuple[list[Markup], int]:
        """Draw the name of the target, what there is, and what the colours mean."""
        lines, y, parts = wrap(program.target.column, self.width - 2 * self.margin, 22, 2), self.margin, []
        for line in lines:
            y += 26
            parts.append(picture_text(line, self.margin, y - 6, "head"))
        n_below = sum(entry.kind == "exception" for rule in entries for entry in rule.walk())
        for line in wrap(self._size(len(entries), n_below), self.width - 2 * self.margin, 14, 3):
            parts.append(picture_text(line, self.margin, y + 14, "quiet"))
            y += LINE
        y -= LINE
        keys = self._keys()
        if keys and self.is_narrow:
            y += LINE
        return [*parts, *self._draw_keys(keys, y + 14)], y + 14 + PADDING + 4

    def _size(self, n_rules: int, n_exceptions: int) -> str:
        """Say how large the program is, and on how many rows the figures are."""
        words = self.words
        size = words.count("rules", n_rules)
        if n_exceptions:
            size = words.say("picture", "size", rules=size, exceptions=words.count("exceptions", n_exceptions))
        if self.coverage is None:
            return size
        return words.say("picture", "size_on_rows", size=size, rows=words.count("rows", self.coverage.n_rows))

    def _keys(self) -> list[tuple[str, str]]:
        """Return what the colours of the bars mean."""
        if self.coverage is None:
            return []
        keys = [("rows", self.words.say("picture", "of_all_rows"))]
        if self.coverage.has_labels:
            keys += [(key, self.words.say("coverage", key)) for key in ("right", "wrong")]
        return keys

    def _draw_keys(self, keys: list[tuple[str, str]], y: int) -> list[Markup]:
        """Draw the keys up to the right edge."""
        x, parts = self.width - self.margin, []
        for look, meaning in reversed(keys):
            x -= 17 + text_width(meaning, 12)
            parts += _key(look, meaning, x, y)
            x -= GAP
        return parts

    def card(self, entry: Entry, x: int, y: int, right: int) -> tuple[Markup, int]:
        """Draw a rule or exception with all that stands under it."""
        inner = x + PADDING
        parts, bottom = self._row(entry, inner, y + PADDING)
        for below in entry.entries:
            inset = right - (4 if self.is_narrow else 6) if entry.depth < 3 else right
            drawn, bottom = self.card(below, inner + self._indent(entry), bottom + 8, inset)
            parts.append(drawn)
        if entry.cut:
            bottom += LINE
            parts.append(picture_text(self.words.say("picture", "cut"), inner, bottom, "quiet small"))
        bottom += PADDING - (4 if entry.entries else 0)
        return join([card_frame(x, y, right, bottom, _tone(entry)), *parts]), bottom

    def default(self, program: Program, y: int) -> tuple[Markup, int]:
        """Draw what is predicted when no rule holds."""
        flow = self._flow(self.margin + PADDING, y + PADDING)
        flow.word(self.words.say("picture", "else", label=self.words.label(program.target.default)), "strong")
        parts, bottom = self._with_bars(flow, y + PADDING, self.figures.get("else"))
        bottom += PADDING
        return join([card_frame(self.margin, y, self.width - self.margin, bottom, "card"), *parts]), bottom

    def _indent(self, entry: Entry) -> int:
        """Go in a step, smaller steps where it is deep already: the words need their room."""
        return 0 if self.is_narrow else INDENT if entry.depth < 5 else 4

    def _flow(self, x: int, y: int) -> Flow:
        edge = self.width - self.margin - PADDING - (6 if self.is_narrow else 18)
        beside = self.coverage is not None and not self.is_narrow
        return Flow(x, y, edge - FIGURES - GAP if beside else edge)

    def _row(self, entry: Entry, x: int, y: int) -> tuple[list[Markup], int]:
        """Draw the words and conditions of one entry beside its bars, or, where it is narrow, above them."""
        flow = self._flow(x, y)
        table = points_below(entry, self.conditions)
        conditions = [condition for condition in entry.conditions if condition is not table]
        lead = self._lead(entry, has_chips=bool(conditions))
        alone = entry.kind != "rule" and not conditions
        key = "exception_points" if alone else "points"
        needed = "" if table is None else self.words.say("picture", key, needed=self.conditions.needed(table))
        for word in (entry.number, lead if conditions else f"{lead} {needed}".rstrip()):
            flow.word(word, "strong")
        if conditions or table is None:
            flow.hang()
        for i, condition in enumerate(conditions):
            flow.chip(self.conditions.condition(condition), self.words.say("picture", "and") if i else "")
        if not entry.conditions:
            flow.chip(self.words.say("conditions", "always"), "")
        if table is not None:
            if conditions:
                flow.word(needed, "strong")
            flow.table(self.conditions.awards(table))
        return self._with_bars(flow, y, self.figures.get(entry.number))

    def _with_bars(self, flow: Flow, y: int, figures: Figures | None) -> tuple[list[Markup], int]:
        if figures is None:
            return flow.parts, flow.bottom
        if self.is_narrow:
            below = flow.bottom + 2
            return [*flow.parts, *self._bars(figures, flow.start, below)], below + 2 * LINE
        edge = self.width - self.margin - PADDING - 18
        return [*flow.parts, *self._bars(figures, edge - FIGURES, y)], max(flow.bottom, y + 2 * LINE)

    def _bars(self, figures: Figures, x: int, y: int) -> list[Markup]:
        """Draw how many of all rows are covered, and which share of them rightly."""
        assert self.coverage is not None
        length = _length(figures.covered, self.coverage.n_rows)
        covered = self.words.count("rows", figures.covered)
        if figures.alone != figures.covered:
            longer = self.words.say("picture", "covered_alone", rows=covered, alone=self.words.whole(figures.alone))
            covered = longer if text_width(longer, 12) <= FIGURES - BAR else covered
        parts = [
            _bar(x, y + 4, BAR, "track"),
            _bar(x, y + 4, length, "rows"),
            picture_text(covered, x + BAR + 8, y + 14, "small"),
        ]
        if figures.precision is None:
            return parts
        good = _length(figures.right or 0, figures.covered)
        share = self.words.say("picture", "right", share=self.words.percent(figures.precision))
        wrong = [_bar(x, y + LINE + 4, BAR, "wrong")] if figures.wrong else []
        text = picture_text(share, x + BAR + 8, y + LINE + 14, "small")
        return [*parts, *wrong, _bar(x, y + LINE + 4, good, "right"), text]

    def _lead(self, entry: Entry, *, has_chips: bool) -> str:
        """Say what stands before the conditions of an entry, or before "in any case", or a table of points alone."""
        if entry.kind != "rule":
            return self.words.say("picture", "exception")
        return self.words.say("picture", "rule" if has_chips else "rule_points", label=self.words.label(entry.label))


def _tone(entry: Entry) -> str:
    if entry.kind == "rule":
        return "card"
    return "for" if entry.supports else "against"


def _bar(x: int, y: int, length: int, look: str) -> Markup:
    return element("rect", x=x, y=y, width=length, height=12, rx=3, class_=look)


def _length(part: int, whole: int) -> int:
    """Return the length of a bar; a few rows are still to be seen, and a few less than all too."""
    if not part or not whole:
        return 0
    return BAR if part == whole else min(BAR - 2, max(2, round(BAR * part / whole)))


def _key(look: str, meaning: str, x: int, y: int) -> list[Markup]:
    sample = element("rect", x=x, y=y - 11, width=12, height=12, rx=3, class_=look)
    return [sample, picture_text(meaning, x + 17, y, "small")]
