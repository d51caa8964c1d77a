"""Audits and drift as text, as HTML and as plain data.

In: audits of one program by several columns, or its rules then and now. Out: a table for each with intervals, and the
sentences around it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from unless.explain.faces.markup import element, page, scrolled
from unless.explain.faces.plain_text import WIDTH, hanging
from unless.explain.faces.recourse_report import rule_name
from unless.explain.faces.text_table import aligned
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.explain.words.region_words import RegionWords
from unless.logic.forms.outline import outline
from unless.logic.program import label_text
from unless.logic.readings import read_text
from unless.table.identifiers import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.evaluate.audit import Audit, GapPart, GapWithout, Group, Share
    from unless.evaluate.drift import RuleDrift
    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.rules import Column

SHOWN = 8
NONE = "\N{EN DASH}"
LEAST = 0.0005
"""Smaller parts of a gap are left out of the text; the data has them all."""


@dataclass(frozen=True)
class AuditReport:
    """Audits of one program."""

    program: Program
    audits: Sequence[Audit]

    def text(self, *, lang: str = "en", width: int = WIDTH) -> str:
        """Write a table of groups for each column, and what makes the gap."""
        words, lines = language(lang), []
        for each in self.audits:
            lines += [*hanging(self._title(each, words), width), *aligned(self._table(each, words), width), ""]
            lines += [line for long in self._sentences(each, words) for line in hanging(long, width)] + [""]
        return "\n".join(lines).rstrip("\n") + "\n"

    def html(self, *, lang: str = "en") -> str:
        """Write a self-contained page."""
        words, parts = language(lang), []
        title = words.say("audit", "title", target=words.column(self.program.target.column))
        for each in self.audits:
            by = self._title(each, words)
            parts += [element("h2", by), scrolled(by, html_table(self._table(each, words)))]
            parts += [element("p", line.strip()) for line in self._sentences(each, words)]
        return page(title, ("comparison.css",), element("h1", title), *parts, lang=lang)

    def data(self, *, lang: str = "en") -> list[dict[str, Any]]:
        """Return the audits as plain data."""
        words = language(lang)
        return [
            {
                "column": each.column,
                "label": each.label,
                "depends": {"yes": True, "no": False}.get(each.direct.verdict),
                "has_points": self._is_graded(each),
                "rows": [None if row is None else dict(row) for row in (each.direct.row, each.direct.other)],
                "groups": [_group_data(group, self._name(each, group, words)) for group in each.groups],
                "gap": each.gap,
                "highest": each.highest,
                "lowest": each.lowest,
                "parts": [part._asdict() for part in each.parts],
                "without": [{**part._asdict(), "says": self._says(part, words)} for part in each.without],
                "depends_on": None if each.depends is None else list(each.depends),
                "through": [part._asdict() for part in each.through],
            }
            for each in self.audits
        ]

    def _title(self, each: Audit, words: Language) -> str:
        return words.say("audit", "by", column=words.column(each.column), label=words.label(each.label))

    def _table(self, each: Audit, words: Language) -> list[list[str]]:
        label = words.label(each.label)
        names = ["group", "rows", "rate", "actual", "wrong", "false_positive", "false_negative"]
        if each.groups and each.groups[0].actual is None:
            names = names[:3]
        if any(group.auc is not None for group in each.groups):
            names.append("auc")
        head = [words.say("audit", name, label=label) for name in names]
        return [head, *(self._group(each, group, words)[: len(names)] for group in each.groups)]

    def _name(self, each: Audit, group: Group, words: Language) -> str:
        column = next((column for column in self.program.columns if column.name == each.column), None)
        if column is None or column.kind == "categorical" or group.text is not None:
            return group_name(group, words)
        numbers = {other.word: _number(other, column) for other in each.groups}
        number = numbers[group.word]
        if number is None:
            return group_name(group, words, column)
        return words.number_of(column, number, [other for other in numbers.values() if other is not None])

    def _group(self, each: Audit, group: Group, words: Language) -> list[str]:
        shares = (group.predicted, group.actual, group.wrong, group.false_positive, group.false_negative)
        said = [_share(share, words) for share in shares if share is not None]
        auc = "" if group.auc is None else words.decimal(group.auc, 3)
        return [self._name(each, group, words), words.whole(group.predicted.of), *said, auc]

    def _sentences(self, each: Audit, words: Language) -> list[str]:
        lines = [self._direct(each, words)]
        if self._is_graded(each):
            fix = option("forbid", each.column, lists=True)
            lines.append(words.say("audit", "graded", column=words.column(each.column), option=fix))
        if len(each.groups) < 2:
            return [*lines, words.say("audit", "one_group")]
        if each.highest == each.lowest:
            share = words.percent(each.groups[each.highest].predicted.value)
            return [*lines, words.say("audit", "no_gap", share=share), *self._through(each, words)]
        high, low = each.groups[each.highest], each.groups[each.lowest]
        gaps = {"highest": self._name(each, high, words), "high": words.percent(high.predicted.value)}
        gaps |= {"lowest": self._name(each, low, words), "low": words.percent(low.predicted.value)}
        lines.append(words.say("audit", "gap", gap=_points(each.gap, words), **gaps))
        parts = [part for part in each.parts if abs(part.gap) >= LEAST]
        lines += [f"  {words.say('audit', 'part', gap=_points(p.gap, words), rule=_by(p, each, words))}" for p in parts]
        lines.append(words.say("audit", "without"))
        for part in [part for part in each.without if any(part.changed)][:SHOWN]:
            changed = [words.percent(share) for share in part.changed]
            gaps = {"rule": rule_name(part.rule, words), "says": self._says(part, words)}
            gaps |= {"high": changed[0], "low": changed[1]}
            lines.append(f"  {words.say('audit', 'without_one', gap=_points(part.gap, words), **gaps)}")
        return [*lines, *self._through(each, words)]

    def _through(self, each: Audit, words: Language) -> list[str]:
        """Say on which other columns decisions depend, and what the gap would be without what each tells."""
        others = [] if each.depends is None else [column for column in each.depends if column not in each.own]
        lines = []
        if others:
            lines.append(
                words.say("audit", "depends", columns=words.listed([words.column(column) for column in others]))
            )
        shown = [part for part in each.through if abs(part.gap - each.gap) >= LEAST][:SHOWN]
        if shown:
            lines.append(words.say("audit", "through"))
        for part in shown:
            gaps = {"column": words.column(part.column), "apart": words.percent(part.apart)}
            lines.append(f"  {words.say('audit', 'through_one', gap=_points(part.gap, words), **gaps)}")
        return lines

    def _is_graded(self, each: Audit) -> bool:
        """Tell whether points are given for the column: probabilities depend on it, whatever rules do."""
        return self.program.grade is not None and not set(each.own).isdisjoint(self.program.grade.columns)

    def _direct(self, each: Audit, words: Language) -> str:
        column = words.column(each.column)
        if not each.is_tested:
            return words.say("audit", "not_tested", column=column)
        row, other = each.direct.row, each.direct.other
        if row is None or other is None:
            return words.say("audit", "not_direct" if each.direct.verdict == "no" else "open", column=column)
        regions = RegionWords.of(words, self.program)
        value = regions.value(each.direct_by, regions.readable(other)[each.direct_by])
        proofs = regions.proof(self.program, row), regions.proof(self.program, other)
        return words.say("audit", "direct", column=column, proof=proofs[0], value=value, other=proofs[1])

    def _says(self, part: GapWithout, words: Language) -> str:
        entries = (entry for rule in outline(self.program) for entry in rule.walk())
        return Conditions(words, is_short=True).body(next(entry for entry in entries if entry.number == part.rule))


@dataclass(frozen=True)
class DriftReport:
    """The rules of a program on old and new rows."""

    lines: Sequence[RuleDrift]

    @property
    def n_alarms(self) -> int:
        """Count the rules that changed."""
        return sum(line.alarm for line in self.lines)

    def text(self, *, lang: str = "en", width: int = WIDTH) -> str:
        """Write a table of rules, and how many changed."""
        words = language(lang)
        return "\n".join([*aligned(self._table(words), width), self._summary(words)]) + "\n"

    def html(self, title: str, *, lang: str = "en") -> str:
        """Write a self-contained page."""
        words = language(lang)
        table = scrolled(title, html_table(self._table(words)))
        return page(
            title, ("comparison.css",), element("h1", title), element("p", self._summary(words)), table, lang=lang
        )

    def data(self) -> list[dict[str, Any]]:
        """Return the rules as plain data."""
        return [
            {
                "rule": line.rule or None,
                "share": [each.value for each in line.share],
                "rows": [each.n for each in line.share],
                "right": None if line.right is None else [each.value for each in line.right],
                "alarms": [name for name, is_on in _alarms(line) if is_on],
            }
            for line in self.lines
        ]

    def _summary(self, words: Language) -> str:
        if not self.n_alarms:
            return words.say("drift", "same")
        then, now = (words.count("rows", share.of) for share in self.lines[0].share)
        counts = {"alarms": words.whole(self.n_alarms), "lines": words.whole(len(self.lines))}
        return words.say("drift", "summary", then=then, now=now, **counts)

    def _table(self, words: Language) -> list[list[str]]:
        names = ["rule", "share_then", "share_now", "right_then", "right_now", "alarm"]
        if self.lines[0].right is None:
            names = [name for name in names if not name.startswith("right")]
        rows = []
        for line in self.lines:
            shares = [*line.share, *(line.right or ())]
            said = [words.say("drift", key) for key in _changes(line)]
            rule = line.rule or words.say("drift", "no_rule")
            rows.append(
                [rule, *(words.percent(share.value if share.of else None) for share in shares), ", ".join(said)]
            )
        return [[words.say("drift", name) for name in names], *rows]


def group_name(group: Group, words: Language, column: Column | None = None) -> str:
    """Name a group: what it is called, a word, a range of numbers as the `column` writes them, or blank."""
    if group.text is not None:
        return group.text
    if group.low is not None and group.high is not None:
        low, high = (words.value(end, column, (group.low, group.high)) for end in (group.low, group.high))
        return words.say("audit", "from_to", low=low, high=high)
    return words.value(group.word)


def _number(group: Group, column: Column) -> float | None:
    """Read the name of a group of one number, None where it is none."""
    return None if group.word is None else read_text(column.reading, group.word)


def html_table(table: Sequence[Sequence[str]]) -> str:
    """Write a table with a head."""
    head, *rows = table
    body = [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    return element(
        "table", element("thead", element("tr", *(element("th", cell) for cell in head))), element("tbody", *body)
    )


def _alarms(line: RuleDrift) -> list[tuple[str, bool]]:
    return [("share", line.share_alarm), ("right", line.right_alarm)]


def _changes(line: RuleDrift) -> list[str]:
    """Name the phrases for what rose and what fell."""
    pairs = {"share": line.share, "right": line.right}
    found = [(name, pairs[name]) for name, is_on in _alarms(line) if is_on]
    return [f"{name}_{'rose' if pair[1].value > pair[0].value else 'fell'}" for name, pair in found if pair is not None]


def _share(share: Share, words: Language) -> str:
    if not share.of:  # no row that could have it
        return NONE
    low, high = (words.decimal(100 * bound, 1) for bound in share.interval)
    return words.say("audit", "share", share=words.percent(share.value), low=low, high=high)


def _points(gap: float, words: Language) -> str:
    return words.decimal(100 * gap, 1, sign=True)


def _by(part: GapPart, each: Audit, words: Language) -> str:
    if part.label == label_text(each.label):
        return words.say("audit", "by_rule", number=part.rule)
    return words.say("audit", "by_other", label=words.word(part.label), number=part.rule)


def _group_data(group: Group, name: str) -> dict[str, Any]:
    shares = {
        key: {"n": share.n, "of": share.of, "share": share.value, "interval": list(share.interval)}
        for key in ("predicted", "actual", "wrong", "false_positive", "false_negative")
        if (share := getattr(group, key)) is not None
    }
    bounds = {key: value for key, value in asdict(group).items() if key in ("word", "low", "high")}
    return {"name": name, **bounds, **shares, "auc": group.auc}
