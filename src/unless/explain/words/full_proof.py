"""A proof in full, in plain language: the rule that decides with all its facts, or of every rule what stops it.

In: a proof and the words of a language. Out: `ProofSentence`s in reading order, each before its reasons. A set or a
range is one sentence; a sum of points is a sentence with a line for each case.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.explain.proof.tree import ClauseNode, LiteralNode, PredicateNode
from unless.explain.words.plain import Plain
from unless.explain.words.sentences import ProofSentence
from unless.logic.forms.entries import ColumnTest, PointsTable
from unless.logic.forms.outline import helper_entry
from unless.logic.forms.value_sets import ValueSet
from unless.logic.program import same_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.explain.proof.tree import Node, Proof
    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.rules import Label


def full_proof(proof: Proof, words: Language) -> Iterator[ProofSentence]:
    """Yield the sentences of a proof."""
    full = _Full(proof, words)
    if proof.label is None:
        for node in proof.reasons:
            yield from full.node(node)
        return
    earlier = [node.label for node in proof.reasons if isinstance(node, PredicateNode) and not node.holds]
    if proof.holds:
        yield from full.decided(proof.label, all_rules=_shows_all_rules(proof))
    else:
        yield full.sentence(0, words.say("plain", "default", label=full.label(proof.label)))
    for label in earlier:
        assert label is not None
        yield from full.refuted(label, depth=0 if proof.holds else 1)


def rules_against(proof: Proof, words: Language) -> Iterator[ProofSentence]:
    """Yield, for each rule that does not apply, what stops it."""
    full = _Full(proof, words)
    for rule in full.truth.rules:
        if not full.truth.holds(rule):
            yield from full.rule(rule, 0)


def _shows_all_rules(proof: Proof) -> bool:
    last = proof.reasons[-1] if proof.reasons else None
    return isinstance(last, PredicateNode) and len(last.children) > 1


class _Full:
    """Says parts of a proof at any depth; an entry's clause is numbered as in the program."""

    def __init__(self, proof: Proof, words: Language) -> None:
        self.plain = Plain(proof, words)
        self.truth, self.words = self.plain.truth, words
        self.numbers = {id(clause): i for i, clause in enumerate(proof.program.clauses, 1)}

    def label(self, label: Label) -> str:
        """Say a label by its template, else as it is."""
        return self.plain.label(label) or self.words.label(label)

    def sentence(
        self, depth: int, text: str, *, holds: bool | None = None, entry: Entry | None = None, points: int | None = None
    ) -> ProofSentence:
        """Make a sentence about an entry, or about none."""
        if entry is None:
            return ProofSentence(depth, text, holds, again=False, number=None, points=points)
        number = self.numbers.get(id(entry.clause))
        return ProofSentence(depth, text, holds, again=False, number=number, rule=entry.number or None)

    def decided(self, label: Label, *, all_rules: bool) -> Iterator[ProofSentence]:
        """Say the rule that gives a label, or all rules that do."""
        holding = [rule for rule in self.truth.rules if same_label(rule.label, label) and self.truth.holds(rule)]
        if len(holding) == 1 or not all_rules:
            text = self.words.say("plain", "label_rule", label=self.label(label), number=holding[0].number)
            yield self.sentence(0, text, holds=True, entry=holding[0])
            yield from self._reasons_for(holding[0], 1)
            return
        yield self.sentence(0, self.words.say("plain", "default", label=self.label(label)), holds=True)
        for rule in holding:
            yield from self.rule(rule, 1)

    def refuted(self, label: Label, *, depth: int) -> Iterator[ProofSentence]:
        """Say that no rule gives a label, and of each what stops it."""
        yield self.sentence(depth, self.words.say("plain", "no_label", label=self.words.label(label)), holds=False)
        for rule in self.truth.rules:
            if same_label(rule.label, label):
                yield from self.rule(rule, depth + 1)

    def rule(self, entry: Entry, depth: int) -> Iterator[ProofSentence]:
        """Say whether a rule or an exception applies, and why."""
        holds = self.truth.holds(entry)
        found, text = self.plain.helper(entry.helper, holds=holds)
        if not found:
            text = self.words.say("plain", f"{entry.kind}_{'applies' if holds else 'fails'}", number=entry.number)
        if text is not None:
            yield self.sentence(depth, text, holds=holds, entry=entry)
            depth += 1
        yield from self._reasons_for(entry, depth) if holds else self._reasons_against(entry, depth)

    def node(self, node: Node) -> Iterator[ProofSentence]:
        """Say the answer to a question."""
        if isinstance(node, LiteralNode):
            column = next(c for c in self.plain.program.columns if c.name == node.literal.column)
            test = ColumnTest(column, ValueSet.of(node.literal), is_mixed=isinstance(node.literal.value, str))
            yield from self._facts([test], 0, needed=False)
        elif isinstance(node, PredicateNode) and node.label is not None:
            yield from self.decided(node.label, all_rules=False) if node.holds else self.refuted(node.label, depth=0)
        elif isinstance(node, PredicateNode | ClauseNode):
            name = node.name if isinstance(node, PredicateNode) else node.clause.name
            if name is not None:
                yield from self._helper(helper_entry(self.plain.program, name))

    def _helper(self, entry: Entry) -> Iterator[ProofSentence]:
        if entry.number:
            yield from self.rule(entry, 0)
        elif self.truth.holds(entry):
            yield from self._reasons_for(entry, 0)
        else:
            yield from self._reasons_against(entry, 0)

    def _reasons_for(self, entry: Entry, depth: int) -> Iterator[ProofSentence]:
        yield from self._facts(entry.conditions, depth)
        for below in entry.entries:
            yield from self.rule(below, depth)
        yield from self._cut(entry, depth)

    def _reasons_against(self, entry: Entry, depth: int) -> Iterator[ProofSentence]:
        failing, applying = self.truth.failing(entry), self.truth.applying(entry)
        if failing:
            is_rule = entry.kind == "rule"  # of an exception one condition that fails is enough
            yield from self._facts(failing if is_rule else failing[:1], depth, needed=is_rule)
            return
        for below in applying:
            yield from self.rule(below, depth)
        if not applying and entry.cut:
            yield from self._cut(entry, depth)
        elif not applying:
            yield self.sentence(depth, self.words.say("plain", "earlier_rule"))

    def _cut(self, entry: Entry, depth: int) -> Iterator[ProofSentence]:
        if entry.cut:
            holds = self.truth.holds(entry)
            yield self.sentence(depth, self.words.say("plain", "deeper_fail" if holds else "deeper_applies"))

    def _facts(
        self, conditions: Iterable[EntryCondition], depth: int, *, needed: bool = True
    ) -> Iterator[ProofSentence]:
        for condition in conditions:
            text = self.plain.fact(condition, needed=needed)
            if text is None:
                continue
            holds = self.truth.meets(condition) if isinstance(condition, PointsTable) else None
            yield self.sentence(depth, text, holds=holds)
            if isinstance(condition, PointsTable) and self.plain.conditions.counted(condition) is None:
                for points, fact in self.plain.awards(condition):
                    yield self.sentence(depth + 1, fact, points=points)


def in_row(sentence: ProofSentence, proof: Proof, words: Language) -> ProofSentence:
    """Begin the first sentence with the row's name."""
    key = "this_row_is" if proof.row_name is None else "row_is"
    return replace(sentence, text=words.say("short", key, row=proof.row_name, claim=sentence.text))
