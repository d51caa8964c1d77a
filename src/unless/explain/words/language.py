"""The words of a language, from its file in `words/`: a table of phrases with gaps, and how numbers are written.

In: the name of a language, such as `en`. Out: `Language`, which fills the gaps. The phrases are data; no other module
of this package holds a word that a reader sees. A new language is a new file with the same keys, nothing else. What
goes wrong is said in English (`unless.errors`): see docs/decisions/0009.
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.logic.column_names import shown_name
from unless.logic.program import label_text
from unless.logic.readings import say_number, shortened
from unless.logic.values import number_word, read_number, short_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.rules import Column, Label, Value

FOLDER = Path(__file__).parent
LEAST, MOST = 0.1, 99.9
"""Percentages below and above these, other than 0 and 100, are said to be so."""
UNCLEAR = re.compile(r"""[\s,;:()'"\x00-\x1f„“‚‘]""")
"""What a word has in it where it would run into the words around it."""


class Sections(dict[str, Any]):
    """Phrases by section, each read when it is first asked for: a command says little of what could be said."""

    def __init__(self, text: str) -> None:
        super().__init__()
        starts = [*re.finditer(r"^\[([a-z_]+)", text, re.MULTILINE)]
        ends = [*(match.start() for match in starts[1:]), len(text)]
        self._texts: dict[str, str] = {}
        for match, end in zip(starts, ends, strict=True):
            self._texts[match[1]] = self._texts.get(match[1], "") + text[match.start() : end]

    def __missing__(self, section: str) -> Any:
        """Read a section."""
        self.update(tomllib.loads(self._texts[section]))
        return self[section]


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

    def count(self, what: str, n: int, **gaps: object) -> str:
        """Say how many there are: "1 row", "2 rows"."""
        return self.say(f"count.{what}", "one" if n == 1 else "other", n=self.whole(n), **gaps)

    def whole(self, n: int) -> str:
        """Write a whole number, its digits in groups of three."""
        return f"{n:,}".replace(",", self.say("values", "thousands_mark"))

    def decimal(self, number: float, digits: int, *, sign: bool = False) -> str:
        """Write a number with so many digits after the mark."""
        return self._marked(f"{number:{'+' if sign else ''}.{digits}f}")

    def percent(self, share: float | None) -> str:
        """Write a share as a percentage, without claiming 100 % or 0 % that is not quite so; no share is no text.

        >>> [language("en").percent(share) for share in (1.0, 0.9999, 0.1234, None)]
        ['100 %', 'above 99.9 %', '12.3 %', '']
        """
        if share is None:
            return ""
        if share in (0.0, 1.0):
            return self.say("values", "percent", number=f"{100 * share:.0f}")
        number = round(share * 100, 1)
        key = "percent_below" if number < LEAST else "percent_above" if number > MOST else "percent"
        return self.say("values", key, number=self.decimal(min(MOST, max(LEAST, number)), 1))

    def column(self, name: str) -> str:
        """Name a column as people read it; a name of blanks stands in quotes."""
        return self.say("plain", "column", name=shown_name(name) or self.quoted(name))

    def number(self, number: float, beside: Iterable[float] = ()) -> str:
        """Write a number with few digits (see `short_number`), those before the mark in groups of three.

        >>> language("en").number(-1234567.25), language("de").number(1800.0), language("de").number(2 / 3)
        ('-1,234,567.25', '1.800', '0,666667')
        """
        text = number_word(short_number(number, beside))
        if "e" in text or "n" in text:  # with an exponent there is nothing to group
            return self._marked(text)
        whole, point, digits = text.partition(".")
        sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
        return sign + self.whole(int(whole)) + self._marked(point + digits)

    def word(self, word: str, *, among_numbers: bool = False) -> str:
        """Spell a word, in quotes only where it could be taken for something else.

        >>> language("en").word("Bath"), language("en").word("not here"), language("de").word("3", among_numbers=True)
        ('Bath', "'not here'", '‚3‘')
        """
        unclear = not word or UNCLEAR.search(word) or word.lower() in self.say("values", "own_words").split()
        if unclear or (among_numbers and read_number(word) is not None):
            return self.say("values", "word", word=word)
        return word

    def quoted(self, word: str) -> str:
        """Spell a word in quotes."""
        return self.say("values", "word", word=word)

    def number_of(self, column: Column, number: float, beside: Iterable[float] = ()) -> str:
        """Write a number of a column: as its cells are, where they are dates, amounts with a unit or the like."""
        if column.reading and math.isfinite(number):
            return say_number(column, shortened(column, number, beside))
        return self.number(number, beside)

    def value(self, value: Value | None, column: Column | None = None, beside: Iterable[float] = ()) -> str:
        """Spell a number, a word, or say that there is none; a number of a column as its cells are written.

        `beside` are numbers that it is compared with.
        """
        if value is None:
            return self.say("values", "missing")
        if isinstance(value, str):
            return self.word(value, among_numbers=column is not None and column.kind == "numerical")
        return self.number(value, beside) if column is None else self.number_of(column, value, beside)

    def label(self, label: Label) -> str:
        """Spell a label like a word, whatever its type; one that looks like a number in quotes."""
        return self.word(label_text(label), among_numbers=True)

    def listed(self, items: list[str], how: str = "list_and") -> str:
        """Join phrases: "a, b and c"."""
        *first, last = items
        return self.say("join", how, first=", ".join(first), second=last) if first else last

    def _marked(self, number: str) -> str:
        return number.replace(".", self.say("values", "decimal_mark"))


def languages() -> list[str]:
    """Name the languages that there are words for."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


@cache
def language(name: str) -> Language:
    """Read the words of a language."""
    if name not in languages():
        msg = f"there are no words for language {name!r}; languages: {', '.join(languages())}."
        raise DataError(msg)
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return Language(name, Sections(text))


def capital(text: str) -> str:
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]
