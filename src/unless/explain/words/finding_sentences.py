"""What was found in a program, in the words of a language.

In: a `Finding` of `logic.check.findings`. Out: its sentence, alone or with where the clause stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.words.brief import brief_literal, brief_points
from unless.explain.words.language import language
from unless.logic.check.findings import ClauseAt
from unless.logic.program import Points
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from unless.explain.words.language import Language
    from unless.logic.check.findings import About, Finding


def finding_text(finding: Finding, *, lang: str = "en") -> str:
    """Say what was found, and where."""
    words = language(lang)
    where, sentence = _where(finding.at, words), finding_sentence(finding, lang=lang)
    return words.say("finding", "text", where=where, sentence=sentence)


def finding_sentence(finding: Finding, *, lang: str = "en") -> str:
    """Say what was found."""
    words, reason = language(lang), finding.reason
    gaps = {name: _gap(name, about, words) for name, about in reason.about.items()}
    return words.say("finding", reason.key, **gaps)


def _gap(name: str, about: About, words: Language) -> str:
    if isinstance(about, Literal):
        return brief_literal(about, words)
    if isinstance(about, Points):
        return brief_points(about, words)
    if isinstance(about, ClauseAt):
        return _where(about, words)
    if name == "name":  # of a helper: no word of the data
        return str(about)
    return words.value(about) if isinstance(about, float) else words.label(about)


def _where(at: ClauseAt, words: Language) -> str:
    if at.line:
        return words.say("finding", "line", number=at.line)
    return words.say("finding", "clause", number=at.index + 1)
