"""The manner of s(CASP) and of the paper: "'age' holds (for 30, and 18.0)", "there is no evidence that ...".

In: a node of a proof. Out: a phrase about predicates, values as in the program. A test of a number is a fact and
a comparison; a test of a word is a fact, or that there is no evidence of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unless.explain.words.wording import Wording
from unless.logic.names import Names, name_predicates
from unless.logic.program import label_text
from unless.logic.text.printer import number_text, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.proof.tree import ClauseNode, LiteralNode
    from unless.logic.rules import Label, Value


@dataclass(frozen=True)
class Paper(Wording):
    """The manner of s(CASP): "'age' holds (for 30, and 18.0)", "there is no evidence that ..."."""

    section = "paper"

    @cached_property
    def _names(self) -> Names:
        return name_predicates(self.program.target.column, self.program.columns)

    def row_text(self) -> str:
        """Name the row, or say "this row"."""
        name = self.proof.row_name
        return self.language.say("paper", "row") if name is None else str(name)

    def value_text(self, value: Value | None) -> str:
        """Spell a value as the program does."""
        if value is None:
            return ""
        return quote(value) if isinstance(value, str) else number_text(value)

    def word_test(self, node: LiteralNode) -> str:
        """Say that the word is so, or that nothing says it is."""
        name, is_so = node.literal.column, node.holds == (node.literal.op == "=")
        predicate = self._names.words_among_numbers.get(name, self._names.numbers_or_words[name])
        return self._claim(is_so, self._fact(predicate, self.value_text(node.literal.value)))

    def number_test(self, node: LiteralNode) -> str:
        """Say the fact and the comparison, or that there is no fact."""
        predicate = self._names.numbers_or_words[node.literal.column]
        value = self.value_text(node.value)
        if isinstance(node.value, float):
            return self.language.say("join", "both", first=self._fact(predicate, value), second=self.comparison(node))
        none = self._claim(False, self.language.say("paper", "helper", predicate=predicate, row=self.row_text()))
        if node.value is None:
            return none
        other = self._fact(self._names.words_among_numbers[node.literal.column], value)
        return self.language.say("join", "both", first=none, second=other)

    def _fact(self, predicate: str, value: str) -> str:
        return self.language.say("paper", "fact", predicate=predicate, row=self.row_text(), value=value)

    def _claim(self, holds: bool, claim: str) -> str:
        return claim if holds else self.language.say("join", "no_evidence", claim=claim)

    def label_claim(self, label: Label, *, holds: bool, number: int | None) -> str:
        """Say that the target holds, or that nothing says so."""
        return self._claim(holds, self._fact(self._names.target, quote(label_text(label))))

    def helper_claim(self, name: str, *, holds: bool) -> str:
        """Say that the helper holds, or that nothing says so."""
        return self._claim(holds, self.language.say("paper", "helper", predicate=name, row=self.row_text()))

    def clause_claim(self, node: ClauseNode) -> str:
        """Say that a rule holds, or that nothing says so."""
        return self._claim(node.holds, self.language.say("paper", "clause", number=node.number, row=self.row_text()))

    def default_claim(self, label: Label) -> str | None:
        """Say nothing: s(CASP) knows no default."""
        return None

    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        """Say the tests of a number one by one."""
        return None
