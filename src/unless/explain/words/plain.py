"""Plain language: "the age is 18, which is at most 27".

In: a node of a proof. Out: a phrase that needs no knowledge of programs. The words are in the language's file; here is
only which of them fits: a test that fails is worded by what is true instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unless.explain.words.wording import Wording, true_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.proof.tree import ClauseNode, LiteralNode
    from unless.logic.rules import Label, Value


@dataclass(frozen=True)
class Plain(Wording):
    """Plain language: "the age is 18, which is at most 27"."""

    section = "plain"

    def row_text(self) -> str:
        """Name the row, or say "this row"."""
        name = self.proof.row_name
        return self.language.say("plain", "this_row") if name is None else str(name)

    def value_text(self, value: Value | None) -> str:
        """Spell a value as the language does."""
        return "" if value is None else self.language.value(value)

    def word_test(self, node: LiteralNode) -> str:
        """Say what the row has, and what it was compared with."""
        literal, value = node.literal, node.value
        if node.holds == (literal.op == "="):
            return self._fact("is", node)
        if value is None:
            return self._fact("missing" if literal.op == "=" else "missing_not", node)
        return self._fact("is_not", node)

    def number_test(self, node: LiteralNode) -> str:
        """Say what the row has, and how it compares."""
        if isinstance(node.value, float):
            return self._fact(true_test(node)[0], node)
        return self._fact("missing" if node.value is None else "no_number", node)

    def _fact(self, key: str, node: LiteralNode) -> str:
        column, value = self.language.column(node.literal.column), self.value_text(node.value)
        bound = self.value_text(node.literal.value)
        return self.language.say("plain.fact", key, column=column, value=value, bound=bound)

    def label_claim(self, label: Label, *, holds: bool, number: int | None) -> str:
        """Say the label with the rule that gives it, or that no rule does."""
        key = "no_label" if not holds else "label" if number is None else "label_rule"
        column = self.language.column(self.program.target.column)
        return self.language.say("plain", key, column=column, value=self.language.label(label), number=number)

    def helper_claim(self, name: str, *, holds: bool) -> str:
        """Say that an exception applies or not, or that a condition holds or not."""
        kind = "condition" if name in self._conditions else "exception"
        return self.language.say("plain", f"{kind}_{'applies' if holds else 'fails'}", name=name)

    @cached_property
    def _conditions(self) -> frozenset[str]:
        """Name the helpers that some clause asks for, rather than against."""
        asked = (call.name for clause in self.program.clauses for call in clause.calls if not call.negated)
        return frozenset((*asked, *(case for c in self.program.clauses for p in c.points for _, case in p.awards)))

    def clause_claim(self, node: ClauseNode) -> str:
        """Say that a rule applies, or does not."""
        return self.language.say("plain", "rule_applies" if node.holds else "rule_fails", number=node.number)

    def default_claim(self, label: Label) -> str | None:
        """Say the default label."""
        column = self.language.column(self.program.target.column)
        return self.language.say("plain", "default", column=column, value=self.language.label(label))

    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        """Say the tests of one number together, unless a template words them."""
        claim = self.literal(nodes[0])
        if claim is None or self.templated("column", nodes[0].literal.column, nodes[0].value, holds=True)[0]:
            return None
        for node in nodes[1:]:
            bound = self.language.say("plain.bound", node.literal.op, bound=self.value_text(node.literal.value))
            claim = self.language.say("plain.fact", "between", claim=claim, bound=bound)
        return claim
