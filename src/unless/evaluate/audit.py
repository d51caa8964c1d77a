"""Groups of rows and how a program treats them: rates with intervals, and which rules make the gap.

In: a program, a table, a column to group by (with a width: numbers in steps of it), the label that is looked at. Out:
an `Audit`. The gap between the two groups with the highest and the lowest rate is the sum of its parts by deciding
rule, exactly; beside it stands what the gap would be without each rule and exception. First comes the one that closes
most of it while it changes few other rows: without the rule that approves everyone there would be no gap either.
Through which columns the gap comes is `audit_columns`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unless.errors import DataError
from unless.evaluate.audit_columns import gaps_through, matters
from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.reliability import auc
from unless.evaluate.view import View
from unless.logic.clause import Clause
from unless.logic.forms.outline import outline
from unless.logic.program import Program, label_text
from unless.logic.readings import source_column
from unless.logic.reason.properties import never_depends
from unless.logic.reason.questions import NO
from unless.logic.rules import Literal
from unless.logic.unseen_rows import wilson
from unless.table.columns import cells
from unless.table.parts import seen_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.evaluate.audit_columns import GapThrough
    from unless.logic.reason.questions import RowAnswer
    from unless.logic.rules import Label
    from unless.table.frames import RawTable

    Rows = NDArray[np.bool_]

ENOUGH = 20
"""Groups with fewer rows are shown, but make no gap if two larger ones are there."""
MOST_GROUPS = 100
NO_ROWS = "the table has no rows, so there is nothing to compare."
NEVER = "\x00"
"""A word that no cell holds."""


class Share(NamedTuple):
    """A part of a whole, as counts."""

    n: int
    of: int

    @property
    def value(self) -> float:
        """Return the share; of nothing, 0."""
        return self.n / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval at 95 %."""
        return wilson(self.n, self.of)


class GroupKey(NamedTuple):
    """What a group has in common: a word, or numbers from `low` to below `high`; blank where all three are None.

    `text` is what people call the group, where it is neither a word nor a plain range: a month, amounts.
    """

    word: str | None = None
    low: float | None = None
    high: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Some rows, of what its key says. Without labels the last five are None."""

    word: str | None
    low: float | None
    high: float | None
    text: str | None
    predicted: Share
    actual: Share | None = None
    wrong: Share | None = None
    false_positive: Share | None = None
    false_negative: Share | None = None
    auc: float | None = None
    """How well probabilities rank the rows of the group; None without a grade, or where all rows have one label."""


class GapPart(NamedTuple):
    """What a rule adds to the gap; `rule` is its number, `label` what it concludes."""

    rule: str
    label: str
    gap: float


class GapWithout(NamedTuple):
    """What the gap would be without a rule or exception; `changed` is the share of rows that it decides, in each group.

    `score` is the part of the gap that goes, times how little else changes.
    """

    rule: str
    gap: float
    changed: tuple[float, float]
    score: float


@dataclass(frozen=True, slots=True)
class Audit:
    """One column's groups; `direct` is the answer whether two rows that differ in it alone get different labels.

    `own` are the columns of the program that are read from it: itself, and the parts of a date. By `direct_by` of these
    the two rows of `direct` differ.
    `depends` are the columns on which decisions depend, which is proved, or None; `through` is what carries the gap.
    """

    column: str
    label: Label
    groups: tuple[Group, ...]
    own: tuple[str, ...]
    direct: RowAnswer
    direct_by: str
    is_tested: bool
    highest: int
    lowest: int
    parts: tuple[GapPart, ...]
    without: tuple[GapWithout, ...]
    depends: tuple[str, ...] | None
    through: tuple[GapThrough, ...]

    @property
    def gap(self) -> float:
        """Return the largest rate less the smallest."""
        return self.groups[self.highest].predicted.value - self.groups[self.lowest].predicted.value


def audit(program: Program, table: RawTable, by: str, label: Label, target: str | None = None) -> Audit:
    """Look at the groups of a column; `age:10` makes groups of numbers in steps of 10."""
    view = View(program, table, target)
    column, masks = _groups(program, seen_by(program, view.table), by)
    _check_groups(by, column, [key for key, _ in masks])
    return audit_groups(view, column, masks, label)


def audit_groups(
    view: View, column: str, masks: Sequence[tuple[GroupKey, Rows]], label: Label, step: Callable[[], object] = bool
) -> Audit:
    """Look at groups of rows that differ in a column; `step` is called between two pieces of work, and may raise."""
    program = view.program
    groups = tuple(_group(view, label, key, rows) for key, rows in masks)
    rates = [group.predicted.value for group in groups]
    large = [i for i, (_, rows) in enumerate(masks) if rows.sum() >= ENOUGH]
    among = large if len(large) > 1 else list(range(len(groups)))
    highest, lowest = max(among, key=rates.__getitem__), min(among, key=rates.__getitem__)
    pair = masks[highest][1], masks[lowest][1]
    own = tuple(each.name for each in program.columns if column in {each.name, source_column(each)})
    tested = [name for name in own if name in program.used_columns]
    direct, direct_by = _direct(program, column, tested)
    parts, without = tuple(_parts(view, label, *pair)), tuple(_without(view, label, *pair, step))
    through = tuple(gaps_through(view, label, own, *pair, step)) if highest != lowest else ()
    depends = matters(program)
    return Audit(
        column, label, groups, own, direct, direct_by, bool(tested), highest, lowest, parts, without, depends, through
    )


def _direct(program: Program, column: str, tested: Sequence[str]) -> tuple[RowAnswer, str]:
    """Return whether decisions depend on a column by itself, and by what of it."""
    # Where they depend on none of several columns, they depend on no change of all of them together.
    answers = ((never_depends(program, name).counterexample(), name) for name in tested)
    return next(((answer, name) for answer, name in answers if answer.verdict != "no"), (NO, column))


def _check_groups(by: str, column: str, keys: list[GroupKey]) -> None:
    """Refuse a table without rows, numbers of which there are none, and more groups than anybody compares."""
    if not keys:
        raise DataError(NO_ROWS)
    if by != column and all(key.low is None for key in keys):
        msg = f"--by {by}: {column!r} holds no numbers to make groups of; write --by {column}."
        raise DataError(msg)
    if len(keys) > MOST_GROUPS:
        msg = (
            f"--by {by} makes {len(keys):,} groups, more than {MOST_GROUPS}; for numbers write a step, such as age:10."
        )
        raise DataError(msg)


def _groups(program: Program, table: RawTable, by: str) -> tuple[str, list[tuple[GroupKey, Rows]]]:
    name, colon, width = by.rpartition(":")
    if not colon or by in table.columns:
        by = table.name_of(by)
        words = cells(table.columns[by], "categorical").words
        codes = np.full(table.n_rows, -1) if words is None else words.codes
        lexicon = () if words is None else words.lexicon
        return by, [*word_groups(lexicon, codes), *blank_group(codes < 0)]
    try:
        step = float(width)
    except ValueError:
        step = 0.0
    if not 0 < step < math.inf:
        msg = f"--by {by}: {width!r} is no width of groups; write such as age:10."
        raise DataError(msg)
    name = table.name_of(name)
    reading = next((column.reading for column in program.columns if column.name == name), "")
    read = cells(table.columns[name], "numerical", program.missing, reading)
    steps = np.full(table.n_rows, np.nan) if read.numbers is None else np.floor(read.numbers / step)
    at = [float(each) for each in np.unique(steps[~np.isnan(steps)])]
    found = [(GroupKey(None, k * step, (k + 1) * step), steps == k) for k in at]
    named = [] if read.words is None else word_groups(read.words.lexicon, read.words.codes)
    return name, [*found, *named, *blank_group(read.blank())]


def word_groups(lexicon: Sequence[str], codes: NDArray[np.int32]) -> list[tuple[GroupKey, Rows]]:
    """Return a group for each word that some row has."""
    found = [(GroupKey(word), codes == i) for i, word in sorted(enumerate(lexicon), key=lambda item: item[1])]
    return [(key, rows) for key, rows in found if rows.any()]


def blank_group(rows: Rows) -> list[tuple[GroupKey, Rows]]:
    """Return the group of blank cells, if there is one."""
    return [(GroupKey(), rows)] if rows.any() else []


def _group(view: View, label: Label, key: GroupKey, rows: Rows) -> Group:
    index = [label_text(each) for each in view.labels].index(label_text(label))
    predicted, n = view.predicted == index, int(rows.sum())
    rate = Share(int((predicted & rows).sum()), n)
    if view.actual is None:
        return Group(*key, rate)
    actual, chance = view.actual == index, view.probabilities_as_they_are.get(label_text(label))
    yes, no = int((actual & rows).sum()), int((~actual & rows).sum())
    return Group(
        *key,
        rate,
        Share(yes, n),
        Share(int(((view.predicted != view.actual) & rows).sum()), n),
        Share(int((predicted & ~actual & rows).sum()), no),
        Share(int((~predicted & actual & rows).sum()), yes),
        None if chance is None else auc(chance[rows], actual[rows]),
    )


def _parts(view: View, label: Label, high: Rows, low: Rows) -> list[GapPart]:
    """Split the gap by the rule that decides: of rules for the label, or of all others with the opposite sign."""
    rules, texts = deciding_rules(view), view.predicted_texts()
    wanted = texts == label_text(label)
    is_concluded = not (rules[wanted] == "").any()
    rows, sign = (wanted, 1.0) if is_concluded else (~wanted, -1.0)
    found = []
    for rule in outline(view.program):
        decided = rows & (rules == rule.number)
        gap = sign * (float(decided[high].mean()) - float(decided[low].mean()))
        if decided.any():
            found.append(GapPart(rule.number, label_text(rule.label), gap))
    return sorted(found, key=lambda part: -part.gap)


def _without(view: View, label: Label, high: Rows, low: Rows, step: Callable[[], object]) -> list[GapWithout]:
    """Return the gap without each rule and exception, the one that makes it by itself first."""
    found: dict[int, GapWithout] = {}
    before = view.predicted_texts() == label_text(label)
    gap = float(before[high].mean()) - float(before[low].mean())
    for entry in (entry for rule in outline(view.program) for entry in rule.walk()):
        index = next(i for i, clause in enumerate(view.program.clauses) if clause is entry.clause)
        if index not in found:
            step()
            other = View(_never(view.program, index), view.table, view.target, view.read)
            has = other.predicted_texts() == label_text(label)
            left = float(has[high].mean()) - float(has[low].mean())
            changed = float((has != before)[high].mean()), float((has != before)[low].mean())
            closed = abs(gap) - abs(left)
            score = closed * abs(closed) / sum(changed) if sum(changed) else 0.0
            found[index] = GapWithout(entry.number, left, changed, score)
    return sorted(found.values(), key=lambda part: -part.score)


def _never(program: Program, index: int) -> Program:
    """Return a program in which a clause never holds."""
    clause = program.clauses[index]
    never = Literal(program.used_columns[0], "=", NEVER)
    clauses = list(program.clauses)
    clauses[index] = Clause(clause.name, clause.label, (never,))
    return Program(program.target, program.columns, tuple(clauses), program.missing)
