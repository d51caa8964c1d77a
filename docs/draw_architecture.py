"""The rooms as a picture: how data walks, then the layers from the command line down to the errors.

In: the modules as `rooms` reads them. Out: the text of one SVG, 800 wide, the same for the same source: no date, no
random ids. Light and dark follow the reader's setting. What a room is for is the first sentence of its own header;
a hue marks the rooms through which data walks, so that a step and its room are found together.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from rooms import FRONT, rooms

from unless.explain.faces.markup import Markup, element, join
from unless.explain.faces.text_width import text_width, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooms import Module

WIDTH, MARGIN, GAP = 800, 16, 10
RAIL = 34
"""How much is left free beside the layers, for the arrow that says which way imports go."""

WALKS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Learn:",
        "a table in, a program out",
        (
            ("table or file", ""),
            ("cells", "table"),
            ("codes, counts", "learn"),
            ("rules", "learn"),
            ("program = text", "logic"),
        ),
    ),
    (
        "Use:",
        "a program and a table in, labels and proofs out",
        (
            ("program + table", ""),
            ("what holds", "evaluate"),
            ("labels, scores", "evaluate"),
            ("proof", "explain"),
            ("sentences, pages", "explain"),
        ),
    ),
)
"""The two walks: what data is on the way, and the room that makes it; nothing where it comes from outside."""

HUES = {  # room: fill and line by day, fill and line by night
    "table": ("#e3f4f1", "#3a9d8f", "#12302c", "#4fb8a8"),
    "learn": ("#e6f0fb", "#3b7dc4", "#14283d", "#5b9fe6"),
    "logic": ("#efe9fa", "#7d5fc0", "#261d3d", "#a186e6"),
    "evaluate": ("#e9f5e4", "#5d9a3c", "#1d2f15", "#82c25e"),
    "explain": ("#fdf0e0", "#d5832a", "#38270f", "#eda14c"),
}


def _css() -> str:
    day = "".join(f".rooms .{room}{{fill:{fill};stroke:{line}}}\n" for room, (fill, line, _, _) in HUES.items())
    night = "".join(f".rooms .{room}{{fill:{fill};stroke:{line}}}\n" for room, (_, _, fill, line) in HUES.items())
    return f"""
.rooms{{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:13px}}
.rooms text{{fill:#1d2530}}
.rooms .page{{fill:#fff}}
.rooms .plain{{fill:#f6f8fa;stroke:#c3ccd6}}
.rooms .outside{{fill:none;stroke:#8793a1;stroke-dasharray:4 3}}
.rooms .quiet{{fill:#5b6776;font-size:12px}}
.rooms .strong{{font-weight:600;font-size:14px}}
.rooms .name{{font-weight:600;font-size:15px;font-family:ui-monospace,Consolas,"DejaVu Sans Mono",monospace}}
.rooms .head{{font-size:17px;font-weight:600}}
.rooms .arrow{{stroke:#8793a1;fill:none;stroke-width:1.5}}
{day}@media (prefers-color-scheme:dark){{
.rooms text{{fill:#e6ebf1}}
.rooms .page{{fill:#14181e}}
.rooms .plain{{fill:#1d232b;stroke:#46525f}}
.rooms .quiet{{fill:#9caab9}}
{night}}}
"""


def picture(modules: Mapping[str, Module]) -> str:
    """Draw the walks and the layers as SVG."""
    parts, y = [], MARGIN
    for name, what, steps in WALKS:
        drawn, y = _walk(name, what, steps, y)
        parts.append(drawn)
    parts.append(_text("The rooms of the package: each imports only from those below it", MARGIN, y + 16, "head"))
    y = top = y + 30
    for layer in rooms(modules):
        drawn, y = _layer(layer, modules, y)
        parts.append(drawn)
    parts.append(_rail(top, y - GAP))
    return element(
        "svg",
        element("title", "How data walks through unless, and its rooms in layers"),
        element("style", Markup(_css())),
        element("rect", width=WIDTH, height=y + MARGIN - GAP, class_="page"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {y + MARGIN - GAP}",
        width=WIDTH,
        height=y + MARGIN - GAP,
        role="img",
        class_="rooms",
    )


def _walk(name: str, what: str, steps: Sequence[tuple[str, str]], y: int) -> tuple[Markup, int]:
    """Draw one walk from left to right: what data is, and below it the room that makes it."""
    between = 26
    width = (WIDTH - 2 * MARGIN - between * (len(steps) - 1)) // len(steps)
    lefts = [MARGIN + i * (width + between) for i in range(len(steps))]
    top = y + 28
    parts = [element("text", element("tspan", name, class_="head"), f" {what}", x=MARGIN, y=y + 16)]
    for left, (text, room) in zip(lefts, steps, strict=True):
        box = element("rect", x=left, y=top, width=width, height=34, rx=17, class_=room or "outside")
        parts += [box, _text(text, left + width // 2, top + 22, None, "middle")]
        if room:
            parts.append(_text(room, left + width // 2, top + 50, "quiet", "middle"))
    parts += [_arrow(a + width + 5, top + 17, b - 5, top + 17) for a, b in pairwise(lefts)]
    return join(parts), top + 72


def _layer(layer: Sequence[str], modules: Mapping[str, Module], y: int) -> tuple[Markup, int]:
    """Draw the rooms of one layer side by side."""
    room_for_all = WIDTH - 2 * MARGIN - RAIL
    width = (room_for_all - GAP * (len(layer) - 1)) // len(layer)
    written = [_lines(room, modules, width) for room in layer]
    height = 36 + 17 * max(map(len, written))
    parts: list[Markup] = []
    for i, (room, lines) in enumerate(zip(layer, written, strict=True)):
        left = MARGIN + RAIL + i * (width + GAP)
        look = room if room in HUES else "plain"
        parts.append(element("rect", x=left, y=y, width=width, height=height, rx=8, class_=look))
        name = "unless" if room == FRONT else room
        parts.append(_text(name, left + 14, y + 22, "name"))
        size = _size(room, modules, width - 40 - text_width(name, 15))
        parts.append(_text(size, left + width - 14, y + 22, "quiet", "end"))
        parts += [_text(line, left + 14, y + 42 + 17 * n, None) for n, line in enumerate(lines)]
    return join(parts), y + height + GAP


def _lines(room: str, modules: Mapping[str, Module], width: int) -> list[str]:
    name = "unless" if room == FRONT else f"unless.{room}"
    return wrap(first_sentence(modules[name].header), width - 20, 12, 3)


def first_sentence(header: str) -> str:
    """Return the first sentence of a header, without its marks of code."""
    return re.split(r"(?<=[.?!]) (?=[A-Z])", header)[0].replace("`", "")


def _size(room: str, modules: Mapping[str, Module], width: int) -> str:
    """Say what stands in a room: its own rooms by name, if they fit, and how many modules it has in all."""
    inside = [module for module in modules.values() if module.room == room]
    if len(inside) == 1:
        return "one module"
    files = [module for module in inside if not module.is_package or room == FRONT]
    folders = [m.name.split(".")[2] for m in inside if m.is_package and m.name.count(".") == 2]
    whole = " · ".join([*folders, f"{len(files)} modules"])
    return whole if text_width(whole, 12) <= width else f"{len(files)} modules"


def _rail(top: int, bottom: int) -> Markup:
    x, middle = MARGIN + 12, (top + bottom) // 2
    word = element(
        "text", "imports", class_="quiet", text_anchor="middle", transform=f"translate({x + 4} {middle}) rotate(-90)"
    )
    return join(
        [element("path", d=f"M{x} {top}V{middle - 30}", class_="arrow"), word, _arrow(x, middle + 30, x, bottom)]
    )


def _arrow(x: int, y: int, to_x: int, to_y: int) -> Markup:
    head = f"M{to_x - 5} {to_y - 4}L{to_x} {to_y}L{to_x - 5} {to_y + 4}"
    if x == to_x:
        head = f"M{to_x - 4} {to_y - 5}L{to_x} {to_y}L{to_x + 4} {to_y - 5}"
    return element("path", d=f"M{x} {y}L{to_x} {to_y}{head}", class_="arrow")


def _text(text: str, x: int, y: int, look: str | None, anchor: str | None = None) -> Markup:
    return element("text", text, x=x, y=y, class_=look, text_anchor=anchor)
