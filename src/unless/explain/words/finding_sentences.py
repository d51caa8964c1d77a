"""What was found in a program, in the words of a language.

In: a `Finding` of `logic.check.findings`. Out: its sentence, alone or with where the clause stands. For someone who
edits the text, helpers have the names that they have there; with the program given, they are said as a reader of the
rules knows them: by the number of an exception, or by what they test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.words.brief import brief_literal, brief_points
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.logic.check.findings import ClauseAt
from unless.logic.clause import Points
from unless.logic.forms.outline import helper_entry
from unless.logic.program import label_text
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.explain.words.language import Language
    from unless.logic.check.findings import About, Finding
    from unless.logic.program import Program
    from unless.logic.rules import Column


def finding_text(finding: Finding, *, lang: str = "en", program: Program | None = None) -> str:
    """Say what was found, and where."""
    words = language(lang)
    where, sentence = _where(finding.at, words), finding_sentence(finding, lang=lang, program=program)
    return words.say("finding", "text", where=where, sentence=sentence)


def finding_sentence(finding: Finding, *, lang: str = "en", program: Program | None = None) -> str:
    """Say what was found."""
    words, reason = language(lang), finding.reason
    columns = {} if program is None else {column.name: column for column in program.columns}
    own = columns.get(str(reason.about.get("column")))
    beside = [number for about in reason.about.values() for number in _numbers(about)]
    gaps = {name: _gap(name, about, words, program, columns, own, beside) for name, about in reason.about.items()}
    return words.say("finding", reason.key, **gaps)


def _numbers(about: About) -> list[float]:
    number = about.value if isinstance(about, Literal) else about
    return [number] if isinstance(number, float) else []


def _gap(
    name: str, about: About, words: Language, program: Program | None, columns: Mapping[str, Column],
    own: Column | None, beside: list[float],
) -> str:  # fmt: skip
    if isinstance(about, Literal):
        return brief_literal(about, words, columns.get(about.column), beside)
    if isinstance(about, Points):
        return brief_points(about, words) if program is None else _points(about, words)
    if isinstance(about, ClauseAt):
        return _where(about, words)
    if name in ("rule", "name"):  # of a part of the program: no word of the data
        return _rule(str(about), words) if name == "rule" else _helper(program, str(about), words)
    if isinstance(about, float):
        return words.value(about, own, beside)
    return words.say("values", "word", word=label_text(about))


def _points(points: Points, words: Language) -> str:
    return words.say("points", "needed_sum", points=words.count("points", points.threshold))


def _rule(number: str, words: Language) -> str:
    return words.say("finding", "exception" if "." in number else "rule", number=number)


def _helper(program: Program | None, name: str, words: Language) -> str:
    if program is None:
        return name
    entry = helper_entry(program, name)
    if entry.number:
        return words.say("finding", "exception", number=entry.number)
    return words.say("finding", "condition", body=Conditions(words, is_short=True).body(entry))


def _where(at: ClauseAt, words: Language) -> str:
    if at.line:
        return words.say("finding", "line", number=at.line)
    if at.index is None:
        return words.say("finding", "grade")
    return words.say("finding", "clause", number=at.index + 1)
