"""Rules that are locked: kept as they are when the others are learned again, and not changed by forms.

A lock is on what a rule says, not on its number, so it stays with the rule when others come, go or move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.edits.whole_rules import only_rules
from unless.logic.forms.outline import outline
from unless.logic.text.printer import clause_text, spelling_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.program import Program


def rule_text(program: Program, number: str) -> str:
    """Return the clause of the rule to which a number belongs: what a lock is on."""
    first = number.split(".", maxsplit=1)[0]
    spelling = spelling_of(program)
    return next((clause_text(rule.clause, spelling) for rule in outline(program) if rule.number == first), "")


def locked_numbers(program: Program, locked: Sequence[str]) -> list[str]:
    """Return the numbers of the rules that are locked."""
    return [rule.number for rule in outline(program) if rule_text(program, rule.number) in locked]


def locked_program(program: Program, locked: Sequence[str]) -> Program | None:
    """Return the locked rules as a program, None where none is locked."""
    numbers = locked_numbers(program, locked)
    return only_rules(program, numbers) if numbers else None
