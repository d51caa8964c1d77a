"""How one claim is worded: plainly from the column's name, or in the manner of s(CASP); a person's template goes first.

In: a node of a proof. Out: a phrase, or None where a template hides the claim. A voice knows nothing of the tree around
the node; `outline` does. The two voices share how templates are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unless.logic.holds import NUMBER_OPPOSITES
from unless.logic.names import Names, name_predicates
from unless.logic.printer import number_text, quote
from unless.logic.program import label_text
from unless.rules import NUMBER_OPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.language import Language
    from unless.logic.program import Program
    from unless.logic.prove import ClauseNode, LiteralNode, PredicateNode, Proof
    from unless.logic.templates import Subject
    from unless.rules import Label, Value


@dataclass(frozen=True)
class Voice:
    """What both voices share: the proof at hand, the words, and the templates."""

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
        """Word a test: by the column's template where there is one, else in this voice."""
        if node.literal.op not in NUMBER_OPS:
            found, text = self._templated_word(node)
            return text if found else self.word_test(node)
        if not isinstance(node.value, float):
            return self.number_test(node)
        found, text = self.templated("column", node.literal.column, node.value, holds=True)
        if not found or text is None:
            return self.number_test(node)
        return self.language.say("join", "both", first=text, second=self.comparison(node))

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

    # What each voice says in its own way.

    section = ""

    def row_text(self) -> str:
        """Name the row."""
        raise NotImplementedError

    def value_text(self, value: Value | None) -> str:
        """Spell a value."""
        raise NotImplementedError

    def word_test(self, node: LiteralNode) -> str:
        """Word a test on a word."""
        raise NotImplementedError

    def number_test(self, node: LiteralNode) -> str:
        """Word a test on a number."""
        raise NotImplementedError

    def label_claim(self, label: Label, *, holds: bool, number: int | None) -> str:
        """Word that the target has a label, or that nothing says so."""
        raise NotImplementedError

    def helper_claim(self, name: str, *, holds: bool) -> str:
        """Word that a helper holds, or does not."""
        raise NotImplementedError

    def clause_claim(self, node: ClauseNode) -> str:
        """Word that a clause holds, or does not."""
        raise NotImplementedError

    def default_claim(self, label: Label) -> str | None:
        """Word that the label is the default; None says nothing."""
        raise NotImplementedError

    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        """Word several true tests of one number together; None where they are better said one by one."""
        raise NotImplementedError


@dataclass(frozen=True)
class Plain(Voice):
    """Plain language: "the age is 18, which is at most 27"."""

    section = "plain"

    def row_text(self) -> str:
        name = self.proof.row_name
        return self.language.say("plain", "this_row") if name is None else str(name)

    def value_text(self, value: Value | None) -> str:
        return "" if value is None else self.language.value(value)

    def word_test(self, node: LiteralNode) -> str:
        literal, value = node.literal, node.value
        if node.holds == (literal.op == "="):
            return self._fact("is", node)
        if value is None:
            return self._fact("missing" if literal.op == "=" else "missing_not", node)
        return self._fact("is_not", node)

    def number_test(self, node: LiteralNode) -> str:
        if isinstance(node.value, float):
            return self._fact(true_test(node)[0], node)
        return self._fact("missing" if node.value is None else "no_number", node)

    def _fact(self, key: str, node: LiteralNode) -> str:
        column, value = self.language.column(node.literal.column), self.value_text(node.value)
        bound = self.value_text(node.literal.value)
        return self.language.say("plain.fact", key, column=column, value=value, bound=bound)

    def label_claim(self, label: Label, *, holds: bool, number: int | None) -> str:
        key = "no_label" if not holds else "label" if number is None else "label_rule"
        column = self.language.column(self.program.target.column)
        return self.language.say("plain", key, column=column, value=self.language.label(label), number=number)

    def helper_claim(self, name: str, *, holds: bool) -> str:
        kind = "condition" if name in self._conditions else "exception"
        return self.language.say("plain", f"{kind}_{'applies' if holds else 'fails'}", name=name)

    @cached_property
    def _conditions(self) -> frozenset[str]:
        """Name the helpers that some clause asks for, rather than against."""
        return frozenset(call.name for clause in self.program.clauses for call in clause.calls if not call.negated)

    def clause_claim(self, node: ClauseNode) -> str:
        return self.language.say("plain", "rule_applies" if node.holds else "rule_fails", number=node.number)

    def default_claim(self, label: Label) -> str | None:
        column = self.language.column(self.program.target.column)
        return self.language.say("plain", "default", column=column, value=self.language.label(label))

    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        claim = self.literal(nodes[0])
        if claim is None or self.templated("column", nodes[0].literal.column, nodes[0].value, holds=True)[0]:
            return None
        for node in nodes[1:]:
            bound = self.language.say("plain.bound", node.literal.op, bound=self.value_text(node.literal.value))
            claim = self.language.say("plain.fact", "between", claim=claim, bound=bound)
        return claim


@dataclass(frozen=True)
class Paper(Voice):
    """The manner of s(CASP): "'age' holds (for 30, and 18.0)", "there is no evidence that ..."."""

    section = "paper"

    @cached_property
    def _names(self) -> Names:
        return name_predicates(self.program.target.column, self.program.columns)

    def row_text(self) -> str:
        name = self.proof.row_name
        return self.language.say("paper", "row") if name is None else str(name)

    def value_text(self, value: Value | None) -> str:
        if value is None:
            return ""
        return quote(value) if isinstance(value, str) else number_text(value)

    def word_test(self, node: LiteralNode) -> str:
        name, is_so = node.literal.column, node.holds == (node.literal.op == "=")
        predicate = self._names.words_among_numbers.get(name, self._names.numbers_or_words[name])
        return self._claim(is_so, self._fact(predicate, self.value_text(node.literal.value)))

    def number_test(self, node: LiteralNode) -> str:
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
        return self._claim(holds, self._fact(self._names.target, quote(label_text(label))))

    def helper_claim(self, name: str, *, holds: bool) -> str:
        return self._claim(holds, self.language.say("paper", "helper", predicate=name, row=self.row_text()))

    def clause_claim(self, node: ClauseNode) -> str:
        return self._claim(node.holds, self.language.say("paper", "clause", number=node.number, row=self.row_text()))

    def default_claim(self, label: Label) -> str | None:
        return None

    def bounds(self, nodes: Sequence[LiteralNode]) -> str | None:
        return None


def true_test(node: LiteralNode) -> tuple[str, float, float]:
    """Return the comparison that is true of a number: the test itself, or where it fails its opposite."""
    value, bound = node.value, node.literal.value
    assert isinstance(value, float)
    assert isinstance(bound, float)
    return node.literal.op if node.holds else NUMBER_OPPOSITES[node.literal.op], value, bound
