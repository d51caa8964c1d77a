"""Predicted beside observed shares as a picture: one SVG, the same for the same input.

In: `Reliability`, rows in tenths of predicted probability. Out: a square whose diagonal is where predicted and observed
shares are the same, and a dot for each tenth or part of one, whose area says how many rows it has.
"""

from __future__ import annotations

import math
from textwrap import wrap
from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element, style
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.evaluate.reliability import Bin, Reliability
    from unless.explain.words.language import Language

WIDTH, HEIGHT = 800, 560
LEFT, RIGHT, TOP, BOTTOM = 72, 472, 76, 476
SIDE, LINE = RIGHT + 40, 24
"""Where the measures stand, and how far apart their lines are."""
NOTE = 38
"""So many letters of a note stand in a line."""
SMALL, LARGE = 3.0, 16.0
"""The radius of a dot of few rows, and of one that has them all."""


def reliability_svg(result: Reliability, label: str, *, notes: Sequence[str] = (), lang: str = "en") -> str:
    """Draw predicted and observed shares of a label; beside them stand the measures, and notes."""
    words = language(lang)
    n_rows = sum(one.n_rows for one in result.bins)
    measures = [f"{words.say('metric', name)} {words.decimal(value, 4)}" for name, value in result.measures().items()]
    beside = [*measures, *(line for note in notes for line in ("", *wrap(note, NOTE)))]
    title = words.say("score", "risk_title", label=label)
    parts = [
        element("title", title),
        style("size_path.css"),
        element("rect", class_="page", width=WIDTH, height=HEIGHT),
        element("text", title, class_="head", x=LEFT, y=30),
        element("text", words.say("score", "risk_subtitle"), class_="quiet", x=LEFT, y=50),
        *_axes(words),
        element("line", class_="spread", x1=_x(0.0), y1=_y(0.0), x2=_x(1.0), y2=_y(1.0)),
        *(_dot(one, n_rows, words) for one in result.bins),
        *(element("text", said, x=SIDE, y=TOP + 12 + LINE * i) for i, said in enumerate(beside) if said),
    ]
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT}
    drawn = element("svg", *parts, xmlns="http://www.w3.org/2000/svg", class_="unless-frontier", role="img", **box)
    return drawn + "\n"


def _x(share: float) -> int:
    return round(LEFT + (RIGHT - LEFT) * share)


def _y(share: float) -> int:
    return round(BOTTOM - (BOTTOM - TOP) * share)


def _axes(words: Language) -> list[Markup]:
    """Draw a line at every fifth, and name both axes."""
    middle, side = (LEFT + RIGHT) // 2, (TOP + BOTTOM) // 2
    looks = {"class_": "quiet", "text_anchor": "middle"}
    parts = [
        element("text", words.say("score", "predicted"), x=middle, y=BOTTOM + 48, **looks),
        element("text", words.say("score", "observed"), x=20, y=side, transform=f"rotate(-90 20 {side})", **looks),
    ]
    for i in range(6):
        share, said = i / 5, words.percent(i / 5)
        parts.append(element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=_y(share), y2=_y(share)))
        parts.append(element("text", said, class_="quiet", x=LEFT - 8, y=_y(share) + 4, text_anchor="end"))
        parts.append(element("text", said, class_="quiet", x=_x(share), y=BOTTOM + 22, text_anchor="middle"))
    return parts


def _dot(one: Bin, n_rows: int, words: Language) -> Markup:
    shares = {"predicted": words.percent(one.predicted), "observed": words.percent(one.observed)}
    said = element("title", words.say("score", "bin", **shares, rows=words.count("rows", one.n_rows)))
    radius = round(max(SMALL, LARGE * math.sqrt(one.n_rows / n_rows)), 1)
    return element("circle", said, class_="point", cx=_x(one.predicted), cy=_y(one.observed), r=radius)
