"""HTML and SVG built from values, so that nothing unescaped can get in.

`element` takes text and other elements; text is escaped, always. `Markup` is what is already escaped, and only this
module makes it. Style sheets and scripts are files of our own in `pages/`.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files
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


def style(name: str) -> Markup:
    """Write a style sheet of our own, by the name of its file."""
    return Markup(f"<style>\n{_asset(name)}</style>")


def script(name: str) -> Markup:
    """Write a script of our own, by the name of its file."""
    return Markup(f"<script>\n{_asset(name)}</script>")


def page(title: str, styles: Iterable[str], *body: object, lang: str) -> str:
    """Write a self-contained page in a language, with style sheets by name; its body is its main part."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content="unless"),
        element("title", title),
        *map(style, styles),
    )
    return "<!DOCTYPE html>\n" + element("html", head, element("body", element("main", *body)), lang=lang) + "\n"


def scrolled(name: str, *children: object) -> Markup:
    """Let what is wider than the page scroll in its place, by the keyboard too; `name` is what screen readers say."""
    return element("div", *children, class_="wide", role="region", aria_label=name, tabindex="0")


def clean(value: object) -> str:
    """Escape text, and replace the characters that no HTML or SVG may hold."""
    return escape(NOT_IN_XML.sub("�", str(value)), quote=True)


@cache
def _asset(name: str) -> str:
    return files("unless.explain.faces").joinpath("pages", name).read_text(encoding="utf-8")


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
