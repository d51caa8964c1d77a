"""Accuracy against size: the frontier as a table of text and as a picture.

In: `Frontier`, programs ever larger with their cross-validated accuracy. Out: text, or one SVG, the same for the same
input; where rows were weighed, both say so. Sizes stand on a logarithmic axis: the first literals count most. The elbow
is the smallest program within one standard error of the most accurate one.
"""

from __future__ import annotations

import math
from textwrap import wrap as wrap_text
from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element, join, style
from unless.explain.words.language import language
from unless.logic.program import label_text

if TYPE_CHECKING:
    from unless.explain.words.language import Language
    from unless.learn.size_path import Frontier, FrontierPoint

WIDTH, HEIGHT = 800, 420
LEFT, RIGHT, TOP, BOTTOM = 72, 776, 64, 360
TEXT_WIDTH = 80
ROOM = 0.1
"""How much of the height stays free above and below the points."""


def size_path_text(frontier: Frontier, *, lang: str = "en") -> str:
    """Write the path as a table, a program a line; the elbow is marked."""
    words = language(lang)
    table = [_head(frontier, words), *(_cells(n, stop, words) for n, stop in enumerate(frontier.points, 1))]
    if any(stop.auc is not None for stop in frontier.points):
        areas = ["" if stop.auc is None else words.decimal(stop.auc, 4) for stop in frontier.points]
        table = [(*cells, area) for cells, area in zip(table, [words.say("metric", "auc"), *areas], strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)) for cells in table]
    lines[frontier.elbow + 1] += "  " + words.say("size_path", "elbow_mark")
    lines += wrap_text(_commonest(frontier, words), TEXT_WIDTH)
    lines += wrap_text(words.say("size_path", "weighed_note"), TEXT_WIDTH) if frontier.is_weighed else []
    return "\n".join(lines)


def _commonest(frontier: Frontier, words: Language) -> str:
    """Say how often one label is right without any rule, and whether the elbow is better: any program has an elbow."""
    if frontier.commonest is None:
        return ""
    label, share = frontier.commonest
    is_better = frontier.points[frontier.elbow].accuracy > share
    key = "always" if is_better else "no_better"
    return words.say("size_path", key, label=words.quoted(label_text(label)), share=words.decimal(share, 4))


def _head(frontier: Frontier, words: Language) -> tuple[str, ...]:
    number, rules, literals, error, training = (
        words.say("size_path", key) for key in ("number", "rules", "literals", "error", "training")
    )
    accuracy = words.say("metric", "accuracy")
    if frontier.is_weighed:
        accuracy, training = (words.say("size_path", "weighed", figure=name) for name in (accuracy, training))
    return number, rules, literals, accuracy, error, training


def _cells(n: int, stop: FrontierPoint, words: Language) -> tuple[str, ...]:
    shares = (stop.accuracy, stop.spread, stop.training_accuracy)
    accuracy, spread, training = (words.decimal(share, 4) for share in shares)
    return f"{n:3d}", str(stop.n_rules), str(stop.n_literals), accuracy, f"({spread})", training


def size_path_svg(frontier: Frontier, *, lang: str = "en") -> str:
    """Draw the path as SVG."""
    words = language(lang)
    scale = _Scale(frontier)
    points = [(scale.x(stop.n_literals), scale.y(stop.accuracy)) for stop in frontier.points]
    subtitle = "subtitle_weighed" if frontier.is_weighed else "subtitle"
    parts = [
        element("title", words.say("size_path", "title")),
        style("size_path.css"),
        element("rect", class_="page", width=WIDTH, height=HEIGHT),
        element("text", words.say("size_path", "title"), class_="head", x=LEFT, y=30),
        element("text", words.say("size_path", subtitle), class_="quiet", x=LEFT, y=48),
        *scale.axes(words),
        *(_spread(scale, stop) for stop in frontier.points),
        element("path", class_="path", d="M" + " L".join(f"{x} {y}" for x, y in points)),
        *(_point(frontier, n, x, y, words) for n, (x, y) in enumerate(points)),
    ]
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT}
    drawn = element("svg", *parts, xmlns="http://www.w3.org/2000/svg", class_="unless-frontier", role="img", **box)
    return drawn + "\n"


class _Scale:
    """Where sizes and accuracies stand on the page."""

    def __init__(self, frontier: Frontier) -> None:
        stops = frontier.points
        self.largest = max(2, *(stop.n_literals for stop in stops))
        low = min(stop.accuracy - stop.spread for stop in stops)
        high = max(stop.accuracy + stop.spread for stop in stops)
        room = ROOM * max(high - low, 0.01)
        self.low, self.high = max(0.0, low - room), min(1.0, high + room)

    def x(self, n_literals: int) -> int:
        """Return where a size stands."""
        return round(LEFT + 16 + (RIGHT - LEFT - 32) * math.log(max(1, n_literals)) / math.log(self.largest))

    def y(self, accuracy: float) -> int:
        """Return where an accuracy stands."""
        return round(BOTTOM - (BOTTOM - TOP) * (accuracy - self.low) / (self.high - self.low))

    def axes(self, words: Language) -> list[Markup]:
        """Draw lines at round accuracies, and label sizes."""
        title, middle = words.say("size_path", "axis"), (LEFT + RIGHT) // 2
        parts = [element("text", title, class_="quiet", x=middle, y=HEIGHT - 16, text_anchor="middle")]
        step = _step(self.high - self.low)
        digits = max(2, -math.floor(math.log10(step)))
        for i in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            y = self.y(i * step)
            parts.append(element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=y, y2=y))
            parts.append(
                element("text", words.decimal(i * step, digits), class_="quiet", x=LEFT - 8, y=y + 4, text_anchor="end")
            )
        size = 1
        while size <= self.largest:
            parts.append(element("text", size, class_="quiet", x=self.x(size), y=BOTTOM + 22, text_anchor="middle"))
            size *= 2
        return parts


def _step(span: float) -> float:
    """Return a round step that gives three to eight lines."""
    power: float = 10.0 ** math.floor(math.log10(span))
    return next(power * part for part in (0.2, 0.5, 1.0, 2.0) if span / (power * part) <= 8)


def _spread(scale: _Scale, stop: FrontierPoint) -> Markup:
    x = scale.x(stop.n_literals)
    low, high = scale.y(stop.accuracy - stop.spread), scale.y(stop.accuracy + stop.spread)
    return element("line", class_="spread", x1=x, x2=x, y1=low, y2=high)


def _point(frontier: Frontier, n: int, x: int, y: int, words: Language) -> Markup:
    is_elbow = n == frontier.elbow
    said = element("title", _point_text(n, frontier.points[n], words))
    dot = element("circle", said, class_="elbow" if is_elbow else "point", cx=x, cy=y, r=6)
    label = element("text", n + 1, x=x, y=y - 12, text_anchor="middle")
    if not is_elbow:
        return join([dot, label])
    return join([dot, label, element("text", words.say("size_path", "elbow"), x=x, y=y + 30, text_anchor="middle")])


def _point_text(n: int, stop: FrontierPoint, words: Language) -> str:
    size = {"rules": words.count("rules", stop.n_rules), "literals": words.count("literals", stop.n_literals)}
    return words.say("size_path", "point", number=n + 1, **size, accuracy=words.decimal(stop.accuracy, 4))
