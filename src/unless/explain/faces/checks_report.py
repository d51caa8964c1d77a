"""What came out of tests of a program: lines of text, plain data, and the XML that JUnit made common.

In: outcomes of checks. Out: a line for each; one that failed with the row that breaks it and the proof of that row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from unless.explain.faces.plain_text import WIDTH, hanging
from unless.explain.words.language import language
from unless.explain.words.region_words import RegionWords
from unless.logic.holds import decide
from unless.logic.program import label_text
from unless.logic.reason.cases import Case
from unless.logic.reason.questions import NOT_DECIDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.reason.cases import Outcome

OPEN = NOT_DECIDED.verdict
KEYS = {"yes": "passed", "no": "failed", OPEN: "not_decided"}


@dataclass(frozen=True)
class ChecksReport:
    """The outcomes of the checks of one program."""

    program: Program
    outcomes: Sequence[Outcome]

    def count(self, passed: str) -> int:
        """Count the checks that passed ("yes"), failed ("no") or are not decided."""
        return sum(outcome.passed == passed for outcome in self.outcomes)

    def text(self, *, lang: str = "en", width: int = WIDTH) -> str:
        """Write a line for each check, and how many passed."""
        words = language(lang)
        lines = [self._line(outcome, words) for outcome in self.outcomes]
        counts = {
            "passed": self.count("yes"),
            "failed": self.count("no"),
            "open": self.count(OPEN),
        }
        lines.append(words.say("tested", "summary", **{name: words.whole(n) for name, n in counts.items()}))
        return "\n".join(line for long in lines for line in hanging(long, width)) + "\n"

    def data(self, *, lang: str = "en") -> list[dict[str, Any]]:
        """Return the outcomes as plain data."""
        words = language(lang)
        return [
            {
                "name": outcome.check.name,
                "kind": "case" if isinstance(outcome.check, Case) else "property",
                "outcome": KEYS[outcome.passed].replace("_", " "),
                "reason": self.reason(outcome, words),
                "row": None if outcome.row is None else dict(outcome.row),
                "other": None if outcome.other is None else dict(outcome.other),
            }
            for outcome in self.outcomes
        ]

    def junit(self, suite: str, *, lang: str = "en") -> str:
        """Write the outcomes as JUnit XML; what is not decided is an error there."""
        words = language(lang)
        counts = {"tests": len(self.outcomes), "failures": self.count("no"), "errors": self.count(OPEN)}
        root = ElementTree.Element("testsuite", {"name": suite, **{name: str(n) for name, n in counts.items()}})
        for outcome in self.outcomes:
            case = ElementTree.SubElement(root, "testcase", classname=suite, name=outcome.check.name)
            if outcome.passed != "yes":
                tag = "failure" if outcome.passed == "no" else "error"
                ElementTree.SubElement(case, tag, message=self.reason(outcome, words) or self._line(outcome, words))
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"

    def reason(self, outcome: Outcome, words: Language) -> str | None:
        """Say why a check failed."""
        if outcome.passed != "no" or outcome.row is None:
            return None
        regions = RegionWords.of(words, self.program)
        proof = regions.proof(self.program, outcome.row)
        if isinstance(outcome.check, Case):
            return _case_reason(outcome.check, proof, words)
        row = regions.row(regions.readable(outcome.row))
        what = outcome.check.what
        if what.column is not None and outcome.other is not None:
            name = next(name for name, value in outcome.other.items() if value != outcome.row.get(name))
            value = regions.value(name, regions.readable(outcome.other)[name])
            other = regions.proof(self.program, outcome.other)
            column = words.column(name)
            return words.say("tested", "breaks_two", row=row, proof=proof, column=column, value=value, other=other)
        if what.other is not None:
            other = regions.proof(what.other, outcome.row)
            return words.say("tested", "breaks_old", row=row, proof=proof, other=other)
        return words.say("tested", "breaks", row=row, proof=proof)

    def _line(self, outcome: Outcome, words: Language) -> str:
        gaps = {"name": outcome.check.name, "reason": self.reason(outcome, words)}
        return words.say("tested", KEYS[outcome.passed], **gaps)


def _case_reason(case: Case, proof: str, words: Language) -> str:
    if label_text(decide(case.program, case.row)) != label_text(case.expect):
        return words.say("tested", "label", label=words.label(case.expect), proof=proof)
    if not case.rule:
        return words.say("tested", "no_rule", proof=proof)
    return words.say("tested", "rule", rule=case.rule, proof=proof)
