"""What the library remarks while it reads and learns, in the words of a language.

In: a sentence in English with gaps as `logging` has them, and what fills them; the sentence is the key of its phrase.
Out: the sentence in the language, as people at a terminal read it. One that no language file has stays in English: a
note in another language is better than none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from unless.errors import Note, NotePart, Phrase
from unless.explain.faces.look_report import finding_text
from unless.explain.words.language import language
from unless.table.identifiers import ColumnFinding

if TYPE_CHECKING:
    import logging
    from collections.abc import Sequence

    from unless.explain.words.language import Language

GAP = re.compile(r"%([rsd])")


def log_text(record: logging.LogRecord, *, lang: str = "en") -> str:
    """Say a line of the log."""
    filled = record.args if isinstance(record.args, tuple) else ()
    return note_text(str(record.msg), filled, lang=lang)


def warning_text(warning: Warning | str, *, lang: str = "en") -> str:
    """Say a warning; one that is no note as it is."""
    return note_text(warning.args[0], warning.args[1:], lang=lang) if isinstance(warning, Note) else str(warning)


def note_text(sentence: str, filled: Sequence[Any], *, lang: str = "en") -> str:
    """Say a note."""
    words = language(lang)
    phrase = words.phrases["notes"].get(sentence)
    if phrase is None:
        return sentence % tuple(filled) if filled else sentence
    shown = [_shown(gap, value, words) for gap, value in zip(GAP.findall(sentence), filled, strict=True)]
    said = str(phrase.format(*shown))
    return said[:-1] if said.endswith("..") and not said.endswith("...") else said  # of a unit such as Std.


def _shown(gap: str, value: Any, words: Language) -> str:
    if isinstance(value, ColumnFinding):
        return finding_text(value, words)
    if isinstance(value, NotePart):
        return note_text(value.sentence, value.filled, lang=words.name)
    if isinstance(value, Phrase):
        return words.say("notes.phrases", value)
    if isinstance(value, int):
        return words.whole(value)
    return words.quoted(str(value)) if gap == "r" else str(value)
