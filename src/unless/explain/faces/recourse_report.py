"""Recourse in words and as data: what would change a decision, and who has no way out.

In: a program, a row, the label wanted and what was found. Out: text, with the proof before and after each way; plain
data for JSON: a list of ways, each with `changes`, `cost` and a `row` that meets them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.explain.faces.plain_text import WIDTH, hanging
from unless.explain.proof.prover import prove_values
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import capital, language
from unless.explain.words.region_words import RegionWords
from unless.explain.words.short_proof import short_proof
from unless.logic.forms.outline import outline
from unless.logic.program import same_label
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.region_data import region_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.evaluate.recourse_rows import Lockout
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.reason.questions import Row
    from unless.logic.reason.recourse import Change, Recourse, Way
    from unless.logic.rules import Label

EXAMPLES = 5


@dataclass(frozen=True)
class RecourseReport:
    """One row's ways to a label; `lock` is the number of a rule that no allowed change stops, if there is one."""

    program: Program
    row: Row
    want: Label
    found: Recourse
    row_name: int | str | None = None
    lock: str = NO_RULE

    def text(self, *, lang: str = "en", width: int = WIDTH) -> str:
        """Write the ways as plain text."""
        lines = [line for long in self._lines(language(lang)) for line in hanging(long, width)]
        return "\n".join(lines) + "\n"

    def data(self, *, lang: str = "en") -> list[dict[str, Any]]:
        """Return the ways as plain data."""
        words = language(lang)
        return [
            {
                "changes": [self._change_data(change, words) for change in way.changes],
                "cost": way.cost,
                "row": dict(way.row),
                "label": self.want,
                "proofs": {"before": self._proof(self.row, words), "after": self._proof(way.row, words)},
            }
            for way in self.found.ways
        ]

    def _lines(self, words: Language) -> Iterator[str]:
        yield self._proof(self.row, words)
        label = words.label(self.want)
        if self.found.verdict != "yes":
            yield words.say("recourse", "none" if self.found.verdict == "no" else "not_decided", label=label)
            if self.lock != NO_RULE:
                yield words.say("recourse", "locked", rule=capital(rule_name(self.lock, words)))
            return
        if not self.found.ways[0].changes:
            yield words.say("recourse", "has_it", label=label)
            return
        yield words.say("recourse", "ways", label=label)
        for i, way in enumerate(self.found.ways, 1):
            yield words.say("program", "numbered", number=i, text=self._way(way, words))
            yield f"   {words.say('recourse', 'then', proof=self._proof(way.row, words))}"

    def _way(self, way: Way, words: Language) -> str:
        changes = words.listed([self._change(change, words) for change in way.changes])
        return words.say("recourse", "way", changes=changes, cost=words.decimal(way.cost, 2))

    def _change(self, change: Change, words: Language) -> str:
        value = RegionWords.of(words, self.program).value(change.column, change.before)
        return words.say("recourse", "change", condition=self._condition(change, words), value=value)

    def _condition(self, change: Change, words: Language) -> str:
        regions = RegionWords.of(words, self.program)
        if change.region.others and isinstance(change.value, str):
            # Of all the words that no rule names, one that is known is better advice than "not this and not that".
            name = words.column(change.column)
            return words.say("conditions", "test_is", column=name, bound=words.word(change.value))
        return regions.region(change.column, [change.region], change.before)

    def _change_data(self, change: Change, words: Language) -> dict[str, Any]:
        return {
            "column": change.column,
            "before": change.before,
            "after": change.value,
            "condition": self._condition(change, words),
            "values": region_data([change.region]),
        }

    def _proof(self, row: Row, words: Language) -> str:
        return " ".join(short_proof(prove_values(self.program, row, row_name=self.row_name), words).sentences)


def rule_name(number: str, words: Language) -> str:
    """Name a rule or an exception by its number."""
    return words.say("recourse", "exception" if "." in number else "rule", number=number)


def lockout_text(found: Lockout, program: Program, want: Label, *, lang: str = "en", width: int = WIDTH) -> str:
    """Say who has no way out, and which rule locks them."""
    words = language(lang)
    lines = [_counts(found, want, words)]
    if found.not_decided:
        lines.append(words.say("recourse", "open", rows=words.count("rows", len(found.not_decided))))
    lines += [_lock(number, rows, program, want, words) for number, rows in found.locks.items()]
    return "\n".join(line for long in lines for line in hanging(long, width)) + "\n"


def lockout_data(found: Lockout, program: Program, *, lang: str = "en") -> dict[str, Any]:
    """Return who has no way out as plain data."""
    words = language(lang)
    return {
        "rows": found.n_rows,
        "have": found.n_have,
        "way": found.n_way,
        "none": found.n_without,
        "not_decided": list(found.not_decided),
        "locks": [
            {"rule": number or None, "says": _says(number, program, words), "rows": rows}
            for number, rows in found.locks.items()
        ],
    }


def _counts(found: Lockout, want: Label, words: Language) -> str:
    counts = {"have": found.n_have, "way": found.n_way, "none": found.n_without}
    said = {name: words.whole(n) for name, n in counts.items()}
    return words.say("recourse", "counts", rows=words.count("rows", found.n_rows), label=words.label(want), **said)


def _lock(number: str, rows: list[int], program: Program, want: Label, words: Language) -> str:
    examples = [str(row) for row in rows[:EXAMPLES]]
    if len(rows) > EXAMPLES:
        examples.append(words.say("recourse", "more"))
    gaps = {"rows": words.count("rows", len(rows)), "examples": ", ".join(examples)}
    if number == NO_RULE and same_label(want, program.target.default):
        # Rules keep these rows from the default, and each of them can be stopped; so there is always another.
        return words.say("recourse", "together", **gaps)
    if number == NO_RULE:
        return words.say("recourse", "out_of_reach", label=words.label(want), **gaps)
    return words.say("recourse", "lock", rule=rule_name(number, words), says=_says(number, program, words), **gaps)


def _says(number: str, program: Program, words: Language) -> str | None:
    entries = (entry for rule in outline(program) for entry in rule.walk())
    found = next((entry for entry in entries if entry.number == number), None)
    return None if found is None else Conditions(words, is_short=True).body(found)
