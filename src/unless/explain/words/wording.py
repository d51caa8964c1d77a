"""How one claim is worded: plainly from the column's name, or in the manner of s(CASP); a person's template goes first.

In: a node of a proof. Out: a phrase, or None where a template hides the claim. A wording knows nothing of the tree
around the node; `sentences_of` does. The two wordings share how templates are found.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.logic.program import label_text
from unless.logic.rules import NUMBER_OPS, OPERATORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode, Proof
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Label, Value
    from unless.logic.templates import Subject


@dataclass(frozen=True)
class Wording(ABC):
    """What both wordings share: the proof at hand, the words, and the templates."""

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

    def literal(self, node: LiteralNode) -> str | None:
        """Word a test: by the column's template where there is one, else in this wording."""
        if node.literal.op not in NUMBER_OPS:
            found, text = self._templated_word(node)
            return text if found else self.word_test(node)
        if not isinstance(node.value, float):
            return self.number_test(node)
        found, text = self.templated("column", node.literal.column, node.value, holds=True)
        if not found or text is None:
            return self.number_test(node)
        return self.language.say("join", "both", first=text, second=self.comparison(node))

    def points(self, node: PointsNode) -> str:
        """Word a sum of points: the total, the threshold, and what each case gave."""
        awards = [
            self.language.say("points", "award" if earned else "none", points=earned, case=case)
            for earned, case in node.earned
        ]
        gaps = {"total": node.total, "threshold": node.points.threshold, "awards": "; ".join(awards)}
        return self.language.say("points", "reached" if node.holds else "missed", **gaps)

    def comparison(self, node: LiteralNode) -> str:
        """Word how the row's number compares with the bound."""
        op, value, bound = true_test(node)
        words = {"value": self.value_text(value), "bound": self.value_text(bound)}
        return self.compared(op, value, bound) or self.language.say(f"{self.section}.compared", op, **words)

    def predicate(self, node: PredicateNode, *, number: int | None) -> str | None:
        """Word a label or a helper; `number` is the clause when one decides it."""
        if node.name is None:
            assert node.label is not None
            column = self.program.target.column
            found, text = self.templated("target", column, label_text(node.label), holds=node.holds)
            return text if found else self.label_claim(node.label, holds=node.holds, number=number)
        found, text = self.templated("helper", node.name, None, holds=node.holds)
        return text if found else self.helper_claim(node.name, holds=node.holds)

    def _templated_word(self, node: LiteralNode) -> tuple[bool, str | None]:
        literal = node.literal
        subject: Subject = "words" if self.program.kinds[literal.column] == "numerical" else "column"
        return self.templated(subject, literal.column, literal.value, holds=node.holds == (literal.op == "="))

    # What each wording says in its own way.

    section = ""

    @abstractmethod
    def row_text(self) -> str:
        """Name the row."""

    @abstractmethod
    def value_text(self, value: Value | None) -> str:
        """Spell a value."""

    @abstractmethod
    def word_test(self, node: LiteralNode) -> str:
        """Word a test on a word."""

    @abstractmethod
    def number_test(self, node: LiteralNode) -> str:
        """Word a test on a number."""

    @abstractmethod
    def label_claim(self, label: Label, *, holds: bool, number: int | None) -> str:
        """Word that the target has a label, or that nothing says so."""

    @abstractmethod
    def helper_claim(self, name: str, *, holds: bool) -> str:
        """Word that a helper holds, or does not."""

    @abstractmethod
    def clause_claim(self, node: ClauseNode) -> str:
        """Word that a clause holds, or does not."""

    @abstractmethod
    def default_claim(self, label: Label) -> str | None:
        """Word that the label is the default; None says nothing."""

    @abstractmethod
    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        """Word several true tests of one number together; None where they are better said one by one."""


def true_test(node: LiteralNode) -> tuple[str, float, float]:
    """Return the comparison that is true of a number: the test itself, or where it fails its opposite."""
    value, bound = node.value, node.literal.value
    assert isinstance(value, float)
    assert isinstance(bound, float)
    return node.literal.op if node.holds else OPERATORS[node.literal.op].opposite, value, bound
