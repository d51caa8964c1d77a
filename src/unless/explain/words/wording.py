"""A person's own words: how the `#pred` templates of a program are found and filled, in either manner of proof.

In: a claim. Out: the text of the first template that matches, None where it hides the claim. How a row and a value are
spelled is left to each manner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Column, Value
    from unless.logic.templates import Subject

    Row = Mapping[str, Value | None]
    Thresholds = Mapping[str, frozenset[float]]


def row_words(
    columns: Iterable[Column], values: Row, words: Language, thresholds: Thresholds | None = None
) -> list[tuple[str, str]]:
    """Spell the values of a row, each with the name of its column; numbers so that they differ from thresholds."""
    known, near = {column.name: column for column in columns}, thresholds or {}
    return [(name, words.value(value, known.get(name), near.get(name, ()))) for name, value in values.items()]


@dataclass(frozen=True)
class Wording(ABC):
    """What both manners share: the proof at hand, the words, and the templates."""

    proof: Proof
    language: Language

    @property
    def program(self) -> Program:
        """The program of the proof."""
        return self.proof.program

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of the program, by name."""
        return {column.name: column for column in self.program.columns}

    def templated(self, subject: Subject, name: str, value: Value | None, *, holds: bool) -> tuple[bool, str | None]:
        """Look for a template of a claim or its denial; return whether there is one, and its text (None: hidden)."""
        row = self.proof.row_name
        known = (float(row) if isinstance(row, int) else row,)
        arguments = known if subject == "helper" else (*known, value)
        column = self.columns.get(name) if subject in ("column", "words") else None
        spelled = (self.row_text(), *(() if subject == "helper" else (self.value_text(value, column),)))
        for negated in (not holds, False):
            for template in self.program.templates:
                if template.matches(subject, name, negated, arguments):
                    if template.text is None:
                        return True, None
                    text = template.fill(spelled)
                    return True, text if negated != holds else self.language.say("join", "no_evidence", claim=text)
        return False, None

    def compared(self, column: str, op: str, value: float, bound: float) -> str | None:
        """Word a comparison by its template, if there is one."""
        of = self.columns[column]
        for template in self.program.templates:
            if template.matches("compared", op, False, (value, bound)) and template.text is not None:
                return template.fill((self.value_text(value, of), self.value_text(bound, of)))
        return None

    @abstractmethod
    def row_text(self) -> str:
        """Name the row."""

    @abstractmethod
    def value_text(self, value: Value | None, column: Column | None) -> str:
        """Spell a value, perhaps of a column."""
