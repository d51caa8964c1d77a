"""A proof in one breath: the label, what decided, and for the default the rule that came nearest.

In: a proof and the words of a language. Out: a `ShortProof`: one or two sentences, and a table where points decided.
"Refused, although the income is enough: exception 1.1 applies, because the debt ratio is 0.71 (above 0.45)."
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.proof.tree import LiteralNode, PredicateNode
from unless.explain.words.language import capital
from unless.explain.words.plain import Plain
from unless.logic.forms.entries import ColumnTest, PointsTable
from unless.logic.forms.outline import helper_entry
from unless.logic.forms.value_sets import ValueSet
from unless.logic.program import same_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.explain.proof.tree import Node, Proof
    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry
    from unless.logic.rules import Label

FEW_EXCEPTIONS = 2
"""Of so many exceptions it is said why each does not apply; of more only that none does."""


@dataclass(frozen=True, slots=True)
class ShortProof:
    """Sentences, and what each case of a sum of points gave, the most first."""

    sentences: tuple[str, ...]
    awards: tuple[tuple[int, str], ...] = ()


def short_proof(proof: Proof, words: Language) -> ShortProof:
    """Say a proof in short."""
    teller = _Short(Plain(proof, words), words)
    parts = list(teller.answer(proof)) if proof.label is None else list(teller.label(proof.label, holds=proof.holds))
    if parts:
        key = "this_row_is" if proof.row_name is None else "row_is"
        parts[0] = words.say("short", key, row=proof.row_name, claim=parts[0])
    sentences = tuple(capital(words.say("join", "end", claim=part)) for part in parts)
    return ShortProof(sentences, tuple(teller.awards))


class _Short:
    """Says parts of a proof; the table of points that was met is kept for below."""

    def __init__(self, plain: Plain, words: Language) -> None:
        self.plain, self.truth, self.words = plain, plain.truth, words
        self.awards: list[tuple[int, str]] = []

    def label(self, label: Label, *, holds: bool) -> Iterator[str]:
        """Say why a row has its label."""
        said = self.plain.label(label) or self.words.label(label)
        if holds:
            yield from self._decided(said, label)
        elif not self.truth.rules:
            yield self.words.say("short", "no_rules", label=said)
        else:
            yield from self._default(said, self.truth.rules)

    def answer(self, proof: Proof) -> Iterator[str]:
        """Say why a question is answered as it is."""
        for node in proof.reasons:
            yield from self._node(node)

    def _node(self, node: Node) -> Iterator[str]:
        if isinstance(node, LiteralNode):
            column = next(c for c in self.plain.program.columns if c.name == node.literal.column)
            test = ColumnTest(column, ValueSet.of(node.literal), is_mixed=isinstance(node.literal.value, str))
            fact = self.plain.fact(test, needed=False)
            if fact is not None:
                yield fact
        elif isinstance(node, PredicateNode) and node.name is not None:
            yield self._helper(helper_entry(self.plain.program, node.name))
        elif isinstance(node, PredicateNode) and node.label is not None:
            if node.holds:
                yield from self._decided(self.plain.label(node.label) or self.words.label(node.label), node.label)
            else:
                yield from self._none([rule for rule in self.truth.rules if same_label(rule.label, node.label)])

    def _decided(self, said: str, label: Label) -> Iterator[str]:
        rule = next(rule for rule in self.truth.rules if same_label(rule.label, label) and self.truth.holds(rule))
        self._keep_table(rule)
        yield self.words.say("short", "decided", label=said, number=rule.number, facts=self._facts(rule))
        yield from self._no_exception(rule)

    def _no_exception(self, rule: Entry) -> Iterator[str]:
        """Say that no exception applies, of few why, and which one is lifted."""
        lifted = self.truth.lifted(rule)
        for below in lifted[:FEW_EXCEPTIONS]:
            over = next(iter(self.truth.applying(below)), None)
            if over is not None:
                yield self.words.say("short", "lifted", number=below.number, over=over.number, facts=self._facts(over))
        others = [below for below in rule.entries if below not in lifted]
        if not lifted and 0 < len(others) <= FEW_EXCEPTIONS:
            facts = [self.plain.facts(self.truth.failing(below)[:1], needed=False) for below in others]
            key = "exception_fails" if len(others) == 1 else "exceptions_fail"
            yield self.words.say("short", key, facts=self.words.listed(list(dict.fromkeys(facts))))
        elif others and not lifted:
            yield self.words.say("short", "many_fail", n=len(others))

    def _default(self, said: str, rules: Sequence[Entry]) -> Iterator[str]:
        nearest = self.truth.nearest(rules)
        assert nearest is not None
        applying = self.truth.applying(nearest)
        if applying and not self.truth.failing(nearest):
            although = self.words.say("short", "although", label=said, facts=self._facts(nearest))
            yield self.words.say("short", "stopped", claim=although, reason=self._stopped_by(applying))
        else:
            yield said
            yield from self._none(rules)

    def _none(self, rules: Sequence[Entry]) -> Iterator[str]:
        """Say that no rule applies, and which comes nearest."""
        labels = list(dict.fromkeys(self.words.label(rule.label) for rule in rules))
        yield self.words.say("short", "none_of_label" if len(labels) == 1 else "none", label=labels[0])
        nearest = self.truth.nearest(rules)
        if nearest is None:
            return
        self._keep_table(nearest)
        failing, applying = self.truth.failing(nearest), self.truth.applying(nearest)
        reasons = [self.plain.facts(failing)] if failing else []
        reasons += [self._stopped_by(applying)] if applying else []
        number = nearest.number if len(labels) == 1 else self._with_label(nearest)
        text = self.words.say("short", "nearest", number=number, reasons="; ".join(reasons))
        if failing and not applying and len(nearest.conditions) > len(failing):
            text = self.words.say("short", "rest_holds", claim=text)
        yield text

    def _with_label(self, rule: Entry) -> str:
        return self.words.say("short", "rule_of", number=rule.number, label=self.words.label(rule.label))

    def _stopped_by(self, applying: Sequence[Entry]) -> str:
        """Say the first exception that applies, and how many more do."""
        said = self._stopping(applying[0])
        if len(applying) == 1:
            return said
        more = self.words.count("further_exceptions", len(applying) - 1)
        return self.words.say("short", "and_more", claim=said, more=more)

    def _stopping(self, exception: Entry) -> str:
        """Say that an exception applies, why, and why it is not lifted."""
        found, text = self.plain.helper(exception.helper, holds=True)
        claim = text if found and text else self.words.say("short", "applies", number=exception.number)
        said = self.words.say("short", "because", claim=claim, facts=self._facts(exception))
        if not exception.entries:
            return said
        nearest = self.truth.nearest(exception.entries)
        assert nearest is not None
        facts = self.plain.facts(self.truth.failing(nearest)) if self.truth.failing(nearest) else ""
        return self.words.say("short", "not_lifted", claim=said, facts=facts) if facts else said

    def _helper(self, entry: Entry) -> str:
        holds = self.truth.holds(entry)
        if holds:
            return self._facts(entry)
        failing = self.truth.failing(entry)
        if failing:
            return self.plain.facts(failing, needed=False)
        return "; ".join(self._stopping(below) for below in self.truth.applying(entry)[:1]) or self._facts(entry)

    def _facts(self, entry: Entry) -> str:
        return self.plain.facts(entry.conditions)

    def _keep_table(self, rule: Entry) -> None:
        for condition in rule.conditions:
            if isinstance(condition, PointsTable) and self.plain.conditions.is_table(condition):
                self.awards = self.plain.awards(condition)
