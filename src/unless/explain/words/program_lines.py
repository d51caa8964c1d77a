"""A whole program as lines of plain language: each rule by its number, its exceptions below it, its points as a table.

In: a program and the words of a language. Out: `ProgramLine`s in reading order, without a helper's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from unless.explain.words.conditions import Conditions
from unless.logic.forms.entries import PointsTable
from unless.logic.forms.outline import ordered_helpers, outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line: about the program, a rule or an exception (by number), or one case of its points (with those)."""

    kind: OneOf["text", "rule", "exception", "award"]
    depth: int
    text: str
    entry: Entry | None = None
    points: str | None = None

    @property
    def number(self) -> str | None:
        """Return the number of the rule or exception."""
        return None if self.entry is None else self.entry.number

    def numbered(self, words: Language) -> str:
        """Return the text with its number, or with its points, before it."""
        number = self.points if self.number is None else self.number
        return self.text if number is None else words.say("program", "numbered", number=number, text=self.text)


def program_lines(program: Program, words: Language) -> Iterator[ProgramLine]:
    """Say what the target is and when, rule by rule."""
    yield from _opening(program, words)
    for rule in outline(program):
        for entry in rule.walk():
            yield from _entry_lines(entry, words)


def rule_sentence(entry: Entry, words: Language) -> str:
    """Say a rule without its exceptions in one sentence, points and all."""
    label, body = words.label(entry.label), Conditions(words).body(entry)
    if not entry.conditions:
        return words.say("program", "rule_always", label=label)
    return words.say("program", "rule", label=label, body=body)


def points_below(entry: Entry, conditions: Conditions) -> PointsTable | None:
    """Return the sum of points that is shown as a table below an entry, if it has one."""
    tables = [condition for condition in entry.conditions if conditions.is_table(condition)]
    return tables[0] if len(tables) == 1 and isinstance(tables[0], PointsTable) else None


def _opening(program: Program, words: Language) -> Iterator[ProgramLine]:
    target = program.target
    column, default = words.column(target.column), words.label(target.default)
    if not any(clause.name is None for clause in program.clauses):
        yield ProgramLine("text", 0, words.say("program", "no_rules", column=column, default=default))
        return
    labels = words.listed([words.label(label) for label in target.labels], "list_or")
    opening = words.say("program", "opening", column=column, labels=labels, default=default)
    yield ProgramLine("text", 0, opening)
    if len(target.labels) > 1:
        key = "in_order" if ordered_helpers(program) else "precedence"
        yield ProgramLine("text", 0, words.say("program", key))


def _entry_lines(entry: Entry, words: Language) -> Iterator[ProgramLine]:
    conditions = Conditions(words)
    table = points_below(entry, conditions)
    kind: OneOf["rule", "exception"] = "rule" if entry.kind == "rule" else "exception"
    yield ProgramLine(kind, entry.depth, _head(entry, table, conditions), entry)
    for points, text in () if table is None else conditions.awards(table):
        yield ProgramLine("award", entry.depth + 1, text, points=points)
    if entry.cut:
        yield ProgramLine("text", entry.depth + 1, words.say("program", "cut"))


def _head(entry: Entry, table: PointsTable | None, conditions: Conditions) -> str:
    words, kind = conditions.words, "rule" if entry.kind == "rule" else "exception"
    label = words.label(entry.label)
    if table is None:
        if not entry.conditions and kind == "rule":
            return words.say("program", "rule_always", label=label)
        return words.say("program", kind, label=label, body=conditions.body(entry))
    needed = conditions.needed(table)
    if len(entry.conditions) == 1:
        return words.say("program", f"{kind}_points", label=label, needed=needed)
    body = conditions.body(entry, with_table=False)
    return words.say("program", f"{kind}_and_points", label=label, needed=needed, body=body)
