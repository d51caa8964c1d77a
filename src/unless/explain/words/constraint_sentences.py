"""What rules and points of a program were asked to keep to, a sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Label


def constraint_sentences(program: Program, words: Language) -> Iterator[str]:
    """Say what is forbidden, what is kept apart, and which columns have a direction."""
    asked = program.constraints
    if asked.forbidden:
        yield words.say(
            "constraints",
            "forbidden",
            columns=words.listed([words.column(name) for name in asked.forbidden], "list_or"),
        )
    for one, other in asked.apart:
        yield words.say("constraints", "apart", one=words.column(one), other=words.column(other))
    yield from direction_sentences(program.target.labels[0], dict(asked.directions), words)


def direction_sentences(label: Label, directions: Mapping[str, int], words: Language) -> Iterator[str]:
    """Say which columns may only speak for a label, and which only against it, so that a wrong sign shows."""
    for key, direction in (("speaks_for", 1), ("speaks_against", -1)):
        columns = [words.column(name) for name, way in directions.items() if way == direction]
        if columns:
            gaps = {"columns": words.listed(columns), "label": words.quoted(label_text(label))}
            yield words.say("constraints", key, **gaps)
