"""The figures of a program on some rows, rule by rule, as a table of short texts and as a fragment of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element
from unless.explain.words.brief import brief_figures
from unless.explain.words.language import language

if TYPE_CHECKING:
    from unless.evaluate.figures import Coverage, Figures
    from unless.explain.words.language import Language

NUMBERS = (*range(2, 9), 10)
"""The columns of the table that hold numbers."""
RULE = 1
MAIN = (0, 2, 3, 5, 8, 10, RULE)
"""The columns that matter most, the rule last: number, rows, right, precision, alone, probability if there is one."""


def coverage_title(coverage: Coverage, *, lang: str = "en") -> str:
    """Say what the figures are of."""
    words = language(lang)
    return words.say("coverage", "title", target=coverage.target, rows=words.count("rows", coverage.n_rows))


def coverage_cells(coverage: Coverage, *, lang: str = "en") -> list[tuple[str, ...]]:
    """Return the table as short texts, for people; the first tuple is the head."""
    words = language(lang)
    rule, covered, right, wrong, lift, share, alone, examples = (
        words.say("coverage", key)
        for key in ("rule", "covered", "right", "wrong", "lift", "share", "alone", "examples")
    )
    head = ("", rule, covered, right, wrong, words.say("metric", "precision"), lift, share, alone, examples)
    if not coverage.has_probabilities:
        return [head, *(_cells(line, words) for line in coverage.lines)]
    cells = [(*_cells(line, words), words.percent(line.probability)) for line in coverage.lines]
    return [(*head, words.say("coverage", "probability")), *cells]


def coverage_html(coverage: Coverage, *, lang: str = "en") -> Markup:
    """Write the table as a fragment of HTML."""
    head, *lines = coverage_cells(coverage, lang=lang)
    body = [
        element("tr", *(element("td", cell, style=_align(i)) for i, cell in enumerate(cells)), class_=line.kind)
        for cells, line in zip(lines, coverage.lines, strict=True)
    ]
    return element(
        "table",
        element("caption", coverage_title(coverage, lang=lang)),
        element(
            "thead",
            element("tr", *(element("th" if name else "td", name, style=_align(i)) for i, name in enumerate(head))),
        ),
        element("tbody", *body),
        class_="unless-coverage",
    )


def _cells(line: Figures, words: Language) -> tuple[str, ...]:
    return (
        words.say("coverage", "else") if line.entry is None else line.number,
        "\u2003" * line.depth + brief_figures(line, lang=words.name),
        words.whole(line.covered),
        "" if line.right is None else words.whole(line.right),
        "" if line.wrong is None else words.whole(line.wrong),
        words.percent(line.precision),
        "" if line.lift is None else words.decimal(line.lift, 2),
        words.percent(line.share),
        words.whole(line.alone),
        ", ".join(map(str, line.examples)),
    )


def _align(i: int) -> str:
    return f"text-align:{'right' if i in NUMBERS else 'left'};vertical-align:top"
