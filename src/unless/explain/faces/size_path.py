"""Accuracy against size: the path of programs as a table of text and as a picture.

In: `Frontier`, programs ever larger with their cross-validated accuracy. Out: text, or one SVG, the same for the same
input. Sizes stand on a logarithmic axis: the first literals count most. The elbow is the smallest program within one
standard error of the most accurate one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element, join, style

if TYPE_CHECKING:
    from unless.learn.size_path import Frontier, FrontierPoint

WIDTH, HEIGHT = 800, 420
LEFT, RIGHT, TOP, BOTTOM = 72, 776, 64, 360
ROOM = 0.1
"""How much of the height stays free above and below the points."""

CSS = """
.unless-frontier{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:13px}
.unless-frontier text{fill:#1d2530}
.unless-frontier .page{fill:#fff}
.unless-frontier .head{font-size:18px;font-weight:600}
.unless-frontier .quiet{fill:#5b6776}
.unless-frontier .grid{stroke:#dfe5ec}
.unless-frontier .spread{stroke:#a9cdea;stroke-width:2}
.unless-frontier .path{fill:none;stroke:#1f77b4;stroke-width:2}
.unless-frontier .point{fill:#1f77b4}
.unless-frontier .elbow{fill:#e08214}
@media (prefers-color-scheme:dark){
.unless-frontier text{fill:#e6ebf1}
.unless-frontier .page{fill:#14181e}
.unless-frontier .quiet{fill:#9caab9}
.unless-frontier .grid{stroke:#333d49}
.unless-frontier .spread{stroke:#33607f}
.unless-frontier .path{stroke:#4aa3df}
.unless-frontier .point{fill:#4aa3df}
.unless-frontier .elbow{fill:#f0a04b}
}
"""


def size_path_text(frontier: Frontier) -> str:
    """Write the path as a table, a program a line; the elbow is marked."""
    lines = ["  N  rules  literals  accuracy  (standard error)  on training rows"]
    for n, stop in enumerate(frontier.points, 1):
        mark = "  <- elbow" if n == frontier.elbow + 1 else ""
        lines.append(
            f"{n:3d}  {stop.n_rules:5d}  {stop.n_literals:8d}  {stop.accuracy:8.4f}  {f'({stop.spread:.4f})':>16s}"
            f"  {stop.training_accuracy:16.4f}{mark}"
        )
    return "\n".join(lines)


def size_path_svg(frontier: Frontier) -> str:
    """Draw the path as SVG."""
    scale = _Scale(frontier)
    places = [(scale.x(stop.n_literals), scale.y(stop.accuracy)) for stop in frontier.points]
    parts = [
        style(CSS),
        element("rect", class_="page", width=WIDTH, height=HEIGHT),
        element("text", "Accuracy against size", class_="head", x=LEFT, y=30),
        element(
            "text", "held-out rows, with standard error; number of the program above", class_="quiet", x=LEFT, y=48
        ),
        *scale.axes(),
        *(_spread(scale, stop) for stop in frontier.points),
        element("path", class_="path", d="M" + " L".join(f"{x} {y}" for x, y in places)),
        *(_point(frontier, n, x, y) for n, (x, y) in enumerate(places)),
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
        """Place a size."""
        return round(LEFT + 16 + (RIGHT - LEFT - 32) * math.log(max(1, n_literals)) / math.log(self.largest))

    def y(self, accuracy: float) -> int:
        """Place an accuracy."""
        return round(BOTTOM - (BOTTOM - TOP) * (accuracy - self.low) / (self.high - self.low))

    def axes(self) -> list[Markup]:
        """Draw lines at round accuracies, and label sizes."""
        parts = [element("text", "literals in the program", class_="quiet", x=(LEFT + RIGHT) // 2 - 70, y=HEIGHT - 16)]
        step = _step(self.high - self.low)
        digits = max(2, -math.floor(math.log10(step)))
        for i in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            y = self.y(i * step)
            parts.append(element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=y, y2=y))
            parts.append(
                element("text", f"{i * step:.{digits}f}", class_="quiet", x=LEFT - 8, y=y + 4, text_anchor="end")
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


def _point(frontier: Frontier, n: int, x: int, y: int) -> Markup:
    stop, is_elbow = frontier.points[n], n == frontier.elbow
    said = f"program {n + 1}: {stop.n_rules} rules, {stop.n_literals} literals, accuracy {stop.accuracy:.4f}"
    dot = element("circle", element("title", said), class_="elbow" if is_elbow else "point", cx=x, cy=y, r=6)
    label = element("text", n + 1, x=x, y=y - 12, text_anchor="middle")
    if not is_elbow:
        return join([dot, label])
    return join([dot, label, element("text", "elbow", x=x, y=y + 30, text_anchor="middle")])
