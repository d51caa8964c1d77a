"""What readers see: the words of the language files, and the visible text of a page."""

from __future__ import annotations

import re
import string
import tomllib
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files


def phrases(table: dict, at: str = "") -> dict[str, str]:
    """Map each key to its phrase."""
    found = {}
    for key, value in table.items():
        found |= phrases(value, f"{at}{key}.") if isinstance(value, dict) else {at + key: value}
    return found


def file_of(name: str) -> dict[str, str]:
    return phrases(tomllib.loads(files("unless.explain.words").joinpath(f"{name}.toml").read_text("utf-8")))


def gaps(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


SIGNED = ("page.made_by", "report.about")
"""Phrases in which `unless` is a name, and no word of English."""


@cache
def fixed_words(name: str) -> set[str]:
    """Return the words of a language file that are long enough to be told from names, the gaps aside."""
    found = [phrase for key, phrase in file_of(name).items() if key not in SIGNED]
    fixed = [text for phrase in found for text, *_ in string.Formatter().parse(phrase)]
    return set(long_words(" ".join(fixed)))


def long_words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[^\W\d_]{4,}", text)]


class Visible(HTMLParser):
    """Collects what a reader of a page sees; a program's own text is no language of people."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.said = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.said += [value for name, value in attrs if name in ("title", "placeholder", "aria-label", "data-phrase")]

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        if not {"style", "script", "pre"} & set(self.open):
            self.said.append(data)
