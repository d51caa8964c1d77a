"""The words of a language, from its file in `words/`: a table of phrases with gaps.

In: the name of a language, such as `en`. Out: `Language`, which fills the gaps. The phrases are data; no other module
of this package holds a word that a reader sees. A new language is a new file with the same keys, nothing else.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.logic.program import label_text
from unless.logic.values import number_word

if TYPE_CHECKING:
    from unless.logic.rules import Label, Value


@dataclass(frozen=True, eq=False)
class Language:
    """Phrases by section and key."""

    name: str
    phrases: dict[str, Any]

    def say(self, section: str, key: str, **gaps: object) -> str:
        """Return a phrase with its gaps filled."""
        found: Any = self.phrases
        for part in (*section.split("."), key):
            found = found[part]
        phrase: str = found.format(**gaps)
        return phrase

    def column(self, name: str) -> str:
        """Name a column: `marital_status` is "the marital status"."""
        return self.say("plain", "column", name=" ".join(name.replace("_", " ").replace("-", " ").split()) or name)

    def value(self, value: Value) -> str:
        """Spell a number plainly and a word in quotes."""
        if isinstance(value, str):
            return self.say("values", "word", word=value)
        return number_word(value).replace(".", self.say("values", "decimal_mark"))

    def label(self, label: Label) -> str:
        """Spell a label like a word, whatever its type."""
        return self.say("values", "word", word=label_text(label))

    def listed(self, items: list[str], how: str = "list_and") -> str:
        """Join phrases: "a, b and c"."""
        *first, last = items
        return self.say("join", how, first=", ".join(first), second=last) if first else last


def languages() -> list[str]:
    """Name the languages that there are words for."""
    found = files("unless.explain.words").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in found if file.name.endswith(".toml"))


@cache
def language(name: str) -> Language:
    """Read the words of a language."""
    if name not in languages():
        msg = f"there are no words for language {name!r}; languages: {', '.join(languages())}."
        raise DataError(msg)
    text = files("unless.explain.words").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Language(name, tomllib.loads(text))


def capital(text: str) -> str:
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]
