"""The difference of two programs as text, as a page of HTML, and as plain data.

In: two programs and their `Difference`. Out: equal, or the regions that change, each with a row that shows it, and why
that row had its label before and has its label now; or that it was not decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.explain.faces.comparison_report import TIMES, VERDICTS
from unless.explain.faces.markup import Markup, element, page
from unless.explain.faces.plain_text import WIDTH, hanging
from unless.explain.words.brief import changed_rules
from unless.explain.words.language import language
from unless.explain.words.region_words import RegionWords
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.region_data import region_data
from unless.logic.text.printer import clause_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.reason.changed_parts import ChangedPart, Difference

VERSION = 1
ANSWERS = {"yes": "different", "no": "equal"}


@dataclass(frozen=True)
class DifferenceReport:
    """Two programs and what differs; `n_rows` is the size of the table, None without one."""

    old: Program
    new: Program
    found: Difference
    n_rows: int | None = None

    def text(self, *, lang: str = "en", width: int = WIDTH) -> str:
        """Write the difference as plain text."""
        lines = [line for long in self._lines(language(lang)) for line in hanging(long, width)]
        return "\n".join(lines) + "\n"

    def html(self, *, lang: str = "en") -> str:
        """Write a self-contained page."""
        words = language(lang)
        title = words.say("difference", "title", target=words.column(self.new.target.column))
        parts = [self._part_html(i, part, words) for i, part in enumerate(self.found.parts, 1)]
        rules = [element("p", line) for line in changed_rules(self.old, self.new, words)]
        said = [element("p", sentence) for sentence in self._summary(words)]
        return page(title, ("comparison.css",), element("h1", title), *rules, *said, *parts, lang=lang)

    def data(self, *, lang: str = "en") -> dict[str, Any]:
        """Return the difference as plain data."""
        words = language(lang)
        removed, added = self._changed()
        return {
            "format": "unless-diff",
            "version": VERSION,
            "target": self.new.target.column,
            "answer": ANSWERS.get(self.found.verdict, self.found.verdict),
            "removed": removed,
            "added": added,
            "rows": self.n_rows,
            "flips": None if self.n_rows is None else self.found.n_flips,
            "covered": None if self.n_rows is None else self.found.n_covered,
            "complete": self.found.is_complete,
            "regions": [self._part_data(part, words) for part in self.found.parts],
        }

    def _lines(self, words: Language) -> Iterator[str]:
        yield from changed_rules(self.old, self.new, words)
        yield from self._summary(words)
        for i, part in enumerate(self.found.parts, 1):
            yield ""
            yield words.say("program", "numbered", number=i, text=self._heading(part, words))
            yield f"   {self._example(part, words)}"
            for time, proof in self._proofs(part, words):
                yield f"   {words.say('difference', time, proof=proof)}"

    def _summary(self, words: Language) -> Iterator[str]:
        yield words.say("difference", self.found.verdict.replace(" ", "_"))
        if self.found.verdict != "yes":
            return
        if self.n_rows is not None:
            rows = words.count("rows", self.n_rows)
            flips = words.count("flips", self.found.n_flips, rows=rows)
            if self.found.n_flips:
                covered = words.whole(self.found.n_covered)
                yield words.say("difference", "covered", flips=flips, covered=covered)
            else:
                yield words.say("join", "end", claim=flips)
        key = "complete" if self.found.is_complete else "incomplete"
        yield words.say("difference", key, regions=words.count("regions", len(self.found.parts)))

    def _heading(self, part: ChangedPart, words: Language) -> str:
        labels = {"before": words.label(part.old), "after": words.label(part.new)}
        text = words.say("difference", "change", **labels, where=self._where(part, words))
        if self.n_rows is None:
            return text
        rows = words.count("rows", part.n_rows)
        verdicts = [
            f"{words.whole(part.verdicts[v])} {words.say('comparison', v)}" for v in VERDICTS if part.verdicts.get(v)
        ]
        counted = words.say("difference", "judged", rows=rows, verdicts=", ".join(verdicts)) if verdicts else rows
        return words.say("difference", "counted", text=text, rows=counted)

    def _where(self, part: ChangedPart, words: Language) -> str:
        if part.rules is not None:
            said = [
                words.say("difference", "no_rule")
                if rule == NO_RULE
                else words.say("difference", "by_rule", number=rule)
                for rule in part.rules
            ]
            rules = words.say("difference", "rules", before=said[0], after=said[1])
            if not part.cells:
                return rules
            return words.say("difference", "only_where", rules=rules, conditions=self._conditions(part, words))
        return words.say("difference", "where", conditions=self._conditions(part, words))

    def _conditions(self, part: ChangedPart, words: Language) -> str:
        regions = self._said(words)
        tests = [regions.region(c, [cell.region for cell in cells]) for c, cells in part.cells.items()]
        return words.listed(tests) if tests else words.say("conditions", "always")

    def _example(self, part: ChangedPart, words: Language) -> str:
        regions = self._said(words)
        row = regions.row(regions.readable(part.row), part.cells)
        if part.row_number is None:
            return words.say("difference", "example", row=row)
        return words.say("difference", "example_row", number=part.row_number, row=row)

    def _proofs(self, part: ChangedPart, words: Language) -> Iterator[tuple[str, str]]:
        for time, program in zip(TIMES, (self.old, self.new), strict=True):
            yield time, self._said(words).proof(program, part.row)

    def _part_html(self, number: int, part: ChangedPart, words: Language) -> Markup:
        heading = words.say("program", "numbered", number=number, text=self._heading(part, words))
        proofs = [
            element("div", element("p", words.say("difference", time, proof=proof)), class_="proof")
            for time, proof in self._proofs(part, words)
        ]
        return element(
            "details",
            element("summary", heading),
            element("p", self._example(part, words), class_="quiet"),
            element("div", *proofs, class_="pair"),
        )

    def _part_data(self, part: ChangedPart, words: Language) -> dict[str, Any]:
        proofs = dict(self._proofs(part, words))
        return {
            "before": part.old,
            "after": part.new,
            "kind": "box" if part.rules is None else "rules",
            "where": self._where(part, words),
            "columns": {c: region_data([cell.region for cell in cells]) for c, cells in part.cells.items()},
            "rules": None if part.rules is None else [rule or None for rule in part.rules],
            "share": part.share,
            "rows": None if self.n_rows is None else part.n_rows,
            "verdicts": dict(part.verdicts),
            "row": dict(part.row),
            "row_number": part.row_number,
            "proofs": proofs,
        }

    def _said(self, words: Language) -> RegionWords:
        return RegionWords.of(words, self.old, self.new)

    def _changed(self) -> tuple[list[str], list[str]]:
        old, new = list(clause_lines(self.old)), list(clause_lines(self.new))
        return [line for line in old if line not in new], [line for line in new if line not in old]
