"""In brief, for tables, pictures and findings: "yes if kind is bird", "age ≤ 27.5".

In: a line of figures, a literal, points, and the words of a language. Out: a few words; what is not a sign or a name is
in the language's file. Exceptions stand below their rule and are left out of its words; of long sets only the first
words are named.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.logic.forms.outline import outline
from unless.logic.rules import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.evaluate.figures import Figures
    from unless.explain.words.language import Language
    from unless.logic.clause import Points
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program
    from unless.logic.rules import Column, Literal


def brief_literal(literal: Literal, words: Language, column: Column | None = None, beside: Iterable[float] = ()) -> str:
    """Write a literal briefly; with its column, numbers as that writes them; `beside` are others that are said.

    >>> from unless.logic.rules import Literal
    >>> brief_literal(Literal("age", "=<", 27.5), language("de"))
    'age ≤ 27,5'
    """
    return f"{literal.column} {OPERATORS[literal.op].sign} {words.value(literal.value, column, beside)}"


def brief_points(points: Points, words: Language) -> str:
    """Write a sum of points as it stands in the program, briefly.

    >>> from unless.logic.clause import Points
    >>> brief_points(Points(((2, "smoker"), (1, "over_sixty")), threshold=2), language("en"))
    'points ≥ 2 (smoker 2, over_sixty 1)'
    """
    awards = ", ".join(f"{case} {worth}" for worth, case in points.awards)
    return words.say("brief", "points", threshold=points.threshold, awards=awards)


def brief_entry(entry: Entry, words: Language) -> str:
    """Write a rule or an exception briefly."""
    if entry.kind == "rule" and not entry.conditions:
        return words.say("program", "rule_always", label=words.label(entry.label))
    body = Conditions(words, is_short=True).body(entry)
    return words.say(
        "brief", "rule" if entry.kind == "rule" else "exception", label=words.label(entry.label), body=body
    )


def changed_rules(old: Program, new: Program, words: Language) -> Iterator[str]:
    """Say which rules and exceptions went and which came, by their numbers."""
    before, after = (_numbered(program, words) for program in (old, new))
    matcher = SequenceMatcher(None, [text for _, text in before], [text for _, text in after], autojunk=False)
    for kind, *(a, b, c, d) in matcher.get_opcodes():
        if kind != "equal":
            yield from (f"- {words.say('program', 'numbered', number=n, text=text)}" for n, text in before[a:b])
            yield from (f"+ {words.say('program', 'numbered', number=n, text=text)}" for n, text in after[c:d])


def _numbered(program: Program, words: Language) -> list[tuple[str, str]]:
    """Return each rule and exception, by its number, and what is decided if none applies."""
    entries = [entry for rule in outline(program) for entry in rule.walk()]
    default = words.say("picture", "else", label=words.label(program.target.default))
    return [*((entry.number, brief_entry(entry, words)) for entry in entries), ("", default)]


def brief_figures(figures: Figures, *, lang: str = "en") -> str:
    """Write what a line of figures is about: a rule, an exception or the default."""
    words = language(lang)
    return words.label(figures.label) if figures.entry is None else brief_entry(figures.entry, words)
