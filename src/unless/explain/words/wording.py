"""A person's own words: how the `#pred` templates of a program are found and filled, in either manner of proof.

In: a claim. Out: the text of the first template that matches, None where it hides the claim. How a row and a value are
spelled is left to each manner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Value
    from unless.logic.templates import Subject


@dataclass(frozen=True)
class Wording(ABC):
    """What both manners share: the proof at hand, the words, and the templates."""

    proof: Proof
    language: Language

    @property
    def program(self) -> Program:
        """The program of the proof."""
        return self.proof.program

    def templated(self, subject: Subject, name: str, value: Value | None, *, holds: bool) -> tuple[bool, str | None]:
        """Look for a template of a claim or its denial; return whether there is one, and its text (None: hidden)."""
        row = self.proof.row_name
        known = (float(row) if isinstance(row, int) else row,)
        arguments = known if subject == "helper" else (*known, value)
        spelled = (self.row_text(), *(() if subject == "helper" else (self.value_text(value),)))
        for negated in (not holds, False):
            for template in self.program.templates:
                if template.matches(subject, name, negated, arguments):
                    if template.text is None:
                        return True, None
                    text = template.fill(spelled)
                    return True, text if negated != holds else self.language.say("join", "no_evidence", claim=text)
        return False, None

    def compared(self, op: str, value: float, bound: float) -> str | None:
        """Word a comparison by its template, if there is one."""
        for template in self.program.templates:
            if template.matches("compared", op, False, (value, bound)) and template.text is not None:
                return template.fill((self.value_text(value), self.value_text(bound)))
        return None

    @abstractmethod
    def row_text(self) -> str:
        """Name the row."""

    @abstractmethod
    def value_text(self, value: Value | None) -> str:
        """Spell a value."""
