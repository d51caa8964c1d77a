"""HTML and SVG built from values, so that nothing unescaped can get in.

`element` takes text and other elements; text is escaped, always. `Markup` is what is already escaped, and only this
module makes it.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
VOID = frozenset({"meta", "br", "input", "rect", "line", "path", "circle"})


class Markup(str):
    """Text of HTML or SVG, escaped already."""

    __slots__ = ()


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Write an element; `class_` is the attribute class, `stroke_width` is stroke-width.

    >>> element("b", "1 < 2", class_="x")
    '<b class="x">1 &lt; 2</b>'
    """
    written = "".join(f' {_name(name)}="{clean(value)}"' for name, value in attributes.items() if value is not None)
    if tag in VOID and not children:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join(children)}</{tag}>")


def join(children: Iterable[object]) -> Markup:
    """Write children one after the other, escaping those that are text."""
    return Markup("".join(child if isinstance(child, Markup) else clean(child) for child in children))


def style(css: str) -> Markup:
    """Write a style sheet of our own."""
    return Markup(f"<style>{css}</style>")


def script(js: str) -> Markup:
    """Write a script of our own."""
    return Markup(f"<script>{js}</script>")


def page(title: str, css: str, *body: object) -> str:
    """Write a self-contained page."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        style(css),
    )
    return "<!DOCTYPE html>\n" + element("html", head, element("body", *body), lang="en") + "\n"


def clean(value: object) -> str:
    """Escape text, and replace the characters that no HTML or SVG may hold."""
    return escape(NOT_IN_XML.sub("�", str(value)), quote=True)


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
