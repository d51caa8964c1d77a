"""The manner of s(CASP) and of the paper: "'age' holds (for 30, and 18.0)", "there is no evidence that ...".

In: a node of a proof. Out: a phrase about predicates, values as in the program. A test of a number is a fact and
a comparison; a test of a word is a fact, or that there is no evidence of it. A person's template goes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unless.explain.words.wording import Wording
from unless.logic.names import Names, name_predicates
from unless.logic.program import label_text
from unless.logic.rules import NUMBER_OPS, OPERATORS
from unless.logic.text.constants import number_text, quote

if TYPE_CHECKING:
    from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode
    from unless.logic.rules import Column, Value
    from unless.logic.templates import Subject


@dataclass(frozen=True)
class Paper(Wording):
    """The manner of s(CASP): "'age' holds (for 30, and 18.0)", "there is no evidence that ..."."""

    @cached_property
    def _names(self) -> Names:
        return name_predicates(self.program.target.column, self.program.columns)

    def row_text(self) -> str:
        """Name the row, or say "this row"."""
        name = self.proof.row_name
        return self.language.say("paper", "row") if name is None else str(name)

    def value_text(self, value: Value | None, column: Column | None = None) -> str:
        """Spell a value as the program does."""
        del column  # the program has numbers
        if value is None:
            return ""
        return quote(value) if isinstance(value, str) else number_text(value)

    def literal(self, node: LiteralNode) -> str | None:
        """Word a test: by the column's template where there is one, else in this manner."""
        if node.literal.op not in NUMBER_OPS:
            found, text = self._templated_word(node)
            return text if found else self._word_test(node)
        if not isinstance(node.value, float):
            return self._number_test(node)
        found, text = self.templated("column", node.literal.column, node.value, holds=True)
        if not found or text is None:
            return self._number_test(node)
        return self.language.say("join", "both", first=text, second=self._comparison(node))

    def points(self, node: PointsNode) -> str:
        """Word a sum of points: the total, the threshold, and what each case gave."""
        awards = [
            self.language.say("paper.points", "award" if earned else "none", points=earned, case=case)
            for earned, case in node.earned
        ]
        gaps = {"total": node.total, "threshold": node.points.threshold, "awards": "; ".join(awards)}
        return self.language.say("paper.points", "reached" if node.holds else "missed", **gaps)

    def predicate(self, node: PredicateNode) -> str | None:
        """Word a label or a helper."""
        if node.name is None:
            assert node.label is not None
            label = label_text(node.label)
            found, text = self.templated("target", self.program.target.column, label, holds=node.holds)
            return text if found else self._claim(node.holds, self._fact(self._names.target, quote(label)))
        found, text = self.templated("helper", node.name, None, holds=node.holds)
        if found:
            return text
        return self._claim(node.holds, self.language.say("paper", "helper", predicate=node.name, row=self.row_text()))

    def clause(self, node: ClauseNode) -> str:
        """Say that a rule holds, or that nothing says so."""
        return self._claim(node.holds, self.language.say("paper", "clause", number=node.number, row=self.row_text()))

    def _templated_word(self, node: LiteralNode) -> tuple[bool, str | None]:
        literal = node.literal
        subject: Subject = "words" if self.program.kinds[literal.column] == "numerical" else "column"
        return self.templated(subject, literal.column, literal.value, holds=node.holds == (literal.op == "="))

    def _word_test(self, node: LiteralNode) -> str:
        """Say that the word is so, or that nothing says it is."""
        name, is_so = node.literal.column, node.holds == (node.literal.op == "=")
        predicate = self._names.words_among_numbers.get(name, self._names.numbers_or_words[name])
        return self._claim(is_so, self._fact(predicate, self.value_text(node.literal.value)))

    def _number_test(self, node: LiteralNode) -> str:
        """Say the fact and the comparison, or that there is no fact."""
        predicate = self._names.numbers_or_words[node.literal.column]
        value = self.value_text(node.value)
        if isinstance(node.value, float):
            return self.language.say("join", "both", first=self._fact(predicate, value), second=self._comparison(node))
        none = self._claim(False, self.language.say("paper", "helper", predicate=predicate, row=self.row_text()))
        if node.value is None:
            return none
        other = self._fact(self._names.words_among_numbers[node.literal.column], value)
        return self.language.say("join", "both", first=none, second=other)

    def _comparison(self, node: LiteralNode) -> str:
        """Word how the row's number compares with the bound: by the test, or where it fails by its opposite."""
        value, bound = node.value, node.literal.value
        assert isinstance(value, float)
        assert isinstance(bound, float)
        op = node.literal.op if node.holds else OPERATORS[node.literal.op].opposite
        words = {"value": self.value_text(value), "bound": self.value_text(bound)}
        return self.compared(node.literal.column, op, value, bound) or self.language.say("paper.compared", op, **words)

    def _fact(self, predicate: str, value: str) -> str:
        return self.language.say("paper", "fact", predicate=predicate, row=self.row_text(), value=value)

    def _claim(self, holds: bool, claim: str) -> str:
        return claim if holds else self.language.say("join", "no_evidence", claim=claim)
