"""One sentence a row, for services: the label, the rule or exception that decided, and what the row has there.

In: a program, once; then decisions and the values behind them. Out: sentences such as "Refused, by rule 2: income is
34,000 (at most 40,000)." They are those of `short_proof` without what it says of other rules. What was said of a value
once is kept, so that a sentence costs little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.proof.tree import Proof
from unless.explain.words.language import capital, language
from unless.explain.words.plain import Plain
from unless.logic.forms.entries import ColumnTest
from unless.logic.program import label_text

if TYPE_CHECKING:
    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.program import Program
    from unless.logic.row_program import Decision, RowProgram
    from unless.logic.rules import Label, Value

MOST_KEPT = 20_000
"""So many facts are kept; then all are forgotten, which is seldom and simple."""


class ServiceReasons:
    """Says why rows of one program have their labels."""

    def __init__(self, ready: RowProgram, lang: str = "en") -> None:
        self.program: Program = ready.program
        self.words: Language = language(lang)
        self._names = [column.name for column in ready.columns]
        self._kept: dict[tuple[int, Value | None], str | None] = {}
        self._labels: dict[str, str] = {}
        target = self.program.target
        self._nothing = self._sentence(self._default(target.default))

    def reason(self, decision: Decision, values: list[Value | None]) -> str:
        """Say one row's reason."""
        entry = decision.entry
        if entry is None:
            return self._nothing
        facts, label = self._facts(entry, values), self._label(decision.label)
        if entry.kind == "rule":
            return self._sentence(self.words.say("short", "decided", label=label, number=entry.number, facts=facts))
        applies = self.words.say("short", "applies", number=entry.number)
        because = self.words.say("short", "because", claim=applies, facts=facts)
        return self._sentence(self.words.say("short", "stopped", claim=label, reason=because))

    def _default(self, label: Label) -> str:
        said, rules = self._label(label), [clause for clause in self.program.clauses if clause.name is None]
        if not rules:
            return self.words.say("short", "no_rules", label=said)
        return self.words.say("short", "stopped", claim=said, reason=self.words.say("short", "none"))

    def _facts(self, entry: Entry, values: list[Value | None]) -> str:
        row = dict(zip(self._names, values, strict=True))
        said = [text for text in (self._fact(condition, row) for condition in entry.conditions) if text is not None]
        return self.words.listed(said) if said else self.words.say("conditions", "always")

    def _fact(self, condition: EntryCondition, row: dict[str, Value | None]) -> str | None:
        """Say a fact; that of a test of one column depends on its value alone."""
        if not isinstance(condition, ColumnTest):
            return self._plain(row).fact(condition)
        key = id(condition), row.get(condition.column.name)  # the program keeps its outline, so ids stay
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._plain(row).fact(condition)
        return self._kept[key]

    def _plain(self, row: dict[str, Value | None]) -> Plain:
        return Plain(Proof(self.program, None, row, None, False, ()), self.words)

    def _label(self, label: Label) -> str:
        text = label_text(label)
        if text not in self._labels:
            self._labels[text] = self._plain({}).label(label) or self.words.label(label)
        return self._labels[text]

    def _sentence(self, claim: str) -> str:
        return capital(self.words.say("join", "end", claim=claim))
