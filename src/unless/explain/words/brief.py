"""Clauses in brief, for tables and pictures: "18 < age ≤ 60", "yes if kind = bird".

In: a goal, a clause, a line of figures, and the words of a language. Out: a few words; what is not a sign or a name is
in the language's file. Exceptions stand below their clause and are left out of its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.words.language import language
from unless.logic.program import label_text
from unless.logic.rules import OPERATORS

if TYPE_CHECKING:
    from unless.evaluate.figures import Figures
    from unless.explain.words.language import Language
    from unless.logic.program import Clause, Points
    from unless.logic.rules import Literal


def brief_literal(literal: Literal, words: Language) -> str:
    """Write a literal briefly.

    >>> from unless.logic.rules import Literal
    >>> brief_literal(Literal("age", "=<", 27.5), language("de"))
    'age ≤ 27,5'
    """
    return f"{literal.column} {OPERATORS[literal.op].sign} {words.cell(literal.value)}"


def brief_points(points: Points, words: Language) -> str:
    """Write a sum of points briefly, by the names of its cases.

    >>> from unless.logic.program import Points
    >>> brief_points(Points(((2, "smoker"), (1, "over_sixty")), threshold=2), language("en"))
    'points ≥ 2 (smoker 2, over_sixty 1)'
    """
    awards = ", ".join(f"{case} {worth}" for worth, case in points.awards)
    return words.say("brief", "points", threshold=points.threshold, awards=awards)


def brief_goals(clause: Clause, words: Language) -> list[str]:
    """Write the goals of a clause briefly, two bounds of a column as one.

    >>> from unless.logic.text.parser import parse
    >>> clause = parse("rich(X,'no') :- age(X,N), N > 3.0, N =< 5.0, town(X,'here').").clauses[0]
    >>> brief_goals(clause, language("en"))
    ['3 < age ≤ 5', 'town = here']
    """
    literals = list(clause.literals)
    said: dict[str, None] = {}
    for literal in literals:
        other = next((o for o in literals if o.column == literal.column and _are_opposite(o, literal)), None)
        said[brief_literal(literal, words) if other is None else _range(literal, other, words)] = None
    asked = (call.name for call in clause.calls if not call.negated)
    goals = [*said, *asked, *(brief_points(points, words) for points in clause.points)]
    return goals or [words.say("brief", "anything")]


def brief_figures(figures: Figures, *, lang: str = "en") -> str:
    """Write what a line of figures is about: a rule, an exception, a condition or the default."""
    words, label = language(lang), label_text(figures.label)
    if figures.clause is None:
        return label
    goals = words.say("brief", "between").join(brief_goals(figures.clause, words))
    return words.say("brief", figures.kind, label=label, goals=goals)


def _are_opposite(one: Literal, other: Literal) -> bool:
    """Tell whether one literal is an upper bound and the other a lower one."""
    return {OPERATORS[one.op].bound, OPERATORS[other.op].bound} == {"upper", "lower"}


def _range(one: Literal, other: Literal, words: Language) -> str:
    low, high = (one, other) if OPERATORS[one.op].bound == "lower" else (other, one)
    turned = OPERATORS[OPERATORS[low.op].mirror].sign
    return f"{words.cell(low.value)} {turned} {brief_literal(high, words)}"
